// Play, scrub and speed: the controls of the time cursor.
import { choice } from "../controls";
import type { TimeCursor } from "../cursor";
import { el } from "../dom";
import { number, round125, timeUnit } from "../format";

/** Speeds around one that plays all in about six seconds, and how they compare with real time. */
function speeds(cursor: TimeCursor): { names: string[]; values: number[]; chosen: number } {
  const middle = round125(cursor.speed);
  const values = [
    ...new Set([
      middle / 10,
      round125(middle / 5),
      round125(middle / 2),
      middle,
      round125(middle * 2, true),
      round125(middle * 5, true),
      1,
    ]),
  ].sort((a, b) => a - b);
  const names = values.map((v) => (v === 1 ? "real time" : v < 1 ? `1/${number(1 / v)} of real time` : `${number(v)} × real time`));
  return { names, values, chosen: values.indexOf(middle) };
}

export function transport(cursor: TimeCursor): { element: HTMLElement; destroy: () => void } {
  const shown = timeUnit(cursor.end - cursor.start);
  const digits = Math.max(0, Math.ceil(-Math.log10(cursor.step * shown.factor) + 1e-9));
  const text = (t: number): string => `${(t * shown.factor).toFixed(Math.min(6, digits))}\u202f${shown.unit}`;

  const play = el("button", { class: "play", attributes: { type: "button" }, on: { click: () => cursor.toggle() } });
  const name = (): void => {
    play.textContent = cursor.playing ? "❚❚" : "▶";
    play.setAttribute("aria-label", cursor.playing ? "Pause" : "Play");
  };
  cursor.onState(name);
  name();

  const time = el("output", "time");
  const bar = el("input", {
    attributes: { type: "range", min: String(cursor.start), max: String(cursor.end), step: String(cursor.step), "aria-label": "Time" },
    on: {
      input: () => {
        cursor.pause();
        cursor.set(Number(bar.value));
      },
    },
  });
  const follow = (t: number): void => {
    bar.value = String(t);
    time.textContent = text(t);
    bar.setAttribute("aria-valuetext", text(t));
  };
  const forget = cursor.onTime(follow);
  follow(cursor.time);

  const { names, values, chosen } = speeds(cursor);
  cursor.speed = values[chosen];
  const element = el(
    "div",
    "transport",
    play,
    bar,
    time,
    choice("Speed", names, chosen, (i) => {
      cursor.speed = values[i];
    }),
  );
  return { element, destroy: forget };
}
