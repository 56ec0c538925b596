// Responses over frequency: gain and phase of harmonic motions, and of a study the bands they lie in.
import { Chart } from "./chart";
import { toggle } from "./controls";
import { el } from "./dom";
import type { Figure } from "./figure";
import { number, percent, plural } from "./format";
import { type Context, numbers, optional, section, type Section } from "./page";
import type { Band } from "./payload";

/** The outermost quantiles enclose the region, drawn as far as their intervals reach, and within it as they are. */
export function bandFigure(context: Context, band: Band, log: boolean): Figure {
  const figure: Figure = {
    file: `${context.study.label}-${band.name}`,
    title: band.name,
    unit: band.unit,
    x: numbers(context, band.frequency),
    xLabel: "frequency",
    xUnit: "Hz",
    xLog: true,
    yLog: log,
    areas: [],
    lines: [],
  };
  const first = band.quantiles[0];
  const last = band.quantiles[band.quantiles.length - 1];
  if (first && last && first !== last) {
    const share = percent(last.probability - first.probability);
    if (first.lower && last.upper)
      figure.areas.push({
        label: `${share} region with its intervals`,
        lower: numbers(context, first.lower),
        upper: numbers(context, last.upper),
        color: "random",
        opacity: 0.12,
      });
    figure.areas.push({
      label: `${share} region`,
      lower: numbers(context, first.value),
      upper: numbers(context, last.value),
      color: "random",
      opacity: 0.2,
    });
  }
  for (const q of band.quantiles)
    if (q.probability === 0.5) figure.lines.push({ label: "median", y: numbers(context, q.value), color: "random", width: 2 });
  const mean = optional(context, band.mean);
  if (mean) figure.lines.push({ label: "mean", y: mean, color: "mean", width: 2 });
  figure.lines.push({ label: "nominal", y: numbers(context, band.nominal), color: "ink", width: 1.5, dash: [5, 4] });
  return figure;
}

export function bandSection(context: Context): Section | null {
  const bands = context.study.bands ?? [];
  if (bands.length === 0) return null;
  const charts = bands.map((band) => ({ chart: new Chart(bandFigure(context, band, band.unit !== "rad"), { height: 300 }), band }));
  const cards = charts.map(({ chart, band }) => {
    const x = numbers(context, band.frequency);
    return el(
      "article",
      "card",
      el("h3", "", band.name),
      el("p", "note", `${band.description}, ${number(x[0])} to ${number(x[x.length - 1])} Hz at ${x.length} frequencies`),
      chart.element,
    );
  });
  const scale = toggle("gains on a logarithmic axis", true, (on) =>
    charts.forEach(({ chart, band }) => chart.update(bandFigure(context, band, on && band.unit !== "rad"))),
  );
  const made = section("bands", "Frequency responses", `${plural(bands.length, "response")} to harmonic inputs.`, scale, ...cards);
  return { ...made, destroy: () => charts.forEach(({ chart }) => chart.destroy()) };
}
