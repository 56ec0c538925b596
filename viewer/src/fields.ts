// Random fields along beams: some realisations, mean and deviation, and the variance that a cut series loses.
import { Chart } from "./chart";
import { el } from "./dom";
import type { Figure } from "./figure";
import { percent, plural } from "./format";
import { type Context, numbers, section, type Section } from "./page";
import type { Field } from "./payload";

export function valueFigure(context: Context, field: Field): Figure {
  const place = numbers(context, field.place);
  const mean = numbers(context, field.mean);
  const std = numbers(context, field.std);
  const samples = numbers(context, field.samples);
  const count = field.samples.shape[0];
  return {
    file: `${context.study.label}-field-${field.name}`,
    title: field.name,
    unit: field.unit,
    x: place,
    xLabel: "place",
    xUnit: "m",
    areas: [
      {
        label: "±2σ",
        lower: Array.from(mean, (m, i) => m - 2 * std[i]),
        upper: Array.from(mean, (m, i) => m + 2 * std[i]),
        color: "mean",
        opacity: 0.16,
      },
    ],
    lines: [
      ...Array.from({ length: count }, (_, k) => ({
        label: `draw ${k + 1}`,
        y: samples.slice(k * place.length, (k + 1) * place.length),
        color: "sample" as const,
        width: count > 100 ? 0.7 : 1,
        opacity: count > 100 ? 0.22 : 0.7,
        quiet: true,
      })),
      { label: "mean", y: mean, color: "mean", width: 2 },
    ],
  };
}

export function errorFigure(context: Context, field: Field): Figure {
  return {
    file: `${context.study.label}-field-error-${field.name}`,
    title: "relative error of the variance",
    unit: "1",
    x: numbers(context, field.place),
    xLabel: "place",
    xUnit: "m",
    yFromZero: true,
    areas: [],
    lines: [{ label: "1 − Var{series} / Var{field}", y: numbers(context, field.variance_error), color: "now", width: 2 }],
  };
}

export function fieldSection(context: Context): Section | null {
  const { fields } = context.study;
  if (fields.length === 0) return null;
  const charts: Chart[] = [];
  const cards = fields.map((field) => {
    const value = new Chart(valueFigure(context, field), { height: 230 });
    const error = new Chart(errorFigure(context, field), { height: 230 });
    charts.push(value, error);
    const errors = numbers(context, field.variance_error);
    const worst = Array.from(errors).reduce((most, e) => (Number.isFinite(e) ? Math.max(most, Math.abs(e)) : most), 0);
    return el(
      "article",
      "card",
      el("h3", "", field.name),
      el(
        "p",
        "note",
        `${field.method}; the series misses at most ${percent(worst, 2)} of the variance. ` +
          `${plural(field.samples.shape[0], "draw")} shown in grey.`,
      ),
      el("div", "grid two", value.element, error.element),
    );
  });
  const made = section(
    "fields",
    "Fields",
    `${plural(fields.length, "property", "properties")} of the material ${fields.length === 1 ? "varies" : "vary"} along the beams.`,
    ...cards,
  );
  return { ...made, destroy: () => charts.forEach((chart) => chart.destroy()) };
}
