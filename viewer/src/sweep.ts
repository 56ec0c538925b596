// A sweep: how statistics of studies answer to what was varied between them.
import type { Arrays } from "./arrays";
import { Chart, nearest } from "./chart";
import { choice, copyButton, facts, slider, table, tabs } from "./controls";
import { TimeCursor } from "./cursor";
import { el, fill } from "./dom";
import type { Figure } from "./figure";
import { inUnit, instant, integer, list, number, plural, quantity, range, span, timeUnit } from "./format";
import { section, type Section } from "./page";
import type { Sweep, SweepParameter, SweepResponse, SweepStatistic } from "./payload";
import { methodName, tile } from "./summary";

const MOST_ROWS = 1000; // of the table of points
const MOST_LINES = 6; // as many as there are colours

/** The numbers of a point: its place along every parameter. */
type Place = number[];

/** What the reader has chosen; all parts of the page show the same. */
export interface SweepChoice {
  response: number;
  axis: number;
  statistic: number;
  row: number; // of the time
  held: Place;
}

const responseName = (r: SweepResponse): string => `${r.probe} ${r.quantity.replaceAll("_", " ")}`;
const unitOf = (r: SweepResponse, statistic: SweepStatistic | undefined): string => statistic?.unit ?? r.unit;
const componentName = (r: SweepResponse, axis: number): string => `${responseName(r)}${r.axes[axis] ? ` ${r.axes[axis]}` : ""}`;

/** The end of a path tells more than its beginning; all of it is in the summary. */
export function parameterName(p: SweepParameter): string {
  const parts = p.paths[0].split(".");
  const short = parts.slice(-2).join(".");
  return p.paths.length > 1 ? `${short} and ${plural(p.paths.length - 1, "other")}` : short;
}

const valueName = (p: SweepParameter, i: number): string => (p.numbers ? quantity(p.numbers[i], p.unit || "1", 6) : p.values[i]);

/** Reads the arrays of a sweep by points. */
export class SweepNumbers {
  readonly times: ArrayLike<number>;

  constructor(
    readonly sweep: Sweep,
    private readonly arrays: Arrays,
  ) {
    this.times = arrays.get(sweep.time);
  }

  /** The first parameter varies slowest. */
  point(place: Place): number {
    return this.sweep.parameters.reduce((p, parameter, k) => p * parameter.values.length + place[k], 0);
  }

  place(point: number): Place {
    const out: Place = [];
    for (let k = this.sweep.parameters.length - 1; k >= 0; --k) {
      const n = this.sweep.parameters[k].values.length;
      out[k] = point % n;
      point = Math.floor(point / n);
    }
    return out;
  }

  /** Value and ends of its band at a point; NaN where there is none. */
  at(response: SweepResponse, statistic: SweepStatistic, axis: number, row: number, point: number): [number, number, number] {
    const n = response.axes.length;
    const index = statistic.over_time ? (point * this.times.length + row) * n + axis : point * n + axis;
    const of = (ref: SweepStatistic["lower"]): number => (ref ? this.arrays.get(ref)[index] : NaN);
    return [of(statistic.value), of(statistic.lower), of(statistic.upper)];
  }

  /** Places of a parameter's values in ascending order, as charts want them; texts stay as they are. */
  order(k: number): number[] {
    const p = this.sweep.parameters[k];
    const all = p.values.map((_, i) => i);
    return p.numbers ? all.sort((a, b) => p.numbers![a] - p.numbers![b]) : all;
  }
}

const statisticTitle = (numbers: SweepNumbers, response: SweepResponse, statistic: SweepStatistic, chosen: SweepChoice): string =>
  `${statistic.name} of ` +
  `${componentName(response, chosen.axis)}${statistic.over_time ? ` at t = ${instant(numbers.times[chosen.row])}` : ""}`;

/** One statistic along each parameter, the others held; on one scale, so that it is seen which matters most. */
export function answerFigures(numbers: SweepNumbers, chosen: SweepChoice): Figure[] {
  const figures = numbers.sweep.parameters.map((_, k) => answerFigure(numbers, chosen, k));
  const all = figures
    .flatMap((f) => [...f.lines.map((line) => line.y), ...f.areas.flatMap((a) => [a.lower, a.upper])])
    .flatMap((y) => Array.from(y))
    .filter(Number.isFinite);
  const [low, high] = all.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, -Infinity]);
  return low <= high ? figures.map((f) => ({ ...f, yAtLeast: [low, high] })) : figures;
}

