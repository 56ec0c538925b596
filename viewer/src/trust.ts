// Can I trust it? Convergence, standard errors, failures, drift and energy.
import { Chart } from "./chart";
import { choice, facts, table } from "./controls";
import { el, fill } from "./dom";
import type { Figure } from "./figure";
import { integer, instant, number, percent, quantity, range, timeUnit } from "./format";
import { axisName, type Context, curveName, isMeasured, numbers, section, type Section } from "./page";
import type { Convergence, Curve } from "./payload";
import { Responses } from "./responses";

type Entry = Convergence["curves"][number];

function convergenceFigure(context: Context, entry: Entry): Figure {
  const { study } = context;
  const curve = study.curves[entry.curve];
  const n = numbers(context, study.convergence!.n);
  const name = entry.axis < 0 ? curveName(curve) : axisName(curve, entry.axis);
  const figure: Figure = {
    file: `${study.label}-convergence-${name}`,
    title: entry.mean_square ? `mean-square ${name}` : `largest |${name}| of a run`,
    unit: entry.mean_square ? "" : curve.unit,
    x: n,
    xLabel: "realisations",
    xUnit: "1",
    xLog: true,
    areas: [],
    lines: [],
  };
  const center = entry.mean_square ?? entry.mean;
  if (center) {
    const y = numbers(context, center);
    if (entry.mean_se) {
      const se = numbers(context, entry.mean_se);
      figure.areas.push({
        label: "±2 standard errors",
        lower: Array.from(y, (v, i) => v - 2 * se[i]),
        upper: Array.from(y, (v, i) => v + 2 * se[i]),
        color: "mean",
        opacity: 0.18,
      });
    }
    figure.lines.push({ label: entry.mean_square ? "mean square" : "mean", y, color: "mean", width: 2 });
  }
  if (entry.quantile) {
    const values = numbers(context, entry.quantile);
    study.quantiles.forEach((p, k) =>
      figure.lines.push({
        label: `${percent(p)} quantile`,
        y: Array.from(n, (_, i) => values[k * n.length + i]),
        color: k % 4 === 0 ? 1 : k % 4 === 1 ? 2 : 3,
        width: 1.5,
      }),
    );
  }
  return figure;
}

function convergencePart(context: Context, charts: Chart[]): HTMLElement[] {
  const { study } = context;
  const entries = study.convergence?.curves ?? [];
  if (entries.length === 0) return [];
  const place = el("div");
  let chart: Chart | null = null;
  const show = (k: number): void => {
    const figure = convergenceFigure(context, entries[k]);
    if (chart) chart.update(figure);
    else {
      chart = new Chart(figure, { height: 240 });
      charts.push(chart);
      fill(place, chart.element);
    }
  };
  const start = Math.max(
    0,
    entries.findIndex((e) => e.curve === study.summary.widest?.curve),
  );
  const names = entries.map((e) =>
    e.axis < 0 ? `mean square of ${curveName(study.curves[e.curve])}` : `largest |${axisName(study.curves[e.curve], e.axis)}|`,
  );
  show(start);
  return [
    el(
      "div",
      "card",
      el("h3", "", "Convergence with the number of realisations"),
      entries.length > 1 ? choice("Curve", names, start, show) : el("span"),
      place,
    ),
  ];
}

