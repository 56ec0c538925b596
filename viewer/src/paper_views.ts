// The views of a paper's figure that are charts, or points of realisations.
import { Chart } from "./chart";
import { interpolated } from "./chaos";
import { el } from "./dom";
import type { Figure, Line } from "./figure";
import { errorFigure, valueFigure } from "./fields";
import { integer } from "./format";
import { inputFigure } from "./inputs";
import { type Context, curveName, numbers } from "./page";
import type { Curve, Field, PaperView, PlaneView, Study } from "./payload";
import { Responses } from "./responses";
import { pointView } from "./scatter";

const HEIGHT = 420;
type ChartView = Exclude<PaperView, PlaneView>;
type Overlaid = Extract<ChartView, { kind: "mean" | "covariance" | "principal-std" }>;

export type MadeView = { element: HTMLElement; destroy: () => void; chart: Chart } | { element: HTMLElement; destroy: () => void };

export function findCurve(study: Study, probe: string, quantity: string): Curve {
  const curve = study.curves.find((c) => c.probe === probe && c.quantity === quantity);
  if (!curve) throw new Error(`${study.label} has no ${quantity} of ${probe}`);
  return curve;
}

function find<T>(list: T[], is: (item: T) => boolean, name: string): T {
  const found = list.find(is);
  if (!found) throw new Error(`there is no ${name}`);
  return found;
}

const sinceStart = (y: ArrayLike<number>, start: number): Float64Array => Float64Array.from(y, (v) => v - start);
const movedName = (curve: Curve, axis: string): string =>
  curve.quantity === "position" ? `${curve.probe} displacement ${axis}` : `change of ${curveName(curve)} ${axis}`;

function responseFigure(context: Context, view: Extract<ChartView, { kind: "response" }>): Figure {
  const curve = findCurve(context.study, view.probe, view.quantity);
  const axis = curve.axes.indexOf(view.axis);
  const figure = new Responses(context, context.study).figure(curve, axis, {
    nominal: true,
    mean: true,
    region: true,
    twoStd: false,
    samples: false,
    more: false,
    log: false,
  });
  if (!view.from_start) return figure;
  const start = numbers(context, curve.nominal)[axis];
  return {
    ...figure,
    title: movedName(curve, view.axis),
    lines: figure.lines.map((line) => ({ ...line, y: sinceStart(line.y, start) })),
    areas: figure.areas.map((area) => ({ ...area, lower: sinceStart(area.lower, start), upper: sinceStart(area.upper, start) })),
  };
}

/** What the lines of a study are called. */
const methodOf = (study: Study): string =>
  study.summary.method === "chaos" ? "chaos" : study.summary.realizations > 0 ? `${integer(study.summary.realizations)} draws` : "nominal";

/** Components of one statistic, in colours; the first study solid, the others dashed over it. */
function overlaidFigure(context: Context, view: Overlaid): Figure {
  const studies = view.study === undefined ? context.report.studies : [context.study];
  const lines: Line[] = [];
  let frame: Figure | null = null;
  studies.forEach((study, s) => {
    const curve = findCurve(study, view.probe, view.quantity);
    const responses = new Responses(context, study);
    const own = components(context, curve, view);
    frame ??= { ...responses.frame(own.title, curve), unit: own.unit, yFromZero: view.kind === "principal-std" };
    const x = frame.x;
    own.lines.forEach(({ label, at }, k) => {
      const rows = Float64Array.from(responses.times, (_, i) => at(i));
      const y = Float64Array.from(x, (t) => interpolated(responses.times, rows, t));
      lines.push({
        label: studies.length > 1 ? `${label}, ${methodOf(study)}` : label,
        y,
        color: s === 0 ? k : "ink",
        width: s === 0 ? 2.4 : 1.3,
        dash: s === 0 ? undefined : [4, 4],
      });
    });
  });
  return { ...frame!, lines };
}

interface Components {
  title: string;
  unit: string;
  lines: { label: string; at: (row: number) => number }[];
}

