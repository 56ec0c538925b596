#include "tumble/report/scene/scene_parts.hpp"

#include <algorithm>

#include "tumble/model/compile/beam_shape.hpp"
#include "tumble/model/compile/compiling.hpp"
#include "tumble/model/compile/find_named.hpp"
#include "tumble/model/node_frames.hpp"

namespace tumble::report {
namespace {

Json numbers(const Vec3d& v) { return {v.x, v.y, v.z}; }

/// Anchors of the page, from points in ground axes at t = 0.
class Anchors {
 public:
  explicit Anchors(const SceneModel& scene) : scene_(scene), context_(scene.model, scene.model) {}

  Json on_body(int body, const Vec3d& point) const {
    if (body == 0) return {{"on", "ground"}, {"point", numbers(point)}};
    const Frame local = context_.local(body, {point, Mat3d::identity()});
    return {{"on", "body"}, {"body", body - 1}, {"point", numbers(local.p)}};
  }
  Json on_beam(std::size_t beam, double place) const {
    const Stations& stations = scene_.stations[beam];
    const auto nearest = std::min_element(
        stations.begin(), stations.end(),
        [place](double a, double b) { return std::abs(a - place) < std::abs(b - place); });
    return {{"on", "beam"}, {"beam", beam}, {"station", nearest - stations.begin()}};
  }
  Json on_node(const NodeRef& node) const {
    return on_beam(node.beam,
                   static_cast<double>(node.node) / scene_.model.beams[node.beam].elements);
  }
  /// A direction given in ground axes at t = 0, in the axes of a body.
  Json direction(int body, const Vec3d& axis) const {
    if (body == 0) return numbers(axis);
    return numbers(transpose_times(context_.start(body).R, axis));
  }

