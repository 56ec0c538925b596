// Camera, light and renderer. A picture is drawn when something has changed, never by itself.
import {
  AmbientLight,
  Box3,
  DirectionalLight,
  type Object3D,
  PerspectiveCamera,
  Raycaster,
  Scene as World,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Colors } from "../palette";

export type ViewName = "oblique" | "front" | "side" | "top";

export class Stage {
  readonly world = new World();
  readonly camera = new PerspectiveCamera(28, 1.6, 0.01, 100);
  readonly canvas: HTMLCanvasElement;
  private readonly renderer: WebGLRenderer;
  private readonly controls: OrbitControls;
  private readonly light = new DirectionalLight(0xffffff, 2.1);
  private readonly raycaster = new Raycaster();
  private waiting = false;
  private readonly observer: ResizeObserver;
  private framed: ViewName | null = "oblique"; // until the reader turns it
  drawn = 0; // pictures so far
  onView: () => void = () => {};

  /** @throws where the browser has no WebGL */
  constructor(
    readonly host: HTMLElement,
    private readonly box: Box3,
    readonly up: Vector3,
  ) {
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true });
    this.renderer.debug.checkShaderErrors = false; // asking would wait for the compiler
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.canvas = this.renderer.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    host.prepend(this.canvas);
    this.camera.up.copy(up);
    // The wheel scrolls the page unless the scene has the focus or Ctrl is down.
    this.canvas.addEventListener(
      "wheel",
      (event) => {
        if (document.activeElement !== this.canvas && !event.ctrlKey && !event.metaKey) event.stopImmediatePropagation();
      },
      { capture: true },
    );
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.addEventListener("change", () => this.request());
    this.controls.addEventListener("start", () => {
      this.framed = null;
    });
    this.world.add(new AmbientLight(0xffffff, 1.6), this.light, this.light.target);
    this.observer = new ResizeObserver(() => this.fit());
    this.observer.observe(host);
    this.view("oblique");
  }

  /** Two directions across `up`: to the right and to the back of the default view. */
  private across(): { right: Vector3; back: Vector3 } {
    const size = this.box.getSize(new Vector3());
    const candidates = [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)].filter(
      (axis) => Math.abs(axis.dot(this.up)) < 0.7,
    );
    // Look along the thinner of the horizontal extents.
    const width = (axis: Vector3): number => Math.abs(axis.dot(size));
    const wide = width(candidates[0]) >= width(candidates[1]) * 0.999 ? candidates[0] : candidates[1];
    const right = wide.clone().addScaledVector(this.up, -wide.dot(this.up)).normalize();
    const back = this.up.clone().cross(right).normalize();
    return { right, back };
  }

  view(name: ViewName): void {
    this.framed = name;
    const { right, back } = this.across();
    const size = this.box.getSize(new Vector3());
    const depth = Math.abs(back.dot(size));
    const flat = depth < 0.1 * size.length(); // a plane mechanism is seen nearly face on
    const directions: Record<ViewName, Vector3> = {
      oblique: flat
        ? right.clone().multiplyScalar(0.28).addScaledVector(back, -1).addScaledVector(this.up, 0.2)
        : right.clone().multiplyScalar(0.55).addScaledVector(back, -1).addScaledVector(this.up, 0.5),
      front: back.clone().negate(),
      side: right.clone(),
      top: this.up.clone().addScaledVector(back, -1e-3),
    };
    const direction = directions[name].normalize();
    const center = this.box.getCenter(new Vector3());
    this.camera.position.copy(center).addScaledVector(direction, this.distance(direction, center));
    const reach = size.length();
    this.camera.near = reach / 200;
    this.camera.far = reach * 60;
    this.camera.updateProjectionMatrix();
    this.light.position
      .copy(center)
      .addScaledVector(this.up, reach)
      .addScaledVector(right, 0.5 * reach)
      .addScaledVector(back, -0.8 * reach);
    this.light.target.position.copy(center);
    this.controls.target.copy(center);
    this.controls.update();
    this.request();
  }

  /** How far to stand back so that every corner of the box is in the picture. */
  private distance(direction: Vector3, center: Vector3): number {
    const side = new Vector3().crossVectors(this.camera.up, direction).normalize();
    const top = new Vector3().crossVectors(direction, side);
    const tangent = Math.tan((this.camera.fov * Math.PI) / 360);
    let most = 0;
    for (let k = 0; k < 8; ++k) {
      const corner = new Vector3(
        k & 1 ? this.box.max.x : this.box.min.x,
        k & 2 ? this.box.max.y : this.box.min.y,
        k & 4 ? this.box.max.z : this.box.min.z,
      ).sub(center);
      const near = corner.dot(direction);
      most = Math.max(most, near + Math.abs(corner.dot(top)) / tangent, near + Math.abs(corner.dot(side)) / (tangent * this.camera.aspect));
    }
    return 1.12 * most;
  }

  zoom(factor: number): void {
    this.framed = null;
    this.camera.position.sub(this.controls.target).multiplyScalar(factor).add(this.controls.target);
    this.controls.update();
    this.request();
  }

  paint(palette: Colors, dark: boolean): void {
    this.light.intensity = dark ? 1.7 : 2.1;
    this.renderer.setClearColor(palette.panel, 1);
    this.request();
  }

  private fit(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (this.framed) this.view(this.framed);
    this.request();
  }

  request(): void {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.renderer.render(this.world, this.camera);
      ++this.drawn;
      this.onView();
    });
  }

  /** The name of what is under the mouse. */
  /** Of all parts that can be seen and have a name. */
  shownNames(): string[] {
    return this.world.children.filter((object) => object.visible && object.name).map((object) => object.name);
  }

  nameAt(event: PointerEvent): string {
    const rect = this.canvas.getBoundingClientRect();
    const place = new Vector2(((event.clientX - rect.left) / rect.width) * 2 - 1, 1 - ((event.clientY - rect.top) / rect.height) * 2);
    this.raycaster.setFromCamera(place, this.camera);
    const visible = (object: Object3D | null): boolean => object === null || (object.visible && visible(object.parent));
    const named = this.world.children.filter(
      (object) => object.name && (object as { isMesh?: boolean }).isMesh && !(object as { isLineSegments2?: boolean }).isLineSegments2,
    );
    const hits = this.raycaster.intersectObjects(named, false).filter((hit) => visible(hit.object));
    // What is drawn over everything is also what the mouse means.
    hits.sort((a, b) => b.object.renderOrder - a.object.renderOrder || a.distance - b.distance);
    return hits[0]?.object.name ?? "";
  }

  destroy(): void {
    this.observer.disconnect();
    this.controls.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }
}
