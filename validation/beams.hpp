// Models with beams for the validation tests.
#pragma once
#include <utility>

#include "convergence.hpp"

namespace tumble::validation {

inline Beam beam(const std::string& name, const Vec3d& from, const Vec3d& to, int elements) {
  Beam b;
  b.name = name;
  b.line = std::array<Vec3d, 2>{from, to};
  b.elements = elements;
  return b;
}

inline void connect(Model& model, const std::string& name, const std::string& first,
                    const std::string& second, JointKind kind = SphericalJoint{}) {
  std::visit([&](auto& joint) { joint.between = {MarkerRef{first}, MarkerRef{second}}; }, kind);
  model.joints.push_back({name, std::move(kind)});
}

inline Probe point_probe(const std::string& name, const std::string& beam_name, double at,
                         std::vector<Quantity> quantities) {
  Probe probe;
  probe.name = name;
  probe.beam = BeamRef{beam_name};
  probe.at = ArcFraction{at};
  probe.quantities = std::move(quantities);
  return probe;
}
inline Probe joint_probe(const std::string& joint) {
  Probe probe;
  probe.name = joint;
  probe.joint = JointRef{joint};
  probe.quantities = {Quantity::force, Quantity::torque};
  return probe;
}
inline Probe system_probe(std::vector<Quantity> quantities) {
  Probe probe;
  probe.name = "system";
  probe.system = true;
  probe.quantities = std::move(quantities);
  return probe;
}

}  // namespace tumble::validation
