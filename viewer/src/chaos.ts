// Polynomial chaos: how large its error is, and which input causes which share of the variance.
import { Chart } from "./chart";
import { facts } from "./controls";
import { el } from "./dom";
import type { Area, Figure } from "./figure";
import { instant, integer, percent, plural, range } from "./format";
import { axisName, type Context, curveName, numbers, section, type Section } from "./page";
import type { ArrayRef, Curve, Study } from "./payload";
import { axisPicker } from "./picker";
import { along, Responses } from "./responses";

/** First-order shares stacked, the rest being interactions: sum_i S_i + interactions = 1. */
export function sharesFigure(
  context: Context,
  responses: Responses,
  { curve, axis, ref, names }: { curve: Curve; axis: number; ref: ArrayRef; names: string[] },
): Figure {
  const rows = responses.times.length;
  const first = numbers(context, ref);
  const std = curve.std ? responses.line(curve, curve.std, axis) : null;
  const largest = std ? Math.max(...Array.from(std, (s) => (Number.isFinite(s) ? s : 0))) : 1;
  // Where nothing varies, shares of the variance are rounding.
  const dead = (i: number): boolean => std !== null && !(std[i] > 1e-6 * largest);
  let below = new Float64Array(responses.points.x.length).map((_, i) => (dead(i) ? NaN : 0));
  const areas: Area[] = [];
  names.forEach((name, k) => {
    const share = along(responses.points, first, curve.axes.length, axis, rows, k);
    const above = below.map((b, i) => b + Math.max(0, share[i]));
    areas.push({ label: name, lower: below, upper: above, values: share, color: k, opacity: 0.62 });
    below = above;
  });
  const top = below.map((b) => (Number.isNaN(b) ? NaN : Math.max(1, b)));
  if (names.length > 1)
    areas.push({ label: "interactions", lower: below, upper: top, values: top.map((t, i) => t - below[i]), color: "sample", opacity: 0.4 });
  return { ...responses.frame(`shares of the variance of ${axisName(curve, axis)}`, null), areas, yFromZero: true };
}

/** Single germs of correlated inputs depend on their order; groups do not, but one alone is all of it. */
function chaosShares(context: Context, responses: Responses, curve: Curve, axis: number): Figure {
  const { germ, group } = context.study.chaos!;
  const grouped = curve.sobol_group !== undefined && group.length > 1;
  const ref = grouped ? curve.sobol_group! : curve.sobol_first!;
  return sharesFigure(context, responses, { curve, axis, ref, names: grouped ? group : germ });
}

function errorFigure(responses: Responses, curve: Curve, axis: number): Figure {
  const figure = { ...responses.frame(`errors of ${axisName(curve, axis)}`, curve), yLog: true };
  const add = (label: string, ref: Curve["std"], color: number | "ink", dash?: number[]): void => {
    if (ref) figure.lines.push({ label, y: responses.line(curve, ref, axis), color, dash, width: color === "ink" ? 1.5 : 1.8 });
  };
  add("std itself", curve.std, "ink", [6, 3]);
  add("error of the mean", curve.mean_error, 0);
  add("error of the std", curve.std_error, 1);
  return figure;
}

/** The pair of studies whose curves can be laid over each other: chaos, and sampling. */
export function samplingPartner(context: Context): Study | null {
  return (
    context.report.studies.find(
      (other) =>
        other !== context.study &&
        other.summary.method !== "chaos" &&
        other.summary.realizations > 0 &&
        context.study.curves.some((c) => c.std && other.curves.some((d) => d.probe === c.probe && d.quantity === c.quantity && d.std)),
    ) ?? null
  );
}

function againstSampling(context: Context, partner: Study, curve: Curve, axis: number): Figure {
  const own = new Responses(context, context.study);
  const other = new Responses(context, partner);
  const twin = partner.curves.find((c) => c.probe === curve.probe && c.quantity === curve.quantity)!;
  const figure = own.frame(`standard deviation of ${axisName(curve, axis)}`, curve);
  figure.lines.push({ label: "polynomial chaos", y: own.line(curve, curve.std!, axis), color: 0, width: 2 });
  // The sampling study's times need not be the same.
  const onOwn = (y: Float64Array): Float64Array => Float64Array.from(figure.x, (t) => interpolated(other.points.x, y, t));
  const std = onOwn(other.line(twin, twin.std!, axis));
  figure.lines.push({ label: `sampling, ${integer(partner.summary.realizations)}`, y: std, color: 1, dash: [6, 3], width: 1.8 });
  if (twin.std_se) {
    const se = onOwn(other.line(twin, twin.std_se, axis));
    figure.areas.push({
      label: "±2 standard errors",
      lower: std.map((s, i) => s - 2 * se[i]),
      upper: std.map((s, i) => s + 2 * se[i]),
      color: 1,
      opacity: 0.22,
    });
  }
  figure.yFromZero = true;
  return figure;
}

