// A figure on the screen: uPlot draws, this adds a readout with units, the time cursor, pan and zoom by
// mouse and keyboard, and export. Dragging zooms, dragging with Shift pans, a double click shows all.
import uPlot from "uplot";
import type { TimeCursor } from "./cursor";
import { el, fill, unique } from "./dom";
import { exportButtons } from "./export";
import { type Area, CAP, colorOf, extent, type Figure, hasNegative, logSize, padded, runs, shortened, tickLabels, ticks } from "./figure";
import { inUnit, number, pretty, quantity } from "./format";
import { colors, fade, onTheme } from "./theme";

export interface ChartOptions {
  height: number;
  cursor?: TimeCursor; // shown as a line, set by a click; x is time in seconds then
  group?: ChartGroup; // charts that zoom and hover together
  xAxis?: boolean; // false: the chart below has it
}

/** Charts one above the other with one axis of time. */
export class ChartGroup {
  readonly key = unique("group");
  readonly charts = new Set<Chart>();

  zoom(range: [number, number]): void {
    for (const chart of this.charts) chart.showRange(range);
  }
}

type Column = (number | null)[];
const FONT = "11.5px system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

export class Chart {
  readonly element: HTMLElement;
  private plot!: uPlot;
  private readonly title = el("span", "chart-title");
  private readonly readout = el("span", { class: "readout", attributes: { "aria-live": "off" } });
  private readonly host = el("div", { class: "plot", attributes: { tabindex: "0", role: "img", "data-time": "" } });
  private readonly xName = el("div", "x-name");
  private readonly now = el("div", "now");
  private readonly observer: ResizeObserver;
  private readonly forget: (() => void)[] = [];
  private full: [number, number] = [0, 1];

  constructor(
    private figure: Figure,
    private readonly options: ChartOptions,
  ) {
    this.element = el(
      "figure",
      "chart",
      el(
        "figcaption",
        "chart-head",
        this.title,
        exportButtons(
          () => this.figure,
          () => ({ x: this.range() }),
        ),
        this.readout,
      ),
      this.host,
      options.xAxis === false ? null : this.xName,
    );
    options.group?.charts.add(this);
    this.draw();
    this.observer = new ResizeObserver(() => this.fit());
    this.observer.observe(this.host);
    onTheme(this.redraw);
    if (options.cursor) this.forget.push(options.cursor.onTime(() => this.moveNow()));
    this.host.addEventListener("keydown", (event) => this.key(event));
  }

  /** Other numbers in the same place; keeps the zoom where the x axis is the same. */
  update(figure: Figure): void {
    const zoom = this.range();
    const zoomed = zoom[0] > this.full[0] || zoom[1] < this.full[1];
    const same = figure.x.length === this.figure.x.length && figure.x[0] === this.figure.x[0];
    this.figure = figure;
    this.draw();
    if (zoomed && same) this.showRange(zoom);
  }

  /** What the chart shows, as data. */
  shown(): Figure {
    return this.figure;
  }

  destroy(): void {
    this.options.group?.charts.delete(this);
    this.observer.disconnect();
    for (const forget of this.forget) forget();
    this.plot.destroy();
    this.element.remove();
  }

  showRange([min, max]: [number, number]): void {
    this.plot.setScale("x", { min, max });
  }

  range(): [number, number] {
    const { min, max } = this.plot.scales.x;
    return [min ?? this.full[0], max ?? this.full[1]];
  }

  private readonly redraw = (): void => {
    if (this.element.isConnected) this.draw();
  };

  private fit(): void {
    const width = Math.floor(this.host.clientWidth);
    if (width > 0 && width !== this.plot.width) this.plot.setSize({ width, height: this.options.height });
    this.moveNow();
  }

  /** Columns as uPlot wants them: first both ends of each area, then the lines. */
  private columns(): { data: uPlot.AlignedData; series: uPlot.Series[]; bands: uPlot.Band[] } {
    const palette = colors();
    const data: Column[] = [Array.from(this.figure.x)];
    const series: uPlot.Series[] = [{}];
    const bands: uPlot.Band[] = [];
    const log = this.figure.yLog === true;
    const shown = (values: ArrayLike<number>): Column =>
      Array.from(values, (v) => {
        const y = log ? logSize(v) : v;
        return Number.isFinite(y) ? y : null;
      });
    for (const area of this.figure.areas) {
      const [lower, upper] = this.ends(area);
      data.push(shown(upper), shown(lower));
      series.push({ points: { show: false }, width: 0 }, { points: { show: false }, width: 0 });
      bands.push({ series: [series.length - 2, series.length - 1], fill: fade(colorOf(palette, area.color), area.opacity) });
    }
    for (const line of this.figure.lines) {
      data.push(shown(line.y));
      series.push({
        stroke: fade(colorOf(palette, line.color), line.opacity ?? 1),
        width: line.width ?? 1.5,
        dash: line.dash,
        points: line.marks
          ? { show: true, size: 7, fill: colorOf(palette, line.color), stroke: colorOf(palette, line.color) }
          : { show: false },
        pxAlign: 0,
      });
    }
    return { data: data as uPlot.AlignedData, series, bands };
  }

