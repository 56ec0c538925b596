// Positions of probes seen in a plane, with ellipses of their spread. Seen along a direction, an ellipsoid
// of covariance C is the ellipse of P C Pᵀ, where the rows of P are the picture's two directions.
import { el } from "./dom";
import { inUnit, instant, number } from "./format";
import { type Context, numbers, optional } from "./page";
import type { Curve, PlaneView } from "./payload";
import { findCurve, type MadeView } from "./paper_views";
import { border, Drawing, type Frame, scaleMarks } from "./scatter";
import { colors, fade } from "./theme";

type Point = [number, number];
type Rows = [number[], number[]]; // P

/** An oblique view, the third axis up. */
const AZIMUTH = -0.62;
const ELEVATION = 0.38;
const OBLIQUE: Rows = [
  [Math.cos(AZIMUTH), Math.sin(AZIMUTH), 0],
  [-Math.sin(ELEVATION) * Math.sin(AZIMUTH), Math.sin(ELEVATION) * Math.cos(AZIMUTH), Math.cos(ELEVATION)],
];

function directions(axes: string[], plane: string): Rows {
  if (plane === "space") return OBLIQUE;
  return [plane[0], plane[1]].map((name) => axes.map((axis) => (axis === name ? 1 : 0))) as Rows;
}

/** A curve of positions as seen in the picture. */
class Seen {
  private readonly n: number;
  private readonly nominalRows;
  private readonly meanRows;
  private readonly cov;

  constructor(
    context: Context,
    curve: Curve,
    private readonly rows: Rows,
  ) {
    this.n = curve.axes.length;
    this.nominalRows = numbers(context, curve.nominal);
    this.meanRows = optional(context, curve.mean);
    this.cov = optional(context, curve.cov);
  }

  private point(values: ArrayLike<number>, row: number): Point {
    return this.rows.map((p) => p.reduce((sum, w, k) => sum + w * values[row * this.n + k], 0)) as Point;
  }

  nominal = (row: number): Point => this.point(this.nominalRows, row);
  mean = (row: number): Point => this.point(this.meanRows ?? this.nominalRows, row);

  /** Points of the ellipse at `sigmas` standard deviations: the unit circle under Cholesky's factor of P C Pᵀ. */
  ellipse(row: number, sigmas: number): Point[] {
    if (!this.cov) return [];
    const c = this.cov;
    const entry = (a: number, b: number): number => {
      let sum = 0;
      for (let i = 0; i < this.n; ++i)
        for (let j = 0; j < this.n; ++j) sum += this.rows[a][i] * this.rows[b][j] * c[(row * this.n + i) * this.n + j];
      return sum;
    };
    const l00 = Math.sqrt(Math.max(0, entry(0, 0)));
    const l10 = l00 > 0 ? entry(1, 0) / l00 : 0;
    const l11 = Math.sqrt(Math.max(0, entry(1, 1) - l10 * l10));
    const [x, y] = this.mean(row);
    return Array.from({ length: 64 }, (_, i) => {
      const [u, v] = [Math.cos((2 * Math.PI * i) / 64), Math.sin((2 * Math.PI * i) / 64)];
      return [x + sigmas * l00 * u, y + sigmas * (l10 * u + l11 * v)] as Point;
    });
  }
}

/** What is drawn, in metres of the picture. */
interface Shapes {
  strokes: { points: Point[]; smooth: boolean; mean: boolean; strong: boolean }[];
  ellipses: Point[][];
  dots: Point[];
  texts: { at: Point; text: string }[];
}

const nearestRow = (times: ArrayLike<number>, time: number): number => {
  let best = 0;
  for (let i = 1; i < times.length; ++i) if (Math.abs(times[i] - time) < Math.abs(times[best] - time)) best = i;
  return best;
};

function trackShapes(context: Context, view: Extract<PlaneView, { kind: "track" }>): Shapes {
  const curve = findCurve(context.study, view.probe, view.quantity);
  const seen = new Seen(context, curve, directions(curve.axes, view.plane));
  const times = numbers(context, context.study.time);
  const rows = Array.from(times, (_, i) => i);
  const marked = (view.times ?? []).map((t) => nearestRow(times, t));
  return {
    strokes: [
      { points: rows.map(seen.mean), smooth: true, mean: true, strong: true },
      { points: rows.map(seen.nominal), smooth: true, mean: false, strong: true },
    ],
    ellipses: marked.map((row) => seen.ellipse(row, view.sigmas ?? 1)),
    dots: marked.map(seen.mean),
    texts: marked.map((row) => ({ at: seen.mean(row), text: instant(times[row], 3) })),
  };
}

