// Flexible bodies and their nodes.
#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "tumble/model/check/check_context.hpp"
#include "tumble/model/compile/frames.hpp"

namespace tumble {
namespace {

/// The mass matrix of all coordinates in the undeformed state, scaled to a unit diagonal, with s
/// the first moment and J the inertia about the reference point, which is the file's centre:
///   [ m I    -s̃     S ]
///   [   s̃    J      D ]
///   [   Sᵀ   Dᵀ     m_i ].
/// A file whose integrals do not belong together can make it indefinite, and so can a realisation
/// that varies mass, centre and inertia and leaves the modes what they are.
bool mass_is_positive(const Body& body) {
  const ModalData& data = *body.modal->data;
  const int m = body.modal->count();
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(6 + m, 6 + m);
  const auto& J = body.inertia;
  const double mass = body.mass;
  const Vec3d c =
      transpose_times(rotation_matrix(body.orientation), body.position - body.modal->origin) -
      data.centre;
  for (int k = 0; k < 3; ++k) M(k, k) = mass;
  M.block<3, 3>(3, 3) << J[0], J[3], J[4], J[3], J[1], J[5], J[4], J[5], J[2];
  Eigen::Matrix3d moment;
  moment << 0, -c.z, c.y, c.z, 0, -c.x, -c.y, c.x, 0;
  M.block<3, 3>(3, 3) -= mass * moment * moment;
  M.block<3, 3>(0, 3) = -mass * moment;
  M.block<3, 3>(3, 0) = mass * moment;
  for (int i = 0; i < m; ++i) {
    const auto at = static_cast<std::size_t>(i);
    for (int k = 0; k < 3; ++k) {
      M(k, 6 + i) = M(6 + i, k) = data.moment[at][k];
      M(3 + k, 6 + i) = M(6 + i, 3 + k) = data.rotation[at][k];
    }
    M(6 + i, 6 + i) = data.modal_mass[at];
  }
  const Eigen::VectorXd d = M.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd scaled = d.asDiagonal() * M * d.asDiagonal();
  const Eigen::LDLT<Eigen::MatrixXd> factor(scaled);
  return factor.info() == Eigen::Success && factor.vectorD().minCoeff() > 1e-12;
}

void check_flexible(CheckContext& context, const Body& body) {
  const ModalPart& part = *body.modal;
  const auto report = [&](const char* field, std::string value, const char* unit,
                          std::string expectation) {
    context.report(name_of(body), field, std::move(value), unit, std::move(expectation));
  };
  if (!body.rotates)
    report("inertia", "none", "", "must be left out: a flexible body is no point mass");
  if (!body.parts.empty())
    report("parts", "", "", "must be left out: the file of a flexible body has its mass");
  if (body.node) report("node", "", "", "must be left out with `modal`");
  if (!part.data) {
    report("modal.file", part.file.name, "", "has not been read");
    return;
  }
  const int file_modes = part.data->modes, used = part.count();
  if (part.modes < 0 || part.modes > file_modes)
    report("modal.modes", std::to_string(part.modes), "",
           fmt::format("must be between 0 and {}, the modes of the file", file_modes));
  const auto no_longer = [&](const char* field, std::size_t size) {
    if (size > static_cast<std::size_t>(used))
      report(field, fmt::format("{} values", size), "",
             fmt::format("must have no more values than modes, {}", used));
  };
  no_longer("modal.amplitudes", part.amplitudes.size());
  no_longer("modal.rates", part.rates.size());
  if (part.damping.size() > 1 && part.damping.size() != static_cast<std::size_t>(used))
    report("modal.damping", fmt::format("{} values", part.damping.size()), "",
           fmt::format("must have one value, or one of each mode, {}", used));
  if (!mass_is_positive(body))
    report("modal.file", part.file.name, "",
           "the mass matrix of body and modes must be positive definite");
}

void check_node(CheckContext& context, const Body& body) {
  const auto report = [&](const char* field, std::string value, std::string expectation,
                          std::string suggestion = {}) {
    context.report(name_of(body), field, std::move(value), "", std::move(expectation),
                   std::move(suggestion));
  };
  if (!body.rotates) report("inertia", "none", "must be left out: a node follows a flexible body");
  if (!body.parts.empty()) report("parts", "", "must be left out: a node has no mass");
  if (body.mass != 0) report("mass", format_number(body.mass), "must be left out: a node has none");
  const auto found = context.bodies.find(body.node->of);
  if (found == context.bodies.end()) {
    context.body_exists(name_of(body), "node.of", body.node->of, false);
  } else if (!found->second->modal) {
    report("node.of", fmt::format("'{}'", body.node->of),
           "must be a flexible body, one with `modal`");
  } else if (const auto& data = found->second->modal->data;
             data && data->find_node(body.node->number) < 0) {
    std::string known;
    for (std::size_t i = 0; i < data->node.size() && i < 10; ++i)
      known += (i > 0 ? ", " : "") + std::to_string(data->node[i]);
    report("node.number", std::to_string(body.node->number),
           fmt::format("must be a node of the file: {}{}", known,
                       data->node.size() > 10 ? ", ..." : ""));
  }
}

}  // namespace

void check_modal_bodies(CheckContext& context) {
  for (const Body& body : context.model.bodies) {
    if (body.modal) check_flexible(context, body);
    if (body.node && !body.modal) check_node(context, body);
  }
}

}  // namespace tumble
