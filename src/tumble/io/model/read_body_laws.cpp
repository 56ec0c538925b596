// Centre of mass and inertia of a random body: values that can be written in several forms, and
// the rules for them.
#include "tumble/io/model/read_body_laws.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>

#include "tumble/io/model/read_described.hpp"
#include "tumble/io/model/referenced_file.hpp"
#include "tumble/io/model/variant_names.hpp"

namespace tumble {
namespace {

/// Whether the second moments G = tr(J)/2 I - J are singular: all mass lies in a plane.
bool is_lamina(const Body& body) {
  const auto& v = body.inertia;
  Eigen::Matrix3d J;
  J << v[0], v[3], v[4], v[3], v[1], v[5], v[4], v[5], v[2];
  const Eigen::Vector3d values = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(J).eigenvalues();
  return std::abs(values.sum() / 2 - values[2]) <= 1e-12 * values[2];
}

template <class T>
void check(ReadContext&, const Place&, const Node&, const T&) {}

void check_orientation(ReadContext& context, const Place& place, const Node& node,
                       const std::optional<Orientation>& orientation) {
  if (!orientation) return;
  if (const auto fault = orientation_fault(*orientation))
    context.error(*node.find("orientation"), place.child("orientation"), fault->value,
                  fault->expectation);
}

void check(ReadContext& context, const Place& place, const Node& node, const BoxRegion& box) {
  check_orientation(context, place, node, box.orientation);
}

void check(ReadContext& context, const Place& place, const Node& node, const EllipsoidRegion& e) {
  check_orientation(context, place, node, e.orientation);
}

void check(ReadContext& context, const Place& place, const Node& node, const CylinderRegion& c) {
  if (!(norm(c.axis) > 0))
    context.error(*node.find("axis"), place.child("axis"), format_vector(c.axis),
                  "a direction must not be zero");
}

// Four points are the fewest that span a volume, four half-spaces the fewest that enclose one.
void check(ReadContext& context, const Place& place, const Node& node, const PolytopeRegion& p) {
  const int form = read_form(context, place, node, {"vertices", "half_spaces"});
  if (form < 0) return;
  const Node& list = *node.find(form == 0 ? "vertices" : "half_spaces");
  const Place at = place.child(form == 0 ? "vertices" : "half_spaces");
  if (list.items.size() < 4)
    context.error(list, at, {},
                  fmt::format("must be at least 4 {}, found {}", form == 0 ? "points" : "rows",
                              list.items.size()));
  for (std::size_t i = 0; i < p.half_spaces.size(); ++i) {
    const auto& h = p.half_spaces[i];
    if (h[0] == 0 && h[1] == 0 && h[2] == 0)
      context.error(list.items[i], at.item(i), format_list(h.data(), 4),
                    "the normal [nx, ny, nz] must not be zero");
  }
}

void check(ReadContext& context, const Place& place, const Node& node, MeshRegion& mesh) {
  if (auto bytes =
          read_referenced_file(context, place.child("file"), *node.find("file"), mesh.file.name))
    mesh.bytes = std::move(*bytes);
}

/// Reads the region that is the value of `kind` in `node`.
void read_region(ReadContext& context, const Place& place, const Node& node,
                 const std::string& kind, Region& region) {
  emplace_type(kind, region);
  const Place inner{place.element, place.path + "." + kind, place.field + "." + kind, {}};
  const Node& value = *node.find(kind);
  context.record(inner.path, value);
  if (!value.is_mapping()) {
    context.wrong_kind(value, inner, "a mapping");
    return;
  }
  const std::size_t faults = context.faults();
  std::visit(
      [&](auto& alternative) {
        read_described(context, inner, value, alternative);
        if (context.faults() == faults) check(context, inner, value, alternative);
      },
      region);
}

/// A chain is for Metropolis-Hastings.
template <class Law>
void check_chain(ReadContext& context, const Place& place, const Node& node, const Law& law) {
  const Node* chain = node.find("chain");
  const Node* sampler = node.find("sampler");
  if (chain != nullptr && law.sampler == SamplingMethod::exact &&
      (sampler == nullptr || sampler->text == "exact"))
    context.error(*chain, place.child("chain"), {}, "must be left out without sampler: metropolis");
}

}  // namespace

void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          CentreUncertainty& value) {
  if (!node.is_mapping()) {
    context.wrong_kind(node, place, "a mapping with a region, like box");
    return;
  }
  const auto kinds = type_names(value.region);
  read_described(context, place, node, value, kinds);
  check_chain(context, place, node, value);
  const int kind = read_form(context, place, node, kinds);
  if (kind >= 0)
    read_region(context, place, node, kinds[static_cast<std::size_t>(kind)], value.region);
}

