// Random inputs: each with its histogram and law, all against each other, centres of mass in three views.
import { Chart } from "./chart";
import { facts, toggle } from "./controls";
import { el, fill } from "./dom";
import type { Figure } from "./figure";
import { integer, number, perUnit, plural, quantity } from "./format";
import { type Context, curveName, numbers, section, type Section } from "./page";
import type { Input } from "./payload";
import { type Drawing, pointView, scatterMatrix, type Variable } from "./scatter";

const MOST = 5; // variables of a scatter matrix

/** Counts as a density, so that the exact one fits on the same axis. */
export function inputFigure(context: Context, input: Input): Figure {
  const edges = numbers(context, input.edges);
  const counts = numbers(context, input.counts);
  const total = Array.from(counts).reduce((sum, c) => sum + c, 0);
  const figure: Figure = {
    file: `${context.study.label}-${input.path}`,
    title: "density",
    unit: perUnit(input.unit),
    x: input.density ? numbers(context, input.density.x) : [],
    xLabel: input.path,
    xUnit: input.unit,
    yFromZero: true,
    areas: [],
    lines: [],
    verticals: [{ x: input.nominal, label: "nominal", color: "ink" }],
  };
  if (counts.length > 0 && total > 0) {
    figure.bars = {
      edges,
      heights: Array.from(counts, (c, i) => c / (total * (edges[i + 1] - edges[i]))),
      color: "mean",
      label: `histogram of ${integer(total)}`,
    };
  }
  if (input.density) figure.lines.push({ label: "density of the law", y: numbers(context, input.density.y), color: "random", width: 2 });
  if (figure.x.length === 0 && figure.bars) figure.x = [edges[0], edges[edges.length - 1]];
  return figure;
}

function moments(values: ArrayLike<number>, use: (i: number) => boolean): { mean: number; std: number } {
  const kept = Array.from(values).filter((v, i) => use(i) && Number.isFinite(v));
  const mean = kept.reduce((sum, v) => sum + v, 0) / kept.length;
  return { mean, std: Math.sqrt(kept.reduce((sum, v) => sum + (v - mean) ** 2, 0) / (kept.length - 1)) };
}

function card(context: Context, input: Input, charts: Chart[]): HTMLElement {
  const values = numbers(context, input.values);
  const { mean, std } = moments(values, () => true);
  const figure = inputFigure(context, input);
  const drawable = figure.bars !== undefined || figure.lines.length > 0;
  const chart = drawable ? new Chart(figure, { height: 168 }) : null;
  if (chart) charts.push(chart);
  // Points of polynomial chaos have weights: their plain mean and deviation say nothing.
  const sampled = figure.bars !== undefined && values.length > 1;
  return el(
    "article",
    "card",
    el("h3", "", input.path),
    input.law ? el("p", "note", input.law) : null,
    chart?.element ?? null,
    facts([
      ["nominal", quantity(input.nominal, input.unit)],
      ...(sampled
        ? ([
            ["sample mean", quantity(mean, input.unit)],
            ["sample std", quantity(std, input.unit, 3)],
          ] as [string, string][])
        : []),
      ...input.parameters,
    ]),
  );
}

/** bodies.X.position[0..2] where all three are inputs. */
function centres(inputs: Input[]): { body: string; axes: Input[] }[] {
  const names = new Set(
    inputs.map((input) => /^bodies\.(.+)\.position\[0\]$/.exec(input.path)?.[1]).filter((n): n is string => n !== undefined),
  );
  return [...names]
    .map((body) => ({ body, axes: [0, 1, 2].map((k) => inputs.find((input) => input.path === `bodies.${body}.position[${k}]`)) }))
    .filter((entry): entry is { body: string; axes: Input[] } => entry.axes.every(Boolean));
}