/** For each curve and axis: the largest spread and how well mean and spread are known there. */
function errorTable(context: Context): HTMLElement | null {
  const { study } = context;
  const responses = new Responses(context, study);
  const rows: string[][] = [];
  const sampling = study.curves.some((c) => c.mean_se);
  const timed = study.curves.some((c) => c.mean_time_error);
  const intervals = study.curves.some((c) => c.intervals);
  const sure = percent(study.trust.interval_confidence ?? 0.95);
  const errors = study.curves.some((c) => c.mean_se ?? c.mean_error);
  const at = (curve: Curve, ref: Curve["mean"], row: number, axis: number): number =>
    ref ? numbers(context, ref)[row * curve.axes.length + axis] : NaN;
  for (const curve of study.curves) {
    if (!curve.std) continue;
    curve.axes.forEach((_, axis) => {
      const { value, row } = responses.largest(curve.std!, curve.axes.length, axis);
      if (!(value > 0)) return;
      rows.push([
        axisName(curve, axis),
        quantity(value, curve.unit, 3),
        instant(responses.times[row]),
        ...(errors
          ? [
              quantity(at(curve, curve.mean_se ?? curve.mean_error, row, axis), curve.unit, 2),
              quantity(at(curve, curve.std_se ?? curve.std_error, row, axis), curve.unit, 2),
              percent(at(curve, curve.std_se ?? curve.std_error, row, axis) / value, 2),
            ]
          : []),
        ...(intervals
          ? [range(curve.intervals?.[axis]?.slice(0, 2), curve.unit), range(curve.intervals?.[axis]?.slice(2, 4), curve.unit)]
          : []),
        ...(timed ? [quantity(at(curve, curve.mean_time_error, row, axis), curve.unit, 2)] : []),
      ]);
    });
  }
  if (rows.length === 0) return null;
  const kind = sampling ? "standard error" : isMeasured(study) ? `${sure} bound of the error` : "guessed error";
  const title = !errors
    ? "Largest spread"
    : sampling
      ? "Standard errors where the spread is largest"
      : isMeasured(study)
        ? "Bounds of the errors where the spread is largest"
        : "Guessed errors where the spread is largest";
  return el(
    "div",
    "card",
    el("h3", "", title),
    table(
      "Errors of the statistics",
      [
        "response",
        "largest std",
        "at",
        ...(errors ? [`${kind} of the mean`, `${kind} of the std`, "relative"] : []),
        ...(intervals ? [`${sure} interval of the mean`, `${sure} interval of the std`] : []),
        ...(timed ? ["time error of the mean"] : []),
      ],
      rows,
      [1, 2, 3, 4, 5, 6, 7, 8],
    ),
  );
}

/**
 * The largest error of the time integration of any response, relative to its peak; as it is where no peak is larger than
 * rounding, beside others of its unit or by itself.
 */
function timeError(context: Context): string {
  // NaN, where nothing is known, is passed over.
  const largest = (ref: Curve["mean"]): number => {
    let most = 0;
    for (const value of numbers(context, ref!)) if (Math.abs(value) > most) most = Math.abs(value);
    return most;
  };
  const scale = new Map<string, number>();
  const { curves } = context.study;
  for (const curve of curves) scale.set(curve.unit, Math.max(scale.get(curve.unit) ?? 1, largest(curve.nominal)));
  const known = curves
    .filter((c) => c.time_error && c.quantity !== "total_energy")
    .map((curve) => ({ curve, error: largest(curve.time_error), peak: largest(curve.nominal) }));
  if (known.length === 0) return "not estimated";
  const moving = known.filter(({ curve, peak }) => peak > 1e-9 * scale.get(curve.unit)!);
  if (moving.length > 0) {
    const { curve, error, peak } = moving.reduce((a, b) => (b.error / b.peak > a.error / a.peak ? b : a));
    return `at most ${percent(error / peak, 2)} of the peak (${curveName(curve)})`;
  }
  const { curve, error, peak } = known.reduce((a, b) => (b.error > a.error ? b : a));
  return `at most ${quantity(error, curve.unit, 2)} (${curveName(curve)}, which is at most ${quantity(peak, curve.unit, 2)})`;
}

