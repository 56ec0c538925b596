// Ellipsoids of the spread of a probe's position: the points at k standard deviations,
//   x = m + k sum_j sigma_j u_j n_j,  |n| = 1,
// with the mean m and the principal standard deviations sigma_j and axes u_j of its covariance; and the
// paths of probes.
import { DoubleSide, Matrix4, Mesh, MeshBasicMaterial, SphereGeometry, Vector3 } from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { nearest } from "../chart";
import type { Context } from "../page";
import { numbers, optional } from "../page";
import type { Colors } from "../palette";
import type { Curve, Scene, SceneMark } from "../payload";
import { type Instant, type Layer, paintMaterial, strokeMaterial } from "./layer";
import { momentOf, type NominalMotion } from "./motion";

function circle(plane: number): LineGeometry {
  const points: number[] = [];
  for (let i = 0; i <= 64; ++i) {
    const p = [0, 0, 0];
    p[plane] = Math.cos((2 * Math.PI * i) / 64);
    p[(plane + 1) % 3] = Math.sin((2 * Math.PI * i) / 64);
    points.push(...p);
  }
  return new LineGeometry().setPositions(points) as LineGeometry;
}

/** sqrt(C) of another kind: the columns of Cholesky's L map the unit sphere onto the same ellipsoid. */
function cholesky(c: ArrayLike<number>, o: number, n: number): number[][] {
  const l = Array.from({ length: 3 }, () => [0, 0, 0]);
  for (let i = 0; i < n; ++i) {
    for (let j = 0; j <= i; ++j) {
      let sum = c[o + i * n + j];
      for (let k = 0; k < j; ++k) sum -= l[i][k] * l[j][k];
      if (i === j) l[i][i] = Math.sqrt(Math.max(0, sum));
      else l[i][j] = l[j][j] > 0 ? sum / l[j][j] : 0;
    }
  }
  return [0, 1, 2].map((j) => [l[0][j], l[1][j], l[2][j]]);
}

export class Spread implements Layer {
  private readonly fillMaterial = new MeshBasicMaterial({ transparent: true, opacity: 0.16, depthWrite: false, side: DoubleSide });
  private readonly lineMaterial = strokeMaterial(1.6);
  private readonly parts;
  private readonly matrix = new Matrix4();
  private readonly center = new Vector3();
  private readonly first = new Vector3();
  private readonly times: ArrayLike<number>;
  private readonly mean: ArrayLike<number>;
  private readonly std: ArrayLike<number> | null;
  private readonly directions: ArrayLike<number> | null;
  private readonly cov: ArrayLike<number> | null;
  private readonly axes: number;
  /** Half axes drawn are this many standard deviations long, magnification included. */
  length = 2;
  readonly objects;

  constructor(
    context: Context,
    readonly curve: Curve,
  ) {
    this.axes = curve.axes.length;
    this.times = numbers(context, context.study.time);
    this.mean = numbers(context, curve.mean!);
    this.std = optional(context, curve.principal_std);
    this.directions = optional(context, curve.principal_axes);
    this.cov = optional(context, curve.cov);
    this.first.set(this.mean[0], this.mean[1], this.axes > 2 ? this.mean[2] : 0);
    const ball = new Mesh(new SphereGeometry(1, 32, 20), this.fillMaterial);
    ball.name = `spread of ${curve.probe}`;
    this.parts = [ball, ...[0, 1, 2].map((plane) => new Line2(circle(plane), this.lineMaterial))];
    for (const part of this.parts) {
      part.matrixAutoUpdate = false;
      part.frustumCulled = false;
      part.renderOrder = 2;
    }
    this.lineMaterial.depthTest = false; // a spread inside a body is still seen
    this.objects = this.parts;
  }

  static possible(curve: Curve | undefined): boolean {
    return (
      curve !== undefined &&
      curve.mean !== undefined &&
      curve.axes.length >= 2 &&
      curve.axes.length <= 3 &&
      (curve.cov !== undefined || (curve.principal_std !== undefined && curve.principal_axes !== undefined))
    );
  }

