// From the arrays of a study to the figures of one curve and axis. Kept apart from the panel that shows
// them: comparisons and the chaos section draw the same kinds of lines.
import { column } from "./arrays";
import type { Area, ColorName, Figure, Line } from "./figure";
import { percent, timeUnit } from "./format";
import { axisName, confidence, type Context, numbers, optional } from "./page";
import type { ArrayRef, Curve, Study } from "./payload";

/** Times of a curve's points: an instant at which the response jumps is there twice. */
export interface Instants {
  x: Float64Array;
  row: Int32Array; // the output row a point is made from
  weight: Float64Array; // of the row after it
  rightOf: Int32Array; // index of the break whose right limit it is; -1 otherwise
  unknown: Uint8Array; // left limit at a break between two rows: nobody wrote it down
}

/** Output times, with breaks put in: at each, the left limit and then the right one. */
export function instants(times: ArrayLike<number>, breaks: ArrayLike<number>): Instants {
  const x: number[] = [];
  const row: number[] = [];
  const weight: number[] = [];
  const rightOf: number[] = [];
  const unknown: number[] = [];
  const push = (t: number, i: number, w: number, right: number, gap: number): void => {
    x.push(t);
    row.push(i);
    weight.push(w);
    rightOf.push(right);
    unknown.push(gap);
  };
  const step = times.length > 1 ? times[1] - times[0] : 1;
  let b = 0;
  for (let i = 0; i < times.length; ++i) {
    push(times[i], i, 0, -1, 0);
    const next = i + 1 < times.length ? times[i + 1] : Infinity;
    for (; b < breaks.length && breaks[b] < next - 1e-6 * step; ++b) {
      if (breaks[b] < times[i] - 1e-6 * step) continue;
      const onRow = Math.abs(breaks[b] - times[i]) <= 1e-6 * step;
      const w = onRow || !Number.isFinite(next) ? 0 : (breaks[b] - times[i]) / (next - times[i]);
      if (!onRow) push(breaks[b], i, w, -1, 1);
      push(onRow ? times[i] : breaks[b], i, w, b, 0);
    }
  }
  return {
    x: Float64Array.from(x),
    row: Int32Array.from(row),
    weight: Float64Array.from(weight),
    rightOf: Int32Array.from(rightOf),
    unknown: Uint8Array.from(unknown),
  };
}

/** One axis of an array [..., time, axis] at those instants; `block` chooses among leading entries. */
export function along(points: Instants, values: ArrayLike<number>, axes: number, axis: number, rows: number, block = 0): Float64Array {
  const at = (i: number): number => values[(block * rows + i) * axes + axis];
  return Float64Array.from(points.row, (i, k) => {
    const w = points.weight[k];
    return w > 0 ? (1 - w) * at(i) + w * at(i + 1) : at(i);
  });
}

export interface Parts {
  nominal: boolean;
  mean: boolean;
  region: boolean;
  twoStd: boolean;
  samples: boolean;
  more: boolean;
  log: boolean;
}

export class Responses {
  readonly times: ArrayLike<number>;
  readonly points: Instants;

  constructor(
    private readonly context: Context,
    readonly study: Study,
  ) {
    this.times = numbers(context, study.time);
    this.points = instants(this.times, numbers(context, study.breaks));
  }

  /** An array [time, axis] (or [k, time, axis]) of a curve, along one axis. */
  line(curve: Curve, ref: ArrayRef, axis: number, block = 0): Float64Array {
    return along(this.points, numbers(this.context, ref), curve.axes.length, axis, this.times.length, block);
  }

  /** The nominal response with its jumps. */
  nominal(curve: Curve, axis: number): Float64Array {
    const y = this.line(curve, curve.nominal, axis);
    const right = optional(this.context, curve.nominal_right);
    this.points.unknown.forEach((gap, k) => {
      if (gap && right) y[k] = NaN;
    });
    this.points.rightOf.forEach((b, k) => {
      if (b >= 0 && right) y[k] = right[b * curve.axes.length + axis];
    });
    return y;
  }