function answerFigure(numbers: SweepNumbers, chosen: SweepChoice, k: number): Figure {
  const { sweep } = numbers;
  const response = sweep.responses[chosen.response];
  const statistic = response.statistics[chosen.statistic];
  const parameter = sweep.parameters[k];
  const order = numbers.order(k);
  const found = order.map((i) =>
    numbers.at(response, statistic, chosen.axis, chosen.row, numbers.point(chosen.held.map((h, j) => (j === k ? i : h)))),
  );
  const bands = statistic.lower !== undefined && statistic.upper !== undefined;
  return {
    file: `${sweep.label}-${parameterName(parameter)}-${statistic.name}-${componentName(response, chosen.axis)}`,
    title: statisticTitle(numbers, response, statistic, chosen),
    unit: unitOf(response, statistic),
    x: parameter.numbers ? order.map((i) => parameter.numbers![i]) : order,
    xNames: parameter.numbers ? undefined : parameter.values,
    xLabel: parameterName(parameter),
    xUnit: parameter.unit || "1",
    areas: bands
      ? [{ label: statistic.band, lower: found.map((f) => f[1]), upper: found.map((f) => f[2]), color: "mean", opacity: 0.2 }]
      : [],
    lines: [{ label: statistic.name, y: found.map((f) => f[0]), color: "mean", width: 2, marks: true }],
    verticals:
      parameter.values.length > 1 && sweep.parameters.length > 1
        ? [{ x: parameter.numbers ? parameter.numbers[chosen.held[k]] : chosen.held[k], label: "held in the others", color: "now" }]
        : [],
  };
}

/** The same over time, a line for each value of one parameter. */
export function timeFigure(numbers: SweepNumbers, chosen: SweepChoice, k: number): Figure | null {
  const { sweep } = numbers;
  const response = sweep.responses[chosen.response];
  const statistic = response.statistics[chosen.statistic];
  if (!statistic.over_time || numbers.times.length < 2) return null;
  const parameter = sweep.parameters[k];
  const order = numbers.order(k);
  const shown =
    order.length <= MOST_LINES
      ? order
      : Array.from({ length: MOST_LINES }, (_, i) => order[Math.round((i * (order.length - 1)) / (MOST_LINES - 1))]);
  const unit = timeUnit(numbers.times[numbers.times.length - 1] - numbers.times[0]);
  return {
    file: `${sweep.label}-over-time-${parameterName(parameter)}`,
    title: `${statistic.name} of ${componentName(response, chosen.axis)}`,
    unit: unitOf(response, statistic),
    x: Array.from(numbers.times),
    xLabel: "time",
    xUnit: "s",
    xFactor: unit.factor,
    xShownUnit: unit.unit,
    areas: [],
    lines: shown.map((i, color) => {
      const point = numbers.point(chosen.held.map((h, j) => (j === k ? i : h)));
      return {
        label: `${parameterName(parameter)} ${valueName(parameter, i)}`,
        y: Array.from(numbers.times, (_, row) => numbers.at(response, statistic, chosen.axis, row, point)[0]),
        color,
        width: 1.8,
      };
    }),
  };
}

