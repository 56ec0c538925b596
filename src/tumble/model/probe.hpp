// What a user wants to see of a motion: quantities of a body point, a joint, a force element or
// the whole system.
#pragma once
#include <variant>

#include "tumble/model/field.hpp"

namespace tumble {

enum class Quantity {
  // body points
  position,
  velocity,
  acceleration,
  orientation,
  rotation_vector,
  euler_123,
  angular_velocity,
  angular_acceleration,
  angular_velocity_body,
  angular_acceleration_body,
  // joints and force elements
  force,
  torque,
  displacement,
  displacement_rate,
  angle,
  angle_rate,
  length,
  length_rate,
  tension,
  moment,
  // bodies and the system
  kinetic_energy,
  potential_energy,
  total_energy,
  linear_momentum,
  angular_momentum,
};

enum class ProbeTarget { body, joint, force, system };

struct QuantityInfo {
  Quantity quantity;
  std::string_view name;
  std::string_view unit;
  int size;          ///< 1, 3 (axis) or 4 (quat)
  unsigned targets;  ///< bit mask over ProbeTarget
  std::string_view doc;
};

/// Every quantity a probe may ask for, in the order of the enum.
const std::vector<QuantityInfo>& quantity_table();
const QuantityInfo& info(Quantity quantity);
constexpr unsigned target_bit(ProbeTarget t) { return 1u << static_cast<unsigned>(t); }

/// Within which limits the components of some quantities stay, whatever happens: known from the
/// design of the machine, not from its runs.
struct QuantityRanges {
  struct Entry {
    Quantity quantity{};
    double lower = 0, upper = 0;  ///< in the unit of the quantity
  };
  std::vector<Entry> list;
};

struct Probe {
  std::string name;
  std::optional<BodyRef> body;
  std::optional<JointRef> joint;
  std::optional<ForceRef> force;
  bool system = false;
  std::optional<Vec3d> point;
  std::vector<Quantity> quantities;
  QuantityRanges ranges;

  static constexpr std::string_view doc =
      "Records quantities of a body point, a joint, a force element or the system.";
  template <class Self, class V>
  static void fields(Self& s, V&& v) {
    v(Field{"body", "", "the body observed"}, s.body);
    v(Field{"joint", "", "the joint observed"}, s.joint);
    v(Field{"force", "", "the force element observed"}, s.force);
    v(Field{"system", "", "true: observe the whole system"}, s.system);
    v(Field{"point", "m",
            "material point of the body, ground axes at t = 0; its centre of mass "
            "if left out"},
      s.point);
    v(Field{"quantities", "", "what to record", Range::any, true}, s.quantities);
    v(Field{"ranges", "",
            "limits that each component of a quantity is known to keep, as `quantity: [lower, "
            "upper]`: they bound the statistics of a study in which realisations failed"},
      s.ranges);
  }
};

}  // namespace tumble
