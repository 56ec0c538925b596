// Worst case: bounds over the box of the intervals, what runs found, and the machines of the extremes.
import { Chart } from "./chart";
import { facts, table } from "./controls";
import { el } from "./dom";
import type { Figure } from "./figure";
import { integer, number, pretty } from "./format";
import { axisName, type Context, numbers, section, type Section } from "./page";
import type { Curve, WorstCase } from "./payload";
import { axisPicker } from "./picker";
import { Responses } from "./responses";

const shown = (x: number | null, digits = 5): string => (x === null ? "–" : number(x, digits));
const between = (a: number | null, b: number | null, digits = 5): string => `${shown(a, digits)} … ${shown(b, digits)}`;

/** Bounds of the polynomials with their error, the wider inclusion, and the extremes of all runs. */
function boundsFigure(responses: Responses, curve: Curve, axis: number): Figure {
  const figure = responses.frame(`bounds of ${axisName(curve, axis)}`, curve);
  const line = (ref: NonNullable<Curve["bound_lower"]>): ArrayLike<number> => responses.line(curve, ref, axis);
  const lower = line(curve.bound_lower!);
  const upper = line(curve.bound_upper!);
  const error = line(curve.bound_error!);
  figure.areas.push({
    label: "inclusion",
    lower: line(curve.inclusion_lower!),
    upper: line(curve.inclusion_upper!),
    color: 3,
    opacity: 0.12,
  });
  figure.areas.push({
    label: "bounds ± error",
    lower: Array.from(lower, (y, i) => y - error[i]),
    upper: Array.from(upper, (y, i) => y + error[i]),
    color: "random",
    opacity: 0.22,
  });
  figure.lines.push({ label: "smallest of all runs", y: line(curve.found_min!), color: 2, width: 1.3, dash: [5, 4] });
  figure.lines.push({ label: "largest of all runs", y: line(curve.found_max!), color: 2, width: 1.3, dash: [5, 4] });
  figure.lines.push({ label: "nominal", y: line(curve.nominal), color: "mean", width: 2 });
  return figure;
}

function quantityTable(found: WorstCase): HTMLElement | null {
  if (found.quantities.length === 0) return null;
  const heads = ["quantity", "bounds", "±", "inclusion", "found by runs", "by the search alone"];
  const rows = found.quantities.map((q) => [
    q.unit && q.unit !== "1" ? `${q.name}, ${pretty(q.unit)}` : q.name,
    between(q.bound_lower, q.bound_upper),
    shown(q.bound_error, 2),
    between(q.inclusion_lower, q.inclusion_upper),
    between(q.found_min, q.found_max),
    q.searched_min === null ? "–" : between(q.searched_min, q.searched_max),
  ]);
  return table("Quantities of interest", heads, rows, [1, 2, 3, 4, 5]);
}

/** The machines with the smallest and the largest value of each quantity, beside the intervals. */
function machineTable(found: WorstCase): HTMLElement | null {
  const columns = found.quantities.flatMap((q) =>
    q.found_min_inputs.length === 0
      ? []
      : [
          { head: `smallest ${q.name} (no. ${shown(q.found_min_realization, 9)})`, values: q.found_min_inputs },
          { head: `largest ${q.name} (no. ${shown(q.found_max_realization, 9)})`, values: q.found_max_inputs },
        ],
  );
  const heads = ["input", "interval", ...columns.map((c) => c.head)];
  const end = (x: number, i: number): string =>
    x === found.interval_lower[i] ? `${number(x, 5)} ↓` : x === found.interval_upper[i] ? `${number(x, 5)} ↑` : number(x, 5);
  const rows = found.inputs.map((path, i) => [
    path,
    between(found.interval_lower[i], found.interval_upper[i]),
    ...columns.map((c) => end(c.values[i], i)),
  ]);
  return table(
    "Machines of the extremes that runs found; ↓ and ↑: at an end of the interval",
    heads,
    rows,
    heads.map((_, i) => i).slice(1),
  );
}

export function worstCaseSection(context: Context): Section | null {
  const { worst_case: found, curves } = context.study;
  if (!found) return null;
  const responses = new Responses(context, context.study);
  const usable = curves.map((_, i) => i).filter((i) => curves[i].bound_lower);
  let chart: Chart | null = null;
  const place = el("div");
  const show = (index: number, axis: number): void => {
    const figure = boundsFigure(responses, curves[index], axis);
    if (chart) return chart.update(figure);
    chart = new Chart(figure, { height: 300, cursor: context.cursor });
    place.append(chart.element);
  };
  // The component with the widest bounds, of its own size.
  let start = { curve: usable[0], axis: 0 };
  let widest = -1;
  for (const i of usable)
    curves[i].axes.forEach((_, axis) => {
      const lower = numbers(context, curves[i].bound_lower!);
      const upper = numbers(context, curves[i].bound_upper!);
      let width = 0;
      let size = 0;
      for (let k = axis; k < lower.length; k += curves[i].axes.length) {
        if (!Number.isFinite(lower[k])) continue;
        width = Math.max(width, upper[k] - lower[k]);
        size = Math.max(size, Math.abs(upper[k]), Math.abs(lower[k]));
      }
      if (size > 1e-12 && width / size > widest) ((widest = width / size), (start = { curve: i, axis }));
    });
  const made = section(
    "worst-case",
    "Worst case",
    "Bounds of the response for inputs of which only intervals are known. Bounds are those of polynomials over the whole box; " +
      `their error is the largest deviation of ${integer(found.kept_out)} runs that the fit has not seen, and no bound itself. ` +
      "Every extreme that runs found is a machine that exists.",
    facts([
      ["Polynomials", found.fit || "none: the fit was not possible"],
      [
        "Runs",
        `${integer(found.runs[0])} of the fit, ${integer(found.runs[1])} kept out of it, ` +
          `${integer(found.runs[2])} at extremes of polynomials, ${integer(found.runs[3])} of searches`,
      ],
    ]),
    usable.length > 0 ? axisPicker(curves, usable, start, show) : null,
    place,
    quantityTable(found),
    machineTable(found),
  );
  return { ...made, charts: () => (chart ? [chart] : []), destroy: () => chart?.destroy() };
}
