#include "tumble/model/joint.hpp"

namespace tumble {
namespace {

JointStart unified(const AngleStart& s) { return {s.angle, s.rate, {}, {}, {}}; }
JointStart unified(const SlideStart& s) {
  return {{}, {}, s.displacement, s.displacement_rate, {}};
}
JointStart unified(const AngleSlideStart& s) {
  return {s.angle, s.rate, s.displacement, s.displacement_rate, {}};
}
JointStart unified(const LengthStart& s) { return {{}, {}, {}, {}, s.length}; }

}  // namespace

JointStart start_of(const JointKind& kind) {
  return std::visit(
      [](const auto& joint) -> JointStart {
        if constexpr (requires { joint.start; })
          return joint.start ? unified(*joint.start) : JointStart{};
        else
          return {};
      },
      kind);
}

}  // namespace tumble
