// Sensitivity: which random input causes which share of the variance, over time and over the whole run.
import { Chart } from "./chart";
import { sharesFigure } from "./chaos";
import { facts, table } from "./controls";
import { el } from "./dom";
import type { Figure } from "./figure";
import { integer, number, percent, plural } from "./format";
import { axisName, type Context, numbers, section, type Section } from "./page";
import type { ArrayRef, Curve, Sensitivity } from "./payload";
import { axisPicker } from "./picker";
import { along, Responses } from "./responses";

const METHODS: Record<string, string> = {
  "pick-freeze": "Sobol’ indices by pick-freeze",
  shapley: "Shapley effects",
  morris: "Morris screening",
};

const alone = (curve: Curve): ArrayRef | undefined => curve.sobol_group ?? curve.sobol_first ?? curve.shapley;
const total = (curve: Curve): ArrayRef | undefined => curve.sobol_group_total ?? curve.sobol_total;

/** One line for each factor. */
function linesFigure(
  context: Context,
  responses: Responses,
  made: { title: string; unit: Curve | null; ref: ArrayRef; factors: string[] },
  curve: Curve,
  axis: number,
): Figure {
  const values = numbers(context, made.ref);
  const figure = responses.frame(made.title, made.unit);
  const std = curve.std ? responses.line(curve, curve.std, axis) : null;
  const largest = std ? Math.max(...Array.from(std, (s) => (Number.isFinite(s) ? s : 0))) : 1;
  made.factors.forEach((label, k) => {
    const y = along(responses.points, values, curve.axes.length, axis, responses.times.length, k);
    // Where nothing varies, shares of the variance are rounding.
    figure.lines.push({ label, y: y.map((v, i) => (std && !(std[i] > 1e-6 * largest) ? NaN : v)), color: k, width: 1.8 });
  });
  return { ...figure, yFromZero: true };
}

function wholeRunTable(context: Context, sensitivity: Sensitivity): HTMLElement | null {
  if (sensitivity.alone.length === 0) return null;
  const sure = percent(context.study.trust.interval_confidence ?? 0.95);
  const cell = (share: (number | null)[] | undefined): string =>
    !share || share[0] === null ? "–" : `${number(share[0], 3)} (${number(share[1], 2)} … ${number(share[2], 2)})`;
  const both = sensitivity.total.length > 0;
  const rows = sensitivity.alone.flatMap((row, i) =>
    sensitivity.factors.map((factor, f) => [
      f === 0 ? axisName(context.study.curves[row.curve], row.axis) : "",
      factor,
      cell(row.shares[f]),
      ...(both ? [cell(sensitivity.total[i]?.shares[f])] : []),
    ]),
  );
  return table(
    `Shares of the variance, integrated over time, with ${sure} intervals`,
    ["component", "random input", both ? "alone" : "share", ...(both ? ["with others"] : [])],
    rows,
    both ? [2, 3] : [2],
  );
}

export function sensitivitySection(context: Context): Section | null {
  const { sensitivity, curves, summary } = context.study;
  if (!sensitivity) return null;
  const responses = new Responses(context, context.study);
  const usable = curves.map((_, i) => i).filter((i) => alone(curves[i]) || curves[i].morris_mean_abs);
  const charts: { shares?: Chart; total?: Chart } = {};
  const places = { shares: el("div"), total: el("div") };
  const put = (name: keyof typeof charts, figure: Figure): void => {
    const chart = charts[name];
    if (chart) chart.update(figure);
    else {
      charts[name] = new Chart(figure, { height: 250, cursor: context.cursor });
      places[name].append(charts[name]!.element);
    }
  };
  const show = (index: number, axis: number): void => {
    const curve = curves[index];
    const { factors } = sensitivity;
    const first = alone(curve);
    const all = total(curve);
    const name = axisName(curve, axis);
    if (first) put("shares", sharesFigure(context, responses, { curve, axis, ref: first, names: factors }));
    if (all)
      put("total", linesFigure(context, responses, { title: `shares with others of ${name}`, unit: null, ref: all, factors }, curve, axis));
    if (curve.morris_mean_abs)
      put(
        "shares",
        linesFigure(
          context,
          responses,
          { title: `mean size of effects on ${name}`, unit: curve, ref: curve.morris_mean_abs, factors },
          curve,
          axis,
        ),
      );
  };
  const widest = summary.widest && usable.includes(summary.widest.curve) ? summary.widest : { curve: usable[0], axis: 0 };
  const picker = usable.length > 0 ? axisPicker(curves, usable, { curve: widest.curve, axis: widest.axis }, show) : null;
  const made = section(
    "sensitivity",
    "Sensitivity",
    `${METHODS[sensitivity.method] ?? sensitivity.method} of ${plural(sensitivity.factors.length, "random input")}.`,
    facts([
      ["Blocks", `${integer(sensitivity.blocks)} of ${integer(sensitivity.block)} runs`],
      ["Left out, because a run failed", integer(sensitivity.dropped)],
    ]),
    picker,
    el("div", "grid two", places.shares, places.total),
    wholeRunTable(context, sensitivity),
  );
  return { ...made, charts: () => Object.values(charts), destroy: () => Object.values(charts).forEach((chart) => chart.destroy()) };
}