  /** Of an area, as the axis shows them. */
  private ends(area: Area): [ArrayLike<number>, ArrayLike<number>] {
    return this.figure.yLog ? logArea(area, padded(extent(this.figure).y, true, false)[0]) : [area.lower, area.upper];
  }

  private draw(): void {
    const palette = colors();
    const figure = this.figure;
    const { data, series, bands } = this.columns();
    const all = extent(figure);
    this.full = all.x;
    const log = figure.yLog === true;
    const factor = figure.xFactor ?? 1;
    const bars = figure.bars !== undefined;
    const axis = (side: "x" | "y"): uPlot.Axis => ({
      stroke: palette.soft,
      font: FONT,
      grid: side === "y" ? { stroke: palette.rule, width: 1 } : { show: false },
      ticks: side === "x" ? { stroke: palette.rule, width: 1, size: 5 } : { show: false },
      gap: side === "x" ? 3 : 8,
    });
    this.plot?.destroy();
    this.plot = new uPlot(
      {
        width: Math.max(120, Math.floor(this.host.clientWidth) || 480),
        height: this.options.height,
        pxAlign: 0,
        padding: [8, 18, this.options.xAxis === false ? 6 : 0, 0],
        legend: { show: false },
        cursor: {
          y: false,
          points: { show: false },
          drag: { x: true, y: false, dist: 5 },
          sync: this.options.group ? { key: this.options.group.key, setSeries: false, scales: ["x", null] } : undefined,
          bind: {
            mousedown: (u, _target, handler) => (event: MouseEvent) => {
              if (event.shiftKey && event.button === 0) this.pan(u, event);
              else handler(event);
              return null;
            },
          },
        },
        scales: {
          // All of it comes as the ends of the numbers, beyond which dots and names need room.
          x: {
            time: false,
            distr: figure.xLog ? 3 : 1,
            range: (_u, min, max) =>
              !(max > min)
                ? all.x
                : min >= all.x[0] && max <= all.x[1] && min === figure.x[0] && max === figure.x[figure.x.length - 1]
                  ? all.x
                  : [min, max],
          },
          y: {
            distr: log ? 3 : 1,
            range: (_u, low, high) =>
              bars || figure.yAtLeast || low === null || !(low <= high)
                ? padded(all.y, log, figure.yFromZero === true)
                : padded([low, high], log, figure.yFromZero === true),
          },
        },
        axes: [
          {
            ...axis("x"),
            show: this.options.xAxis !== false,
            size: 30,
            splits: (u, _axis, min, max) =>
              figure.xNames?.map((_, i) => i).filter((i) => i >= min && i <= max) ??
              ticks([min * factor, max * factor], Math.max(2, u.width / 95), figure.xLog === true).map((v) => v / factor),
            filter: (_u, splits) => splits,
            values: (_u, splits) =>
              figure.xNames
                ? splits.map((i) => shortened(figure.xNames![i]))
                : tickLabels(
                    splits.map((v) => v * factor),
                    figure.xLog === true,
                  ),
          },
          {
            ...axis("y"),
            size: (_u, values) => Math.max(66, 14 + 6.3 * Math.max(0, ...(values ?? []).map((text) => text.length))),
            splits: (_u, _axis, min, max) => ticks([min, max], Math.min(8, Math.max(2, this.options.height / 36)), log),
            filter: (_u, splits) => splits,
            values: (_u, splits) => tickLabels(splits, log),
          },
        ],
        series,
        bands,
        hooks: {
          drawAxes: [(u) => this.drawBars(u)],
          draw: [(u) => this.drawErrorBars(u), (u) => this.drawVerticals(u)],
          setCursor: [() => this.read()],
          setScale: [() => this.moveNow()],
          ready: [(u) => this.prepare(u)],
        },
      },
      data,
      this.host,
    );
    const bar = log && hasNegative(figure) ? "|" : "";
    fill(this.xName, `${figure.xLabel}${inUnit(figure.xShownUnit ?? figure.xUnit)}`);
    fill(this.title, `${bar}${figure.title}${bar}`, el("span", "soft", inUnit(figure.unit)));
    this.host.setAttribute("aria-label", this.describe());
    this.read();
    this.moveNow();
  }

