// What every section needs: the report, its arrays, the study on show and its time.
import type { Arrays, Numbers } from "./arrays";
import type { Chart } from "./chart";
import type { TimeCursor } from "./cursor";
import { el } from "./dom";
import type { ArrayRef, Curve, Report, Study } from "./payload";

export interface Context {
  report: Report;
  arrays: Arrays;
  study: Study;
  cursor: TimeCursor;
}

/** A section of the page; null from its maker when the study has nothing for it. */
export interface Section {
  id: string;
  name: string; // in the navigation
  element: HTMLElement;
  charts?: () => Chart[];
  destroy?: () => void;
}

export type SectionMaker = (context: Context) => Section | null;

export function section(id: string, name: string, lead: string, ...children: (Node | null)[]): Section {
  const element = el(
    "section",
    { id, attributes: { "aria-labelledby": `${id}-title` } },
    el("header", "section-head", el("h2", { id: `${id}-title` }, name), el("p", "lead", lead)),
    ...children,
  );
  return { id, name, element };
}

export const numbers = (context: Context, ref: ArrayRef): Numbers => context.arrays.get(ref);
export const optional = (context: Context, ref: ArrayRef | undefined | null): Numbers | null => (ref ? context.arrays.get(ref) : null);

/** "pobs acceleration" and "pobs acceleration z". */
export const curveName = (curve: Curve): string => `${curve.probe} ${curve.quantity.replaceAll("_", " ")}`;
export const axisName = (curve: Curve, axis: number): string => `${curveName(curve)}${curve.axes[axis] ? ` ${curve.axes[axis]}` : ""}`;

/** Whether the errors of polynomial chaos come from runs that were kept out of its fit. */
export const isMeasured = (study: Study): boolean => study.curves.some((c) => c.chaos_error_upper);

/** "90 %" of a study's confidence region, from its outermost quantiles. */
export function confidence(study: Study): number | null {
  const q = study.quantiles;
  return q.length > 1 ? q[q.length - 1] - q[0] : null;
}
