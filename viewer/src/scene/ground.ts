// The ground: a grid across gravity, with a stated spacing; and the axes in the corner of the picture.
import {
  type Box3,
  BufferGeometry,
  Float32BufferAttribute,
  LineBasicMaterial,
  LineSegments,
  type PerspectiveCamera,
  Quaternion,
  Vector3,
} from "three";
import { svg } from "../dom";
import { round125 } from "../format";
import type { Colors } from "../palette";

export interface Ground {
  lines: LineSegments;
  spacing: number; // m
  paint(palette: Colors): void;
}

export function makeGround(box: Box3, up: Vector3, size: number): Ground {
  const spacing = round125(size / 9);
  const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), up);
  const back = turn.clone().invert();
  const local = box.clone();
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((k) =>
    new Vector3(k & 1 ? box.max.x : box.min.x, k & 2 ? box.max.y : box.min.y, k & 4 ? box.max.z : box.min.z).applyQuaternion(back),
  );
  local.setFromPoints(corners);
  const margin = 0.22 * size;
  const from = (x: number): number => Math.floor((x - margin) / spacing);
  const to = (x: number): number => Math.ceil((x + margin) / spacing);
  const level = local.min.z - 0.015 * size;
  const points: number[] = [];
  const p = new Vector3();
  const put = (x: number, y: number): void => {
    p.set(x, y, level).applyQuaternion(turn);
    points.push(p.x, p.y, p.z);
  };
  const [x0, x1, y0, y1] = [from(local.min.x), to(local.max.x), from(local.min.y), to(local.max.y)];
  for (let i = x0; i <= x1; ++i) {
    put(i * spacing, y0 * spacing);
    put(i * spacing, y1 * spacing);
  }
  for (let j = y0; j <= y1; ++j) {
    put(x0 * spacing, j * spacing);
    put(x1 * spacing, j * spacing);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(points, 3));
  const material = new LineBasicMaterial();
  return { lines: new LineSegments(geometry, material), spacing, paint: (palette) => void material.color.set(palette.rule) };
}

/** The directions of the axes on the screen. */
export class Triad {
  readonly element = svg("svg", { class: "triad", viewBox: "-34 -34 68 68", width: 68, height: 68, "aria-hidden": "true" });
  private readonly arms = ["x", "y", "z"].map((name) => {
    const line = svg("line", { x1: 0, y1: 0 });
    const text = svg("text", { "text-anchor": "middle", "dominant-baseline": "central" }, name);
    const group = svg("g", {}, line, text);
    this.element.append(group);
    return { line, text, group };
  });

  turn(camera: PerspectiveCamera): void {
    const view = camera.quaternion.clone().invert();
    [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)].forEach((axis, i) => {
      axis.applyQuaternion(view);
      const { line, text, group } = this.arms[i];
      line.setAttribute("x2", (20 * axis.x).toFixed(1));
      line.setAttribute("y2", (-20 * axis.y).toFixed(1));
      text.setAttribute("x", (28 * axis.x).toFixed(1));
      text.setAttribute("y", (-28 * axis.y).toFixed(1));
      // An axis towards the eye is a point; its letter would lie on the others.
      group.setAttribute("opacity", Math.hypot(axis.x, axis.y) < 0.12 ? "0" : "1");
    });
  }
}
