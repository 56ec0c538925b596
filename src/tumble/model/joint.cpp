#include "tumble/model/joint.hpp"

#include <algorithm>

namespace tumble {
namespace {

// Places among the six motions.
constexpr auto slide_z = static_cast<std::size_t>(Motion::z);
constexpr auto turn_x = static_cast<std::size_t>(Motion::rx);
constexpr auto turn_y = static_cast<std::size_t>(Motion::ry);
constexpr auto turn_z = static_cast<std::size_t>(Motion::rz);

void unify(const AngleStart& s, JointStart& out) {
  out.value[turn_z] = s.angle, out.rate[turn_z] = s.rate;
}
void unify(const SlideStart& s, JointStart& out) {
  out.value[slide_z] = s.displacement, out.rate[slide_z] = s.displacement_rate;
}
void unify(const AngleSlideStart& s, JointStart& out) {
  unify(AngleStart{s.angle, s.rate}, out);
  unify(SlideStart{s.displacement, s.displacement_rate}, out);
}
void unify(const CardanStart& s, JointStart& out) {
  out.value[turn_x] = s.angle_first, out.rate[turn_x] = s.rate_first;
  out.value[turn_y] = s.angle_second, out.rate[turn_y] = s.rate_second;
}
void unify(const BallStart& s, JointStart& out) {
  for (int k = 0; k < 3; ++k) {
    if (s.rotation_vector)
      out.value[turn_x + static_cast<std::size_t>(k)] = (*s.rotation_vector)[k];
    if (s.angular_velocity)
      out.rate[turn_x + static_cast<std::size_t>(k)] = (*s.angular_velocity)[k];
  }
}
void unify(const MotionStart& s, JointStart& out) { out.value = s.value, out.rate = s.rate; }
void unify(const PlanarStart& s, JointStart& out) {
  out.value[0] = s.x, out.rate[0] = s.x_rate;
  out.value[1] = s.y, out.rate[1] = s.y_rate;
  unify(AngleStart{s.angle, s.rate}, out);
}
void unify(const LengthStart& s, JointStart& out) {
  out.length = s.length, out.length_rate = s.length_rate;
}

template <class Joint>
std::string name_of_start(const Joint&, Motion motion, bool rate) {
  if (motion == Motion::z) return rate ? "displacement_rate" : "displacement";
  return rate ? "rate" : "angle";
}
std::string name_of_start(const UniversalJoint&, Motion motion, bool rate) {
  return std::string(rate ? "rate" : "angle") + (motion == Motion::rx ? "_first" : "_second");
}
std::string name_of_start(const SphericalJoint&, Motion motion, bool rate) {
  return std::string(rate ? "angular_velocity" : "rotation_vector") + "[" +
         std::to_string(static_cast<std::size_t>(motion) - turn_x) + "]";
}
std::string name_of_start(const PlanarJoint&, Motion motion, bool rate) {
  if (motion == Motion::rz) return rate ? "rate" : "angle";
  return std::string(motion_names[static_cast<std::size_t>(motion)]) + (rate ? "_rate" : "");
}
std::string name_of_start(const GeneralJoint&, Motion motion, bool rate) {
  return std::string(motion_names[static_cast<std::size_t>(motion)]) + (rate ? "_rate" : "");
}

}  // namespace

bool JointStart::any_rate() const {
  return length_rate || std::any_of(rate.begin(), rate.end(), [](const auto& r) { return !!r; });
}
bool JointStart::any() const {
  return length || any_rate() ||
         std::any_of(value.begin(), value.end(), [](const auto& v) { return !!v; });
}

JointStart start_of(const JointKind& kind) {
  return std::visit(
      [](const auto& joint) {
        JointStart unified;
        if constexpr (requires { joint.start; })
          if (joint.start) unify(*joint.start, unified);
        return unified;
      },
      kind);
}

std::string start_field(const JointKind& kind, Motion motion, bool rate) {
  return "start." +
         std::visit([&](const auto& joint) { return name_of_start(joint, motion, rate); }, kind);
}

}  // namespace tumble