  /** Half axes at a row, one standard deviation long, as vectors. */
  private halfAxes(row: number): number[][] {
    const n = this.axes;
    if (this.std && this.directions) {
      return [0, 1, 2].map((k) => {
        if (k >= n) return [0, 0, 0];
        const s = this.std![row * n + k];
        return [0, 1, 2].map((c) => (c < n ? s * this.directions![(row * n + k) * n + c] : 0));
      });
    }
    return cholesky(this.cov!, row * n * n, n);
  }

  /** The longest half axis at a row, one standard deviation. */
  private longest(row: number): number {
    return Math.max(...this.halfAxes(row).map((axis) => Math.hypot(...axis) || 0));
  }

  /** The longest half axis over all times. */
  largest(): number {
    let most = 0;
    for (let row = 0; row < this.times.length; ++row) most = Math.max(most, this.longest(row));
    return most;
  }

  /** Whether motion makes the spread; a random centre of mass is spread out before anything has moved. */
  grows(): boolean {
    return this.longest(0) < 0.5 * this.largest();
  }

  move({ time, magnification }: Instant): void {
    const row = nearest(this.times, time);
    const n = this.axes;
    this.center.set(this.mean[row * n], this.mean[row * n + 1], n > 2 ? this.mean[row * n + 2] : this.first.z);
    this.center.sub(this.first).multiplyScalar(magnification).add(this.first);
    const [x, y, z] = this.halfAxes(row).map((axis) => new Vector3(axis[0], axis[1], axis[2]).multiplyScalar(this.length));
    this.matrix.makeBasis(x, y, z).setPosition(this.center);
    const drawn = this.matrix.elements.every(Number.isFinite);
    for (const part of this.parts) {
      part.visible = drawn;
      part.matrix.copy(this.matrix);
      part.matrixWorldNeedsUpdate = true;
    }
  }

  paint(palette: Colors): void {
    paintMaterial(this.fillMaterial, palette.mean);
    paintMaterial(this.lineMaterial, palette.mean);
  }
}

/** A probe's point and the path it takes. */
export class Trace implements Layer {
  private readonly dotMaterial = new MeshBasicMaterial({ depthTest: false, transparent: true });
  private readonly lineMaterial = strokeMaterial(1.6, 0.75);
  private readonly dot: Mesh;
  readonly path: Line2;
  private geometry = new LineGeometry();
  private drawnFor = NaN;
  readonly objects;

  constructor(
    private readonly mark: SceneMark,
    private readonly scratch: NominalMotion,
    size: number,
  ) {
    this.dot = new Mesh(new SphereGeometry(0.45 * size, 16, 12), this.dotMaterial);
    this.dot.renderOrder = 4;
    this.dot.name = `probe ${mark.probe}`;
    this.geometry.setPositions([0, 0, 0, 0, 0, 0]);
    this.path = new Line2(this.geometry, this.lineMaterial);
    this.path.frustumCulled = false;
    this.objects = [this.path, this.dot];
  }

  move({ nominal, magnification }: Instant): void {
    nominal.point(this.mark.at, this.dot.position);
    if (magnification !== this.drawnFor) this.layOut(magnification);
  }

  private layOut(magnification: number): void {
    const points: number[] = [];
    const p = new Vector3();
    const { times } = this.scratch;
    for (let i = 0; i < times.length; ++i) {
      this.scratch.move(momentOf(times, times[i]), magnification);
      this.scratch.point(this.mark.at, p);
      points.push(p.x, p.y, p.z);
    }
    this.drawnFor = magnification;
    this.geometry.dispose();
    this.geometry = new LineGeometry().setPositions(points) as LineGeometry;
    this.path.geometry = this.geometry;
  }

  paint(palette: Colors): void {
    paintMaterial(this.dotMaterial, palette.now);
    paintMaterial(this.lineMaterial, palette.now);
  }
}

export const marksWithSpread = (context: Context, scene: Scene): SceneMark[] =>
  scene.marks.filter((mark) => mark.curve >= 0 && Spread.possible(context.study.curves[mark.curve]));