 private:
  const SceneModel& scene_;
  PrepareContext context_;
};

/// The axis that a joint is drawn with: a column of its frame, or none.
int drawn_axis(const JointKind& kind) {
  return std::visit(
      [](const auto& joint) {
        if constexpr (requires { joint.drawn_axis; })
          return joint.drawn_axis;
        else
          return -1;
      },
      kind);
}

/// Of a joint with a node at an end: the axis as the user gave it, relative to the other end, which
/// may be the ground.
Json node_joint_axis(const JointKind& kind) {
  return std::visit(
      [](const auto& joint) -> Json {
        if constexpr (requires { *joint.axis; })
          if (joint.axis) return numbers((1 / norm(*joint.axis)) * *joint.axis);
        return nullptr;
      },
      kind);
}

/// The two ends of an element, by the fields that descriptions of all kinds call alike.
template <class Kind>
FramePair ends_of(const Model& model, const Kind& kind) {
  if constexpr (requires { kind.points; })
    return point_pair(model, kind.between, kind.points);
  else
    return frame_pair(model, kind.between, kind.point, {});
}

/// A direction of a surface, ground axes at t = 0: as given, z of the marker it is on, or up.
Vec3d surface_axis(const Model& model, const MarkerRef& end, const std::optional<Vec3d>& given) {
  if (given) return (1 / norm(*given)) * *given;
  const End resolved = resolve(model, end);
  return resolved.marker ? resolved.marker->R.column(2) : Vec3d{0, 0, 1};
}

// The surface of a contact: what the page draws of it, fixed in the first body.

Json plane_of(const Model& model, const Anchors& anchors, const FramePair& pair,
              const MarkerRef& end, const std::optional<Vec3d>& given) {
  // A plane has no end: the part below the second body at t = 0 stands for it.
  const Vec3d n = surface_axis(model, end, given);
  const Vec3d foot = pair.frame[1].p - dot(n, pair.frame[1].p - pair.frame[0].p) * n;
  return {{"kind", "plane"},
          {"at", anchors.on_body(pair.body[0], foot)},
          {"axis", anchors.direction(pair.body[0], n)}};
}
Json surface_of(const Model& model, const Anchors& anchors, const FramePair& pair,
                const PlaneContact& contact) {
  return plane_of(model, anchors, pair, contact.between[0], contact.normal);
}
Json surface_of(const Model& model, const Anchors& anchors, const FramePair& pair,
                const Tyre& tyre) {
  return plane_of(model, anchors, pair, tyre.between[0], tyre.normal);
}
Json surface_of(const Model&, const Anchors& anchors, const FramePair& pair,
                const SphereContact& contact) {
  return {{"kind", "sphere"},
          {"at", anchors.on_body(pair.body[0], pair.frame[0].p)},
          {"radius", contact.surface_radius}};
}
Json surface_of(const Model& model, const Anchors& anchors, const FramePair& pair,
                const CylinderContact& contact) {
  const Vec3d axis = surface_axis(model, contact.between[0], contact.axis);
  return {{"kind", "cylinder"},
          {"at", anchors.on_body(pair.body[0], pair.frame[0].p)},
          {"axis", anchors.direction(pair.body[0], axis)},
          {"radius", contact.surface_radius},
          {"length", contact.length ? Json(*contact.length) : Json()}};
}
/// Its heights as points, at most 60 by 60 of them.
Json surface_of(const Model& model, const Anchors& anchors, const FramePair& pair,
                const HeightFieldContact& contact) {
  if (contact.heights.empty()) return nullptr;
  const End end = resolve(model, contact.between[0]);
  Mat3d R = Mat3d::identity();
  if (contact.orientation)
    R = rotation_matrix(*contact.orientation);
  else if (end.marker)
    R = end.marker->R;
  const std::size_t rows = contact.heights.size(), columns = contact.heights[0].size();
  const std::size_t stride = (std::max(rows, columns) + 59) / 60;
  Json points = Json::array();
  std::size_t drawn_rows = 0, drawn_columns = 0;
  for (std::size_t i = 0; i < rows; i += stride, ++drawn_rows) {
    drawn_columns = 0;
    for (std::size_t j = 0; j < columns; j += stride, ++drawn_columns)
      points.push_back(anchors.direction(
          pair.body[0],
          R * Vec3d{static_cast<double>(j) * contact.spacing[0],
                    static_cast<double>(i) * contact.spacing[1], contact.heights[i][j]}));
  }
  return {{"kind", "height_field"},
          {"at", anchors.on_body(pair.body[0], pair.frame[0].p)},
          {"rows", drawn_rows},
          {"columns", drawn_columns},
          {"points", std::move(points)}};
}

/// Of an expression: along its line, between its frames.
FramePair ends_of(const Model& model, const ExpressionForce& force) {
  return force.form() == ExpressionForce::Form::line
             ? point_pair(model, *force.ends, force.line)
             : frame_pair(model, *force.ends, force.place, {});
}

/// An element with two ends.
template <class Kind>
Json link(const Model& model, const Anchors& anchors, const std::string& name, const Kind& kind) {
  const FramePair pair = ends_of(model, kind);
  Json json{{"name", name},
            {"type", Kind::type},
            {"ends",
             {anchors.on_body(pair.body[0], pair.frame[0].p),
              anchors.on_body(pair.body[1], pair.frame[1].p)}}};
  if constexpr (requires { surface_of(model, anchors, pair, kind); })
    json["surface"] = surface_of(model, anchors, pair, kind);
  return json;
}

/// Where a joint is, on one of its bodies. `name` may have a motion after a dot.
Json joint_anchor(const Model& model, const Anchors& anchors, const std::string& name) {
  const auto joint = std::ranges::find(model.joints, name.substr(0, name.find('.')), &Joint::name);
  const auto layout =
      compiling::joint_layout(model, static_cast<std::size_t>(joint - model.joints.begin()));
  const FramePair pair = layout->frames(model);
  const std::size_t end = pair.body[1] > 0 ? 1 : 0;
  return anchors.on_body(pair.body[end], pair.frame[end].p);
}

/// Of an expression without ends: the point of its body or joint.
Json place_of(const Model& model, const Anchors& anchors, const ExpressionForce& force) {
  if (force.form() == ExpressionForce::Form::body) {
    const int body = body_index(model, force.on_body->name);
    return anchors.on_body(body, force.place
                                     ? *force.place
                                     : model.bodies[static_cast<std::size_t>(body) - 1].position);
  }
  const auto joint = static_cast<std::size_t>(find_named(model.joints, force.on_joint->name));
  const FramePair pair = compiling::joint_layout(model, joint)->frames(model);
  const std::size_t end = pair.body[1] > 0 ? 1 : 0;
  return anchors.on_body(pair.body[end], pair.frame[end].p);
}

/// Whether a force is drawn between two ends; otherwise it has a place.
template <class Kind>
bool has_ends(const Kind& kind) {
  if constexpr (std::is_same_v<Kind, ExpressionForce>)
    return kind.ends.has_value();
  else
    return requires { kind.between; };
}

/// Where a force acts that has no two ends. One that says it by other fields than these does not
/// compile: what cannot be placed would be left out without a word.
template <class Kind>
Json place_of(const Model& model, const Anchors& anchors, const Kind& force) {
  if constexpr (requires { force.body; }) {
    const int body = body_index(model, force.body.name);
    return anchors.on_body(body, force.point
                                     ? *force.point
                                     : model.bodies[static_cast<std::size_t>(body) - 1].position);
  } else if constexpr (requires { force.joint; }) {
    return joint_anchor(model, anchors, force.joint.name);
  } else {
    const auto beam = static_cast<std::size_t>(beam_index(model, force.beam.name));
    if constexpr (requires { force.at; })
      return anchors.on_beam(beam, force.at);
    else
      return anchors.on_beam(beam, 0.5);  // all along it
  }
}

std::string_view type_of(const JointKind& kind) {
  return std::visit([](const auto& joint) { return joint.type; }, kind);
}

}  // namespace

Json scene_joints(const SceneModel& scene) {
  const Model& model = scene.model;
  const Anchors anchors(scene);
  Json all = Json::array();
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    const Joint& joint = model.joints[i];
    if (holds_frame(joint)) continue;
    Json json{
        {"name", joint.name}, {"type", type_of(joint.kind)}, {"at", nullptr}, {"axis", nullptr}};
    if (compiling::touches_beam(model, joint.kind)) {
      const auto between = std::visit([](const auto& k) { return k.between; }, joint.kind);
      for (const MarkerRef& end : between)
        if (const auto node = node_of(model, end)) json["at"] = anchors.on_node(*node);
      if (std::any_of(between.begin(), between.end(),
                      [](const MarkerRef& end) { return end.name.starts_with("ground"); }))
        json["axis"] = node_joint_axis(joint.kind);
    } else if (const auto layout = compiling::joint_layout(model, i)) {
      const FramePair pair = layout->frames(model);
      const std::size_t end = pair.body[1] > 0 ? 1 : 0;
      json["at"] = anchors.on_body(pair.body[end], pair.frame[end].p);
      if (const int axis = drawn_axis(joint.kind); axis >= 0)
        json["axis"] = anchors.direction(pair.body[end], pair.frame[end].R.column(axis));
    } else {
      continue;  // it has two points: see scene_springs()
    }
    all.push_back(std::move(json));
  }
  return all;
}

