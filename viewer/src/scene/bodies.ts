// Rigid bodies: the nominal ones solid, the mean as outlines, realisations as ghosts.
import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  DynamicDrawUsage,
  EdgesGeometry,
  type LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshLambertMaterial,
} from "three";
import type { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import type { Context } from "../page";
import type { Colors } from "../palette";
import type { Scene, SceneBody } from "../payload";
import { ghostMaterial, type Instant, type Layer, paintMaterial, strokeMaterial } from "./layer";
import { BodyMotion, type Track, tracks } from "./motion";
import { bodyGeometry } from "./shapes";

export interface Motions {
  nominal: Layer[];
  mean: Layer[];
  ghosts: Layer[];
}

/** Sharp edges as pairs of points; three circles around what has none, as a ball. */
function outlinePoints(geometry: BufferGeometry): Float32Array {
  for (const angle of [25, 60]) {
    const edges = new EdgesGeometry(geometry, angle).getAttribute("position");
    if (edges.count > 0 && (edges.count < 6000 || angle === 60)) return Float32Array.from(edges.array);
  }
  geometry.computeBoundingSphere();
  const { center, radius } = geometry.boundingSphere!;
  const points: number[] = [];
  for (let plane = 0; plane < 3; ++plane) {
    for (let i = 0; i < 48; ++i)
      for (const angle of [i, i + 1].map((k) => (2 * Math.PI * k) / 48)) {
        const p = center.toArray();
        p[plane] += radius * Math.cos(angle);
        p[(plane + 1) % 3] += radius * Math.sin(angle);
        points.push(...p);
      }
  }
  return Float32Array.from(points);
}

const outline = (geometry: BufferGeometry): LineSegmentsGeometry =>
  new LineSegmentsGeometry().setPositions(outlinePoints(geometry)) as LineSegmentsGeometry;

class Solid implements Layer {
  readonly material: MeshLambertMaterial;
  private readonly edgeMaterial: LineMaterial;
  private readonly mesh: Mesh;
  private readonly edges: LineSegments2;
  readonly objects;

  constructor(
    private readonly index: number,
    private readonly body: SceneBody,
    geometry: BufferGeometry,
  ) {
    // A box that only stands for a mass and an inertia is drawn as a guess: see-through.
    const opacity = body.given ? 1 : 0.22;
    this.material = new MeshLambertMaterial({ transparent: opacity < 1, opacity, depthWrite: body.given, side: DoubleSide });
    this.edgeMaterial = body.given ? strokeMaterial(1.2) : strokeMaterial(1, 0.6);
    this.material.polygonOffset = true;
    this.material.polygonOffsetFactor = 1;
    this.material.polygonOffsetUnits = 1;
    this.mesh = new Mesh(geometry, this.material);
    this.mesh.name = `${body.name}${body.random ? " (uncertain)" : ""}`;
    this.edges = new LineSegments2(outline(geometry), this.edgeMaterial);
    this.objects = [this.mesh, this.edges];
    for (const object of this.objects) object.matrixAutoUpdate = false;
  }

  move({ nominal }: Instant): void {
    for (const object of this.objects) {
      object.matrix.copy(nominal.bodies[this.index].matrix);
      object.matrixWorldNeedsUpdate = true;
    }
  }

  paint(palette: Colors): void {
    this.material.color
      .set(palette.panel)
      .lerp(this.edgeMaterial.color.set(this.body.random ? palette.random : palette.soft), this.body.random ? 0.55 : 0.32);
    paintMaterial(this.edgeMaterial, this.body.random ? palette.random : palette.soft);
  }
}

class Outline implements Layer {
  private readonly material: LineMaterial;
  private readonly lines: LineSegments2;
  private readonly motion: BodyMotion;
  readonly objects;

  constructor(
    private readonly track: Track,
    nominal: Track,
    geometry: BufferGeometry,
    given: boolean,
  ) {
    this.material = given ? strokeMaterial(1.8) : strokeMaterial(1, 0.4);
    this.motion = new BodyMotion(nominal);
    this.lines = new LineSegments2(outline(geometry), this.material);
    this.lines.matrixAutoUpdate = false;
    this.objects = [this.lines];
  }

  move({ at, magnification }: Instant): void {
    this.motion.matrix(this.track, at, magnification, this.lines.matrix);
    this.lines.matrixWorldNeedsUpdate = true;
  }

  paint(palette: Colors): void {
    paintMaterial(this.material, palette.mean);
  }
}

/** Outlines of all realisations in one set of lines: solids would bury each other. */
class Ghosts implements Layer {
  private readonly material: LineBasicMaterial;
  private readonly positions: BufferAttribute;
  private readonly motion: BodyMotion;
  private readonly matrix = new Matrix4();
  private readonly shape: Float32Array;
  readonly objects;

  constructor(
    private readonly each: Track[],
    nominal: Track,
    geometry: BufferGeometry,
  ) {
    this.motion = new BodyMotion(nominal);
    this.shape = outlinePoints(geometry);
    this.positions = new BufferAttribute(new Float32Array(this.shape.length * each.length), 3).setUsage(DynamicDrawUsage);
    this.material = ghostMaterial(each.length);
    const lines = new LineSegments(new BufferGeometry().setAttribute("position", this.positions), this.material);
    lines.frustumCulled = false;
    this.objects = [lines];
  }

  move({ at, magnification }: Instant): void {
    const out = this.positions.array as Float32Array;
    let o = 0;
    for (const track of this.each) {
      const e = this.motion.matrix(track, at, magnification, this.matrix).elements;
      const there = Number.isFinite(e[12]); // a realisation that failed has no pose from then on
      for (let i = 0; i < this.shape.length; i += 3, o += 3) {
        const [x, y, z] = [this.shape[i], this.shape[i + 1], this.shape[i + 2]];
        for (let k = 0; k < 3; ++k) out[o + k] = there ? e[k] * x + e[4 + k] * y + e[8 + k] * z + e[12 + k] : 0;
      }
    }
    this.positions.needsUpdate = true;
  }

  paint(palette: Colors): void {
    paintMaterial(this.material, palette.mean);
  }
}

export function bodyLayers(context: Context, scene: Scene, pointRadius: number): Motions {
  const frames = scene.time.shape[0];
  const out: Motions = { nominal: [], mean: [], ghosts: [] };
  scene.bodies.forEach((body, index) => {
    const geometry = bodyGeometry(context, body.shapes, pointRadius);
    const [nominal] = tracks(context, body.nominal, 7, frames, 1);
    out.nominal.push(new Solid(index, body, geometry));
    if (body.mean) out.mean.push(new Outline(tracks(context, body.mean, 7, frames, 1)[0], nominal, geometry, body.given));
    if (body.samples && body.samples.shape[0] > 0)
      out.ghosts.push(new Ghosts(tracks(context, body.samples, 7, frames, body.samples.shape[0]), nominal, geometry));
  });
  return out;
}
