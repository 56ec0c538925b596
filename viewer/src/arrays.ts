// The payload reader: the JSON object and the block of bytes of a page, and the arrays in it.
import type { ArrayRef, Report } from "./payload";

export type Numbers = Float64Array | Float32Array | Int32Array | Uint8Array;

export class Arrays {
  private readonly views = new Map<ArrayRef, Numbers>();

  constructor(private readonly bytes: ArrayBuffer) {}

  /** A view, not a copy; the last index of `ref.shape` runs fastest. */
  get(ref: ArrayRef): Numbers {
    const known = this.views.get(ref);
    if (known) return known;
    const length = ref.shape.reduce((product, n) => product * n, 1);
    const kinds = { f64: Float64Array, f32: Float32Array, i32: Int32Array, u8: Uint8Array };
    const view = new kinds[ref.type](this.bytes, ref.at, length);
    this.views.set(ref, view);
    return view;
  }
}

/** Column `j` of an array whose last dimension has `width` entries; rows from `first`, `count` of them. */
export function column(values: Numbers, width: number, j: number, first = 0, count = values.length / width - first): Float64Array {
  const out = new Float64Array(count);
  for (let i = 0; i < count; ++i) out[i] = values[(first + i) * width + j];
  return out;
}

function textOf(id: string): string {
  return document.getElementById(id)?.textContent?.trim() ?? "";
}

function decode(base64: string): ArrayBuffer {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes.buffer;
}

export function readReport(): Report {
  const report = JSON.parse(textOf("tumble-report")) as Report;
  if (report.format !== 1) throw new Error(`This page can show reports of format 1; this one has format ${String(report.format)}.`);
  return report;
}

export const readArrays = (): Arrays => new Arrays(decode(textOf("tumble-blob")));
