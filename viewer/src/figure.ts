// A chart as data: what the screen, the SVG, the PNG and the CSV are all made from.
import { number, round125 } from "./format";
import type { Colors } from "./palette";

/** A colour of the palette, by name, or the n-th of its series. */
export type ColorName = Exclude<keyof Colors, "series"> | number;

export function colorOf(palette: Colors, name: ColorName): string {
  return typeof name === "number" ? palette.series[name % palette.series.length] : palette[name];
}

export interface Line {
  label: string;
  y: ArrayLike<number>; // NaN: a gap
  color: ColorName;
  width?: number;
  dash?: number[];
  opacity?: number;
  quiet?: boolean; // not in readout and legend: one of many
  marks?: boolean; // a dot at every number: there are few
}

export interface Area {
  label: string;
  lower: ArrayLike<number>;
  upper: ArrayLike<number>;
  color: ColorName;
  opacity: number;
  values?: ArrayLike<number>; // read out in place of both ends: heights of a stack
}

export interface Figure {
  file: string; // stem of exported files' names
  title: string; // what the y axis shows
  unit: string;
  x: ArrayLike<number>; // ascending, in `xUnit`
  xLabel: string;
  xUnit: string;
  xFactor?: number; // shown numbers are x times this ...
  xShownUnit?: string; // ... in this unit
  xNames?: string[]; // x = 0, 1, 2, ... stand for these
  xLog?: boolean;
  yLog?: boolean; // of |y|
  yFromZero?: boolean;
  yAtLeast?: [number, number]; // the axis holds these too: one scale for several charts
  areas: Area[];
  lines: Line[];
  bars?: { edges: ArrayLike<number>; heights: ArrayLike<number>; color: ColorName; label: string };
  verticals?: { x: number; label: string; color: ColorName }[];
}

/** Where the chart's numbers lie, bars and zero included. */
export function extent(figure: Figure): { x: [number, number]; y: [number, number] } {
  const x: [number, number] = [Infinity, -Infinity];
  const y: [number, number] = [Infinity, -Infinity];
  const take = (range: [number, number], values: ArrayLike<number>, shown: (v: number) => number = (v) => v): void => {
    for (let i = 0; i < values.length; ++i) {
      const v = shown(values[i]);
      if (!Number.isFinite(v)) continue; // a region without an end
      if (v < range[0]) range[0] = v;
      if (v > range[1]) range[1] = v;
    }
  };
  const size = figure.yLog ? logSize : undefined;
  take(x, figure.x);
  for (const line of figure.lines) take(y, line.y, size);
  for (const area of figure.areas) {
    take(y, area.lower, size);
    take(y, area.upper, size);
  }
  if (figure.bars) {
    take(x, figure.bars.edges);
    take(y, figure.bars.heights);
  }
  for (const line of figure.verticals ?? []) take(x, [line.x]);
  if (x[1] > x[0] && figure.lines.some((line) => line.marks)) {
    const room = (figure.xNames ? 0.12 : 0.04) * (x[1] - x[0]); // for dots and names at the ends
    ((x[0] -= room), (x[1] += room));
  }
  if (x[0] === x[1]) {
    const room = figure.xNames || x[0] === 0 ? 1 : 0.1 * Math.abs(x[0]); // a single number in the middle
    ((x[0] -= room), (x[1] += room));
  }
  if (figure.yAtLeast) take(y, figure.yAtLeast, size);
  if (figure.yFromZero && y[0] > 0) y[0] = 0;
  if (!(y[0] <= y[1])) ((y[0] = 0), (y[1] = 1));
  if (!(x[0] <= x[1])) ((x[0] = 0), (x[1] = 1));
  return { x, y };
}

/** What a logarithmic axis shows: |y|, and nothing for zero. */
export const logSize = (y: number): number => (y === 0 ? NaN : Math.abs(y));

/** Whether a logarithmic axis must show |y|. */
export const hasNegative = (figure: Figure): boolean =>
  [...figure.lines.map((line) => line.y), ...figure.areas.map((area) => area.lower)].some((values) =>
    Array.prototype.some.call(values, (v: number) => v < 0),
  );

/** A little air around the numbers; a constant gets a range as wide as itself. */
export function padded([low, high]: [number, number], log: boolean, fromZero: boolean): [number, number] {
  if (log) {
    const floor = high * 1e-12; // decades that only rounding fills are left out
    const from = Math.max(low, floor);
    return from < high ? [from / 1.3, high * 1.3] : [from / 3, high * 3];
  }
  const width = high - low;
  // Differences in the last bits of a constant are no shape worth a full axis.
  const flat = width <= 1e-9 * Math.max(Math.abs(low), Math.abs(high));
  const pad = flat ? Math.max(Math.abs(high) * 0.1, high === 0 && low === 0 ? 1 : 0) : 0.06 * width;
  return [fromZero && low >= 0 ? 0 : low - pad, high + pad];
}

/** Ticks at multiples of 1, 2 or 5, or at decades. */
export function ticks([low, high]: [number, number], count: number, log: boolean): number[] {
  const out: number[] = [];
  if (log) {
    const from = Math.ceil(Math.log10(low) - 1e-9);
    const to = Math.floor(Math.log10(high) + 1e-9);
    const every = Math.max(1, Math.ceil((to - from + 1) / count));
    for (let k = from; k <= to; k += every) out.push(10 ** k);
    if (out.length > 1) return out;
    return [1, 2, 5]
      .flatMap((m) => [10 ** (from - 1) * m, 10 ** from * m])
      .filter((v) => v >= low && v <= high)
      .sort((a, b) => a - b);
  }
  const wanted = (high - low) / count;
  const [below, above] = [round125(wanted), round125(wanted, true)];
  const step = wanted / below < above / wanted ? below : above;
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) out.push(k * step === 0 ? 0 : k * step);
  return out;
}

/** A name that fits under a tick. */
export const shortened = (name: string): string => (name.length > 18 ? `${name.slice(0, 17)}…` : name);

/** Tick labels with just the digits that tell them apart. */
export function tickLabels(values: number[], log: boolean): string[] {
  if (log) return values.map((v) => (v >= 0.01 && v < 1e5 ? number(v, 2) : number(v, 2).replace(/^1\u202f×\u202f/, "")));
  const largest = Math.max(...values.map(Math.abs), 0);
  const step = values.length > 1 ? Math.abs(values[1] - values[0]) : largest;
  if (largest === 0 || !(step > 0)) return values.map((v) => number(v));
  if (largest >= 1e5 || largest < 1e-3) {
    const digits = Math.max(1, Math.floor(Math.log10(largest)) - Math.floor(Math.log10(step) + 1e-9) + 1);
    return values.map((v) => number(Math.abs(v) < 1e-9 * step ? 0 : v, Math.min(digits, 8)));
  }
  const places = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return values.map((v) => {
    const text = (Math.abs(v) < 1e-9 * step ? 0 : v).toFixed(Math.min(places, 12));
    return text.startsWith("-") ? `−${text.slice(1)}` : text;
  });
}

/** Index ranges over which all of the arrays have numbers. */
export function runs(...arrays: ArrayLike<number>[]): [number, number][] {
  const out: [number, number][] = [];
  let first = -1;
  const length = arrays[0].length;
  for (let i = 0; i <= length; ++i) {
    const whole = i < length && arrays.every((a) => Number.isFinite(a[i]));
    if (whole && first < 0) first = i;
    if (!whole && first >= 0) {
      out.push([first, i - 1]);
      first = -1;
    }
  }
  return out;
}

/** Half the width of the caps of an error bar, which is what an area at a single place is drawn as. */
export const CAP = 5;