function configurationShapes(context: Context, view: Extract<PlaneView, { kind: "configurations" }>): Shapes {
  const times = numbers(context, context.study.time);
  const spread = view.spread !== false;
  const shapes: Shapes = { strokes: [], ellipses: [], dots: [], texts: [] };
  const lines = view.lines.map((probes) =>
    probes.map((probe) => {
      const curve = findCurve(context.study, probe, view.quantity);
      return new Seen(context, curve, directions(curve.axes, view.plane));
    }),
  );
  for (const time of view.times) {
    const row = nearestRow(times, time);
    for (const nodes of lines) {
      if (spread) {
        shapes.strokes.push({ points: nodes.map((node) => node.mean(row)), smooth: true, mean: true, strong: true });
        for (const node of nodes) {
          shapes.ellipses.push(node.ellipse(row, view.sigmas ?? 1));
          shapes.dots.push(node.mean(row));
        }
      }
      shapes.strokes.push({ points: nodes.map((node) => node.nominal(row)), smooth: true, mean: false, strong: !spread });
    }
    const last = lines[lines.length - 1];
    shapes.texts.push({ at: last[last.length - 1].nominal(row), text: instant(times[row], 3) });
  }
  return shapes;
}

function extentOf(shapes: Shapes, window?: readonly number[]): [Point, Point] {
  if (window)
    return [
      [window[0], window[1]],
      [window[2], window[3]],
    ];
  const all = [...shapes.strokes.flatMap((s) => s.points), ...shapes.ellipses.flat()].filter((p) => p.every(Number.isFinite));
  return [0, 1].map((k) => {
    const values = all.map((p) => p[k]);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const pad = 0.06 * (high - low) || 0.1;
    return [low - pad, high + pad];
  }) as [Point, Point];
}

/** Both axes to the same scale: the range that is too short for its side of the frame is widened. */
function fitted(ranges: [Point, Point], frame: Frame): [Point, Point] {
  const scale = Math.min(frame.width / (ranges[0][1] - ranges[0][0]), frame.height / (ranges[1][1] - ranges[1][0]));
  return [frame.width, frame.height].map((side, k) => {
    const middle = (ranges[k][0] + ranges[k][1]) / 2;
    return [middle - side / scale / 2, middle + side / scale / 2];
  }) as [Point, Point];
}

/** A curve through all points with the slopes of Catmull and Rom, or straight lines. */
function trace(g: CanvasRenderingContext2D, points: Point[], smooth: boolean): void {
  g.beginPath();
  points.forEach((p, i) => {
    if (i === 0) g.moveTo(...p);
    else if (!smooth) g.lineTo(...p);
    else {
      const [before, from, after] = [points[Math.max(0, i - 2)], points[i - 1], points[Math.min(points.length - 1, i + 1)]];
      g.bezierCurveTo(
        from[0] + (p[0] - before[0]) / 6,
        from[1] + (p[1] - before[1]) / 6,
        p[0] - (after[0] - from[0]) / 6,
        p[1] - (after[1] - from[1]) / 6,
        ...p,
      );
    }
  });
}

const FONT = "11.5px system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