export function inputSection(context: Context): Section | null {
  const { study } = context;
  if (study.inputs.length === 0) return null;
  const charts: Chart[] = [];
  const drawings: Drawing[] = [];
  const status = study.realizations ? numbers(context, study.realizations.status) : new Uint8Array(0);
  const failed = (i: number): boolean => (status[i] ?? 0) !== 0;
  const lost = Array.from(status).filter((s) => s !== 0).length;
  const cards = el("div", "grid", ...study.inputs.map((input) => card(context, input, charts)));

  // Responses take part in the scatter matrix: what they depend on is often seen at once.
  const variables: Variable[] = study.inputs.map((input) => ({
    name: input.path,
    unit: input.unit,
    values: numbers(context, input.values),
  }));
  const responses: Variable[] = [];
  for (const curve of study.curves) {
    if (!curve.peak_max) continue;
    const peaks = numbers(context, curve.peak_max);
    curve.axes.forEach((axis, k) =>
      responses.push({
        name: `largest ${curveName(curve)}${axis ? ` ${axis}` : ""}`,
        unit: curve.unit,
        values: Float64Array.from({ length: peaks.length / curve.axes.length }, (_, i) => peaks[i * curve.axes.length + k]),
      }),
    );
  }
  const varies = (v: Variable): boolean => Array.from(v.values).some((x) => Number.isFinite(x) && x !== v.values[0]);
  const all = [...variables, ...responses].filter(varies);
  const matrices: HTMLElement[] = [];
  // Points that a method chose have no histograms: all that this would show is how it chose them.
  const drawn = study.inputs.some((input) => numbers(context, input.counts).length > 0);
  if (all.length > 1 && all[0].values.length > 1 && drawn) {
    const widest = study.summary.widest;
    const curve = widest && study.curves[widest.curve];
    const axis = curve?.axes[widest!.axis];
    const name = curve ? `largest ${curveName(curve)}${axis ? ` ${axis}` : ""}` : undefined;
    const response = all.find((v) => v.name === name);
    const chosen = new Set<Variable>([...all.filter((v) => variables.includes(v)).slice(0, MOST - 1), ...(response ? [response] : [])]);
    const place = el("div", "drawing");
    const warning = el("p", { class: "note", attributes: { "aria-live": "polite" } });
    let matrix: Drawing | null = null;
    const draw = (): void => {
      matrix?.destroy();
      matrix = scatterMatrix(
        all.filter((v) => chosen.has(v)),
        failed,
      );
      drawings.push(matrix);
      fill(place, matrix.canvas);
      matrix.draw();
    };
    const pick = (v: Variable): HTMLElement => {
      const label = toggle(v.name, chosen.has(v), (on) => {
        const box = label.querySelector("input")!;
        if (on && chosen.size >= MOST) {
          box.checked = false;
          fill(warning, `At most ${MOST} at a time: take one away first.`);
          return;
        }
        if (!on && chosen.size <= 2) {
          box.checked = true;
          fill(warning, "Two at least.");
          return;
        }
        fill(warning);
        if (on) chosen.add(v);
        else chosen.delete(v);
        draw();
      });
      return label;
    };
    matrices.push(
      el("h3", "", "All against each other"),
      el("p", "note", `Correlations above the diagonal${lost ? `; ${plural(lost, "failed realisation")} marked ×` : ""}.`),
      el(
        "details",
        "picks",
        el("summary", "", all.length > MOST ? `Choose up to ${MOST} of ${integer(all.length)}` : "Choose"),
        el("div", { class: "toggles", attributes: { role: "group", "aria-label": "Variables of the scatter matrix" } }, ...all.map(pick)),
        warning,
      ),
      place,
    );
    queueMicrotask(draw);
  }

  const views = centres(study.inputs).flatMap(({ body, axes }) => {
    const three = axes.map((input, k): Variable => ({ name: "xyz"[k], unit: input.unit, values: numbers(context, input.values) }));
    const made = (
      [
        [0, 1],
        [0, 2],
        [1, 2],
      ] as const
    ).map(([i, j]) => pointView(three[i], three[j], [axes[i].nominal, axes[j].nominal], failed));
    drawings.push(...made);
    return [
      el("h3", "", `Centres of mass of ${body}`),
      el(
        "p",
        "note",
        `${integer(three[0].values.length)} realisations from above, from the front and from the side; the circle is the nominal one.`,
      ),
      el("div", "grid three", ...made.map((view) => el("div", "drawing", view.canvas))),
    ];
  });

  const made = section(
    "inputs",
    "Inputs",
    `${plural(study.inputs.length, "number")} of the model ${study.inputs.length === 1 ? "is" : "are"} ` +
      `uncertain${lost ? `; ${number(lost)} of the realisations shown failed` : ""}.`,
    cards,
    ...views,
    ...matrices,
  );
  return {
    ...made,
    destroy: () => {
      charts.forEach((c) => c.destroy());
      drawings.forEach((d) => d.destroy());
    },
  };
}
