// Several studies side by side: one statistic of one response laid over each other, and a table of numbers.
import { Chart } from "./chart";
import { choice, table } from "./controls";
import { el, fill } from "./dom";
import type { Figure, Line } from "./figure";
import { integer, instant, number, percent, quantity, span } from "./format";
import { axisName, confidence, type Context, section, type Section } from "./page";
import type { Curve, Study } from "./payload";
import { axisPicker } from "./picker";
import { interpolated } from "./chaos";
import { Responses } from "./responses";
import { methodName } from "./summary";

const STATISTICS = ["mean and region", "standard deviation", "nominal"] as const;
type Statistic = (typeof STATISTICS)[number];

const twin = (study: Study, curve: Curve): Curve | undefined =>
  study.curves.find((c) => c.probe === curve.probe && c.quantity === curve.quantity && c.axes.length === curve.axes.length);

function overlay(all: Responses[], curve: Curve, axis: number, statistic: Statistic): Figure {
  // All times of all studies, so that none is thinned by another's output step; equal ones keep their jumps.
  const holders = all.filter((r) => twin(r.study, curve));
  const first = holders[0].points.x;
  const equal = holders.every((r) => r.points.x.length === first.length && r.points.x.every((t, i) => t === first[i]));
  const x = equal ? first : Float64Array.from(new Set(holders.flatMap((r) => Array.from(r.points.x)))).sort();
  const figure: Figure = {
    ...holders[0].frame(`${statistic === "standard deviation" ? "standard deviation of " : ""}${axisName(curve, axis)}`, curve),
    x,
    file: `compare-${axisName(curve, axis)}`,
  };
  const DASHES = [undefined, [8, 4], [2, 3], [10, 3, 2, 3]];
  all.forEach((responses, k) => {
    const own = twin(responses.study, curve);
    if (!own) return;
    const on = (y: ArrayLike<number>): ArrayLike<number> => (equal ? y : x.map((t) => interpolated(responses.points.x, y, t)));
    const line = (y: Float64Array): Line => ({
      label: responses.study.label,
      y: on(y),
      color: k,
      width: 2,
      dash: DASHES[Math.floor(k / 6) % 4],
    });
    if (statistic === "nominal") figure.lines.push(line(responses.nominal(own, axis)));
    else if (statistic === "standard deviation") {
      if (own.std) figure.lines.push(line(responses.line(own, own.std, axis)));
      figure.yFromZero = true;
    } else {
      const region = responses.region(own, axis);
      if (region) figure.areas.push({ ...region, label: "", lower: on(region.lower), upper: on(region.upper), color: k, opacity: 0.16 });
      figure.lines.push(line(own.mean ? responses.line(own, own.mean, axis) : responses.nominal(own, axis)));
    }
  });
  return figure;
}

function numbersTable(all: Responses[], curve: Curve, axis: number): HTMLElement {
  const rows = all.map((responses, k) => {
    const { study } = responses;
    const s = study.summary;
    const own = twin(study, curve);
    const mean = own ? responses.largest(own.mean ?? own.nominal, own.axes.length, axis) : null;
    const std = own?.std ? responses.largest(own.std, own.axes.length, axis) : null;
    const swatch = el("i", "swatch");
    swatch.style.backgroundColor = `var(--series-${k % 6})`;
    return [
      el("span", "", swatch, study.label),
      methodName(s.method),
      s.realizations ? integer(s.realizations) : "–",
      s.realizations ? integer(s.failed) : "–",
      span(s.wall_time),
      mean ? quantity(mean.value, curve.unit) : "–",
      std ? quantity(std.value, curve.unit) : "–",
      std ? instant(responses.times[std.row]) : "–",
      s.widest ? percent(s.widest.relative, 2) : "–",
    ];
  });
  return table(
    "Numbers of the studies",
    ["study", "method", "realisations", "failed", "wall time", "extreme mean", "largest std", "at", "widest of all"],
    rows,
    [2, 3, 4, 5, 6, 7, 8],
  );
}

export function compareSection(context: Context): Section | null {
  const { studies } = context.report;
  if (studies.length < 2) return null;
  const all = studies.map((study) => new Responses(context, study));
  // Every response that at least two studies have.
  const curves: Curve[] = [];
  for (const study of studies)
    for (const curve of study.curves) {
      const known = curves.some((c) => c.probe === curve.probe && c.quantity === curve.quantity);
      if (!known && studies.filter((s) => twin(s, curve)).length > 1) curves.push(curve);
    }
  const place = el("div");
  const numbers = el("div");
  let chart: Chart | null = null;
  let now = { curve: 0, axis: 0 };
  let statistic: Statistic = STATISTICS[0];
  const draw = (): void => {
    const figure = overlay(all, curves[now.curve], now.axis, statistic);
    if (chart) chart.update(figure);
    else {
      chart = new Chart(figure, { height: 320, cursor: context.cursor });
      place.append(chart.element);
    }
    fill(numbers, numbersTable(all, curves[now.curve], now.axis));
  };
  if (curves.length === 0) {
    return section("compare", "Compare", `${number(studies.length)} studies; they have no probe in common.`);
  }
  const widest = studies[0].summary.widest;
  const start = widest
    ? Math.max(
        0,
        curves.findIndex(
          (c) => c.probe === studies[0].curves[widest.curve].probe && c.quantity === studies[0].curves[widest.curve].quantity,
        ),
      )
    : 0;
  const picker = axisPicker(
    curves,
    curves.map((_, i) => i),
    { curve: start, axis: widest?.axis ?? 0 },
    (curve, axis) => {
      now = { curve, axis };
      draw();
    },
  );
  const share = confidence(studies[0]);
  const made = section(
    "compare",
    "Compare",
    `${integer(studies.length)} studies laid over each other${share ? `; shaded, the ${percent(share)} regions` : ""}.`,
    el(
      "div",
      "switches",
      picker,
      choice("Show", [...STATISTICS], 0, (i) => {
        statistic = STATISTICS[i];
        draw();
      }),
    ),
    place,
    numbers,
  );
  return { ...made, destroy: () => chart?.destroy() };
}