function components(context: Context, curve: Curve, view: Overlaid): Components {
  const n = curve.axes.length;
  const square = `${curve.unit}^2`;
  const need = <T>(value: T | undefined, what: string): T => {
    if (value === undefined) throw new Error(`${curveName(curve)} has no ${what}`);
    return value;
  };
  if (view.kind === "mean") {
    const mean = numbers(context, need(curve.mean, "mean"));
    return {
      title: view.from_start && curve.quantity === "position" ? `mean displacement of ${curve.probe}` : `mean of ${curveName(curve)}`,
      unit: curve.unit,
      lines: view.axes.map((name) => {
        const axis = curve.axes.indexOf(name);
        const start = view.from_start ? mean[axis] : 0;
        return { label: name, at: (row) => mean[row * n + axis] - start };
      }),
    };
  }
  if (view.kind === "covariance") {
    const cov = numbers(context, need(curve.cov, "covariance"));
    return {
      title: `covariance of ${curveName(curve)}`,
      unit: square,
      lines: view.entries.map(([a, b]) => {
        const at = curve.axes.indexOf(a) * n + curve.axes.indexOf(b);
        return { label: a === b ? `σ²(${a})` : `σ(${a}${b})`, at: (row) => cov[row * n * n + at] };
      }),
    };
  }
  const ref = need(curve.principal_std, "principal standard deviations");
  const std = Array.from(numbers(context, ref));
  const count = ref.shape[1];
  // Along directions in which nothing varies, as across a plane, there is only rounding.
  const largest = std.reduce((most, v) => (v > most ? v : most), 0);
  const alive = Array.from({ length: count }, (_, j) => j).filter((j) => std.some((v, i) => i % count === j && v > 1e-9 * largest));
  return {
    title: `principal standard deviations of ${curveName(curve)}`,
    unit: curve.unit,
    lines: alive.map((j) => ({ label: `σ${"₁₂₃"[j] ?? j + 1}`, at: (row) => std[row * count + j] })),
  };
}

function errorsFigure(context: Context, names: string[]): Figure {
  const fields = names.map((name) => find(context.study.fields, (f) => f.name === name, name));
  const lengthOf = (field: Field): number => Math.max(...numbers(context, field.place));
  const longest = fields.reduce((a, b) => (lengthOf(a) >= lengthOf(b) ? a : b));
  const frame = errorFigure(context, longest);
  return {
    ...frame,
    lines: fields.map((field, k) => ({
      label: field.name,
      y: Float64Array.from(frame.x, (x) => interpolated(numbers(context, field.place), numbers(context, field.variance_error), x)),
      color: k,
      width: 2.2,
    })),
  };
}

function inputPoints(context: Context, view: Extract<ChartView, { kind: "points" }>): MadeView {
  const { study } = context;
  const [x, y] = [view.x, view.y].map((path) => find(study.inputs, (input) => input.path === path, path));
  const status = study.realizations ? numbers(context, study.realizations.status) : new Uint8Array(0);
  const drawing = pointView(
    { name: x.path, unit: x.unit, values: numbers(context, x.values) },
    { name: y.path, unit: y.unit, values: numbers(context, y.values) },
    [x.nominal, y.nominal],
    (i) => (status[i] ?? 0) !== 0,
  );
  return { element: el("div", "drawing", drawing.canvas), destroy: () => drawing.destroy() };
}

export function chartView(context: Context, view: ChartView): MadeView {
  if (view.kind === "points") return inputPoints(context, view);
  const figure =
    view.kind === "response"
      ? responseFigure(context, view)
      : view.kind === "input"
        ? inputFigure(
            context,
            find(context.study.inputs, (input) => input.path === view.path, view.path),
          )
        : view.kind === "field"
          ? valueFigure(
              context,
              find(context.study.fields, (field) => field.name === view.field, view.field),
            )
          : view.kind === "field-error"
            ? errorsFigure(context, view.fields)
            : overlaidFigure(context, view);
  const chart = new Chart(figure, { height: HEIGHT });
  return { element: chart.element, destroy: () => chart.destroy(), chart };
}
