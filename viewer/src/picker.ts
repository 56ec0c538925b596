// Choice of one curve and one axis, for sections that show one at a time.
import { choice, tabs } from "./controls";
import { el, fill } from "./dom";
import { curveName } from "./page";
import type { Curve } from "./payload";

/** `curves`: indices into `all` that may be chosen. Calls `choose` at once with the start. */
export function axisPicker(
  all: Curve[],
  curves: number[],
  start: { curve: number; axis: number },
  choose: (curve: number, axis: number) => void,
): HTMLElement {
  let now = curves.includes(start.curve) ? { ...start } : { curve: curves[0], axis: 0 };
  const axes = el("span");
  const draw = (): void => {
    const names = all[now.curve].axes;
    fill(axes, names.length > 1 && tabs("Axis", names, now.axis, (axis) => set(now.curve, axis)));
  };
  const set = (curve: number, axis: number): void => {
    now = { curve, axis };
    choose(curve, axis);
  };
  draw();
  choose(now.curve, now.axis);
  return el(
    "div",
    "picker",
    curves.length > 1 &&
      choice(
        "Curve",
        curves.map((i) => curveName(all[i])),
        curves.indexOf(now.curve),
        (k) => {
          set(curves[k], Math.min(now.axis, all[curves[k]].axes.length - 1));
          draw();
        },
      ),
    axes,
  );
}
