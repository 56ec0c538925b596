// The section with the mechanism: layers, their switches, magnification and ellipsoids.
import { Box3, Vector3 } from "three";
import { choice, slider, toggle } from "../controls";
import { el, fill } from "../dom";
import { list, number, plural, quantity, round125 } from "../format";
import { type Context, section, type Section } from "../page";
import type { Scene } from "../payload";
import { colors, onTheme, themeName } from "../theme";
import { beamLayers } from "./beams";
import { bodyLayers } from "./bodies";
import { marksWithSpread, Spread, Trace } from "./ellipsoids";
import { type Ground, makeGround, Triad } from "./ground";
import type { Layer } from "./layer";
import { linkLayers } from "./links";
import { momentOf, NominalMotion } from "./motion";
import { bodyGeometry } from "./shapes";
import { Stage, type ViewName } from "./stage";
import { transport } from "./transport";

export interface ScenePanel extends Section {
  stage: Stage | null;
  /** Milliseconds of script that the last move took. */
  lastMove(): number;
}

/** A box around the parts at some of the frames, and how far points of them travel. */
function measure(context: Context, scene: Scene, motion: NominalMotion): { rest: Box3; travel: number } {
  const rest = new Box3();
  const p = new Vector3();
  let travel = 0;
  const boxes = scene.bodies.map((body) => {
    const geometry = bodyGeometry(context, body.shapes, 0);
    geometry.computeBoundingBox();
    return geometry.boundingBox ?? new Box3();
  });
  const starts: Vector3[] = [];
  const frames = motion.times.length;
  for (let k = 0; k <= 24; ++k) {
    motion.move({ frame: Math.round((k * (frames - 1)) / 24), weight: 0 }, 1);
    let n = 0;
    const take = (): void => {
      if (k === 0) starts.push(p.clone());
      travel = Math.max(travel, p.distanceTo(starts[n++]) || 0);
      rest.expandByPoint(p);
    };
    motion.bodies.forEach((body, i) => {
      for (let c = 0; c < 8; ++c) {
        p.set(
          c & 1 ? boxes[i].max.x : boxes[i].min.x,
          c & 2 ? boxes[i].max.y : boxes[i].min.y,
          c & 4 ? boxes[i].max.z : boxes[i].min.z,
        ).applyMatrix4(body.matrix);
        take();
      }
    });
    for (const beam of motion.beams)
      for (let s = 0; s < beam.stations.length; s += 9) {
        p.fromArray(beam.stations, s);
        take();
      }
    for (const part of [...scene.joints, ...scene.loads, ...scene.marks]) {
      motion.point(part.at, p);
      take();
    }
    for (const spring of scene.springs)
      // The point of a surface may be far from where it is touched.
      for (const end of spring.surface ? spring.ends.slice(1) : spring.ends) {
        motion.point(end, p);
        take();
      }
  }
  if (rest.isEmpty()) rest.set(new Vector3(...scene.low), new Vector3(...scene.high));
  const size = rest.getSize(p).length() || 1;
  return { rest: rest.expandByScalar(0.01 * size), travel };
}

