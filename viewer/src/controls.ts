// Controls in the page's own look: tabs, check boxes, choices and ranges, all by keyboard too.
import { el, fill, unique } from "./dom";

/** A list of tabs: arrow keys move, as the ARIA practices describe; one tab stop. */
export function tabs(label: string, names: string[], chosen: number, choose: (i: number) => void): HTMLElement {
  const buttons = names.map((name, i) =>
    el("button", { class: "tab", attributes: { type: "button", role: "tab" }, on: { click: () => select(i) } }, name),
  );
  const show = (chosenNow: number): void =>
    buttons.forEach((button, i) => {
      button.setAttribute("aria-selected", String(i === chosenNow));
      button.tabIndex = i === chosenNow ? 0 : -1;
    });
  const select = (i: number): void => {
    show(i);
    choose(i);
  };
  show(chosen);
  const bar = el("div", { class: "tabs", attributes: { role: "tablist", "aria-label": label } }, ...buttons);
  bar.addEventListener("keydown", (event) => {
    const now = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const n = buttons.length;
    const next = { ArrowRight: (now + 1) % n, ArrowLeft: (now + n - 1) % n, Home: 0, End: n - 1 }[event.key];
    if (now < 0 || next === undefined) return;
    event.preventDefault();
    buttons[next].focus(); // before choosing: who makes the tabs anew then knows that they had it
    select(next);
  });
  return bar;
}

export function choice(label: string, names: string[], chosen: number, choose: (i: number) => void): HTMLElement {
  const select = el("select", { on: { change: () => choose(select.selectedIndex) } }, ...names.map((name) => el("option", {}, name)));
  select.selectedIndex = chosen;
  return el("label", "choice", el("span", "", label), select);
}

/** A check box that looks like a legend entry; `swatch` is a CSS class of its own. */
export function toggle(label: string, on: boolean, change: (on: boolean) => void, swatch = ""): HTMLElement {
  const box = el("input", { attributes: { type: "checkbox" }, on: { change: () => change(box.checked) } });
  box.checked = on;
  return el("label", "toggle", box, swatch ? el("i", `swatch ${swatch}`) : null, el("span", "", label));
}

export interface Slider {
  element: HTMLElement;
  set(value: number): void;
}

export function slider(
  label: string,
  range: { min: number; max: number; step: number; value: number },
  text: (value: number) => string,
  change: (value: number) => void,
): Slider {
  const id = unique("slider");
  const shown = el("output", { attributes: { for: id } });
  const input = el("input", {
    id,
    attributes: { type: "range", min: String(range.min), max: String(range.max), step: String(range.step) },
    on: {
      input: () => {
        tell();
        change(Number(input.value));
      },
    },
  });
  const tell = (): void => {
    shown.textContent = text(Number(input.value));
    input.setAttribute("aria-valuetext", shown.textContent);
  };
  const set = (value: number): void => {
    input.value = String(value);
    tell();
  };
  set(range.value);
  return { element: el("label", "slider", el("span", "", label), input, shown), set };
}

/** A table of text cells; columns named in `right` hold numbers. */
export function table(caption: string, head: string[], rows: (string | Node)[][], right: number[] = []): HTMLElement {
  const side = (i: number): string => (right.includes(i) ? "right" : "");
  return el(
    "div",
    { class: "table", attributes: { tabindex: "0", role: "region", "aria-label": caption } },
    el(
      "table",
      "",
      el("thead", "", el("tr", "", ...head.map((name, i) => el("th", { class: side(i), attributes: { scope: "col" } }, name)))),
      el("tbody", "", ...rows.map((row) => el("tr", "", ...row.map((cell, i) => el("td", side(i), cell))))),
    ),
  );
}

export function facts(entries: [string, string | Node][]): HTMLElement {
  return el("dl", "facts", ...entries.map(([name, value]) => el("div", "", el("dt", "", name), el("dd", "", value))));
}

export function copyButton(text: () => string): HTMLElement {
  const button = el("button", { class: "quiet", attributes: { type: "button" } }, "Copy");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text());
    } catch {
      copyBySelection(text());
    }
    fill(button, "Copied");
    setTimeout(() => fill(button, "Copy"), 1500);
  });
  return button;
}

/** Pages opened from a disk may have no clipboard of their own. */
function copyBySelection(text: string): void {
  const area = el("textarea", "offscreen");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}
