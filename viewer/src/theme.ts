// Light or dark: as the system says, until the reader says otherwise. Charts and the scene ask here for
// colours and are told when these change.
import { el } from "./dom";
import { type Colors, DARK, LIGHT } from "./palette";

export type ThemeName = "light" | "dark";
type Listener = () => void;

const system = window.matchMedia("(prefers-color-scheme: dark)");
let chosen: ThemeName | null = null;
let printing = false;
const listeners = new Set<Listener>();

export const themeName = (): ThemeName => (printing ? "light" : (chosen ?? (system.matches ? "dark" : "light")));
export const colors = (): Colors => (themeName() === "dark" ? DARK : LIGHT);
export const onTheme = (listener: Listener): void => void listeners.add(listener);

/** The style sheet reads the same colours as variables, so there is one palette. */
function apply(): void {
  const root = document.documentElement;
  const palette = colors();
  root.dataset.theme = themeName();
  root.style.colorScheme = themeName();
  for (const [name, value] of Object.entries(palette)) {
    if (typeof value === "string") root.style.setProperty(`--${name}`, value);
  }
  palette.series.forEach((color, i) => root.style.setProperty(`--series-${i}`, color));
  for (const listener of listeners) listener();
}

export function setTheme(name: ThemeName): void {
  chosen = name;
  apply();
}

export function startTheme(): void {
  system.addEventListener("change", apply);
  window.addEventListener("beforeprint", () => {
    printing = true;
    apply();
  });
  window.addEventListener("afterprint", () => {
    printing = false;
    apply();
  });
  apply();
}

export function themeSwitch(): HTMLElement {
  const button = el("button", {
    class: "quiet",
    attributes: { type: "button" },
    on: { click: () => setTheme(themeName() === "dark" ? "light" : "dark") },
  });
  const name = (): void => {
    button.textContent = themeName() === "dark" ? "Light" : "Dark";
    button.setAttribute("aria-label", `Switch to ${button.textContent.toLowerCase()} colours`);
  };
  onTheme(name);
  name();
  return button;
}

/** A palette colour with an opacity. */
export function fade(hex: string, opacity: number): string {
  const n = parseInt(hex.slice(1), 16);
  return `rgba(${n >> 16}, ${(n >> 8) & 255}, ${n & 255}, ${opacity})`;
}