  region(curve: Curve, axis: number): Area | null {
    const share = confidence(this.study);
    if (!curve.quantile || share === null) return null;
    if (curve.region_lower && curve.region_upper) {
      return {
        label: `${percent(share)} ${(this.study.trust.region ?? "").replace("chebyshev", "Chebyshev")}`.trim(),
        lower: this.line(curve, curve.region_lower, axis),
        upper: this.line(curve, curve.region_upper, axis),
        color: "mean",
        opacity: 0.2,
      };
    }
    return {
      label: percent(share),
      lower: this.line(curve, curve.quantile, axis, 0),
      upper: this.line(curve, curve.quantile, axis, this.study.quantiles.length - 1),
      color: "mean",
      opacity: 0.2,
    };
  }

  /** Mean and a multiple of the standard deviation to either side. */
  stdBand(curve: Curve, axis: number, times: number, color: ColorName): Area | null {
    if (!curve.mean || !curve.std) return null;
    const mean = this.line(curve, curve.mean, axis);
    const std = this.line(curve, curve.std, axis);
    return {
      label: `±${times}σ`,
      lower: mean.map((m, i) => m - times * std[i]),
      upper: mean.map((m, i) => m + times * std[i]),
      color,
      opacity: 0.14,
    };
  }

  figure(curve: Curve, axis: number, parts: Parts): Figure {
    const lines: Line[] = [];
    const areas: Area[] = [];
    const twoStd = parts.twoStd ? this.stdBand(curve, axis, 2, "random") : null;
    if (twoStd) areas.push(twoStd);
    const region = parts.region ? this.region(curve, axis) : null;
    if (region) areas.push(region);
    if (parts.samples && curve.samples) {
      const names = this.study.scene?.samples ?? [];
      for (let k = 0; k < curve.samples.shape[0]; ++k) {
        lines.push({
          label: `realisation ${names[k] ?? k}`,
          y: this.line(curve, curve.samples, axis, k),
          color: "sample",
          width: 0.8,
          opacity: 0.55,
          quiet: true,
        });
      }
    }
    if (parts.mean && curve.mean) lines.push({ label: "mean", y: this.line(curve, curve.mean, axis), color: "mean", width: 2 });
    for (const { name, unit, values } of parts.more ? (curve.more ?? []) : [])
      if (unit === curve.unit) lines.push({ label: name, y: this.line(curve, values, axis), color: "soft", width: 1 });
    if (parts.nominal)
      lines.push({ label: "nominal", y: this.nominal(curve, axis), color: "ink", width: 1.5, dash: curve.mean ? [6, 3] : undefined });
    return { ...this.frame(axisName(curve, axis), curve), areas, lines, yLog: parts.log };
  }

  /** Statistics of a curve that have units of their own, along one axis. */
  others(curve: Curve, axis: number): Figure[] {
    return (curve.more ?? [])
      .filter(({ unit }) => unit !== curve.unit)
      .map(({ name, unit, values }) => ({
        ...this.frame(`${axisName(curve, axis)}: ${name}`, curve),
        unit,
        lines: [{ label: name, y: this.line(curve, values, axis), color: "mean", width: 2 }],
      }));
  }

  /** An empty figure over time in the unit of a curve. */
  frame(title: string, curve: Curve | null): Figure {
    const span = this.times.length ? this.times[this.times.length - 1] - this.times[0] : 1;
    const shown = timeUnit(span);
    return {
      file: `${this.study.label}-${title}`,
      title,
      unit: curve?.unit ?? "1",
      x: this.points.x,
      xLabel: "time",
      xUnit: "s",
      xFactor: shown.factor,
      xShownUnit: shown.unit,
      areas: [],
      lines: [],
    };
  }

  /** Largest value of a [time, axis] array along one axis, and where. */
  largest(ref: ArrayRef, axes: number, axis: number): { value: number; row: number } {
    const y = column(numbers(this.context, ref), axes, axis);
    let row = 0;
    for (let i = 1; i < y.length; ++i) if (Math.abs(y[i]) > Math.abs(y[row]) || Number.isNaN(y[row])) row = i;
    return { value: y[row], row };
  }
}
