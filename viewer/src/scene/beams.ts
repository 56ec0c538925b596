// Beams as swept sections. A station holds r and the section vectors r_y, r_z; a point of the outline at
// (y, z) of the section is r + y r_y + z r_z.
import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  DynamicDrawUsage,
  type InterleavedBufferAttribute,
  type LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshLambertMaterial,
  ShapeUtils,
  Vector2,
} from "three";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import type { Context } from "../page";
import type { Colors } from "../palette";
import type { Scene, SceneBeam } from "../payload";
import type { Motions } from "./bodies";
import { ghostMaterial, type Instant, type Layer, paintMaterial, strokeMaterial } from "./layer";
import { BEAM_NUMBERS, stationsAt, type Track, tracks } from "./motion";

type Section = SceneBeam["section"];

/** The outline of a section as points (y, z). */
function ring(section: Section, sides: number): [number, number][] {
  if (section.type === "rectangle") {
    const [h, w] = [section.height / 2, section.width / 2];
    return [
      [h, w],
      [-h, w],
      [-h, -w],
      [h, -w],
    ];
  }
  if (section.type === "outline") return section.points;
  return Array.from({ length: sides }, (_, i) => {
    const angle = (2 * Math.PI * i) / sides;
    return [section.radius * Math.cos(angle), section.radius * Math.sin(angle)];
  });
}

/** The surface of a beam, both ends closed. */
class Tube {
  readonly geometry = new BufferGeometry();
  private readonly positions: BufferAttribute;

  constructor(
    private readonly outline: [number, number][],
    private readonly stations: number,
  ) {
    const n = outline.length;
    this.positions = new BufferAttribute(new Float32Array(3 * n * stations), 3).setUsage(DynamicDrawUsage);
    this.geometry.setAttribute("position", this.positions);
    const index: number[] = [];
    const at = (s: number, k: number): number => s * n + (k % n);
    for (let s = 0; s + 1 < stations; ++s) {
      for (let k = 0; k < n; ++k) index.push(at(s, k), at(s, k + 1), at(s + 1, k), at(s + 1, k), at(s, k + 1), at(s + 1, k + 1));
    }
    // Outlines may be anything but convex.
    const caps = ShapeUtils.triangulateShape(
      outline.map(([y, z]) => new Vector2(y, z)),
      [],
    );
    for (const s of [0, stations - 1]) for (const [a, b, c] of caps) index.push(at(s, a), at(s, b), at(s, c));
    this.geometry.setIndex(index);
  }

  set(values: Float32Array): void {
    const out = this.positions.array as Float32Array;
    let o = 0;
    for (let s = 0; s < this.stations; ++s) {
      const v = s * BEAM_NUMBERS;
      for (const [y, z] of this.outline) {
        for (let k = 0; k < 3; ++k) out[o++] = values[v + k] + y * values[v + 3 + k] + z * values[v + 6 + k];
      }
    }
    this.positions.needsUpdate = true;
    this.geometry.computeBoundingSphere();
  }
}

class Solid implements Layer {
  private readonly material = new MeshLambertMaterial({ flatShading: true, side: DoubleSide });
  private readonly tube: Tube;
  private readonly edges: Edges;
  readonly objects;

  constructor(
    private readonly index: number,
    private readonly beam: SceneBeam,
    stations: number,
  ) {
    this.tube = new Tube(ring(beam.section, 24), stations);
    this.material.polygonOffset = true;
    this.material.polygonOffsetFactor = 1;
    const mesh = new Mesh(this.tube.geometry, this.material);
    mesh.frustumCulled = false;
    mesh.name = `${beam.name}${beam.random ? " (uncertain)" : ""}`;
    this.edges = new Edges(beam.section, stations, 1.2);
    this.objects = [mesh, this.edges.lines];
  }

  move({ nominal }: Instant): void {
    this.tube.set(nominal.beams[this.index].stations);
    this.edges.set(nominal.beams[this.index].stations);
  }

  paint(palette: Colors): void {
    const color = this.beam.random ? palette.random : palette.soft;
    this.material.color.set(palette.panel).lerp(this.edges.material.color.set(color), this.beam.random ? 0.6 : 0.35);
    paintMaterial(this.edges.material, color);
  }
}

/** Lines along a beam's corners (four sides of a round one) and around its ends. */
class Wires {
  private readonly outline: [number, number][];
  readonly length: number; // numbers to write

