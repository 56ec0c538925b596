// Reliability: how probable it is that a quantity passes a limit, and what that rests on.
import { Chart } from "./chart";
import { facts, table } from "./controls";
import { el } from "./dom";
import type { Figure } from "./figure";
import { integer, number, percent } from "./format";
import { type Context, section, type Section } from "./page";
import type { ProbabilityEstimate, Reliability } from "./payload";

const METHODS: Record<string, string> = {
  "monte-carlo": "Monte Carlo",
  subset: "subset simulation",
  importance: "importance sampling",
  form: "first order (FORM)",
  sorm: "second order (SORM)",
};

const shown = (x: number | null, digits = 3): string => (x === null ? "–" : number(x, digits));

function estimateRow(method: string, e: ProbabilityEstimate): string[] {
  const interval = e.lower === null || e.upper === null ? "none: an approximation" : `${shown(e.lower)} … ${shown(e.upper)}`;
  return [METHODS[method] ?? method, shown(e.probability), interval, shown(e.cv, 2), e.runs === null ? "–" : integer(e.runs)];
}

/** The probability of passing each level of subset simulation, down to the limit. */
function levelFigure(context: Context, found: Reliability): Figure | null {
  const x: number[] = [];
  const y: number[] = [];
  let product = 1;
  found.thresholds.forEach((threshold, k) => {
    product *= found.conditional[k] ?? 0;
    if (threshold === null || !(product > 0)) return;
    x.push(threshold);
    y.push(Math.log10(product));
  });
  if (x.length < 2) return null;
  if (x[0] > x[x.length - 1]) {
    x.reverse();
    y.reverse();
  }
  return {
    file: `${context.study.label}-levels`,
    title: `log₁₀ of the probability that ${found.quantity} is ${found.side}`,
    unit: "",
    x,
    xLabel: found.quantity,
    xUnit: found.unit,
    areas: [],
    lines: [{ label: "levels of all replicas", y, color: "mean", width: 2 }],
  };
}

function designPointTable(found: Reliability): HTMLElement | null {
  if (found.design_points.length === 0) return null;
  const most = 8;
  const rows = found.design_points.flatMap((point) =>
    [...point.germs]
      .sort((a, b) => (b.share ?? 0) - (a.share ?? 0))
      .slice(0, most)
      .map((germ, i) => [
        i === 0 ? shown(point.index, 4) : "",
        germ.name,
        germ.share === null ? "–" : percent(germ.share),
        shown(germ.germ, 3),
      ]),
  );
  return table("Design points: what the limit is reached by", ["distance", "germ", "importance", "value"], rows, [0, 2, 3]);
}

export function reliabilitySection(context: Context): Section | null {
  const found = context.study.reliability;
  if (!found) return null;
  const charts: Chart[] = [];
  const place = el("div");
  const figure = levelFigure(context, found);
  if (figure) {
    charts.push(new Chart(figure, { height: 250 }));
    place.append(charts[0].element);
  }
  const rows = [estimateRow(found.method, found.estimate)];
  if (found.cross_check) rows.push(estimateRow(found.cross_check.method, found.cross_check));
  const replicas = found.replicas.length > 0 ? found.replicas.map((p) => shown(p, 2)).join(", ") : null;
  const told: [string, string][] = [["Reliability index", shown(found.index, 4)]];
  if (found.output_lower !== null)
    told.push(["If values were wrong by what lies between outputs", `${shown(found.output_lower)} … ${shown(found.output_upper)}`]);
  if (found.failed) told.push(["Runs that failed", integer(found.failed)]);
  if (replicas) told.push(["Replicas", replicas]);
  const limit = `${number(found.limit, 6)}${found.unit && found.unit !== "1" ? ` ${found.unit}` : ""}`;
  const made = section(
    "reliability",
    "Reliability",
    `How probable it is that ${found.quantity} is ${found.side} ${limit}.`,
    table(
      "The probability",
      ["method", "estimate", `${percent(found.confidence)} interval`, "coefficient of variation", "runs"],
      rows,
      [1, 2, 3, 4],
    ),
    facts(told),
    figure ? place : null,
    designPointTable(found),
  );
  return { ...made, charts: () => charts, destroy: () => charts.forEach((chart) => chart.destroy()) };
}
