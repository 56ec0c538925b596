// Quantities of interest: their numbers with errors, and of a study density and exceedance of each.
import { Chart } from "./chart";
import { facts, table, toggle } from "./controls";
import { el } from "./dom";
import type { Figure } from "./figure";
import { integer, number, percent, perUnit, plural, quantity } from "./format";
import { type Context, numbers, optional, section, type Section } from "./page";
import type { QuantityOfInterest } from "./payload";

type Curves = NonNullable<QuantityOfInterest["curves"]>;

const level = (context: Context): string => percent(context.study.trust.interval_confidence ?? 0.95);

function base(
  context: Context,
  q: QuantityOfInterest,
  curves: Curves,
  what: string,
): Pick<Figure, "file" | "x" | "xLabel" | "xUnit" | "yFromZero" | "verticals"> {
  return {
    file: `${context.study.label}-${q.name}-${what}`,
    x: numbers(context, curves.abscissa),
    xLabel: q.name,
    xUnit: q.unit,
    yFromZero: true,
    verticals: q.nominal === null ? [] : [{ x: q.nominal, label: "nominal", color: "ink" }],
  };
}

/** Probability that a value is exceeded; on a logarithmic axis what is never exceeded leaves a gap. */
export function exceedanceFigure(context: Context, q: QuantityOfInterest, curves: Curves, log: boolean): Figure {
  const lower = optional(context, curves.exceedance_lower);
  const upper = optional(context, curves.exceedance_upper);
  return {
    ...base(context, q, curves, "exceedance"),
    title: "exceedance probability",
    unit: "1",
    yLog: log,
    areas: lower && upper ? [{ label: `${level(context)} interval`, lower, upper, color: "mean", opacity: 0.18 }] : [],
    lines: [{ label: "exceedance", y: numbers(context, curves.exceedance), color: "mean", width: 2 }],
  };
}

export function densityFigure(context: Context, q: QuantityOfInterest, curves: Curves): Figure {
  const density = numbers(context, curves.density);
  const error = optional(context, curves.density_se);
  const band = error && Array.from(error).some((e) => Number.isFinite(e));
  return {
    ...base(context, q, curves, "density"),
    title: "density",
    unit: perUnit(q.unit),
    areas: band
      ? [
          {
            label: "±2 standard errors",
            lower: Array.from(density, (f, i) => Math.max(0, f - 2 * error[i])),
            upper: Array.from(density, (f, i) => f + 2 * error[i]),
            color: "random",
            opacity: 0.18,
          },
        ]
      : [],
    lines: [{ label: q.probability ? "density of those that happen" : "density", y: density, color: "random", width: 2 }],
  };
}

/** "1.87 (1.85 … 1.88)" */
function withInterval(value: number | null | undefined, interval: readonly (number | null | undefined)[] | undefined, digits = 5): string {
  if (!interval || interval.every((end) => end === null || end === undefined)) return number(value, digits);
  return `${number(value, digits)} (${number(interval[0] ?? -Infinity, digits)} … ${number(interval[1] ?? Infinity, digits)})`;
}

/** Where errors are bounds, as of polynomial chaos, an interval is made of them. */
function interval(
  value: number | undefined,
  error: number | undefined,
  given: [number | null, number | null] | undefined,
): readonly (number | null)[] | undefined {
  if (given) return given;
  return value !== undefined && error !== undefined ? [value - error, value + error] : undefined;
}

/** A crossing may not happen; anything else without a value has none. */
function missing(q: QuantityOfInterest): string {
  return q.description.startsWith("first crossing") ? "never" : "no number";
}

