// Multilevel Monte Carlo: what each grid added to the answer, and what that saved.
import { Chart } from "./chart";
import { facts, table } from "./controls";
import { el } from "./dom";
import type { Figure } from "./figure";
import { integer, number } from "./format";
import { type Context, section, type Section } from "./page";
import type { Multilevel } from "./payload";

/** Powers of ten of positive numbers; a gap where there is none. */
const powers = (values: number[]): number[] => values.map((v) => (v > 0 ? Math.log10(v) : NaN));

function levelFigure(context: Context, found: Multilevel): Figure {
  return {
    file: `${context.study.label}-multilevel`,
    title: `differences of the ${found.statistic} between levels, and variance of one pair`,
    unit: "power of ten",
    x: found.step.map((_, level) => level),
    xLabel: "level",
    xUnit: "",
    areas: [],
    lines: [
      { label: "|difference|", y: powers(found.difference.map((d, l) => (l === 0 ? NaN : Math.abs(d)))), color: "mean", width: 2 },
      { label: "its standard error", y: powers(found.difference_se), color: 1, width: 1.5, dash: [5, 4] },
      { label: "variance of a pair", y: powers(found.pair_variance), color: 2, width: 1.8 },
    ],
  };
}

function levelTable(found: Multilevel): HTMLElement {
  const beams = found.elements.some((n) => n > 0);
  const failed = found.failed.some((n) => n > 0);
  const names = ["level", "step [s]", ...(beams ? ["elements"] : []), "pairs", ...(failed ? ["failed"] : []), "work of a run"];
  const rows = found.step.map((step, l) => [
    String(l),
    number(step, 4),
    ...(beams ? [integer(found.elements[l])] : []),
    integer(found.pairs[l]),
    ...(failed ? [integer(found.failed[l])] : []),
    number(found.work[l], 3),
    `${number(found.difference[l], 5)} ± ${number(found.difference_se[l], 2)}`,
    number(found.pair_variance[l], 3),
  ]);
  const heads = [...names, "difference", "variance of a pair"];
  return table(
    `Levels: what each adds to the ${found.statistic} of ${found.quantity}`,
    heads,
    rows,
    heads.map((_, i) => i),
  );
}

export function multilevelSection(context: Context): Section | null {
  const found = context.study.multilevel;
  if (!found) return null;
  const chart = new Chart(levelFigure(context, found), { height: 260 });
  const estimate = (i: number): string => {
    const e = found.estimates[i];
    const unit = e.unit && e.unit !== "1" ? ` ${e.unit}` : "";
    return (
      `${number(e.value ?? NaN, 6)}${unit} ± ${number(e.error ?? NaN, 3)} ` +
      `(${number(e.statistical_error ?? NaN, 2)} by chance, ${number(e.bias ?? NaN, 2)} of the grid)`
    );
  };
  const entries: [string, string][] = [
    ["Mean", estimate(0)],
    ["Variance", estimate(1)],
    [`Error asked for, of the ${found.statistic}`, `${number(found.target, 3)}, ${found.met ? "reached" : "not reached"}`],
  ];
  if (found.gain !== null)
    entries.push([
      "Saved",
      `${number(found.gain, 3)} times the counted work: plain Monte Carlo of the same error has ` +
        `${integer(found.plain_runs ?? 0)} runs on the grid of level ${found.plain_level}`,
    ]);
  if (found.seconds && found.plain_seconds)
    entries.push(["Measured, on one core", `${number(found.seconds, 3)} s in place of ${number(found.plain_seconds, 3)} s`]);
  const made = section(
    "multilevel",
    "Multilevel Monte Carlo",
    `Many runs on a coarse grid, and pairs of runs of the same machine on two grids, for ${found.quantity}.`,
    facts(entries),
    el("div", "grid two", levelTable(found), chart.element),
  );
  return { ...made, charts: () => [chart], destroy: () => chart.destroy() };
}