/** Two parameters against each other: a table whose cells are the darker the larger their number is. */
export function heatMap(numbers: SweepNumbers, chosen: SweepChoice, rows: number, columns: number): HTMLElement {
  const { sweep } = numbers;
  const response = sweep.responses[chosen.response];
  const statistic = response.statistics[chosen.statistic];
  const [rowOrder, columnOrder] = [numbers.order(rows), numbers.order(columns)];
  const cells = rowOrder.map((i) =>
    columnOrder.map((j) =>
      numbers.at(
        response,
        statistic,
        chosen.axis,
        chosen.row,
        numbers.point(chosen.held.map((h, k) => (k === rows ? i : k === columns ? j : h))),
      ),
    ),
  );
  const values = cells
    .flat()
    .map((c) => c[0])
    .filter(Number.isFinite);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const [down, across] = [sweep.parameters[rows], sweep.parameters[columns]];
  const cell = ([value, lower, upper]: [number, number, number]): HTMLElement => {
    const td = el(
      "td",
      { class: "right", title: Number.isFinite(lower) ? `${statistic.band}: ${range([lower, upper], unitOf(response, statistic))}` : "" },
      number(value, 4),
    );
    const share = high > low ? (value - low) / (high - low) : 0;
    // Half of the colour at most: the number stays readable in either theme.
    if (Number.isFinite(value)) td.style.backgroundColor = `color-mix(in srgb, var(--mean) ${Math.round(50 * share)}%, var(--panel))`;
    return td;
  };
  const caption =
    `${statisticTitle(numbers, response, statistic, chosen)}${inUnit(unitOf(response, statistic))}: ` +
    `${parameterName(down)} downwards, ${parameterName(across)} across`;
  return el(
    "div",
    "heat",
    el("p", "note", caption),
    el(
      "div",
      { class: "table", attributes: { tabindex: "0", role: "region", "aria-label": caption } },
      el(
        "table",
        "",
        el(
          "thead",
          "",
          el(
            "tr",
            "",
            el("td"),
            ...columnOrder.map((j) => el("th", { class: "right", attributes: { scope: "col" } }, valueName(across, j))),
          ),
        ),
        el(
          "tbody",
          "",
          ...rowOrder.map((i, r) => el("tr", "", el("th", { attributes: { scope: "row" } }, valueName(down, i)), ...cells[r].map(cell))),
        ),
      ),
    ),
  );
}

/** Every point with its numbers. */
function pointTable(numbers: SweepNumbers, chosen: SweepChoice): HTMLElement {
  const { sweep } = numbers;
  const response = sweep.responses[chosen.response];
  const statistic = response?.statistics[chosen.statistic];
  const rows = sweep.points.slice(0, MOST_ROWS).map((point, p) => {
    const place = numbers.place(p);
    const [value, lower, upper] = statistic ? numbers.at(response, statistic, chosen.axis, chosen.row, p) : [NaN, NaN, NaN];
    return [
      String(p),
      ...sweep.parameters.map((parameter, k) => valueName(parameter, place[k])),
      integer(point.realizations),
      integer(point.failed),
      ...(statistic
        ? [
            quantity(value, unitOf(response, statistic), 4),
            ...(statistic.lower ? [range([lower, upper], unitOf(response, statistic))] : []),
          ]
        : []),
      point.failure,
    ];
  });
  const failures = sweep.points.some((point) => point.failure);
  const head = [
    "point",
    ...sweep.parameters.map(parameterName),
    "realisations",
    "failed",
    ...(statistic ? [statisticTitle(numbers, response, statistic, chosen), ...(statistic.lower ? [statistic.band] : [])] : []),
    ...(failures ? ["why there are no numbers"] : []),
  ];
  if (!failures) rows.forEach((row) => row.pop());
  return table(
    "All points",
    head,
    rows,
    head.map((_, i) => i).filter((i) => i !== head.length - 1 || !failures),
  );
}