function numbersTable(quantities: QuantityOfInterest[], words: string): HTMLElement {
  const studied = quantities.some((q) => q.mean !== undefined);
  const nominal = (q: QuantityOfInterest): string => (q.nominal === null ? missing(q) : number(q.nominal, 5));
  if (!studied) {
    return table(
      "Quantities of interest",
      ["quantity", "value", "error of outputs", "unit"],
      quantities.map((q) => [q.name, nominal(q), number(q.nominal_output_error, 2), q.unit === "1" ? "" : q.unit]),
      [1, 2],
    );
  }
  const outer = quantities.find((q) => q.quantiles?.length)?.quantiles ?? [];
  const heads = outer.map(([p]) => `quantile ${number(p)}`);
  return table(
    "Quantities of interest",
    ["quantity", "unit", "nominal", `mean (${words})`, `std (${words})`, ...heads, "error of outputs", "time error"],
    quantities.map((q) => [
      q.name,
      q.unit === "1" ? "" : q.unit,
      nominal(q),
      withInterval(q.mean, interval(q.mean, q.mean_error, q.mean_interval)),
      withInterval(q.std, interval(q.std, q.std_error, q.std_interval), 3),
      ...outer.map((_, i) => withInterval(q.quantiles?.[i]?.[1], q.quantiles?.[i]?.slice(2))),
      number(q.mean_output_error, 2),
      number(q.mean_time_error, 2),
    ]),
    Array.from({ length: 6 + heads.length }, (_, i) => i + 2),
  );
}

/** Which random inputs a quantity varies with: Sobol’ indices. */
function sharesTable(q: QuantityOfInterest): HTMLElement | null {
  if (!q.shares || q.shares.length < 2) return null;
  const rows = [...q.shares].sort((a, b) => (b.alone[0] ?? 0) - (a.alone[0] ?? 0));
  const share = ([value, ...ends]: (number | null)[]): string => withInterval(value, ends, 3);
  return table(
    `Shares of the variance of ${q.name}`,
    ["random input", "share of the variance, alone", "with others"],
    rows.map((row) => [row.name, share(row.alone), share(row.total)]),
    [1, 2],
  );
}

function card(
  context: Context,
  q: QuantityOfInterest,
  exceedances: { chart: Chart; figure: (log: boolean) => Figure }[],
  charts: Chart[],
): HTMLElement {
  const entries: [string, string][] = [];
  if (q.probability) entries.push(["probability that it happens", withInterval(q.probability[0], q.probability.slice(1), 4)]);
  if (q.count !== undefined) entries.push([context.study.chaos ? "runs fitted" : "values", integer(q.count)]);
  entries.push(["nominal", q.nominal === null ? missing(q) : quantity(q.nominal, q.unit)]);
  if (q.chaos_error !== undefined) entries.push(["variance that the polynomial misses", percent(q.chaos_error, 2)]);
  const drawings: HTMLElement[] = [];
  if (q.curves) {
    const { curves } = q;
    const figure = (log: boolean): Figure => exceedanceFigure(context, q, curves, log);
    const exceedance = new Chart(figure(false), { height: 230 });
    const density = new Chart(densityFigure(context, q, curves), { height: 230 });
    exceedances.push({ chart: exceedance, figure });
    charts.push(exceedance, density);
    drawings.push(el("div", "grid two", exceedance.element, density.element));
  }
  return el("article", "card", el("h3", "", q.name), el("p", "note", q.description), ...drawings, sharesTable(q), facts(entries));
}

export function quantitySection(context: Context): Section | null {
  const quantities = context.study.quantities ?? [];
  if (quantities.length === 0) return null;
  const charts: Chart[] = [];
  const exceedances: { chart: Chart; figure: (log: boolean) => Figure }[] = [];
  const studied = quantities.filter((q) => q.mean !== undefined || q.probability !== undefined);
  const cards = studied.map((q) => card(context, q, exceedances, charts));
  const words = context.study.chaos ? "with its error" : `${level(context)} interval`;
  const scale =
    exceedances.length > 0
      ? toggle("probabilities on a logarithmic axis", false, (on) => exceedances.forEach(({ chart, figure }) => chart.update(figure(on))))
      : null;
  const made = section(
    "quantities",
    "Quantities",
    `${plural(quantities.length, "scalar")} of ${studied.length > 0 ? "every run, with distribution" : "the run"}.`,
    numbersTable(quantities, words),
    scale,
    ...cards,
  );
  return { ...made, destroy: () => charts.forEach((chart) => chart.destroy()) };
}