  constructor(
    section: Section,
    private readonly stations: number,
  ) {
    this.outline = ring(section, 4);
    this.length = 6 * this.outline.length * (stations + 1);
  }

  write(values: Float32Array, out: Float32Array, offset: number): void {
    let o = offset;
    const n = this.outline.length;
    const put = (s: number, k: number): void => {
      const [y, z] = this.outline[k % n];
      const v = s * BEAM_NUMBERS;
      for (let c = 0; c < 3; ++c) out[o++] = values[v + c] + y * values[v + 3 + c] + z * values[v + 6 + c];
    };
    for (let k = 0; k < n; ++k)
      for (let s = 0; s + 1 < this.stations; ++s) {
        put(s, k);
        put(s + 1, k);
      }
    for (const s of [0, this.stations - 1])
      for (let k = 0; k < n; ++k) {
        put(s, k);
        put(s, k + 1);
      }
  }
}

/** Wires some pixels wide. */
class Edges {
  readonly material;
  readonly lines: LineSegments2;
  private readonly geometry = new LineSegmentsGeometry();
  private readonly wires: Wires;

  constructor(section: Section, stations: number, width: number) {
    this.material = strokeMaterial(width);
    this.wires = new Wires(section, stations);
    this.geometry.setPositions(new Float32Array(this.wires.length));
    this.lines = new LineSegments2(this.geometry, this.material);
    this.lines.frustumCulled = false;
  }

  set(values: Float32Array): void {
    const { data } = this.geometry.attributes.instanceStart as InterleavedBufferAttribute;
    this.wires.write(values, data.array as Float32Array, 0);
    data.needsUpdate = true;
  }
}

class Outline implements Layer {
  private readonly edges: Edges;
  private readonly values: Float32Array;
  readonly objects;

  constructor(
    private readonly track: Track,
    private readonly nominal: Track,
    beam: SceneBeam,
    stations: number,
  ) {
    this.edges = new Edges(beam.section, stations, 2);
    this.values = new Float32Array(track.size);
    this.objects = [this.edges.lines];
  }

  move({ at, magnification }: Instant): void {
    stationsAt(this.track, this.nominal, at, magnification, this.values);
    this.edges.set(this.values);
  }

  paint(palette: Colors): void {
    paintMaterial(this.edges.material, palette.mean);
  }
}

class Ghosts implements Layer {
  private readonly material: LineBasicMaterial;
  private readonly positions: BufferAttribute;
  private readonly wires: Wires;
  private readonly values: Float32Array;
  readonly objects;

  constructor(
    private readonly each: Track[],
    private readonly nominal: Track,
    beam: SceneBeam,
    stations: number,
  ) {
    this.wires = new Wires(beam.section, stations);
    this.positions = new BufferAttribute(new Float32Array(this.wires.length * each.length), 3).setUsage(DynamicDrawUsage);
    this.material = ghostMaterial(each.length);
    this.values = new Float32Array(nominal.size);
    const lines = new LineSegments(new BufferGeometry().setAttribute("position", this.positions), this.material);
    lines.frustumCulled = false;
    this.objects = [lines];
  }

  move({ at, magnification }: Instant): void {
    this.each.forEach((track, i) => {
      stationsAt(track, this.nominal, at, magnification, this.values);
      if (!Number.isFinite(this.values[0])) this.values.fill(0); // failed before this time
      this.wires.write(this.values, this.positions.array as Float32Array, i * this.wires.length);
    });
    this.positions.needsUpdate = true;
  }

  paint(palette: Colors): void {
    paintMaterial(this.material, palette.mean);
  }
}

export function beamLayers(context: Context, scene: Scene): Motions {
  const frames = scene.time.shape[0];
  const out: Motions = { nominal: [], mean: [], ghosts: [] };
  scene.beams.forEach((beam, index) => {
    const stations = beam.nominal.shape[1];
    const size = stations * BEAM_NUMBERS;
    const [nominal] = tracks(context, beam.nominal, size, frames, 1);
    out.nominal.push(new Solid(index, beam, stations));
    if (beam.mean) out.mean.push(new Outline(tracks(context, beam.mean, size, frames, 1)[0], nominal, beam, stations));
    if (beam.samples && beam.samples.shape[0] > 0)
      out.ghosts.push(new Ghosts(tracks(context, beam.samples, size, frames, beam.samples.shape[0]), nominal, beam, stations));
  });
  return out;
}
