// A figure as an SVG document, drawn from the numbers, in the light palette: for papers and slides.
import { CAP, colorOf, extent, type Figure, hasNegative, logSize, padded, runs, shortened, tickLabels, ticks } from "./figure";
import { inUnit } from "./format";
import { LIGHT } from "./palette";

const WIDTH = 720;
const HEIGHT = 360;
const BOX = { left: 76, right: 20, top: 46, bottom: 48 };

const escape = (text: string): string =>
  text
    .replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c] ?? c)
    // Control characters are not allowed in XML, not even as references.
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, "\ufffd");

const at = (v: number): string => v.toFixed(2);

/** Maps a number to the page, linearly or by its logarithm. */
function scale([low, high]: [number, number], from: number, to: number, log: boolean): (v: number) => number {
  const f = log ? Math.log10 : (v: number): number => v;
  return (v) => from + ((f(v) - f(low)) / (f(high) - f(low))) * (to - from);
}

export interface View {
  x?: [number, number]; // shown part; all of it otherwise
}

export function toSvg(figure: Figure, view: View = {}): string {
  const all = extent(figure);
  const xRange = view.x ?? all.x;
  const yRange = padded(all.y, figure.yLog === true, figure.yFromZero === true);
  const right = WIDTH - BOX.right;
  const bottom = HEIGHT - BOX.bottom;
  const X = scale(xRange, BOX.left, right, figure.xLog === true);
  const Y = scale(yRange, bottom, BOX.top, figure.yLog === true);
  const size = figure.yLog ? logSize : (v: number): number => v;
  const floor = yRange[0];
  const y = (v: number): number => Y(Math.max(size(v), figure.yLog ? floor : -Infinity));
  const out: string[] = [];
  const factor = figure.xFactor ?? 1;

  const yTicks = ticks(yRange, 6, figure.yLog === true);
  const yText = tickLabels(yTicks, figure.yLog === true);
  yTicks.forEach((v, i) => {
    out.push(`<line x1="${BOX.left}" x2="${right}" y1="${at(Y(v))}" y2="${at(Y(v))}" stroke="${LIGHT.rule}"/>`);
    out.push(`<text x="${BOX.left - 8}" y="${at(Y(v) + 4)}" text-anchor="end">${yText[i]}</text>`);
  });
  const xShown = figure.xNames ? figure.xNames.map((_, i) => i) : ticks([xRange[0] * factor, xRange[1] * factor], 8, figure.xLog === true);
  const xText = figure.xNames ? figure.xNames.map((name) => escape(shortened(name))) : tickLabels(xShown, figure.xLog === true);
  xShown.forEach((v, i) => {
    const place = at(X(v / factor));
    out.push(`<line x1="${place}" x2="${place}" y1="${bottom}" y2="${bottom + 5}" stroke="${LIGHT.soft}"/>`);
    out.push(`<text x="${place}" y="${bottom + 19}" text-anchor="middle">${xText[i]}</text>`);
  });

  const body: string[] = [];
  if (figure.bars) {
    const { edges, heights, color } = figure.bars;
    for (let i = 0; i < heights.length; ++i) {
      const [a, b] = [X(edges[i]), X(edges[i + 1])];
      body.push(
        `<rect x="${at(a)}" y="${at(Y(heights[i]))}" width="${at(Math.max(0.5, b - a - 0.6))}" ` +
          `height="${at(Y(0) - Y(heights[i]))}" fill="${colorOf(LIGHT, color)}" fill-opacity="0.3"/>`,
      );
    }
  }
  for (const area of figure.areas) {
    for (const [first, last] of runs(area.upper, area.lower)) {
      if (first === last) {
        const [place, top, foot] = [X(figure.x[first]), at(y(area.upper[first])), at(y(area.lower[first]))];
        const cap = (end: string): string => `M${at(place - CAP)} ${end}H${at(place + CAP)}`;
        body.push(
          `<path class="error-bar" d="${cap(top)}M${at(place)} ${top}V${foot}${cap(foot)}" fill="none" ` +
            `stroke="${colorOf(LIGHT, area.color)}" stroke-width="1.5"/>`,
        );
        continue;
      }
      const upper: string[] = [];
      const lower: string[] = [];
      for (let i = first; i <= last; ++i) {
        upper.push(`${at(X(figure.x[i]))} ${at(y(area.upper[i]))}`);
        lower.push(`${at(X(figure.x[i]))} ${at(y(area.lower[i]))}`);
      }
      body.push(
        `<path d="M${upper.join("L")}L${lower.reverse().join("L")}Z" fill="${colorOf(LIGHT, area.color)}" fill-opacity="${area.opacity}"/>`,
      );
    }
  }
  for (const line of figure.lines) {
    const dash = line.dash ? ` stroke-dasharray="${line.dash.join(" ")}"` : "";
    const parts = runs(line.y).map(([first, last]) => {
      const points: string[] = [];
      for (let i = first; i <= last; ++i) points.push(`${at(X(figure.x[i]))} ${at(y(line.y[i]))}`);
      return `M${points.join("L")}`;
    });
    if (parts.length > 0) {
      body.push(
        `<path d="${parts.join("")}" fill="none" stroke="${colorOf(LIGHT, line.color)}" ` +
          `stroke-width="${line.width ?? 1.5}" stroke-opacity="${line.opacity ?? 1}" stroke-linejoin="round"${dash}/>`,
      );
    }
    if (line.marks)
      Array.from(line.y).forEach((v, i) => {
        if (Number.isFinite(v))
          body.push(`<circle cx="${at(X(figure.x[i]))}" cy="${at(y(v))}" r="3.5" fill="${colorOf(LIGHT, line.color)}"/>`);
      });
  }
  for (const mark of figure.verticals ?? []) {
    body.push(
      `<line x1="${at(X(mark.x))}" x2="${at(X(mark.x))}" y1="${BOX.top}" y2="${bottom}" ` +
        `stroke="${colorOf(LIGHT, mark.color)}" stroke-dasharray="4 3"/>`,
    );
  }
  out.push(`<g clip-path="url(#box)">${body.join("")}</g>`);
  out.push(`<line x1="${BOX.left}" x2="${right}" y1="${bottom}" y2="${bottom}" stroke="${LIGHT.soft}"/>`);

  const absolute = figure.yLog && hasNegative(figure) ? "|" : "";
  out.push(
    `<text x="${BOX.left}" y="16" font-size="13" ` +
      `font-weight="600">${absolute}${escape(figure.title)}${absolute}${escape(inUnit(figure.unit))}</text>`,
  );
  out.push(
    `<text x="${right}" y="${HEIGHT - 8}" text-anchor="end">${escape(figure.xLabel + inUnit(figure.xShownUnit ?? figure.xUnit))}</text>`,
  );
  out.push(...legend(figure));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" ` +
      `font-family="Helvetica, Arial, sans-serif" font-size="11" fill="${LIGHT.ink}">`,
    `<title>${escape(figure.title)}</title>`,
    `<defs><clipPath id="box"><rect x="${BOX.left}" y="${BOX.top}" width="${right - BOX.left}" ` +
      `height="${bottom - BOX.top}"/></clipPath></defs>`,
    `<rect width="100%" height="100%" fill="#ffffff"/>`,
    ...out,
    "</svg>",
  ].join("\n");
}

/** One row of names with their strokes, under the title. */
function legend(figure: Figure): string[] {
  const entries = [
    ...(figure.bars ? [{ label: figure.bars.label, color: figure.bars.color, thick: 8, opacity: 0.3 }] : []),
    ...figure.areas.map((a) => ({ label: a.label, color: a.color, thick: 8, opacity: a.opacity })),
    ...figure.lines.filter((l) => !l.quiet).map((l) => ({ label: l.label, color: l.color, thick: l.width ?? 1.5, opacity: 1 })),
  ].filter((entry) => entry.label);
  const out: string[] = [];
  let x = BOX.left;
  for (const { label, color, thick, opacity } of entries) {
    out.push(
      `<line x1="${x}" x2="${x + 18}" y1="30" y2="30" stroke="${colorOf(LIGHT, color)}" stroke-width="${thick}" ` +
        `stroke-opacity="${opacity}"/>`,
    );
    out.push(`<text x="${x + 23}" y="34">${escape(label)}</text>`);
    x += 40 + 6.2 * label.length;
  }
  return out;
}