export function sweepSummary(sweep: Sweep): Section {
  const s = sweep.summary;
  const varied = sweep.parameters.map((p) => {
    const value = (x: number): string => quantity(x, p.unit || "1", 6);
    const ends = p.numbers && p.numbers.length > 1 ? ` from ${value(Math.min(...p.numbers))} to ${value(Math.max(...p.numbers))}` : "";
    return `${list(p.paths)} took ${plural(p.values.length, "value")}${ends}`;
  });
  const words = [
    `A study${s.method ? ` by ${methodName(s.method)}` : ""} was made at each of ` +
      `${plural(sweep.points.length, "point")}: ${list(varied)}${sweep.parameters.length > 1 ? ", in all combinations" : ""}.`,
    `${plural(s.realizations, "realisation")} were computed in all; ` +
      `${s.failed === 0 ? "none failed" : `${integer(s.failed)} failed: all statistics are on condition of success`}.`,
    s.common_numbers
      ? "All points have the same random numbers behind their draws, so that differences between points are known " +
        "better than the bands of each of them say."
      : "",
  ];
  const without = sweep.points.filter((point) => point.failure).length;
  const element = el(
    "section",
    { id: "summary", attributes: { "aria-label": "Summary" } },
    el("h1", "", sweep.title),
    el("p", "words", words.filter(Boolean).join(" ")),
    el(
      "aside",
      { attributes: { "aria-label": "Where this comes from" } },
      facts([
        ["Model file", s.file],
        ...(s.method ? [["Method", methodName(s.method)] as [string, string]] : []),
        ...(s.seed === null ? [] : [["Seed", String(s.seed)] as [string, string]]),
        ["Version", s.version],
        ["Model SHA-256", el("span", { class: "hash", title: s.model_sha256 }, s.model_sha256.slice(0, 12))],
      ]),
      s.command
        ? el(
            "div",
            "command",
            el("code", { attributes: { tabindex: "0", "aria-label": "Command that reproduces these results" } }, s.command),
            copyButton(() => s.command),
          )
        : null,
    ),
    el(
      "div",
      "tiles",
      tile(integer(sweep.points.length), "points", without ? `${integer(without)} without numbers` : "", without > 0),
      tile(integer(sweep.parameters.length), sweep.parameters.length === 1 ? "parameter" : "parameters"),
      tile(integer(s.realizations), "realisations", sweep.points.length > 1 ? "of all points" : ""),
      tile(integer(s.failed), "failed", "", s.failed > 0),
      tile(span(s.wall_time), "wall time", plural(s.threads, "thread")),
    ),
    s.warnings.length > 0
      ? el("ul", { class: "warnings", attributes: { "aria-label": "Warnings" } }, ...s.warnings.map((w) => el("li", "", w)))
      : null,
  );
  return { id: "summary", name: "Summary", element };
}

export interface SweepPage {
  sections: Section[];
  choose: (change: Partial<SweepChoice>) => void;
  chosen: () => SweepChoice;
}

