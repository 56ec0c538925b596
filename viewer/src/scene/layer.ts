// A part of the scene that moves with time.
import { type Color, LineBasicMaterial, type Material, type Object3D } from "three";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import type { Colors } from "../palette";
import type { Moment, NominalMotion } from "./motion";

export interface Instant {
  time: number;
  at: Moment;
  magnification: number;
  nominal: NominalMotion; // already moved there
}

export interface Layer {
  objects: Object3D[];
  move(instant: Instant): void;
  paint(palette: Colors): void;
}

/** A line of some pixels' width; plain WebGL lines have one. */
export function strokeMaterial(width: number, opacity = 1): LineMaterial {
  return new LineMaterial({ linewidth: width, transparent: opacity < 1, opacity, depthWrite: opacity >= 1 });
}

/** The more ghosts, the fainter each. */
export const ghostMaterial = (count: number): LineBasicMaterial =>
  new LineBasicMaterial({ transparent: true, opacity: Math.min(0.6, 1.6 / Math.sqrt(count)), depthWrite: false });

export function paintMaterial(material: Material & { color: Color }, color: string): void {
  material.color.set(color);
}