export function planeView(context: Context, view: PlaneView): MadeView {
  const shapes = view.kind === "track" ? trackShapes(context, view) : configurationShapes(context, view);
  const axes = findCurve(context.study, view.kind === "track" ? view.probe : view.lines[0][0], view.quantity);
  const ranges = extentOf(shapes, view.window);
  const flat = view.plane !== "space";
  const aspect = (ranges[1][1] - ranges[1][0]) / (ranges[0][1] - ranges[0][0]);
  const drawing = new Drawing(
    (width) => Math.min(760, Math.max(0.34 * width, 260, Math.min(1, aspect) * (width - 80) + 70)),
    (g, width, height) => {
      const palette = colors();
      const frame: Frame = { left: flat ? 56 : 8, top: 28, width: width - (flat ? 66 : 16), height: height - (flat ? 68 : 40) };
      const [xs, ys] = fitted(ranges, frame);
      const at = ([x, y]: Point): Point => [
        frame.left + ((x - xs[0]) / (xs[1] - xs[0])) * frame.width,
        frame.top + frame.height * (1 - (y - ys[0]) / (ys[1] - ys[0])),
      ];
      border(g, frame);
      g.save();
      g.beginPath();
      g.rect(frame.left, frame.top, frame.width, frame.height);
      g.clip();
      for (const ellipse of shapes.ellipses) {
        trace(g, ellipse.map(at), false);
        g.closePath();
        g.fillStyle = fade(palette.random, 0.25);
        g.fill();
        g.strokeStyle = palette.random;
        g.lineWidth = 1.2;
        g.stroke();
      }
      for (const { points, smooth, mean, strong } of shapes.strokes) {
        trace(g, points.map(at), smooth);
        g.strokeStyle = mean ? palette.mean : palette.ink;
        g.lineWidth = mean ? 2 : 1.4;
        g.setLineDash(mean || (strong && shapes.ellipses.length === 0) ? [] : [5, 4]);
        g.stroke();
      }
      g.setLineDash([]);
      g.fillStyle = palette.mean;
      for (const dot of shapes.dots) {
        g.beginPath();
        g.arc(...at(dot), 2.2, 0, 2 * Math.PI);
        g.fill();
      }
      g.font = FONT;
      g.textBaseline = "middle";
      g.textAlign = "left";
      const taken: Point[] = [];
      for (const { at: place, text } of shapes.texts) {
        const [x, y] = at(place);
        const room = g.measureText(text).width;
        const corner: Point = [x + 12 + room < frame.left + frame.width ? x + 8 : x - 8 - room, y - 9];
        // A label over another would hide both.
        if (taken.some((other) => Math.abs(other[0] - corner[0]) < room + 4 && Math.abs(other[1] - corner[1]) < 13)) continue;
        taken.push(corner);
        g.lineWidth = 3;
        g.strokeStyle = palette.panel;
        g.strokeText(text, ...corner);
        g.fillStyle = palette.soft;
        g.fillText(text, ...corner);
      }
      g.restore();
      if (flat) {
        scaleMarks(g, frame, xs, "x");
        scaleMarks(g, frame, ys, "y");
        g.fillStyle = palette.ink;
        g.font = `600 ${FONT}`;
        g.textBaseline = "top";
        g.textAlign = "right";
        g.fillText(view.plane[0] + inUnit(axes.unit), frame.left + frame.width, frame.top + frame.height + 22);
        g.textAlign = "left";
        g.fillText(view.plane[1] + inUnit(axes.unit), 2, 6);
      } else triad(g, frame, (xs[1] - xs[0]) / frame.width);
      legend(g, frame, shapes, view.sigmas ?? 1);
    },
    `${view.kind === "track" ? `Path of ${view.probe}` : "Configurations at several times"}`,
  );
  return { element: el("div", "drawing", drawing.canvas), destroy: () => drawing.destroy() };
}

/** The axes of an oblique view in its corner, as long as the number beside them says. */
function triad(g: CanvasRenderingContext2D, frame: Frame, metres: number): void {
  const palette = colors();
  const length = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5].find((m) => m / metres > 42) ?? 10;
  const origin: Point = [frame.left + 0.12 * frame.width + 20, frame.top + frame.height - 46];
  g.strokeStyle = palette.soft;
  g.fillStyle = palette.soft;
  g.font = FONT;
  g.lineWidth = 1.3;
  g.textAlign = "center";
  g.textBaseline = "middle";
  for (let k = 0; k < 3; ++k) {
    const [dx, dy] = [(OBLIQUE[0][k] * length) / metres, (-OBLIQUE[1][k] * length) / metres];
    g.beginPath();
    g.moveTo(...origin);
    g.lineTo(origin[0] + dx, origin[1] + dy);
    g.stroke();
    const size = Math.hypot(dx, dy) || 1;
    g.fillText("xyz"[k], origin[0] + dx * (1 + 9 / size), origin[1] + dy * (1 + 9 / size));
  }
  g.fillText(`${number(length)} m`, origin[0], origin[1] + 32);
}

function legend(g: CanvasRenderingContext2D, frame: Frame, shapes: Shapes, sigmas: number): void {
  const palette = colors();
  const hasMean = shapes.strokes.some((s) => s.mean);
  const entries: [string, string, number[]][] = [
    ["nominal", palette.ink, hasMean ? [5, 4] : []],
    ...(hasMean ? [["mean", palette.mean, []] as [string, string, number[]]] : []),
    ...(shapes.ellipses.length > 0 ? [[`${number(sigmas)}σ ellipse`, palette.random, []] as [string, string, number[]]] : []),
  ];
  g.font = FONT;
  g.textBaseline = "middle";
  g.textAlign = "left";
  let x = frame.left + frame.width - entries.reduce((sum, [text]) => sum + g.measureText(text).width + 42, 0) + 14;
  for (const [text, color, dash] of entries) {
    g.strokeStyle = color;
    g.lineWidth = 2;
    g.setLineDash(dash);
    g.beginPath();
    g.moveTo(x, 13);
    g.lineTo(x + 22, 13);
    g.stroke();
    g.setLineDash([]);
    g.fillStyle = palette.ink;
    g.fillText(text, x + 27, 13);
    x += g.measureText(text).width + 42;
  }
}