  private prepare(u: uPlot): void {
    if (!this.options.cursor) return;
    u.over.append(this.now);
    const cursor = this.options.cursor;
    u.over.addEventListener("click", (event) => {
      if (event.shiftKey) return;
      cursor.pause();
      cursor.set(u.posToVal(event.clientX - u.rect.left, "x"));
    });
    u.over.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && !event.metaKey) return; // the page scrolls
        event.preventDefault();
        this.zoomBy(event.deltaY > 0 ? 1.25 : 0.8, u.posToVal(event.clientX - u.rect.left, "x"));
      },
      { passive: false },
    );
  }

  private pan(u: uPlot, down: MouseEvent): void {
    const [min, max] = this.range();
    const perPixel = (max - min) / u.rect.width;
    const move = (event: MouseEvent): void => this.setZoom(shifted([min, max], (down.clientX - event.clientX) * perPixel, this.full));
    const end = (): void => {
      document.removeEventListener("mousemove", move);
      document.removeEventListener("mouseup", end);
    };
    document.addEventListener("mousemove", move);
    document.addEventListener("mouseup", end);
    down.preventDefault();
  }

  private setZoom(range: [number, number]): void {
    if (this.options.group) this.options.group.zoom(range);
    else this.showRange(range);
  }

  private zoomBy(factor: number, about: number): void {
    const [min, max] = this.range();
    const low = Math.max(this.full[0], about - (about - min) * factor);
    const high = Math.min(this.full[1], about + (max - about) * factor);
    if (high - low > 1e-6 * (this.full[1] - this.full[0])) this.setZoom([low, high]);
  }

  private key(event: KeyboardEvent): void {
    const [min, max] = this.range();
    const about =
      this.options.cursor && this.options.cursor.time >= min && this.options.cursor.time <= max
        ? this.options.cursor.time
        : (min + max) / 2;
    if (event.key === "+" || event.key === "=") this.zoomBy(0.7, about);
    else if (event.key === "-") this.zoomBy(1 / 0.7, about);
    else if (event.key === "0" || event.key === "Escape") this.setZoom(this.full);
    else if (event.key === "PageUp") this.setZoom(shifted([min, max], -0.25 * (max - min), this.full));
    else if (event.key === "PageDown") this.setZoom(shifted([min, max], 0.25 * (max - min), this.full));
    else return;
    event.preventDefault();
  }

  private drawBars(u: uPlot): void {
    const bars = this.figure.bars;
    if (!bars) return;
    const base = u.valToPos(0, "y", true);
    u.ctx.fillStyle = fade(colorOf(colors(), bars.color), 0.3);
    for (let i = 0; i < bars.heights.length; ++i) {
      const left = u.valToPos(bars.edges[i], "x", true);
      const right = u.valToPos(bars.edges[i + 1], "x", true);
      const top = u.valToPos(bars.heights[i], "y", true);
      u.ctx.fillRect(left + 0.5, top, Math.max(1, right - left - 1), base - top);
    }
  }

  /** An area at one place alone has no width: ends of a bar say what it says elsewhere. */
  private drawErrorBars(u: uPlot): void {
    u.ctx.save();
    u.ctx.lineWidth = 1.5 * devicePixelRatio;
    const cap = CAP * devicePixelRatio;
    for (const area of this.figure.areas) {
      const [lower, upper] = this.ends(area);
      u.ctx.strokeStyle = colorOf(colors(), area.color);
      for (const [first, last] of runs(lower, upper)) {
        if (first !== last) continue;
        const x = u.valToPos(this.figure.x[first], "x", true);
        if (x < u.bbox.left || x > u.bbox.left + u.bbox.width) continue;
        const [foot, top] = [u.valToPos(lower[first], "y", true), u.valToPos(upper[first], "y", true)];
        u.ctx.beginPath();
        u.ctx.moveTo(x, foot);
        u.ctx.lineTo(x, top);
        for (const end of [foot, top]) {
          u.ctx.moveTo(x - cap, end);
          u.ctx.lineTo(x + cap, end);
        }
        u.ctx.stroke();
      }
    }
    u.ctx.restore();
  }

  private drawVerticals(u: uPlot): void {
    for (const mark of this.figure.verticals ?? []) {
      const x = Math.round(u.valToPos(mark.x, "x", true)) + 0.5;
      if (x < u.bbox.left || x > u.bbox.left + u.bbox.width) continue;
      u.ctx.save();
      u.ctx.strokeStyle = colorOf(colors(), mark.color);
      u.ctx.lineWidth = devicePixelRatio;
      u.ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
      u.ctx.beginPath();
      u.ctx.moveTo(x, u.bbox.top);
      u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
      u.ctx.stroke();
      u.ctx.restore();
    }
  }

  private moveNow(): void {
    const cursor = this.options.cursor;
    if (!cursor || !this.plot) return;
    const x = this.plot.valToPos(cursor.time, "x");
    const width = this.plot.bbox.width / devicePixelRatio;
    this.now.style.visibility = x >= -0.5 && x <= width + 0.5 ? "visible" : "hidden";
    this.now.style.transform = `translateX(${x.toFixed(1)}px)`;
    if (this.plot.cursor.left === undefined || this.plot.cursor.left < 0) this.read();
  }

  /** Values under the mouse; without one, at the time cursor. */
  private read(): void {
    const u = this.plot;
    if (!u) return;
    const hovered = u.cursor.left !== undefined && u.cursor.left >= 0 ? u.cursor.idx : null;
    const i = hovered ?? (this.options.cursor ? nearest(this.figure.x, this.options.cursor.time) : null);
    if (i === null || i === undefined || this.figure.x.length === 0) {
      fill(this.readout, this.legend());
      return;
    }
    fill(this.readout, ...this.values(i));
  }

  private values(i: number): Node[] {
    const figure = this.figure;
    const out: Node[] = [
      el(
        "span",
        "value",
        `${figure.xLabel === "time" ? "t" : figure.xLabel} `,
        el("b", "", figure.xNames?.[figure.x[i]] ?? quantity(figure.x[i] * (figure.xFactor ?? 1), figure.xShownUnit ?? figure.xUnit)),
      ),
    ];
    const unit = figure.unit && figure.unit !== "1" ? pretty(figure.unit) : "";
    for (const line of figure.lines) {
      if (line.quiet) continue;
      out.push(entry(line.label, colorOf(colors(), line.color), number(line.y[i])));
    }
    for (const area of figure.areas) {
      if (!area.label) continue;
      out.push(
        entry(
          area.label,
          colorOf(colors(), area.color),
          area.values ? number(area.values[i]) : `${number(area.lower[i])} … ${number(area.upper[i])}`,
        ),
      );
    }
    if (unit && out.length > 1) out[out.length - 1].appendChild(document.createTextNode(` ${unit}`));
    return out;
  }

  private legend(): Node {
    const entries: Node[] = [];
    if (this.figure.bars) entries.push(entry(this.figure.bars.label, colorOf(colors(), this.figure.bars.color), ""));
    for (const part of [...this.figure.lines.filter((line) => !line.quiet), ...this.figure.areas]) {
      if (part.label) entries.push(entry(part.label, colorOf(colors(), part.color), ""));
    }
    for (const mark of this.figure.verticals ?? []) entries.push(entry(mark.label, colorOf(colors(), mark.color), ""));
    const whole = document.createDocumentFragment();
    whole.append(...entries);
    return whole;
  }

  private describe(): string {
    const names = [...this.figure.lines.filter((line) => !line.quiet), ...this.figure.areas].map((part) => part.label).filter(Boolean);
    return (
      `Chart of ${this.figure.title}${inUnit(this.figure.unit)} against ` +
      `${this.figure.xLabel}${names.length ? `: ${names.join(", ")}` : ""}`
    );
  }
}

