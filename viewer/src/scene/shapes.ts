// Geometry of a body's shapes, in body axes about its reference point.
import { BoxGeometry, BufferAttribute, BufferGeometry, CylinderGeometry, Quaternion, SphereGeometry, Vector3 } from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { Context } from "../page";
import { numbers } from "../page";
import type { Shape } from "../payload";

function one(context: Context, shape: Shape, pointRadius: number): BufferGeometry {
  switch (shape.type) {
    case "box":
      return new BoxGeometry(...shape.size).translate(...shape.center);
    case "sphere":
      return new SphereGeometry(shape.radius, 32, 20).translate(...shape.center);
    case "cylinder": {
      const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), new Vector3(...shape.axis).normalize());
      return new CylinderGeometry(shape.radius, shape.radius, shape.length, 32).applyQuaternion(turn).translate(...shape.center);
    }
    case "mesh": {
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", new BufferAttribute(Float32Array.from(numbers(context, shape.vertices)), 3));
      geometry.setIndex(Array.from(numbers(context, shape.triangles)));
      const loose = geometry.toNonIndexed(); // edges of machine parts are sharp
      loose.computeVertexNormals();
      return loose;
    }
    case "point":
      return new SphereGeometry(pointRadius, 20, 14);
  }
}

/** All shapes of a body in one geometry; a body without any is a small sphere. */
export function bodyGeometry(context: Context, shapes: Shape[], pointRadius: number): BufferGeometry {
  const list: Shape[] = shapes.length > 0 ? shapes : [{ type: "point" }];
  const parts = list.map((shape) => {
    const geometry = one(context, shape, pointRadius);
    const plain = geometry.index ? geometry.toNonIndexed() : geometry;
    plain.deleteAttribute("uv");
    return plain;
  });
  return mergeGeometries(parts);
}
