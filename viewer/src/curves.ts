// Curves of one probe and quantity, an axis above the other, over one axis of time.
import { Chart, ChartGroup } from "./chart";
import { choice, tabs, toggle } from "./controls";
import { el, fill } from "./dom";
import type { Figure } from "./figure";
import { instant, number, percent, perUnit } from "./format";
import { axisName, confidence, type Context, numbers, section, type Section } from "./page";
import type { Curve } from "./payload";
import { type Parts, Responses } from "./responses";

export interface CurvePanel extends Section {
  /** Shows a curve by its index in the study. */
  show(curve: number): void;
  charts(): Chart[];
}

/** The first of the curves of the widest uncertainty; accelerations tell more than positions do. */
function startCurve(context: Context): number {
  return context.study.summary.widest?.curve ?? 0;
}

/** Axes along which nothing ever happens start hidden, unless that is all of them. */
function stillAxes(context: Context, curve: Curve): Set<number> {
  const n = curve.axes.length;
  const still = curve.axes
    .map((_, axis) => axis)
    .filter((axis) =>
      [curve.nominal, curve.mean, curve.std, curve.samples].every(
        (ref) => !ref || numbers(context, ref).every((v: number, i: number) => i % n !== axis || v === 0 || Number.isNaN(v)),
      ),
    );
  return new Set(still.length < n ? still : []);
}

/** Densities of one component at one time, estimated from all realisations. */
function densityFigure(context: Context, curve: Curve, index: number): Figure {
  const density = curve.densities![index];
  const lines: Figure["lines"] = [
    { label: `kernel estimate, bandwidth ${number(density.bandwidth, 3)}`, y: numbers(context, density.density), color: "mean", width: 2 },
  ];
  if (density.exact) lines.push({ label: "exact", y: numbers(context, density.exact), color: "ink", dash: [6, 3] });
  const name = axisName(curve, density.axis);
  return {
    file: `${context.study.label}-density-${name}`,
    title: `Density at t = ${instant(density.time)}`,
    unit: perUnit(curve.unit),
    x: numbers(context, density.x),
    xLabel: name,
    xUnit: curve.unit,
    yFromZero: true,
    areas: [],
    lines,
  };
}