function entry(label: string, color: string, value: string): HTMLElement {
  const swatch = el("i", "swatch");
  swatch.style.backgroundColor = color;
  return el("span", "value", swatch, label, value && " ", value && el("b", "", value));
}

/** |y| between the ends of an area; from the bottom where it holds zero. */
function logArea(area: Area, floor: number): [number[], number[]] {
  const lower = Array.from(area.lower);
  const upper = Array.from(area.upper);
  for (let i = 0; i < lower.length; ++i) {
    const [a, b] = [lower[i], upper[i]];
    upper[i] = Math.max(Math.abs(a), Math.abs(b));
    lower[i] = a * b > 0 ? Math.min(Math.abs(a), Math.abs(b)) : floor;
  }
  return [lower, upper];
}

function shifted([min, max]: [number, number], by: number, full: [number, number]): [number, number] {
  const move = Math.min(Math.max(by, full[0] - min), full[1] - max);
  return [min + move, max + move];
}

/** Index of the value nearest to `x` in ascending numbers. */
export function nearest(values: ArrayLike<number>, x: number): number {
  let low = 0;
  let high = values.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (values[middle] <= x) low = middle;
    else high = middle;
  }
  return high > low && Math.abs(values[high] - x) < Math.abs(values[low] - x) ? high : Math.max(0, low);
}
