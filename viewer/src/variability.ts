// Variability response: what every wave number of a beam's flexibility does, and how far the method holds.
import { Chart } from "./chart";
import { facts } from "./controls";
import { el } from "./dom";
import type { Figure } from "./figure";
import { number, percent, plural } from "./format";
import { axisName, type Context, numbers, section, type Section } from "./page";
import type { Curve } from "./payload";
import { axisPicker } from "./picker";
import { along, Responses } from "./responses";

/** Standard deviations over time: by waves, at most, and of runs with random fields. */
function deviationFigure(responses: Responses, curve: Curve, axis: number): Figure {
  const figure = responses.frame(`standard deviation of ${axisName(curve, axis)}`, curve);
  const root = (y: ArrayLike<number>): number[] => Array.from(y, Math.sqrt);
  figure.lines.push({ label: "by waves", y: root(responses.line(curve, curve.variance!, axis)), color: "mean", width: 2 });
  figure.lines.push({ label: "“bound”", y: root(responses.line(curve, curve.variance_bound!, axis)), color: 3, width: 1.2, dash: [5, 4] });
  if (curve.check_std)
    ["Gaussian fields", "lognormal fields"].forEach((label, law) =>
      figure.lines.push({ label, y: responses.line(curve, curve.check_std!, axis, law), color: law + 1, width: 1.5 }),
    );
  return { ...figure, yFromZero: true };
}

/** DVRF over wave numbers, at the time with the largest variance and at some before. */
function waveFigure(context: Context, responses: Responses, curve: Curve, axis: number): Figure {
  const { study } = context;
  const waves = study.variability!.wave_numbers;
  const axes = curve.axes.length;
  const rows = responses.times.length;
  const variance = numbers(context, curve.variance!);
  const dvrf = numbers(context, curve.dvrf!);
  let last = 0;
  for (let i = 0; i < rows; ++i) if (variance[i * axes + axis] > variance[last * axes + axis]) last = i;
  const shown = [...new Set([0.25, 0.5, 0.75, 1].map((share) => Math.round(share * last)))].filter((i) => i > 0 || last === 0);
  return {
    file: `${study.label}-dvrf-${axisName(curve, axis)}`,
    title: `variability response of ${axisName(curve, axis)}`,
    unit: curve.unit ? `(${curve.unit})²` : "",
    x: waves,
    xLabel: "wave number",
    xUnit: "rad/m",
    areas: [],
    lines: shown.map((row, k) => ({
      label: `t = ${number(responses.times[row], 4)} s`,
      y: waves.map((_, w) => dvrf[(w * rows + row) * axes + axis]),
      color: k,
      width: 1.8,
    })),
    yFromZero: true,
  };
}

/** The largest error of the standard deviation, of its largest value over the run. */
function largestError(responses: Responses, context: Context, curve: Curve, axis: number, law: number): string {
  const waves = along(responses.points, numbers(context, curve.variance!), curve.axes.length, axis, responses.times.length);
  const fields = responses.line(curve, curve.check_std!, axis, law);
  let error = 0;
  let scale = 0;
  fields.forEach((s, i) => {
    error = Math.max(error, Math.abs(Math.sqrt(waves[i]) - s));
    scale = Math.max(scale, s);
  });
  return scale > 0 ? percent(error / scale) : "–";
}

export function variabilitySection(context: Context): Section | null {
  const { variability, curves } = context.study;
  if (!variability) return null;
  const responses = new Responses(context, context.study);
  const usable = curves.map((_, i) => i).filter((i) => curves[i].dvrf && curves[i].variance);
  if (usable.length === 0) return null;
  const charts: { over_time?: Chart; waves?: Chart } = {};
  const places = { over_time: el("div"), waves: el("div"), told: el("p", "note") };
  const put = (name: keyof typeof charts, figure: Figure): void => {
    const chart = charts[name];
    if (chart) chart.update(figure);
    else {
      charts[name] = new Chart(figure, name === "over_time" ? { height: 260, cursor: context.cursor } : { height: 260 });
      places[name].append(charts[name]!.element);
    }
  };
  const show = (index: number, axis: number): void => {
    const curve = curves[index];
    put("over_time", deviationFigure(responses, curve, axis));
    put("waves", waveFigure(context, responses, curve, axis));
    const error = (law: number): string => largestError(responses, context, curve, axis, law);
    places.told.textContent = curve.check_std
      ? `Largest error of the standard deviation by waves, of its largest value: ${error(0)} with Gaussian fields, ` +
        `${error(1)} with lognormal ones.`
      : "No random fields were run: how far the method holds here is not known.";
  };
  // The component that varies most, of its curve's largest number.
  let start = { curve: usable[0], axis: 0 };
  let largest = -1;
  for (const i of usable)
    curves[i].axes.forEach((_, axis) => {
      const spread = Math.max(...Array.from(responses.line(curves[i], curves[i].variance!, axis), (v) => (Number.isFinite(v) ? v : 0)));
      if (spread > largest) ((largest = spread), (start = { curve: i, axis }));
    });
  const made = section(
    "variability",
    "Variability response",
    `Waves of flexibility along a beam, ${plural(variability.wave_numbers.length, "wave number")}. ` +
      "In dynamics the method is a conjecture, and so is its bound.",
    facts([
      ["Standard deviation of the flexibility", number(variability.std, 3)],
      ["Spectrum", variability.spectrum],
      ["Of it beyond the last wave number", number(variability.beyond, 2)],
    ]),
    axisPicker(curves, usable, start, show),
    el("div", "grid two", places.over_time, places.waves),
    places.told,
  );
  return { ...made, charts: () => Object.values(charts), destroy: () => Object.values(charts).forEach((chart) => chart.destroy()) };
}
