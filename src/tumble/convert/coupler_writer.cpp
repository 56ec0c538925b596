#include "tumble/convert/coupler_writer.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tumble::convert {

void CouplerWriter::remember(const MachineBody& body, const Mat3d& axes,
                             const std::vector<int>& motion) {
  const auto hinges = std::ranges::count(body.freedoms, false, &Freedom::slides);
  for (std::size_t i = 0; i < body.freedoms.size(); ++i) {
    const Freedom& f = body.freedoms[i];
    if (f.name.empty() || motion[i] < 0 || (!f.slides && hinges > 1)) continue;
    const auto name = motion_names[static_cast<std::size_t>(motion[i])];
    const bool back = dot(f.axis, axes.column(motion[i] % 3)) < 0;
    coordinates_[f.name] = {
        body.freedoms.size() == 1 ? body.joint : fmt::format("{}.{}", body.joint, name),
        back ? -1.0 : 1.0};
  }
}

void CouplerWriter::add(const Coupling& coupling, Findings& findings) {
  const auto one = coordinates_.find(coupling.joint), other = coordinates_.find(coupling.other);
  const bool known = one != coordinates_.end() && other != coordinates_.end();
  if (!known || one == other || coupling.multiplier == 0) {
    findings.note(coupling.line,
                  fmt::format("joint '{}' follows '{}' ({:g} times, plus {:g}): it moves freely "
                              "here, because {}",
                              coupling.joint, coupling.other, coupling.multiplier, coupling.offset,
                              !known         ? "one of them is no hinge or slider by itself"
                              : one == other ? "both are one"
                                             : "it follows nothing"));
    return;
  }
  std::string name = allowed_name(coupling.name);
  while (name == "ground" || !names_.insert(name).second) name += '_';
  const std::string offset =
      coupling.offset == 0 ? "" : fmt::format(", offset: {}", coupling.offset);
  text_ += fmt::format("  {}: {{type: linear, joints: [{}, {}], coefficients: [{}, {}]{}}}\n", name,
                       one->second.name, other->second.name, one->second.sign,
                       -coupling.multiplier * other->second.sign, offset);
}

std::vector<std::string> CouplerWriter::forces_of(const Restraint& restraint,
                                                  const ImportOptions& options,
                                                  Findings& findings) const {
  const auto found = coordinates_.find(restraint.joint);
  if (found == coordinates_.end()) {
    findings.note(restraint.line,
                  fmt::format("limits and friction of joint '{}', which is no hinge or slider by "
                              "itself",
                              restraint.joint));
    return {};
  }
  const auto& [name, sign] = found->second;
  std::vector<std::string> forces;
  if (restraint.range && options.limit_stiffness) {
    const auto [lower, upper] = *restraint.range;
    forces.push_back(fmt::format(
        "{{type: joint_limit, joint: {}, lower: {}, upper: {}, stiffness: {}}}", name,
        sign > 0 ? lower : -upper, sign > 0 ? upper : -lower, *options.limit_stiffness));
  }
  if (restraint.friction > 0 && options.friction_rate)
    forces.push_back(
        fmt::format("{{type: joint_friction, joint: {}, constant: {}, transition_rate: {}}}", name,
                    restraint.friction, *options.friction_rate));
  return forces;
}

}  // namespace tumble::convert