void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          SecondMomentBound& value) {
  if (node.is_scalar() && node.text == "shape") {
    value.from = SecondMomentBound::From::body_shape;
  } else if (node.is_mapping()) {
    value.from = SecondMomentBound::From::region;
    const auto kinds = type_names(value.region);
    const int kind = read_form(context, place, node, kinds);
    if (kind < 0) return;
    const std::string& name = kinds[static_cast<std::size_t>(kind)];
    EntryReader keys(context, place, node);
    keys.know(name);
    keys.finish();
    read_region(context, place, node, name, value.region);
  } else if (node.is_sequence()) {
    const std::size_t faults = context.faults();
    read_symmetric_matrix(context, place, node, "diagonal", value.numbers);
    if (context.faults() > faults) return;
    const auto& n = value.numbers;
    if (!(n[0] > 0 && n[1] > 0 && n[2] > 0))
      context.error(node, place, format_list(n.data(), 3),
                    "the diagonal must be > 0: it bounds second moments of mass");
  } else {
    context.wrong_kind(node, place, "a matrix, shape, or a mapping with a region, like box");
  }
}

void check_mass_law(ReadContext& context, const Place& place, const Node& node,
                    const MassUncertainty& law) {
  // For a gamma law E{M^-2} is finite only if 1/cv^2 > 2.
  if (law.cv * law.cv * 2 < 1) return;
  context.error(*node.find("cv"), place.child("cv"), format_number(law.cv),
                "must be below 1/sqrt(2) = 0.7071: beyond it E{M^-2}, and with it the variance of "
                "accelerations, is infinite");
}

void check_inertia_law(ReadContext& context, const Place& place, const Node& node,
                       const InertiaUncertainty& law, const Body* body) {
  check_chain(context, place, node, law);
  if (body != nullptr && !body->rotates) {
    context.error(node, place, {}, "the body is a point mass (inertia: none): nothing can vary");
    return;
  }
  if (body != nullptr && is_lamina(*body)) {
    context.error(node, place, {},
                  "the body is a lamina: one of its principal moments is the sum of the others, on "
                  "the border of all inertias that a solid can have, and a law with this mean "
                  "would have to stay on it. Give the plate a thickness, or laws to its entries");
    return;
  }
  const bool l = node.find("lambda_l") != nullptr, u = node.find("lambda_u") != nullptr,
             delta = node.find("delta") != nullptr, bound = node.find("z_max") != nullptr;
  const auto report = [&](const char* field, std::optional<double> value, const char* expectation) {
    const Node* at = node.find(field);
    context.error(at == nullptr ? node : *at, place.child(field),
                  value ? format_number(*value) : std::string{}, expectation);
  };
  if (l && delta)
    report("delta", law.delta, "must be left out with lambda_l: the one follows from the other");
  if (!bound && l)
    report("z_max", {}, "required with lambda_l; without a bound give delta alone");
  else if (!bound && u)
    report("z_max", {}, "required with lambda_u, the exponent at this bound");
  else if (!l && !delta)
    report("lambda_l", {}, "required unless delta is given");
  else if (l && !u)
    report("lambda_u", {}, "required with lambda_l");
  if (law.lambda_l && !(*law.lambda_l < -1))
    report("lambda_l", law.lambda_l,
           "must be below -1: beyond it E{|J^-1|^2}, and with it the variance of angular "
           "accelerations, is infinite");
  if (law.lambda_u && !(*law.lambda_u < 1))
    report("lambda_u", law.lambda_u, "must be below 1: beyond it there is no such law");
  if (law.z_max && law.z_max->from == SecondMomentBound::From::body_shape && body != nullptr &&
      body->shape.kind == Shape::Kind::none && body->parts.empty())
    context.error(*node.find("z_max"), place.child("z_max"), "shape",
                  "the body has no shape; give one, or the matrix");
  if (law.z_max && law.z_max->from == SecondMomentBound::From::body_shape && body != nullptr)
    for (const Part& part : body->parts)
      if (part.inertia)
        context.error(
            *node.find("z_max"), place.child("z_max"), "shape",
            fmt::format("the part '{}' is an inertia without a shape; give the matrix, or "
                        "a region that holds the body",
                        part.name));
}

}  // namespace tumble
