// Joints as small signs of their kind, springs as coils, loads as dots, all on the nominal motion. What is of a kind not known
// here is drawn plainly: a joint as an octahedron, a link as a straight line.
import {
  BoxGeometry,
  BufferGeometry,
  CylinderGeometry,
  DoubleSide,
  Float32BufferAttribute,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  OctahedronGeometry,
  PlaneGeometry,
  Quaternion,
  SphereGeometry,
  TorusGeometry,
  Vector3,
} from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import type { Colors } from "../palette";
import type { Anchor, Scene, SceneJoint, SceneLoad, SceneSpring, SceneSurface } from "../payload";
import { type Instant, type Layer, paintMaterial, strokeMaterial } from "./layer";

const Y = new Vector3(0, 1, 0);
const a = new Vector3();
const b = new Vector3();

/** A sign of size 1 with the joint's axis along y. */
function sign(type: string): BufferGeometry {
  if (type === "revolute") return new CylinderGeometry(0.42, 0.42, 1.7, 20);
  if (type === "cylindrical") return new CylinderGeometry(0.3, 0.3, 2.4, 20);
  if (type === "prismatic" || type === "translational") return new BoxGeometry(0.6, 2.4, 0.6);
  if (type === "planar" || type === "point_on_plane") return new BoxGeometry(2, 0.2, 2);
  if (type === "point_on_line") return new CylinderGeometry(0.15, 0.15, 3, 12);
  if (type === "spherical" || type === "constant_velocity") return new SphereGeometry(0.65, 20, 14);
  if (type === "fixed" || type === "weld") return new BoxGeometry(0.9, 0.9, 0.9);
  return new OctahedronGeometry(0.75);
}

/** A sign at one place, turned along an axis if there is one. */
class PlacedSign implements Layer {
  private readonly material = new MeshBasicMaterial({ transparent: true, opacity: 0.85, depthTest: false });
  private readonly mesh: Mesh;
  readonly objects;

  constructor(
    name: string,
    geometry: BufferGeometry,
    private readonly at: Anchor,
    private readonly axis: SceneJoint["axis"],
    size: number,
    private readonly color: (palette: Colors) => string,
  ) {
    this.mesh = new Mesh(geometry, this.material);
    this.mesh.scale.setScalar(size);
    this.mesh.renderOrder = 3; // seen through the bodies it joins
    this.mesh.name = name;
    this.objects = [this.mesh];
  }

  move({ nominal }: Instant): void {
    nominal.point(this.at, this.mesh.position);
    if (this.axis) this.mesh.quaternion.setFromUnitVectors(Y, nominal.direction(this.at, this.axis, a));
  }

  paint(palette: Colors): void {
    paintMaterial(this.material, this.color(palette));
  }
}

const jointSign = (joint: SceneJoint, size: number): Layer =>
  new PlacedSign(`${joint.name}, ${joint.type} joint`, sign(joint.type), joint.at, joint.axis, size, (palette) => palette.ink);

const loadSign = (load: SceneLoad, size: number): Layer =>
  new PlacedSign(`${load.name}, ${load.type}`, new SphereGeometry(0.45, 16, 10), load.at, null, size, (palette) => palette.soft);

const TURNS = 7;

/** A coil of length 1 along y and radius 1, with straight ends. */
function coil(): LineGeometry {
  const points: number[] = [0, 0, 0];
  const steps = TURNS * 14;
  for (let i = 0; i <= steps; ++i) {
    const angle = (2 * Math.PI * TURNS * i) / steps;
    points.push(Math.cos(angle), 0.12 + (0.76 * i) / steps, Math.sin(angle));
  }
  points.push(0, 1, 0);
  return new LineGeometry().setPositions(points) as LineGeometry;
}

const COILS = ["spring", "bushing", "torsion_spring"];

/** A coil between two points, where both coincide, as in a bushing, a ring; of other kinds a line with a dot that has the name. */
class LinkSign implements Layer {
  private readonly material = strokeMaterial(1.6);
  private readonly markMaterial = new MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.8 });
  private readonly coiled: boolean;
  private readonly line: Line2;
  private readonly mark: Mesh;
  readonly objects;

  constructor(
    private readonly link: SceneSpring,
    private readonly size: number,
  ) {
    this.coiled = COILS.includes(link.type);
    const straight = new LineGeometry().setPositions([0, 0, 0, 0, 1, 0]) as LineGeometry;
    this.line = new Line2(this.coiled ? coil() : straight, this.material);
    this.mark = new Mesh(this.coiled ? new TorusGeometry(1, 0.22, 10, 28) : new SphereGeometry(0.4, 16, 10), this.markMaterial);
    this.mark.name = this.line.name = `${link.name}, ${link.type}`;
    this.mark.renderOrder = 3;
    this.mark.scale.setScalar(0.9 * size);
    this.line.frustumCulled = false;
    this.objects = [this.line, this.mark];
  }

  move({ nominal }: Instant): void {
    nominal.point(this.link.ends[0], a);
    nominal.point(this.link.ends[1], b).sub(a);
    const length = b.length();
    const short = length < this.size;
    this.mark.visible = short || !this.coiled;
    this.line.visible = !short;
    this.mark.position.copy(a);
    if (!this.coiled) this.mark.position.addScaledVector(b, 0.5);
    this.line.position.copy(a);
    this.line.quaternion.copy(new Quaternion().setFromUnitVectors(Y, b.divideScalar(length || 1)));
    const radius = Math.min(0.8 * this.size, 0.2 * length);
    this.line.scale.set(radius, Math.max(length, 1e-12), radius);
  }

  paint(palette: Colors): void {
    paintMaterial(this.material, palette.soft);
    paintMaterial(this.markMaterial, palette.soft);
  }
}

