// Numbers as people write them: few digits, a true minus sign, powers of ten as superscripts.

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const superscript = (n: number): string => (n < 0 ? "⁻" : "") + String(Math.abs(n)).replace(/\d/g, (digit) => SUPERSCRIPTS[Number(digit)]);

const minus = (text: string): string => text.replace(/^-/, "−");
const NARROW = "\u202f";

/** Thousands apart, as in 1 000 000. */
export function integer(n: number): string {
  return minus(String(Math.round(n))).replace(/\B(?=(\d{3})+$)/g, NARROW);
}

/** `digits` significant digits; powers of ten outside of 0.001 ... 99999. */
export function number(x: number | null | undefined, digits = 4): string {
  if (x === null || x === undefined || Number.isNaN(x)) return "–";
  if (!Number.isFinite(x)) return x > 0 ? "∞" : "−∞";
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e-3 && size < 1e5) {
    const places = Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
    const text = x.toFixed(places);
    return minus(text.includes(".") ? text.replace(/\.?0+$/, "") : text);
  }
  const [mantissa, exponent] = x.toExponential(digits - 1).split("e");
  const short = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
  return `${minus(short)}${NARROW}×${NARROW}10${superscript(Number(exponent))}`;
}

/** A value with its unit; "rad" and the like stay behind a narrow space, a dimensionless one is bare. */
export function quantity(x: number | null | undefined, unit: string, digits = 4): string {
  const shown = unit === "1" ? "" : unit;
  return shown ? `${number(x, digits)}${NARROW}${pretty(shown)}` : number(x, digits);
}

/** "1.972 … 1.991 m": two digits of the width are seen, however small it is beside the ends. */
export function range(ends: (number | null)[] | undefined, unit: string): string {
  const [low, high] = [ends?.[0] ?? NaN, ends?.[1] ?? NaN];
  const [size, width] = [Math.max(Math.abs(low), Math.abs(high)), high - low];
  // Not more digits than a number holds.
  const digits = width > 0 && Number.isFinite(width) ? Math.min(15, Math.max(3, Math.ceil(Math.log10(size / width)) + 2)) : 4;
  return `${number(low, digits)} … ${quantity(high, unit, digits)}`;
}

/** m/s^2 as m/s², N*m as N·m. */
export function pretty(unit: string): string {
  return unit.replace(/\^(-?\d+)/g, (_, n: string) => superscript(Number(n))).replace(/\*/g, "·");
}

/** The unit of a density over a quantity: 1/kg, 1/(m/s²). */
export const perUnit = (unit: string): string => (!unit || unit === "1" ? "1" : /[ */]/.test(unit) ? `1/(${unit})` : `1/${unit}`);

/** ", m/s²" behind a name, nothing for a pure number. */
export const inUnit = (unit: string): string => (unit && unit !== "1" ? `, ${pretty(unit)}` : "");

export const percent = (share: number, digits = 3): string => `${number(100 * share, digits)}${NARROW}%`;

/** A time span for reading: 0.28 s, 3 min 20 s, 2 h 5 min. */
export function span(seconds: number): string {
  if (!(seconds >= 100)) return quantity(seconds, "s", 3);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds - 60 * minutes)} s`;
  return `${integer(Math.floor(minutes / 60))} h ${minutes % 60} min`;
}

/** A simulated time in a unit that keeps it short: 10 µs, 1.1 ms, 0.6 s. */
export function instant(seconds: number, digits = 4): string {
  const { unit, factor } = seconds === 0 ? { unit: "s", factor: 1 } : timeUnit(Math.abs(seconds) * 1.0000001);
  return quantity(seconds * factor, unit, digits);
}

/** One decimal prefix for a whole axis of times, so that ticks are short. */
export interface TimeUnit {
  unit: string;
  factor: number; // seconds times this are the shown numbers
}

export function timeUnit(duration: number): TimeUnit {
  if (duration >= 0.1) return { unit: "s", factor: 1 };
  if (duration >= 1e-4) return { unit: "ms", factor: 1e3 };
  return { unit: "µs", factor: 1e6 };
}

export const plural = (n: number, one: string, many = `${one}s`): string =>
  n === 0 ? `no ${many}` : n === 1 ? `1 ${one}` : `${integer(n)} ${many}`;

/** "a", "a and b", "a, b and c". */
export function list(words: string[]): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}

/** The next of ..., 1, 2, 5, 10, ... that is not above x (not below, where `up`). */
export function round125(x: number, up = false): number {
  if (!(x > 0) || !Number.isFinite(x)) return 1;
  const decade = 10 ** Math.floor(Math.log10(x) + 1e-9);
  const steps = [1, 2, 5, 10].map((m) => m * decade);
  const fits = up ? steps.find((s) => s >= x * (1 - 1e-9)) : [...steps].reverse().find((s) => s <= x * (1 + 1e-9));
  return fits ?? decade;
}
