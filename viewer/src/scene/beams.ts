// Beams as swept sections. A station holds r and the section vectors r_y, r_z; a point of the outline at
// (y, z) of the section is r + y r_y + z r_z.
import { BufferAttribute, BufferGeometry, DoubleSide, DynamicDrawUsage, Mesh, MeshLambertMaterial } from "three";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import type { Context } from "../page";
import type { Colors } from "../palette";
import type { Scene, SceneBeam } from "../payload";
import type { Motions } from "./bodies";
import { type Instant, type Layer, paintMaterial, strokeMaterial } from "./layer";
import { BEAM_NUMBERS, stationsAt, type Track, tracks } from "./motion";

type Section = SceneBeam["section"];

/** The outline of a section as points (y, z). */
function ring(section: Section, sides: number): [number, number][] {
  if (section.type === "rectangle") {
    const [h, w] = [section.height / 2, section.width / 2];
    return [[h, w], [-h, w], [-h, -w], [h, -w]];
  }
  return Array.from({ length: sides }, (_, i) => {
    const angle = (2 * Math.PI * i) / sides;
    return [section.radius * Math.cos(angle), section.radius * Math.sin(angle)];
  });
}

/** Surfaces of several beams of one kind in one geometry: a tube per beam, with both ends closed. */
class Tubes {
  readonly geometry = new BufferGeometry();
  private readonly positions: BufferAttribute;
  private readonly perBeam: number;

  constructor(private readonly outline: [number, number][], private readonly stations: number, count: number) {
    const n = outline.length;
    this.perBeam = n * stations;
    this.positions = new BufferAttribute(new Float32Array(3 * this.perBeam * count), 3);
    this.positions.setUsage(DynamicDrawUsage);
    this.geometry.setAttribute("position", this.positions);
    const index: number[] = [];
    for (let b = 0; b < count; ++b) {
      const at = (s: number, k: number): number => b * this.perBeam + s * n + (k % n);
      for (let s = 0; s + 1 < stations; ++s) {
        for (let k = 0; k < n; ++k) index.push(at(s, k), at(s, k + 1), at(s + 1, k), at(s + 1, k), at(s, k + 1), at(s + 1, k + 1));
      }
      for (const s of [0, stations - 1]) for (let k = 1; k + 1 < n; ++k) index.push(at(s, 0), at(s, k), at(s, k + 1));
    }
    this.geometry.setIndex(index);
  }

  set(beam: number, values: Float32Array): void {
    const out = this.positions.array as Float32Array;
    let o = 3 * beam * this.perBeam;
    for (let s = 0; s < this.stations; ++s) {
      const v = s * BEAM_NUMBERS;
      for (const [y, z] of this.outline) {
        for (let k = 0; k < 3; ++k) out[o++] = values[v + k] + y * values[v + 3 + k] + z * values[v + 6 + k];
      }
    }
    this.positions.needsUpdate = true;
  }
}

class Solid implements Layer {
  private readonly material = new MeshLambertMaterial({ flatShading: true, side: DoubleSide });
  private readonly tubes: Tubes;
  private readonly edges: Edges;
  readonly objects;

  constructor(private readonly index: number, private readonly beam: SceneBeam, stations: number) {
    this.tubes = new Tubes(ring(beam.section, 24), stations, 1);
    this.material.polygonOffset = true;
    this.material.polygonOffsetFactor = 1;
    const mesh = new Mesh(this.tubes.geometry, this.material);
    mesh.frustumCulled = false;
    mesh.name = `${beam.name}${beam.random ? " (uncertain)" : ""}`;
    this.edges = new Edges(beam.section, stations, 1.2);
    this.objects = [mesh, this.edges.lines];
  }

  move({ nominal }: Instant): void {
    this.tubes.set(0, nominal.beams[this.index].stations);
    this.tubes.geometry.computeBoundingSphere();
    this.edges.set(nominal.beams[this.index].stations);
  }

  paint(palette: Colors): void {
    const color = this.beam.random ? palette.random : palette.soft;
    this.material.color.set(palette.panel).lerp(this.edges.material.color.set(color), this.beam.random ? 0.6 : 0.35);
    paintMaterial(this.edges.material, color);
  }
}

/** Lines along a beam's corners (four sides of a round one) and around its ends. */
class Edges {
  readonly material;
  readonly lines: LineSegments2;
  private readonly geometry = new LineSegmentsGeometry();
  private readonly outline: [number, number][];
  private readonly points: Float32Array;

  constructor(section: Section, private readonly stations: number, width: number) {
    this.material = strokeMaterial(width);
    this.outline = ring(section, 4);
    const n = this.outline.length;
    this.points = new Float32Array(6 * (n * (stations - 1) + 2 * n));
    this.geometry.setPositions(this.points);
    this.lines = new LineSegments2(this.geometry, this.material);
    this.lines.frustumCulled = false;
  }

  set(values: Float32Array): void {
    let o = 0;
    const put = (s: number, k: number): void => {
      const [y, z] = this.outline[k % this.outline.length];
      const v = s * BEAM_NUMBERS;
      for (let c = 0; c < 3; ++c) this.points[o++] = values[v + c] + y * values[v + 3 + c] + z * values[v + 6 + c];
    };
    const n = this.outline.length;
    for (let k = 0; k < n; ++k) for (let s = 0; s + 1 < this.stations; ++s) { put(s, k); put(s + 1, k); }
    for (const s of [0, this.stations - 1]) for (let k = 0; k < n; ++k) { put(s, k); put(s, k + 1); }
    const buffer = this.geometry.attributes.instanceStart as unknown as { data: { array: Float32Array; needsUpdate: boolean } };
    buffer.data.array.set(this.points);
    buffer.data.needsUpdate = true;
  }
}

class Outline implements Layer {
  private readonly edges: Edges;
  private readonly values: Float32Array;
  readonly objects;

  constructor(private readonly track: Track, private readonly nominal: Track, beam: SceneBeam, stations: number) {
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
  private readonly material: MeshLambertMaterial;
  private readonly tubes: Tubes;
  private readonly values: Float32Array;
  readonly objects;

  constructor(private readonly each: Track[], private readonly nominal: Track, beam: SceneBeam, stations: number) {
    this.tubes = new Tubes(ring(beam.section, 8), stations, each.length);
    this.material = new MeshLambertMaterial({ flatShading: true, transparent: true, opacity: Math.max(0.06, 0.8 / Math.sqrt(each.length) / 1.6), depthWrite: false, side: DoubleSide });
    this.values = new Float32Array(nominal.size);
    const mesh = new Mesh(this.tubes.geometry, this.material);
    mesh.frustumCulled = false;
    this.objects = [mesh];
  }

  move({ at, magnification }: Instant): void {
    this.each.forEach((track, i) => {
      stationsAt(track, this.nominal, at, magnification, this.values);
      if (!Number.isFinite(this.values[0])) this.values.fill(0); // failed before this time
      this.tubes.set(i, this.values);
    });
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
    if (beam.samples && beam.samples.shape[0] > 0) out.ghosts.push(new Ghosts(tracks(context, beam.samples, size, frames, beam.samples.shape[0]), nominal, beam, stations));
  });
  return out;
}
