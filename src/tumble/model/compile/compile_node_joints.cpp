// Joints with a node of a beam at an end (docs/theory/beam-joints.md).
#include "tumble/model/compile/beam_shape.hpp"
#include "tumble/model/compile/compiling.hpp"

namespace tumble::compiling {

namespace {

/// The product of two axes of the joint's frame, one carried by either side: that of `own` by the
/// side the joint is laid on.
struct Term {
  int own, other;
  double sign = 1;
};
struct DotRow {
  std::string_view name;
  std::vector<Term> terms;
};

/// The section keeps its directions: its y and z axes stay across the other side's x axis, and it
/// does not turn about that, as a whole where the section is a continuum and as told by its z axis
/// where that defines its frame. Lengths, and the angle between y and z, are left to the section.
std::vector<DotRow> clamped(bool planar, bool structural) {
  if (planar) return {{"rz", {{1, 0}}}};
  if (structural) return {{"rz", {{1, 0}}}, {"ry", {{2, 0}}}, {"rx", {{2, 1}}}};
  return {{"rz", {{1, 0}}}, {"ry", {{2, 0}}}, {"rx", {{1, 2}, {2, 1, -1}}}};
}
/// The axis z of the frame, as one side carries it, stays across x and y as the other does.
std::vector<DotRow> hinged(bool planar) {
  if (planar) return {};
  return {{"ry", {{2, 0}}}, {"rx", {{2, 1}}}};
}

/// What a joint asks for beside coinciding points, and its frame at t = 0 in ground axes where that
/// is not the section of the side it is laid on.
struct NodeJointLayout {
  std::array<MarkerRef, 2> between;
  std::vector<DotRow> rows;
  std::vector<int> parallel;  ///< axes of the frame that do not turn over
  std::function<std::optional<Mat3d>(const Model&)> axes = [](const Model&) {
    return std::nullopt;
  };
};

template <class J>
const J& kind_of(const Model& model, std::size_t index) {
  return std::get<J>(model.joints[index].kind);
}

Mat3d hinge_axes(const Model& model, const RevoluteJoint& joint) {
  if (joint.axis) return axes_along(*joint.axis);
  for (const MarkerRef& reference : joint.between) {
    if (node_of(model, reference)) continue;
    if (const End end = resolve(model, reference); end.marker) return end.marker->R;
  }
  return Mat3d::identity();  // planar beams turn about z
}

NodeJointLayout node_layout(const Model& model, std::size_t index, bool planar, bool structural) {
  const JointKind& kind = model.joints[index].kind;
  if (const auto* fixed = std::get_if<FixedJoint>(&kind))
    return {fixed->between, clamped(planar, structural),
            planar ? std::vector<int>{1} : std::vector<int>{0, 1, 2}};
  if (const auto* hinge = std::get_if<RevoluteJoint>(&kind))
    return {hinge->between, hinged(planar), planar ? std::vector<int>{} : std::vector<int>{2},
            [index](const Model& m) -> std::optional<Mat3d> {
              return hinge_axes(m, kind_of<RevoluteJoint>(m, index));
            }};
  return {std::get<SphericalJoint>(kind).between, {}, {}};
}

/// An end at t = 0 in ground axes. What a body or the ground does not say, the node does.
struct EndFrames {
  std::array<Frame, 2> frame;
};
EndFrames end_frames(const Model& model, const std::array<MarkerRef, 2>& between) {
  EndFrames ends;
  const auto first = node_of(model, between[0]), second = node_of(model, between[1]);
  const Frame shared = node_frame(model, first ? *first : *second);
  for (std::size_t i = 0; i < 2; ++i) {
    ends.frame[i] = shared;
    if (const auto node = node_of(model, between[i])) {
      ends.frame[i] = node_frame(model, *node);
    } else if (const End end = resolve(model, between[i]); end.marker) {
      ends.frame[i].p = end.marker->p;
    }
  }
  return ends;
}

/// Coefficients with which a side carries a vector given in ground axes at t = 0.
Vec3d attached(const JointSide& side, const Frame& end, const PrepareContext& context,
               const Vec3d& vector) {
  switch (side.kind) {
    case JointSide::Kind::ground:
      return vector;
    case JointSide::Kind::body:
      return transpose_times(context.start(side.body).R, vector);
    case JointSide::Kind::node:
      return transpose_times(end.R, vector);
  }
  return {};
}

JointSide make_side(System& system, const MarkerRef& reference) {
  JointSide side;
  if (const auto node = node_of(system.nominal, reference)) {
    const BeamIndex& beam = system.beams[node->beam];
    side.kind = JointSide::Kind::node;
    side.dimension = beam.dimension;
    side.structural = beam.structural;
    side.node = beam.node(node->node);
    side.plane = beam.plane;
    const int v = system.beam_v + side.node;
    side.unknown = {v, v + 2 * beam.dimension, beam.dimension == 3 ? v + 9 : -1};
    return side;
  }
  side.body = resolve(system.nominal, reference).body;
  side.point = reserve(system, 3);
  if (side.body == 0) return side;
  side.kind = JointSide::Kind::body;
  const auto& body = system.bodies[static_cast<std::size_t>(side.body) - 1];
  const Block& block = system.blocks[static_cast<std::size_t>(body.block)];
  side.unknown = {block.v, block.kind == Block::Kind::rigid ? block.v + 3 : -1, -1};
  return side;
}

}  // namespace

bool touches_beam(const Model& model, const JointKind& joint) {
  return std::visit(
      [&](const auto& kind) {
        const auto at_node = [&](const MarkerRef& end) {
          return !end.frame && beam_index(model, end.name) >= 0;
        };
        return at_node(kind.between[0]) || at_node(kind.between[1]);
      },
      joint);
}

void add_node_joint(System& system, std::size_t index, JointIndex& entry) {
  const auto& between =
      std::visit([](const auto& kind) -> const std::array<MarkerRef, 2>& { return kind.between; },
                 system.nominal.joints[index].kind);
  NodeJoint joint;
  for (std::size_t i = 0; i < 2; ++i) joint.side[i] = make_side(system, between[i]);
  const auto planar = [&](std::size_t i) { return joint.side[i].dimension == 2; };
  // The side the joint is laid on: a planar beam if there is one, else the first beam.
  const std::size_t own = planar(0)                                     ? 0
                          : planar(1)                                   ? 1
                          : joint.side[0].kind == JointSide::Kind::node ? 0
                                                                        : 1;
  const NodeJointLayout layout =
      node_layout(system.nominal, index, planar(own), joint.side[own].structural);
  joint.components = planar(own) ? 2 : 3;
  joint.row = system.nc;
  for (int k = 0; k < joint.components; ++k)
    entry.row_names.emplace_back(motion_names[static_cast<std::size_t>(k)]);
  joint.dots = static_cast<int>(layout.rows.size());
  for (std::size_t r = 0; r < layout.rows.size(); ++r) {
    const DotRow& row = layout.rows[r];
    entry.row_names.emplace_back(row.name);
    joint.dot[r].terms = static_cast<int>(row.terms.size());
    for (std::size_t t = 0; t < row.terms.size(); ++t) {
      joint.dot[r].a[t] = reserve(system, 3);
      joint.dot[r].b[t] = reserve(system, 3);
    }
  }
  joint.parallels = static_cast<int>(layout.parallel.size());
  for (std::size_t k = 0; k < layout.parallel.size(); ++k) joint.parallel[k] = reserve(system, 6);
  entry.rows = joint.components + joint.dots;
  system.nc += entry.rows;
  system.writers.push_back([layout, joint, own](const PrepareContext& context, double* c) {
    const EndFrames ends = end_frames(context.model(), layout.between);
    for (std::size_t i = 0; i < 2; ++i)
      if (joint.side[i].point >= 0)
        store3(c + joint.side[i].point, context.local(joint.side[i].body, ends.frame[i]).p);
    const Mat3d axes = layout.axes(context.model()).value_or(ends.frame[own].R);
    for (std::size_t r = 0; r < layout.rows.size(); ++r)
      for (std::size_t t = 0; t < layout.rows[r].terms.size(); ++t) {
        const Term& term = layout.rows[r].terms[t];
        const std::size_t other = 1 - own;
        const Vec3d u =
            attached(joint.side[own], ends.frame[own], context, term.sign * axes.column(term.own));
        const Vec3d v =
            attached(joint.side[other], ends.frame[other], context, axes.column(term.other));
        store3(c + joint.dot[r].a[t], own == 0 ? u : v);
        store3(c + joint.dot[r].b[t], own == 0 ? v : u);
      }
    for (std::size_t k = 0; k < layout.parallel.size(); ++k)
      for (std::size_t i = 0; i < 2; ++i)
        store3(c + joint.parallel[k] + 3 * i,
               attached(joint.side[i], ends.frame[i], context, axes.column(layout.parallel[k])));
  });
  entry.node_joint = static_cast<int>(system.node_joints.size());
  system.node_joints.push_back(joint);
}

}  // namespace tumble::compiling
