// Joints as small signs of their kind, springs as coils, both on the nominal motion.
import {
  BoxGeometry,
  type BufferGeometry,
  CylinderGeometry,
  Mesh,
  MeshBasicMaterial,
  OctahedronGeometry,
  Quaternion,
  SphereGeometry,
  TorusGeometry,
  Vector3,
} from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import type { Colors } from "../palette";
import type { Scene, SceneJoint, SceneSpring } from "../payload";
import { type Instant, type Layer, paintMaterial, strokeMaterial } from "./layer";

const Y = new Vector3(0, 1, 0);
const a = new Vector3();
const b = new Vector3();

/** A sign of size 1 with the joint's axis along y. */
function sign(type: string): BufferGeometry {
  if (type === "revolute") return new CylinderGeometry(0.42, 0.42, 1.7, 20);
  if (type === "cylindrical") return new CylinderGeometry(0.3, 0.3, 2.4, 20);
  if (type === "prismatic" || type === "translational") return new BoxGeometry(0.6, 2.4, 0.6);
  if (type === "spherical") return new SphereGeometry(0.65, 20, 14);
  if (type === "fixed" || type === "weld") return new BoxGeometry(0.9, 0.9, 0.9);
  return new OctahedronGeometry(0.75);
}

class JointSign implements Layer {
  private readonly material = new MeshBasicMaterial({ transparent: true, opacity: 0.85, depthTest: false });
  private readonly mesh: Mesh;
  readonly objects;

  constructor(
    private readonly joint: SceneJoint,
    size: number,
  ) {
    this.mesh = new Mesh(sign(joint.type), this.material);
    this.mesh.scale.setScalar(size);
    this.mesh.renderOrder = 3; // seen through the bodies it joins
    this.mesh.name = `${joint.name}, ${joint.type} joint`;
    this.objects = [this.mesh];
  }

  move({ nominal }: Instant): void {
    nominal.point(this.joint.at, this.mesh.position);
    if (this.joint.axis) this.mesh.quaternion.setFromUnitVectors(Y, nominal.direction(this.joint.at, this.joint.axis, a));
  }

  paint(palette: Colors): void {
    paintMaterial(this.material, palette.ink);
  }
}

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

/** A coil between two points; where both coincide, as in a bushing, a ring. */
class SpringSign implements Layer {
  private readonly material = strokeMaterial(1.6);
  private readonly ringMaterial = new MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.8 });
  private readonly line = new Line2(coil(), this.material);
  private readonly ring: Mesh;
  readonly objects;

  constructor(
    private readonly spring: SceneSpring,
    private readonly size: number,
  ) {
    this.ring = new Mesh(new TorusGeometry(1, 0.22, 10, 28), this.ringMaterial);
    this.ring.name = this.line.name = `${spring.name}, ${spring.type}`;
    this.ring.renderOrder = 3;
    this.ring.scale.setScalar(0.9 * size);
    this.line.frustumCulled = false;
    this.objects = [this.line, this.ring];
  }

  move({ nominal }: Instant): void {
    nominal.point(this.spring.ends[0], a);
    nominal.point(this.spring.ends[1], b).sub(a);
    const length = b.length();
    this.ring.visible = length < this.size;
    this.line.visible = !this.ring.visible;
    this.ring.position.copy(a);
    this.line.position.copy(a);
    this.line.quaternion.copy(new Quaternion().setFromUnitVectors(Y, b.divideScalar(length || 1)));
    const radius = Math.min(0.8 * this.size, 0.2 * length);
    this.line.scale.set(radius, Math.max(length, 1e-12), radius);
  }

  paint(palette: Colors): void {
    paintMaterial(this.material, palette.soft);
    paintMaterial(this.ringMaterial, palette.soft);
  }
}

export function linkLayers(scene: Scene, size: number): Layer[] {
  return [...scene.springs.map((spring) => new SpringSign(spring, size)), ...scene.joints.map((joint) => new JointSign(joint, size))];
}