/** All sections below the summary, which move together. */
export function sweepSections(sweep: Sweep, arrays: Arrays): SweepPage {
  const numbers = new SweepNumbers(sweep, arrays);
  const { parameters, responses } = sweep;
  const start = sweep.widest ?? { response: 0, axis: 0, row: 0 };
  const named = responses[start.response]?.statistics.findIndex((s) => s.name === sweep.start_statistic) ?? -1;
  const chosen: SweepChoice = {
    ...start,
    statistic: Math.max(0, named),
    held: parameters.map((p) => Math.floor((p.values.length - 1) / 2)),
  };
  const pair = { rows: 0, columns: 1 };
  let along = 0;
  const last = numbers.times.length - 1;
  const cursor = new TimeCursor(
    numbers.times[0] ?? 0,
    numbers.times[last] ?? 0,
    last > 0 ? (numbers.times[last] - numbers.times[0]) / last : 1,
  );

  const picker = el("div", "picker");
  const components = el("div", "picker");
  const holders = el("div", "picker");
  const timeRow = el("div");
  const panels = el("div", "grid two");
  const heat = el("div", "card");
  const heatPlace = el("div");
  const overTime = el("div");
  const points = el("div", "card");
  let charts: Chart[] = [];
  let timeChart: Chart | null = null;
  const response = (): SweepResponse => responses[chosen.response];
  const statistic = (): SweepStatistic => response().statistics[chosen.statistic];

  const time = slider(
    "Time",
    { min: 0, max: Math.max(0, last), step: 1, value: chosen.row },
    (row) => instant(numbers.times[row]),
    (row) => cursor.set(numbers.times[row]),
  );

  const drawTime = (): void => {
    const figure = timeFigure(numbers, chosen, along);
    if (!figure) {
      timeChart?.destroy();
      timeChart = null;
      fill(overTime, el("p", "note", "This statistic is one number for the whole run."));
      return;
    }
    if (timeChart) return timeChart.update(figure);
    timeChart = new Chart(figure, { height: 280, cursor });
    fill(overTime, timeChart.element);
  };

  /** New numbers everywhere. */
  const refresh = (): void => {
    answerFigures(numbers, chosen).forEach((figure, k) => charts[k].update(figure));
    if (parameters.length > 1) fill(heatPlace, heatMap(numbers, chosen, pair.rows, pair.columns));
    fill(points, pointTable(numbers, chosen));
    timeRow.hidden = !statistic().over_time || last < 1;
  };
  /** After a choice: other numbers, the same controls. */
  const show = (change: Partial<SweepChoice>): void => {
    Object.assign(chosen, change);
    refresh();
    drawTime();
  };
  /** Other responses have other axes and statistics; the same statistic is kept if they have it. */
  const drawComponents = (): void =>
    fill(
      components,
      response().axes.length > 1 && tabs("Axis", response().axes, chosen.axis, (axis) => show({ axis })),
      choice(
        "Statistic",
        response().statistics.map((s) => s.name),
        chosen.statistic,
        (i) => show({ statistic: i }),
      ),
    );
  const showResponse = (i: number): void => {
    const same = responses[i].statistics.findIndex((s) => s.name === statistic().name);
    show({ response: i, axis: Math.min(chosen.axis, responses[i].axes.length - 1), statistic: Math.max(0, same) });
    drawComponents();
  };
  const drawControls = (): void => {
    fill(picker, responses.length > 1 && choice("Response", responses.map(responseName), chosen.response, showResponse), components);
    drawComponents();
    fill(
      holders,
      ...parameters.map((p, k) =>
        choice(
          `${parameterName(p)} held at`,
          p.values.map((_, i) => valueName(p, i)),
          chosen.held[k],
          (i) => show({ held: chosen.held.map((h, j) => (j === k ? i : h)) }),
        ),
      ),
    );
  };

  if (responses.length === 0) return { sections: [], choose: () => {}, chosen: () => chosen };
  charts = answerFigures(numbers, chosen).map((figure) => new Chart(figure, { height: 240 }));
  fill(panels, ...charts.map((chart) => chart.element));
  drawControls();
  fill(timeRow, time.element);
  cursor.onTime((now) => {
    chosen.row = nearest(numbers.times, now);
    time.set(chosen.row);
    refresh();
  });
  cursor.set(numbers.times[chosen.row]);
  if (parameters.length > 1) {
    const choosePair = (which: "rows" | "columns", k: number): void => {
      const other = which === "rows" ? "columns" : "rows";
      if (pair[other] === k) pair[other] = pair[which];
      pair[which] = k;
      drawPair();
      refresh();
    };
    const pickers = el("div", "picker");
    const drawPair = (): void =>
      fill(
        pickers,
        ...(parameters.length > 2
          ? (["rows", "columns"] as const).map((which) =>
              choice(which === "rows" ? "Downwards" : "Across", parameters.map(parameterName), pair[which], (k) => choosePair(which, k)),
            )
          : []),
      );
    drawPair();
    fill(heat, el("h3", "", "Two parameters together"), pickers, heatPlace);
  }
  const alongPicker =
    parameters.length > 1
      ? choice("A line for each value of", parameters.map(parameterName), along, (k) => {
          along = k;
          drawTime();
        })
      : null;
  drawTime();

  const answers = section(
    "answers",
    "Answers",
    parameters.length > 1
      ? "How one statistic answers to each parameter while the others are held."
      : "How each statistic answers to what was varied.",
    picker,
    timeRow,
    parameters.length > 1 ? holders : null,
    panels,
    parameters.length > 1 ? heat : null,
  );
  const thinned =
    sweep.times_computed > numbers.times.length
      ? ` ${integer(numbers.times.length)} of ${integer(sweep.times_computed)} output times are in this page.`
      : "";
  const over = section(
    "over-time",
    "Over time",
    `The same statistic over time; a click sets the time above.${thinned}`,
    alongPicker,
    overTime,
  );
  const all = section(
    "points",
    "Points",
    sweep.points.length > MOST_ROWS
      ? `The first ${integer(MOST_ROWS)} of ${integer(sweep.points.length)} points.`
      : "Every point, with the statistic that is chosen above.",
    points,
  );
  return {
    sections: [
      { ...answers, charts: () => charts, destroy: () => charts.forEach((chart) => chart.destroy()) },
      { ...over, charts: () => (timeChart ? [timeChart] : []), destroy: () => timeChart?.destroy() },
      all,
    ],
    choose: (change) => {
      show(change);
      drawControls();
    },
    chosen: () => ({ ...chosen, held: [...chosen.held] }),
  };
}