/** The heights as two triangles a cell. */
function fieldGeometry(surface: SceneSurface & { kind: "height_field" }): BufferGeometry {
  const index: number[] = [];
  for (let i = 0; i + 1 < surface.rows; ++i)
    for (let j = 0; j + 1 < surface.columns; ++j) {
      const k = i * surface.columns + j;
      index.push(k, k + 1, k + surface.columns, k + 1, k + surface.columns + 1, k + surface.columns);
    }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(surface.points.flat(), 3));
  return geometry.setIndex(index);
}

/** With the axis along z, if there is one. What has no end is drawn as long as a third of the machine. */
function surfaceGeometry(surface: SceneSurface, size: number): BufferGeometry {
  if (surface.kind === "plane") return new PlaneGeometry(30 * size, 30 * size);
  if (surface.kind === "sphere") return new SphereGeometry(surface.radius, 40, 24);
  if (surface.kind === "height_field") return fieldGeometry(surface);
  const length = surface.length ?? 30 * size;
  return new CylinderGeometry(surface.radius, surface.radius, length, 48, 1, surface.length === null).rotateX(Math.PI / 2);
}

/** Lines along the rows and columns of the heights: without light a surface of one colour has no shape. */
function fieldLines(surface: SceneSurface & { kind: "height_field" }, geometry: BufferGeometry): LineSegments {
  const index: number[] = [];
  for (let i = 0; i < surface.rows; ++i)
    for (let j = 0; j < surface.columns; ++j) {
      const k = i * surface.columns + j;
      if (j + 1 < surface.columns) index.push(k, k + 1);
      if (i + 1 < surface.rows) index.push(k, k + surface.columns);
    }
  const lines = new BufferGeometry();
  lines.setAttribute("position", geometry.getAttribute("position"));
  return new LineSegments(lines.setIndex(index), new LineBasicMaterial({ transparent: true, opacity: 0.45 }));
}

const Z = new Vector3(0, 0, 1);
const axes = [new Vector3(), new Vector3(), new Vector3()];
const basis = new Matrix4();

/** The surface of a contact: translucent, with the body that has it. */
class SurfaceSign implements Layer {
  private readonly material = new MeshBasicMaterial({ transparent: true, opacity: 0.16, side: DoubleSide, depthWrite: false });
  private readonly mesh: Mesh;
  private readonly lines: LineSegments | null = null;
  readonly objects;

  constructor(
    link: SceneSpring,
    private readonly surface: SceneSurface,
    size: number,
  ) {
    this.mesh = new Mesh(surfaceGeometry(surface, size), this.material);
    this.mesh.name = `${link.name}, ${link.type}`;
    if (surface.kind === "height_field") {
      this.lines = fieldLines(surface, this.mesh.geometry);
      this.mesh.add(this.lines);
    }
    this.objects = [this.mesh];
  }

  move({ nominal }: Instant): void {
    const { surface, mesh } = this;
    nominal.point(surface.at, mesh.position);
    if (surface.kind === "plane" || surface.kind === "cylinder") {
      mesh.quaternion.setFromUnitVectors(Z, nominal.direction(surface.at, surface.axis, a));
    } else if (surface.kind === "height_field") {
      nominal.direction(surface.at, [1, 0, 0], axes[0]);
      nominal.direction(surface.at, [0, 1, 0], axes[1]);
      nominal.direction(surface.at, [0, 0, 1], axes[2]);
      mesh.quaternion.setFromRotationMatrix(basis.makeBasis(axes[0], axes[1], axes[2]));
    }
  }

  paint(palette: Colors): void {
    paintMaterial(this.material, palette.ink);
    if (this.lines) paintMaterial(this.lines.material as LineBasicMaterial, palette.soft);
  }
}

const linkSign = (link: SceneSpring, size: number): Layer =>
  link.surface ? new SurfaceSign(link, link.surface, size) : new LinkSign(link, size);

export function linkLayers(scene: Scene, size: number): Layer[] {
  return [
    ...scene.springs.map((spring) => linkSign(spring, size)),
    ...scene.loads.map((load) => loadSign(load, size)),
    ...scene.joints.map((joint) => jointSign(joint, size)),
  ];
}