export function sceneSection(context: Context): ScenePanel | null {
  const scene = context.study.scene;
  if (!scene || scene.bodies.length + scene.beams.length === 0) return null;
  const { cursor } = context;
  const motion = new NominalMotion(context, scene);
  const { rest, travel } = measure(context, scene, motion);
  const size = rest.getSize(new Vector3()).length();
  const gravity = new Vector3(...scene.gravity);
  const up = gravity.length() > 0 ? gravity.clone().normalize().negate() : new Vector3(0, 0, 1);

  const picture = el("div", "picture");
  const controls = transport(cursor);
  let stage: Stage;
  try {
    stage = new Stage(picture, rest, up);
  } catch {
    const made = section(
      "scene",
      "Scene",
      "",
      el("p", "note", "This browser has no WebGL, so the mechanism cannot be drawn in space. The curves below hold its motion."),
      controls.element,
    );
    return { ...made, stage: null, lastMove: () => 0, destroy: controls.destroy };
  }
  stage.canvas.setAttribute(
    "aria-label",
    `Moving picture of ${list([...scene.bodies, ...scene.beams].slice(0, 8).map((part) => part.name))}`,
  );

  const glyph = 0.011 * size;
  const bodies = bodyLayers(context, scene, glyph);
  const beams = beamLayers(context, scene);
  const spreads = marksWithSpread(context, scene).map((mark) => new Spread(context, context.study.curves[mark.curve]));
  const scratch = new NominalMotion(context, scene);
  const traces = scene.marks.map((mark) => new Trace(mark, scratch, glyph));
  const groups = {
    nominal: [...bodies.nominal, ...beams.nominal],
    mean: [...bodies.mean, ...beams.mean],
    ghosts: [...bodies.ghosts, ...beams.ghosts],
    links: linkLayers(scene, glyph) as Layer[],
    spreads: spreads as Layer[],
    traces: traces as Layer[],
  };
  type Group = keyof typeof groups;
  const shown: Record<Group, boolean> = {
    nominal: true,
    mean: groups.mean.length > 0,
    ghosts: groups.ghosts.length > 0,
    links: true,
    spreads: true,
    traces: true,
  };
  const all = Object.values(groups).flat();
  for (const layer of all) stage.world.add(...layer.objects);
  const ground: Ground = makeGround(rest, up, size);
  stage.world.add(ground.lines);
  const triad = new Triad();
  stage.onView = () => triad.turn(stage.camera);

  // Displacements below a hundredth of the picture would not be seen.
  const suggested = travel > 0 && travel < 0.015 * size ? round125((0.06 * size) / travel) : 1;
  let magnification = suggested;
  const badge = el("p", { class: "badge", attributes: { "aria-live": "polite" } });
  const hover = el("span", "hover");
  let spent = 0;

  const move = (time: number): void => {
    const begin = performance.now();
    const at = momentOf(motion.times, time);
    motion.move(at, magnification);
    for (const name of Object.keys(groups) as Group[]) {
      for (const layer of groups[name]) {
        for (const object of layer.objects) object.visible = shown[name];
        if (shown[name]) layer.move({ time, at, magnification, nominal: motion });
      }
    }
    stage.request();
    spent = performance.now() - begin;
  };

  let sigmas = 2;
  const sizes = spreads.map((spread) => ({ spread, largest: spread.largest(), grows: spread.grows() }));
  /** Spreads that motion makes are drawn as displacements are; what cannot be seen is enlarged further, and named. */
  const scaleSpreads = (): string => {
    const factors = sizes.map(({ spread, largest, grows }) => {
      const base = grows ? magnification : 1;
      const length = sigmas * largest * base;
      const factor = base * (length > 0 && length < 0.02 * size ? round125((0.05 * size) / length, true) : 1);
      spread.length = sigmas * factor;
      return { name: spread.curve.probe, factor };
    });
    if (new Set(factors.map((f) => f.factor)).size === 1) return factors[0].factor === 1 ? "" : `, drawn ×${number(factors[0].factor)}`;
    return `, drawn ${list(factors.slice(0, 6).map((f) => `×${number(f.factor)} (${f.name})`))}`;
  };
  const label = (): void => {
    const drawn = sizes.length > 0 ? scaleSpreads() : "";
    fill(
      badge,
      magnification !== 1 && el("span", "strong", `Displacements drawn ×${number(magnification)}`),
      spreads.length > 0 && shown.spreads && el("span", drawn ? "strong" : "", `Ellipsoids: ${sigmas}σ${drawn}`),
      el("span", "", `Grid ${quantity(ground.spacing, "m")}`),
    );
  };

  const paint = (): void => {
    for (const layer of all) layer.paint(colors());
    ground.paint(colors());
    stage.paint(colors(), themeName() === "dark");
  };
  onTheme(() => {
    if (picture.isConnected) paint();
  });
  const forget = cursor.onTime(move);
  stage.canvas.addEventListener("pointermove", (event) => {
    if (event.buttons === 0) fill(hover, stage.nameAt(event));
  });
  stage.canvas.addEventListener("pointerleave", () => fill(hover));

  const layerToggle = (name: Group, text: string, swatch = ""): HTMLElement | false =>
    groups[name].length > 0 &&
    toggle(
      text,
      shown[name],
      (on) => {
        shown[name] = on;
        label();
        move(cursor.time);
      },
      swatch,
    );
  const ghostName = scene.drawn ? `${plural(scene.samples.length, "drawn machine")}` : plural(scene.samples.length, "realisation");
  const exponent = Math.log10(magnification);
  const magnify = slider(
    "Magnify displacements",
    { min: 0, max: Math.max(3, Math.ceil(exponent)), step: 0.01, value: exponent },
    (e) => `×${number(snapped(e), 3)}`,
    (e) => {
      magnification = snapped(e);
      label();
      move(cursor.time);
    },
  );
  const viewButton = (name: ViewName): HTMLElement =>
    el("button", { class: "quiet", attributes: { type: "button" }, on: { click: () => stage.view(name) } }, name);

  picture.append(triad.element, badge, hover);
  const made = section(
    "scene",
    "Scene",
    "Drag to turn, right-drag to move, Ctrl and wheel to zoom. Space plays, arrow keys step.",
    picture,
    controls.element,
    el(
      "div",
      "switches",
      el(
        "div",
        { class: "toggles", attributes: { role: "group", "aria-label": "What the scene shows" } },
        layerToggle("nominal", "nominal", "is-body"),
        layerToggle("mean", `mean of ${scene.mean_of}`, "is-mean"),
        layerToggle("ghosts", ghostName, "is-region"),
        layerToggle("spreads", "ellipsoids", "is-region"),
        layerToggle("traces", "probes", "is-now"),
        layerToggle("links", "joints and forces"),
      ),
      el(
        "div",
        "toggles",
        spreads.length > 0 &&
          choice("Ellipsoids", ["1σ", "2σ", "3σ"], 1, (i) => {
            sigmas = i + 1;
            label();
            move(cursor.time);
          }),
        el(
          "span",
          { class: "views", attributes: { role: "group", "aria-label": "View" } },
          viewButton("oblique"),
          viewButton("front"),
          viewButton("side"),
          viewButton("top"),
          el(
            "button",
            { class: "quiet", attributes: { type: "button", "aria-label": "Closer" }, on: { click: () => stage.zoom(0.8) } },
            "+",
          ),
          el(
            "button",
            { class: "quiet", attributes: { type: "button", "aria-label": "Farther" }, on: { click: () => stage.zoom(1.25) } },
            "−",
          ),
        ),
      ),
      magnify.element,
    ),
  );
  paint();
  label();
  move(cursor.time);
  return {
    ...made,
    stage,
    lastMove: () => spent,
    destroy: () => {
      forget();
      controls.destroy();
      stage.destroy();
    },
  };
}

/** Two digits are enough, and exactly 1 must be reachable. */
const snapped = (exponent: number): number => Number((10 ** exponent).toPrecision(2));