/** Energies of the nominal run, and what their balance leaves over. */
function energyPart(context: Context, charts: Chart[]): HTMLElement | null {
  const energy = context.study.trust.energy;
  if (!energy) return null;
  const [time, kinetic, potential, elastic] = [energy.time, energy.kinetic, energy.potential, energy.elastic].map((ref) =>
    numbers(context, ref),
  );
  const work = energy.work ? numbers(context, energy.work) : null;
  // Heights are measured from anywhere: gravity's part is shown from where it began.
  const fromStart = Array.from(potential, (v) => v - potential[0]);
  const total = Array.from(time, (_, i) => kinetic[i] + potential[i] + elastic[i]);
  const shown = timeUnit(time[time.length - 1] - time[0]);
  const frame = { x: time, xLabel: "time", xUnit: "s", xFactor: shown.factor, xShownUnit: shown.unit, areas: [] };
  const drifts = elastic.some((v) => v !== 0);
  const chart = new Chart(
    {
      ...frame,
      file: `${context.study.label}-energy`,
      title: "energy of the nominal run",
      unit: "J",
      lines: [
        { label: "kinetic", y: kinetic, color: 0, width: 2 },
        { label: "gravity, from its start", y: fromStart, color: 2 },
        ...(drifts ? [{ label: "elastic", y: elastic, color: 3, dash: [7, 3] }] : []),
        ...(work?.some((v) => v !== 0) ? [{ label: "work", y: work, color: 1, dash: [2, 3] }] : []),
      ],
    },
    { height: 220, cursor: context.cursor },
  );
  charts.push(chart);
  const parts: HTMLElement[] = [chart.element];
  const mismatch = context.study.summary.energy_mismatch;
  let words =
    `The work of drives and loads and what dampers take are not ` +
    `drawn${mismatch ? `; with them the account closes to ${percent(mismatch.nominal, 2)} of the energy exchanged` : ""}.`;
  if (work) {
    const rest = total.map((e, i) => e - total[0] - work[i]);
    const exchanged = Math.max(
      ...Array.from(kinetic),
      ...fromStart.map(Math.abs),
      ...Array.from(elastic, Math.abs),
      ...Array.from(work, Math.abs),
    );
    const worst = Math.max(...rest.map(Math.abs));
    words = `The balance is open by at most ${quantity(worst, "J", 2)}, ${percent(worst / exchanged, 2)} of the largest energy in it.`;
    const balance = new Chart(
      {
        ...frame,
        file: `${context.study.label}-energy-balance`,
        title: "energy − initial energy − work",
        unit: "J",
        lines: [{ label: "open", y: rest, color: "now", width: 1.5 }],
      },
      { height: 150, cursor: context.cursor },
    );
    charts.push(balance);
    parts.push(balance.element);
  }
  return el("div", "card", el("h3", "", "Energy"), el("p", "note", words), ...parts);
}

export function trustSection(context: Context): Section {
  const { trust, summary } = context.study;
  const charts: Chart[] = [];
  const failures =
    trust.failures.length === 0
      ? null
      : el(
          "div",
          "card",
          el("h3", "", "Failed realisations"),
          el(
            "p",
            "note",
            `${integer(summary.failed)} of ${integer(summary.realizations)} did not end ` +
              `well${trust.failures.length < summary.failed ? `; the first ${trust.failures.length} are listed` : ""}. ` +
              `\`tumble replay DIR NUMBER\` computes one again.`,
          ),
          table(
            "Failed realisations",
            ["realisation", "time", "reason"],
            trust.failures.map((f) => [String(f.realization), instant(f.time), f.reason]),
            [0, 1],
          ),
        );
  const perStep = trust.iterations / Math.max(1, trust.steps);
  const numbersCard = el(
    "div",
    "card",
    el("h3", "", "The nominal run"),
    facts([
      ["Steps", integer(trust.steps)],
      ["Newton iterations", `${integer(trust.iterations)}, ${number(perStep, 3)} per step`],
      ["Factorisations", integer(trust.factorizations)],
      ["Restarts", integer(trust.restarts)],
      ["Halved steps", integer(trust.halvings)],
      ["Error of the time integration", timeError(context)],
      ...(summary.energy_mismatch
        ? [["Account of energy", `open by ${percent(summary.energy_mismatch.nominal, 2)} of the energy exchanged`] as [string, string]]
        : []),
      ["Constraint drift", `${number(trust.constraint_drift, 2)} m or rad`],
    ]),
  );
  const made = section(
    "trust",
    "Trust",
    summary.realizations > 0
      ? "How far the statistics can still move, and how well the equations were solved."
      : "How well the equations were solved.",
    ...(trust.notes ?? []).map((note) => el("p", "note", note)),
    failures,
    el("div", "grid two", ...convergencePart(context, charts), energyPart(context, charts)),
    errorTable(context),
    numbersCard,
  );
  return { ...made, destroy: () => charts.forEach((chart) => chart.destroy()) };
}