export function curveSection(context: Context): CurvePanel | null {
  const { study } = context;
  if (study.curves.length === 0) return null;
  const responses = new Responses(context, study);
  const stochastic = study.curves.some((c) => c.mean);
  const hasSamples = study.curves.some((c) => c.samples);
  const parts: Parts = { nominal: true, mean: true, region: true, twoStd: false, samples: false, more: false, log: false };
  const probes = [...new Set(study.curves.map((c) => c.probe))];
  let chosen = startCurve(context);
  let hidden = stillAxes(context, study.curves[chosen]);
  let charts: Chart[] = [];
  let densities: Chart[] = [];
  const stack = el("div", "stack");
  const picker = el("div", "picker");
  const axisRow = el("div", { class: "toggles", attributes: { role: "group", "aria-label": "Axes" } });
  const note = el("p", "note");
  const densityRow = el("div", "grid");

  const shownAxes = (): number[] => study.curves[chosen].axes.map((_, i) => i).filter((i) => !hidden.has(i));
  const figures = (): Figure[] => shownAxes().map((axis) => responses.figure(study.curves[chosen], axis, parts));

  /** New lines in the charts that are there. */
  const refresh = (): void => figures().forEach((figure, i) => charts[i].update(figure));

  /** Other charts. */
  const rebuild = (): void => {
    for (const chart of [...charts, ...densities]) chart.destroy();
    const group = new ChartGroup();
    const drawn = figures();
    const height = drawn.length > 3 ? 120 : drawn.length === 1 ? 320 : 172;
    charts = drawn.map(
      (figure, i) =>
        new Chart(figure, {
          height: height + (i === drawn.length - 1 ? 24 : 0),
          cursor: context.cursor,
          group,
          xAxis: i === drawn.length - 1,
        }),
    );
    stack.append(...charts.map((chart) => chart.element));
    const curve = study.curves[chosen];
    densities = (curve.densities ?? [])
      .map((d, i) => ({ d, i }))
      .filter(({ d }) => !hidden.has(d.axis))
      .map(({ i }) => new Chart(densityFigure(context, curve, i), { height: 190 }));
    if (parts.more)
      for (const axis of shownAxes())
        densities.push(...responses.others(curve, axis).map((figure) => new Chart(figure, { height: 190, cursor: context.cursor })));
    fill(densityRow, ...densities.map((chart) => chart.element));
    fill(note, curve.description ? `${curve.quantity.replaceAll("_", " ")} ${curve.description}` : "");
  };

  /** Tabs are made anew; the focus stays on the chosen one if a tab had it. */
  const drawPicker = (): void => {
    const focused = document.activeElement?.closest(".tabs") !== null && picker.contains(document.activeElement);
    const curve = study.curves[chosen];
    const own = study.curves.map((c, i) => ({ c, i })).filter(({ c }) => c.probe === curve.probe);
    fill(
      picker,
      probes.length > 1 &&
        choice("Probe", probes, probes.indexOf(curve.probe), (i) => show(study.curves.findIndex((c) => c.probe === probes[i]))),
      tabs(
        "Quantity",
        own.map(({ c }) => c.quantity.replaceAll("_", " ")),
        own.findIndex(({ i }) => i === chosen),
        (k) => show(own[k].i),
      ),
    );
    if (focused) picker.querySelector<HTMLElement>(".tab[aria-selected=true]")?.focus();
    fill(
      axisRow,
      ...(curve.axes.length > 1
        ? curve.axes.map((name, i) =>
            toggle(name || String(i), !hidden.has(i), (on) => {
              if (on) hidden.delete(i);
              else if (shownAxes().length > 1) hidden.add(i);
              drawPicker();
              rebuild();
            }),
          )
        : []),
    );
  };

  const show = (curve: number): void => {
    chosen = curve;
    hidden = stillAxes(context, study.curves[curve]);
    drawPicker();
    rebuild();
  };

  const share = confidence(study);
  const switches = el(
    "div",
    { class: "toggles", attributes: { role: "group", "aria-label": "What the curves show" } },
    toggle(
      "nominal",
      parts.nominal,
      (on) => {
        parts.nominal = on;
        refresh();
      },
      stochastic ? "is-nominal" : "is-only",
    ),
    stochastic &&
      toggle(
        "mean",
        parts.mean,
        (on) => {
          parts.mean = on;
          refresh();
        },
        "is-mean",
      ),
    stochastic &&
      share !== null &&
      toggle(
        `${percent(share)} region`,
        parts.region,
        (on) => {
          parts.region = on;
          refresh();
        },
        "is-region",
      ),
    stochastic &&
      toggle(
        "±2σ",
        parts.twoStd,
        (on) => {
          parts.twoStd = on;
          refresh();
        },
        "is-std",
      ),
    hasSamples &&
      toggle(
        "realisations",
        parts.samples,
        (on) => {
          parts.samples = on;
          refresh();
        },
        "is-sample",
      ),
    study.curves.some((c) => c.more) &&
      toggle("more statistics", parts.more, (on) => {
        parts.more = on;
        rebuild();
      }),
    toggle("log |y|", parts.log, (on) => {
      parts.log = on;
      refresh();
    }),
  );

  const made = section(
    "curves",
    "Curves",
    "Drag to zoom, Shift and drag to pan, double-click to see all; a click sets the time of the scene.",
    picker,
    el("div", "switches", switches, axisRow),
    stack,
    note,
    densityRow,
  );
  drawPicker();
  rebuild();
  return { ...made, show, charts: () => charts, destroy: () => [...charts, ...densities].forEach((chart) => chart.destroy()) };
}