Json scene_springs(const SceneModel& scene) {
  const Model& model = scene.model;
  const Anchors anchors(scene);
  Json all = Json::array();
  for (const Force& force : model.forces)
    std::visit(
        [&](const auto& kind) {
          using Kind = std::remove_cvref_t<decltype(kind)>;
          if constexpr (requires { kind.between; } || std::is_same_v<Kind, ExpressionForce>)
            if (has_ends(kind)) all.push_back(link(model, anchors, force.name, kind));
        },
        force.kind);
  for (const Joint& joint : model.joints)
    std::visit(
        [&](const auto& kind) {
          if constexpr (requires { kind.points; })
            all.push_back(link(model, anchors, joint.name, kind));
        },
        joint.kind);
  // A coupler is a line from the first of its joints to each of the others; a screw has one joint.
  for (const Coupler& coupler : model.couplers) {
    const auto terms = terms_of(coupler.kind);
    const auto type = std::visit([](const auto& kind) { return kind.type; }, coupler.kind);
    for (std::size_t i = 1; i < terms.size(); ++i)
      all.push_back({{"name", coupler.name},
                     {"type", type},
                     {"ends",
                      {joint_anchor(model, anchors, terms[0].coordinate.name),
                       joint_anchor(model, anchors, terms[i].coordinate.name)}}});
  }
  return all;
}

Json scene_loads(const SceneModel& scene) {
  const Anchors anchors(scene);
  Json all = Json::array();
  for (const Force& force : scene.model.forces)
    std::visit(
        [&](const auto& kind) {
          if constexpr (!requires { kind.between; })
            if (!has_ends(kind))
              all.push_back({{"name", force.name},
                             {"type", kind.type},
                             {"at", place_of(scene.model, anchors, kind)}});
        },
        force.kind);
  return all;
}

Json scene_marks(const SceneModel& scene, const ResultsView& results) {
  const Model& model = results.model()->model;
  const Anchors anchors(scene);
  Json all = Json::array();
  for (const Probe& probe : model.probes) {
    Json at;
    if (probe.body) {
      const int body = body_index(model, probe.body->name);
      at = anchors.on_body(body, probe.point
                                     ? *probe.point
                                     : model.bodies[static_cast<std::size_t>(body) - 1].position);
    } else if (probe.beam && probe.at) {
      at = anchors.on_beam(static_cast<std::size_t>(beam_index(model, probe.beam->name)),
                           probe.at->value);
    } else {
      continue;
    }
    int curve = -1;
    for (std::size_t i = 0; i < results.quantities().size(); ++i)
      if (const ProbedQuantity& q = results.quantities()[i];
          q.probe == probe.name && q.quantity == "position")
        curve = static_cast<int>(i);
    all.push_back({{"probe", probe.name}, {"at", std::move(at)}, {"curve", curve}});
  }
  return all;
}

}  // namespace tumble::report
