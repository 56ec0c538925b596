// Rigid bodies: the nominal ones solid, the mean as outlines, realisations as ghosts.
import { DoubleSide, DynamicDrawUsage, EdgesGeometry, InstancedMesh, Matrix4, Mesh, MeshLambertMaterial } from "three";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import type { Context } from "../page";
import type { Colors } from "../palette";
import type { Scene, SceneBody } from "../payload";
import { type Instant, type Layer, paintMaterial, strokeMaterial } from "./layer";
import { BodyMotion, type Track, tracks } from "./motion";
import { bodyGeometry } from "./shapes";

export interface Motions {
  nominal: Layer[];
  mean: Layer[];
  ghosts: Layer[];
}

function outline(geometry: ReturnType<typeof bodyGeometry>): LineSegmentsGeometry {
  return new LineSegmentsGeometry().fromEdgesGeometry(new EdgesGeometry(geometry, 25));
}

class Solid implements Layer {
  readonly material: MeshLambertMaterial;
  private readonly edgeMaterial = strokeMaterial(1.2);
  private readonly mesh: Mesh;
  private readonly edges: LineSegments2;
  readonly objects;

  constructor(private readonly index: number, private readonly body: SceneBody, geometry: ReturnType<typeof bodyGeometry>) {
    // A box that only stands for a mass and an inertia is drawn as a guess: see-through.
    const opacity = body.given ? 1 : 0.35;
    this.material = new MeshLambertMaterial({ transparent: opacity < 1, opacity, depthWrite: body.given, side: DoubleSide });
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
    this.material.color.set(palette.panel).lerp(this.edgeMaterial.color.set(this.body.random ? palette.random : palette.soft), this.body.random ? 0.55 : 0.32);
    paintMaterial(this.edgeMaterial, this.body.random ? palette.random : palette.soft);
  }
}

class Outline implements Layer {
  private readonly material = strokeMaterial(1.8);
  private readonly lines: LineSegments2;
  private readonly motion: BodyMotion;
  readonly objects;

  constructor(private readonly track: Track, nominal: Track, geometry: ReturnType<typeof bodyGeometry>) {
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

class Ghosts implements Layer {
  private readonly material: MeshLambertMaterial;
  private readonly mesh: InstancedMesh;
  private readonly motion: BodyMotion;
  private readonly matrix = new Matrix4();
  readonly objects;

  constructor(private readonly each: Track[], nominal: Track, geometry: ReturnType<typeof bodyGeometry>) {
    this.motion = new BodyMotion(nominal);
    this.material = new MeshLambertMaterial({ transparent: true, opacity: Math.max(0.05, 0.5 / Math.sqrt(each.length) / 1.6), depthWrite: false });
    this.mesh = new InstancedMesh(geometry, this.material, each.length);
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    this.mesh.frustumCulled = false;
    this.objects = [this.mesh];
  }

  move({ at, magnification }: Instant): void {
    this.each.forEach((track, i) => {
      this.motion.matrix(track, at, magnification, this.matrix);
      // A realisation that failed has no pose from then on.
      this.mesh.setMatrixAt(i, Number.isFinite(this.matrix.elements[12]) ? this.matrix : this.matrix.makeScale(0, 0, 0));
    });
    this.mesh.instanceMatrix.needsUpdate = true;
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
    if (body.mean) out.mean.push(new Outline(tracks(context, body.mean, 7, frames, 1)[0], nominal, geometry));
    if (body.samples && body.samples.shape[0] > 0) out.ghosts.push(new Ghosts(tracks(context, body.samples, 7, frames, body.samples.shape[0]), nominal, geometry));
  });
  return out;
}
