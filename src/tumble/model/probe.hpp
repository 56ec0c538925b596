// What a user wants to see of a motion: quantities of a point of a body or beam, a joint, a force
// element or the whole system.
#pragma once
#include <variant>

#include "tumble/model/beam.hpp"
#include "tumble/model/expression.hpp"

namespace tumble {

enum class Quantity {
  // points of bodies and beams
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
  // points of beams
  strain,
  stress,
  section_force,
  section_moment,
  // bodies, beams and the system
  strain_energy,
  kinetic_energy,
  potential_energy,
  total_energy,
  linear_momentum,
  angular_momentum,
  // couplers, and force elements on coordinates of joints
  axial_force,
  // contacts and tyres
  gap,
  normal_force,
  friction_force,
  sliding_velocity,
  dissipated_power,
  slip_ratio,
  slip_angle,
  aligning_moment,
  // expressions and state variables
  value,
  rate,
};

enum class ProbeTarget { body, beam, joint, force, system, coupler, state };

struct QuantityInfo {
  Quantity quantity;
  std::string_view name;
  std::string_view unit;
  int size;          ///< 1, 3 (axis), 4 (quat) or 6 (tensor)
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
  std::optional<BeamRef> beam;
  std::optional<JointRef> joint;
  std::optional<ForceRef> force;
  std::optional<StateRef> state = {};
  bool system = false;
  std::optional<Vec3d> point;
  std::optional<ArcFraction> at;
  std::optional<std::array<double, 2>> offset;
  std::vector<Quantity> quantities;
  QuantityRanges ranges;
  std::optional<CouplerRef> coupler = {};

  static constexpr std::string_view doc =
      "Records quantities of a point of a body or beam, of a joint, a coupler, a force element, a "
      "state variable or the system.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"body", "", "the body observed"}, s.body);
    v(Entry{"beam", "", "the beam observed"}, s.beam);
    v(Entry{"joint", "", "the joint observed"}, s.joint);
    v(Entry{"force", "", "the force element observed"}, s.force);
    v(Entry{"coupler", "", "the coupler observed"}, s.coupler);
    v(Entry{"state", "", "the state variable observed"}, s.state);
    v(Entry{"system", "", "true: observe the whole system"}, s.system);
    v(Entry{"point", "m",
            "material point of the body, ground axes at t = 0; its centre of mass "
            "if left out"},
      s.point);
    v(Entry{"at", "",
            "place along the beam observed: 0 at its start, 1 at its end; `nodes` makes a probe of "
            "each node from start to end, named NAME0, NAME1, ...",
            Range::fraction},
      s.at);
    v(Entry{"offset", "m",
            "y and z of the material point observed in the section of a beam; on its axis if left "
            "out"},
      s.offset);
    v(Entry{"quantities", "", "what to record", Range::any, true}, s.quantities);
    v(Entry{"ranges", "",
            "limits that each component of a quantity is known to keep, as `quantity: [lower, "
            "upper]`: they bound the statistics of a study in which realisations failed"},
      s.ranges);
  }
};

}  // namespace tumble
