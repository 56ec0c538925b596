// Points of realisations on a canvas: pairs of variables, failed realisations crossed out.
import { el } from "./dom";
import { tickLabels, ticks } from "./figure";
import { inUnit, number } from "./format";
import { colors, fade, onTheme } from "./theme";

export interface Variable {
  name: string;
  unit: string;
  values: ArrayLike<number>;
}

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

/** Where the finite values lie, with a little air. */
export function rangeOf(values: ArrayLike<number>): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < values.length; ++i) {
    if (values[i] < low) low = values[i];
    if (values[i] > high) high = values[i];
  }
  if (!(low <= high)) return [0, 1];
  const pad = 0.06 * (high - low) || Math.abs(high) * 0.05 || 1;
  return [low - pad, high + pad];
}

export function correlation(x: ArrayLike<number>, y: ArrayLike<number>, use: (i: number) => boolean): number {
  let n = 0,
    mx = 0,
    my = 0,
    sxx = 0,
    syy = 0,
    sxy = 0;
  for (let i = 0; i < x.length; ++i) {
    if (!use(i) || !Number.isFinite(x[i]) || !Number.isFinite(y[i])) continue;
    ++n;
    const dx = x[i] - mx;
    const dy = y[i] - my;
    mx += dx / n;
    my += dy / n;
    sxx += dx * (x[i] - mx);
    syy += dy * (y[i] - my);
    sxy += dx * (y[i] - my);
  }
  return sxy / Math.sqrt(sxx * syy);
}

/** A drawing that follows the width of its place and the theme. */
export class Drawing {
  readonly canvas = el("canvas", { attributes: { role: "img" } });
  private readonly observer: ResizeObserver;
  private width = 0;

  constructor(
    private readonly heightOf: (width: number) => number,
    private readonly paint: (g: CanvasRenderingContext2D, width: number, height: number) => void,
    description: string,
  ) {
    this.canvas.setAttribute("aria-label", description);
    this.observer = new ResizeObserver(() => {
      if (this.canvas.clientWidth !== this.width) this.draw();
    });
    this.observer.observe(this.canvas);
    onTheme(() => {
      if (this.canvas.isConnected) this.draw();
    });
  }

  draw(): void {
    const width = this.canvas.clientWidth;
    if (width === 0) return;
    this.width = width;
    const height = Math.round(this.heightOf(width));
    const sharp = Math.min(3, devicePixelRatio);
    this.canvas.width = Math.round(width * sharp);
    this.canvas.height = Math.round(height * sharp);
    this.canvas.style.height = `${height}px`;
    const g = this.canvas.getContext("2d");
    if (!g) return;
    g.scale(sharp, sharp);
    g.clearRect(0, 0, width, height);
    this.paint(g, width, height);
  }

  destroy(): void {
    this.observer.disconnect();
  }
}

