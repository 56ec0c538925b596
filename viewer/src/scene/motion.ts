// Poses between frames, and the magnification of displacements relative to the first nominal frame.
import { Matrix4, Quaternion, Vector3 } from "three";
import type { Context } from "../page";
import { numbers } from "../page";
import type { Anchor, ArrayRef, Scene } from "../payload";

/** Which frames a time lies between: (1 - weight) of `frame` and weight of the next. */
export interface Moment {
  frame: number;
  weight: number;
}

export function momentOf(times: ArrayLike<number>, time: number): Moment {
  let low = 0;
  let high = times.length - 1;
  if (high < 1 || time <= times[0]) return { frame: 0, weight: 0 };
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle;
  }
  const weight = (time - times[low]) / (times[low + 1] - times[low]);
  return { frame: low, weight: Math.min(1, Math.max(0, weight)) };
}

const other = new Quaternion();
const ONE = new Vector3(1, 1, 1);

/** Numbers of one body or beam: `size` of them per frame. */
export interface Track {
  values: ArrayLike<number>;
  size: number;
  offset: number; // of the first frame: chooses the realisation
}

export const tracks = (context: Context, ref: ArrayRef, size: number, frames: number, count: number): Track[] => {
  const values = numbers(context, ref);
  return Array.from({ length: count }, (_, k) => ({ values, size, offset: k * frames * size }));
};

function read(track: Track, frame: number, position: Vector3, turn: Quaternion): void {
  const v = track.values;
  const o = track.offset + frame * track.size;
  position.set(v[o], v[o + 1], v[o + 2]);
  turn.set(v[o + 4], v[o + 5], v[o + 6], v[o + 3]);
}

/** A body's pose, magnified about its first nominal one. */
export class BodyMotion {
  private readonly p0 = new Vector3();
  private readonly q0 = new Quaternion();
  private readonly position = new Vector3();
  private readonly next = new Vector3();
  private readonly turn = new Quaternion();

  constructor(nominal: Track) {
    read(nominal, 0, this.p0, this.q0);
  }

  matrix(track: Track, at: Moment, magnification: number, out: Matrix4): Matrix4 {
    read(track, at.frame, this.position, this.turn);
    if (at.weight > 0) {
      read(track, at.frame + 1, this.next, other);
      this.position.lerp(this.next, at.weight);
      this.turn.slerp(other, at.weight);
    }
    if (magnification !== 1) {
      this.position.sub(this.p0).multiplyScalar(magnification).add(this.p0);
      // turn = d q0; the angle of d is what is magnified.
      const d = this.turn.multiply(other.copy(this.q0).invert()).normalize();
      if (d.w < 0) d.set(-d.x, -d.y, -d.z, -d.w);
      const sine = Math.hypot(d.x, d.y, d.z);
      const half = magnification * Math.atan2(sine, d.w);
      const scale = sine > 1e-12 ? Math.sin(half) / sine : magnification;
      d.set(d.x * scale, d.y * scale, d.z * scale, Math.cos(half)).multiply(this.q0);
    }
    return out.compose(this.position, this.turn.normalize(), ONE);
  }
}

export const BEAM_NUMBERS = 9; // r, r_y, r_z

/** A beam's stations, magnified likewise; section vectors keep their length. */
export function stationsAt(track: Track, nominal: Track, at: Moment, magnification: number, out: Float32Array): void {
  const a = track.offset + at.frame * track.size;
  const b = at.weight > 0 ? a + track.size : a;
  for (let i = 0; i < track.size; ++i) {
    let x = track.values[a + i] * (1 - at.weight) + track.values[b + i] * at.weight;
    if (magnification !== 1) x = nominal.values[i] + magnification * (x - nominal.values[i]);
    out[i] = x;
  }
  if (magnification === 1) return;
  for (let s = 3; s < track.size; s += s % BEAM_NUMBERS === 3 ? 3 : 6) {
    const was = Math.hypot(nominal.values[s], nominal.values[s + 1], nominal.values[s + 2]);
    const is = Math.hypot(out[s], out[s + 1], out[s + 2]);
    for (let k = 0; k < 3 && is > 0; ++k) out[s + k] *= was / is;
  }
}

/** The nominal motion of every part at one moment; anchors are looked up here. */
export class NominalMotion {
  readonly bodies: { track: Track; motion: BodyMotion; matrix: Matrix4 }[];
  readonly beams: { track: Track; stations: Float32Array }[];
  readonly times: ArrayLike<number>;

  constructor(
    context: Context,
    readonly scene: Scene,
  ) {
    this.times = numbers(context, scene.time);
    const frames = this.times.length;
    this.bodies = scene.bodies.map((body) => {
      const [track] = tracks(context, body.nominal, 7, frames, 1);
      return { track, motion: new BodyMotion(track), matrix: new Matrix4() };
    });
    this.beams = scene.beams.map((beam) => {
      const size = beam.nominal.shape[1] * BEAM_NUMBERS;
      return { track: tracks(context, beam.nominal, size, frames, 1)[0], stations: new Float32Array(size) };
    });
  }

  move(at: Moment, magnification: number): void {
    for (const body of this.bodies) body.motion.matrix(body.track, at, magnification, body.matrix);
    for (const beam of this.beams) stationsAt(beam.track, beam.track, at, magnification, beam.stations);
  }

  point(anchor: Anchor, out: Vector3): Vector3 {
    if (anchor.on === "ground") return out.fromArray(anchor.point);
    if (anchor.on === "body") return out.fromArray(anchor.point).applyMatrix4(this.bodies[anchor.body].matrix);
    return out.fromArray(this.beams[anchor.beam].stations, anchor.station * BEAM_NUMBERS);
  }

  /** A direction in the axes of the anchor's body; sections of beams have theirs in ground axes. */
  direction(anchor: Anchor, axis: readonly number[], out: Vector3): Vector3 {
    out.set(axis[0], axis[1], axis[2]);
    if (anchor.on === "body") out.transformDirection(this.bodies[anchor.body].matrix);
    return out.normalize();
  }
}
