#include "tumble/integrate/statics/motion_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tumble {

using Eigen::Vector3d, Eigen::VectorXd;

std::string describe_motion(const System& system, const std::vector<double>& constants,
                            const VectorXd& y) {
  struct Part {
    double size;
    std::string text;
  };
  const double* weight = constants.data() + system.weight_constants;
  const auto direction = [&](int v, int n) {
    Vector3d x = Vector3d::Zero();
    for (int k = 0; k < n; ++k) x(k) = y(v + k);
    x.normalize();
    Eigen::Index largest = 0;
    x.cwiseAbs().maxCoeff(&largest);
    if (x(largest) < 0) x = -x;
    for (int k = 0; k < 3; ++k) x(k) = std::round(x(k) * 1e3) / 1e3 + 0.0;
    return fmt::format("({:.3g}, {:.3g}, {:.3g})", x(0), x(1), x(2));
  };
  std::vector<Part> parts;
  for (const RigidBodyIndex& body : system.bodies) {
    if (body.block < 0) continue;
    const Block& block = system.blocks[static_cast<std::size_t>(body.block)];
    const double moves = weight[block.v] * y.segment<3>(block.v).norm();
    const double turns = block.kind == Block::Kind::rigid
                             ? weight[block.v + 3] * y.segment<3>(block.v + 3).norm()
                             : 0;
    if (moves > 2 * turns)
      parts.push_back(
          {moves, fmt::format("body '{}' moves along {}", body.name, direction(block.v, 3))});
    else
      parts.push_back({std::max(moves, turns), fmt::format("body '{}' turns about {}", body.name,
                                                           direction(block.v + 3, 3))});
  }
  for (const BeamIndex& beam : system.beams) {
    double largest = 0;
    for (int k = 0; k < beam.nodes * beam.node_size(); ++k) {
      const int v = system.beam_v + beam.coordinates + k;
      largest = std::max(largest, std::fabs(weight[v] * y(v)));
    }
    parts.push_back({largest, fmt::format("beam '{}' moves", beam.name)});
  }
  for (const ModalIndex& modal : system.modal_bodies) {
    double largest = 0;
    for (int k = 0; k < modal.modes; ++k) {
      const int v = system.modal_v + modal.first + k;
      largest = std::max(largest, std::fabs(weight[v] * y(v)));
    }
    parts.push_back({largest, fmt::format("body '{}' bends", modal.name)});
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Part& a, const Part& b) { return a.size > b.size; });
  std::string text;
  for (std::size_t i = 0; i < parts.size() && i < 3 && parts[i].size > 0.1 * parts[0].size; ++i)
    text += (i > 0 ? ", " : "") + parts[i].text;
  return text;
}

}  // namespace tumble