export interface Frame {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Dots of those that ended well, crosses of those that did not, over everything else. */
export function points(
  g: CanvasRenderingContext2D,
  frame: Frame,
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  xRange: [number, number],
  yRange: [number, number],
  failed: (i: number) => boolean,
): void {
  const palette = colors();
  const X = (v: number): number => frame.left + ((v - xRange[0]) / (xRange[1] - xRange[0])) * frame.width;
  const Y = (v: number): number => frame.top + frame.height - ((v - yRange[0]) / (yRange[1] - yRange[0])) * frame.height;
  const radius = x.length > 1500 ? 1.1 : x.length > 300 ? 1.6 : 2.2;
  g.save();
  g.beginPath();
  g.rect(frame.left, frame.top, frame.width, frame.height);
  g.clip();
  g.fillStyle = fade(palette.mean, x.length > 1500 ? 0.35 : 0.55);
  for (let i = 0; i < x.length; ++i) {
    if (failed(i) || !Number.isFinite(x[i]) || !Number.isFinite(y[i])) continue;
    g.beginPath();
    g.arc(X(x[i]), Y(y[i]), radius, 0, 2 * Math.PI);
    g.fill();
  }
  g.strokeStyle = palette.fail;
  g.lineWidth = 1.6;
  for (let i = 0; i < x.length; ++i) {
    if (!failed(i) || !Number.isFinite(x[i]) || !Number.isFinite(y[i])) continue;
    const [a, b] = [X(x[i]), Y(y[i])];
    g.beginPath();
    g.moveTo(a - 3.5, b - 3.5);
    g.lineTo(a + 3.5, b + 3.5);
    g.moveTo(a - 3.5, b + 3.5);
    g.lineTo(a + 3.5, b - 3.5);
    g.stroke();
  }
  g.restore();
}

export function border(g: CanvasRenderingContext2D, frame: Frame): void {
  g.strokeStyle = colors().rule;
  g.lineWidth = 1;
  g.strokeRect(frame.left + 0.5, frame.top + 0.5, frame.width - 1, frame.height - 1);
}

/** Ticks below (x) or left (y) of a frame, as many as have room. */
export function scaleMarks(g: CanvasRenderingContext2D, frame: Frame, range: [number, number], side: "x" | "y"): void {
  const length = side === "x" ? frame.width : frame.height;
  let marks = ticks(range, Math.max(2, Math.floor(length / (side === "x" ? 58 : 34))), false);
  let texts = tickLabels(marks, false);
  g.font = `10.5px ${FONT}`;
  g.fillStyle = colors().soft;
  if (side === "x") {
    const widest = Math.max(...texts.map((t) => g.measureText(t).width), 1);
    const room = (length / Math.max(1, marks.length)) * 0.95;
    if (widest > room) {
      const every = Math.ceil(widest / room);
      marks = marks.filter((_, i) => i % every === 0);
      texts = texts.filter((_, i) => i % every === 0);
    }
  }
  marks.forEach((v, i) => {
    const share = (v - range[0]) / (range[1] - range[0]);
    if (side === "x") {
      g.textAlign = "center";
      g.textBaseline = "top";
      const half = g.measureText(texts[i]).width / 2;
      const x = Math.min(frame.left + frame.width - half, Math.max(frame.left + half, frame.left + share * frame.width));
      g.fillText(texts[i], x, frame.top + frame.height + 5);
    } else {
      g.textAlign = "right";
      g.textBaseline = "middle";
      const y = Math.min(frame.top + frame.height - 5, Math.max(frame.top + 5, frame.top + frame.height * (1 - share)));
      g.fillText(texts[i], frame.left - 5, y);
    }
  });
}

/** Cuts a name in the middle until it fits. */
export function fitted(g: CanvasRenderingContext2D, text: string, room: number): string {
  if (g.measureText(text).width <= room) return text;
  for (let keep = text.length - 1; keep > 3; --keep) {
    const short = `${text.slice(0, Math.ceil(keep / 3))}…${text.slice(text.length - Math.floor((2 * keep) / 3))}`;
    if (g.measureText(short).width <= room) return short;
  }
  return "…";
}

function histogram(values: ArrayLike<number>, range: [number, number], bins: number): number[] {
  const counts = new Array<number>(bins).fill(0);
  for (let i = 0; i < values.length; ++i) {
    const k = Math.floor(((values[i] - range[0]) / (range[1] - range[0])) * bins);
    if (k >= 0 && k < bins) ++counts[k];
  }
  return counts;
}

/** Every pair of the variables: points below the diagonal, correlations above, histograms on it. */
export function scatterMatrix(variables: Variable[], failed: (i: number) => boolean): Drawing {
  const n = variables.length;
  const margin = { left: 58, bottom: 22 };
  const gap = 6;
  const ranges = variables.map((v) => rangeOf(v.values));
  return new Drawing(
    (width) => Math.min(width * 0.78, 190 * n + 30),
    (g, width, height) => {
      const w = (width - margin.left - gap * (n - 1)) / n;
      const h = (height - margin.bottom - gap * (n - 1)) / n;
      const palette = colors();
      for (let row = 0; row < n; ++row) {
        for (let col = 0; col < n; ++col) {
          const frame: Frame = { left: margin.left + col * (w + gap), top: row * (h + gap), width: w, height: h };
          if (col > row) {
            const r = correlation(variables[col].values, variables[row].values, (i) => !failed(i));
            g.fillStyle = fade(palette.mean, Number.isFinite(r) ? 0.22 * Math.abs(r) : 0);
            g.fillRect(frame.left, frame.top, w, h);
            g.fillStyle = Math.abs(r) > 0.3 ? palette.ink : palette.soft;
            g.font = `${Math.round(Math.min(22, w / 5))}px ${FONT}`;
            g.textAlign = "center";
            g.textBaseline = "middle";
            g.fillText(number(Math.round(r * 100) / 100, 2), frame.left + w / 2, frame.top + h / 2);
            continue;
          }
          border(g, frame);
          if (col === row) {
            const counts = histogram(variables[row].values, ranges[row], 24);
            const most = Math.max(...counts, 1);
            g.fillStyle = fade(palette.mean, 0.3);
            counts.forEach((c, k) =>
              g.fillRect(frame.left + (k * w) / 24 + 0.5, frame.top + h - (0.66 * h * c) / most, w / 24 - 1, (0.66 * h * c) / most),
            );
            g.fillStyle = palette.ink;
            g.font = `600 11.5px ${FONT}`;
            g.textAlign = "left";
            g.textBaseline = "top";
            g.fillText(fitted(g, variables[row].name + inUnit(variables[row].unit), w - 12), frame.left + 6, frame.top + 6);
          } else {
            points(g, frame, variables[col].values, variables[row].values, ranges[col], ranges[row], failed);
          }
          if (row === n - 1) scaleMarks(g, frame, ranges[col], "x");
          if (col === 0 && row > 0) scaleMarks(g, frame, ranges[row], "y");
        }
      }
    },
    `Scatter matrix of ${variables.map((v) => v.name).join(", ")}`,
  );
}

/** One view of points in space, both axes to the same scale where that leaves something to see. */
export function pointView(x: Variable, y: Variable, nominal: [number, number], failed: (i: number) => boolean): Drawing {
  const ranges = [rangeOf([...Array.from(x.values), nominal[0]]), rangeOf([...Array.from(y.values), nominal[1]])] as const;
  return new Drawing(
    (width) => Math.max(180, width * 0.62),
    (g, width, height) => {
      const frame: Frame = { left: 62, top: 22, width: width - 70, height: height - 62 };
      const palette = colors();
      border(g, frame);
      points(g, frame, x.values, y.values, ranges[0], ranges[1], failed);
      const cx = frame.left + ((nominal[0] - ranges[0][0]) / (ranges[0][1] - ranges[0][0])) * frame.width;
      const cy = frame.top + frame.height * (1 - (nominal[1] - ranges[1][0]) / (ranges[1][1] - ranges[1][0]));
      g.strokeStyle = palette.ink;
      g.lineWidth = 1.8;
      g.beginPath();
      g.arc(cx, cy, 4.5, 0, 2 * Math.PI);
      g.stroke();
      scaleMarks(g, frame, ranges[0], "x");
      scaleMarks(g, frame, ranges[1], "y");
      g.fillStyle = palette.ink;
      g.font = `600 11.5px ${FONT}`;
      g.textBaseline = "top";
      g.textAlign = "right";
      g.fillText(x.name + inUnit(x.unit), frame.left + frame.width, frame.top + frame.height + 21);
      g.textAlign = "left";
      g.fillText(y.name + inUnit(y.unit), frame.left, 3);
    },
    `${y.name} against ${x.name}`,
  );
}
