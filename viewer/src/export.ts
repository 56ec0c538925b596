// Files that the reader takes away: SVG and CSV from the numbers, PNG from the SVG.
import { el } from "./dom";
import type { Figure } from "./figure";
import { toSvg, type View } from "./figure_svg";

function download(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  el("a", { attributes: { href: address, download: name } }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Names of probes may hold anything; names of files should not. */
const fileName = (stem: string, ending: string): string =>
  `${stem.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[-.]+|-+$/g, "") || "figure"}.${ending}`;

/** RFC 4180. A leading sign of a formula would be run by spreadsheet programs, so such names get an apostrophe. */
const field = (text: string): string => {
  const safe = /^[=+\-@\t]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** Full precision; empty where there is no value. */
export function toCsv(figure: Figure): string {
  const inBrackets = (label: string, unit: string): string => field(unit && unit !== "1" ? `${label} [${unit}]` : label);
  const blocks: { names: string[]; columns: ArrayLike<number>[] }[] = [];
  if (figure.lines.length + figure.areas.length > 0) {
    blocks.push({
      names: [
        inBrackets(figure.xLabel, figure.xUnit),
        ...figure.lines.map((line) => inBrackets(line.label, figure.unit)),
        ...figure.areas.flatMap((a) =>
          a.values
            ? [inBrackets(a.label, figure.unit)]
            : [inBrackets(`${a.label}, lower`, figure.unit), inBrackets(`${a.label}, upper`, figure.unit)],
        ),
      ],
      columns: [
        figure.x,
        ...figure.lines.map((line) => line.y),
        ...figure.areas.flatMap((a) => (a.values ? [a.values] : [a.lower, a.upper])),
      ],
    });
  }
  if (figure.bars) {
    const { edges, heights, label } = figure.bars;
    const n = heights.length;
    blocks.push({
      names: [inBrackets("from", figure.xUnit), inBrackets("to", figure.xUnit), inBrackets(label, figure.unit)],
      columns: [Array.from(edges).slice(0, n), Array.from(edges).slice(1), heights],
    });
  }
  return blocks
    .map(({ names, columns }) => {
      const rows = [names.join(",")];
      for (let i = 0; i < columns[0].length; ++i) rows.push(columns.map((c) => (Number.isFinite(c[i]) ? String(c[i]) : "")).join(","));
      return rows.join("\r\n") + "\r\n";
    })
    .join("\r\n");
}

export function saveSvg(figure: Figure, view: View): void {
  download(fileName(figure.file, "svg"), new Blob([toSvg(figure, view)], { type: "image/svg+xml" }));
}

export function saveCsv(figure: Figure): void {
  download(fileName(figure.file, "csv"), new Blob([toCsv(figure)], { type: "text/csv" }));
}

export async function savePng(figure: Figure, view: View): Promise<void> {
  const address = URL.createObjectURL(new Blob([toSvg(figure, view)], { type: "image/svg+xml" }));
  const image = new Image();
  image.src = address;
  await image.decode();
  URL.revokeObjectURL(address);
  const canvas = el("canvas");
  const factor = 3; // sharp on paper
  canvas.width = image.width * factor;
  canvas.height = image.height * factor;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => blob && download(fileName(figure.file, "png"), blob), "image/png");
}

/** Three small buttons for one figure. */
export function exportButtons(figure: () => Figure, view: () => View): HTMLElement {
  const button = (text: string, save: () => void): HTMLElement =>
    el(
      "button",
      { class: "quiet", attributes: { type: "button", "aria-label": `Save ${figure().title} as ${text}` }, on: { click: save } },
      text,
    );
  return el(
    "span",
    "exports",
    button("SVG", () => saveSvg(figure(), view())),
    button("PNG", () => void savePng(figure(), view())),
    button("CSV", () => saveCsv(figure())),
  );
}