export function interpolated(x: ArrayLike<number>, y: ArrayLike<number>, at: number): number {
  const n = x.length;
  if (n === 0 || at < x[0] - 1e-12 || at > x[n - 1] + 1e-12) return NaN;
  let low = 0;
  let high = n - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (x[middle] <= at) low = middle;
    else high = middle;
  }
  const width = x[high] - x[low];
  const w = width > 0 ? Math.min(1, Math.max(0, (at - x[low]) / width)) : 0;
  return w === 0 ? y[low] : w === 1 ? y[high] : (1 - w) * y[low] + w * y[high];
}

/**
 * How much the polynomials miss where they miss most, as a share of the curve's largest variance: shares of
 * variances that are next to nothing say little. Where it was measured, most is meant by the lower end, as in the warnings.
 */
function missedSentence(context: Context, responses: Responses, curve: Curve): string {
  if (!curve.chaos_error || !curve.std) return "";
  const variance = Array.from(numbers(context, curve.std), (s) => s * s);
  const largest = variance.reduce((most, v) => (v > most ? v : most), 0);
  if (!(largest > 0)) return "";
  const share = (ref: Curve["std"]): number[] => Array.from(numbers(context, ref!), (s, i) => (s * variance[i]) / largest);
  const missed = share(curve.chaos_error);
  const judged = curve.chaos_error_lower ? share(curve.chaos_error_lower) : missed;
  let at = 0;
  judged.forEach((s, i) => {
    if (s > judged[at] || Number.isNaN(judged[at])) at = i;
  });
  const axes = curve.axes.length;
  const sure = percent(context.study.trust.interval_confidence ?? 0.95);
  const upper = curve.chaos_error_upper
    ? ` (${range(
        [judged[at], share(curve.chaos_error_upper)[at]].map((s) => 100 * s),
        "%",
      )} with ${sure} confidence)`
    : "";
  return (
    `Of the largest variance of ${curveName(curve)} the polynomials miss ${percent(missed[at], 2)}${upper}, in ` +
    `${axisName(curve, at % axes)} at t = ${instant(responses.times[Math.floor(at / axes)])}.`
  );
}

export function chaosSection(context: Context): Section | null {
  const { chaos, curves, summary } = context.study;
  if (!chaos) return null;
  const responses = new Responses(context, context.study);
  const usable = curves.map((_, i) => i).filter((i) => curves[i].sobol_first || curves[i].mean_error || curves[i].std_error);
  const charts: { shares?: Chart; errors?: Chart; against?: Chart } = {};
  const places = { shares: el("div"), errors: el("div"), against: el("div") };
  const partner = samplingPartner(context);
  const put = (name: keyof typeof charts, figure: Figure, height: number): void => {
    const chart = charts[name];
    if (chart) chart.update(figure);
    else {
      charts[name] = new Chart(figure, { height, cursor: context.cursor });
      places[name].append(charts[name]!.element);
    }
  };
  const worst = el("p", "note");
  const show = (index: number, axis: number): void => {
    const curve = curves[index];
    if (curve.sobol_first) put("shares", chaosShares(context, responses, curve, axis), 250);
    if (curve.mean_error || curve.std_error) put("errors", errorFigure(responses, curve, axis), 250);
    if (partner?.curves.some((c) => c.probe === curve.probe && c.quantity === curve.quantity && c.std) && curve.std)
      put("against", againstSampling(context, partner, curve, axis), 250);
    worst.textContent = missedSentence(context, responses, curve);
  };
  const widest = summary.widest ?? { curve: usable[0], axis: 0 };
  const picker = usable.length > 0 ? axisPicker(curves, usable, { curve: widest.curve, axis: widest.axis }, show) : null;
  const kinds = [...new Set(chaos.polynomials)];
  const made = section(
    "chaos",
    "Polynomial chaos",
    `${plural(chaos.terms, "polynomial")} of degree up to ${chaos.degree} in ` +
      `${plural(chaos.germ.length, "variable")}, from a ${chaos.method}.`,
    facts([
      ["Polynomials", kinds.join(", ")],
      ["Terms", integer(chaos.terms)],
      ["Degree", String(chaos.degree)],
      ["Errors by", chaos.error_method],
    ]),
    picker,
    worst,
    places.against,
    el("div", "grid two", places.shares, places.errors),
  );
  return { ...made, charts: () => Object.values(charts), destroy: () => Object.values(charts).forEach((chart) => chart.destroy()) };
}
