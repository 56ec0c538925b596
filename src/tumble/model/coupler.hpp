// Couplers as the user describes them: one linear relation between coordinates of joints,
//   c1 q1 + c2 q2 (+ c3 q3) = offset,
// angles counted through full turns. Kinds differ in how their coefficients are given.
#pragma once
#include <variant>

#include "tumble/model/entry.hpp"

namespace tumble {

/// Which coordinates of a joint can be meant where only the joint is named.
enum class CoordinateKind { any, angle, displacement };

struct CouplerTerm {
  CoordinateRef coordinate;
  CoordinateKind wanted = CoordinateKind::any;
  double coefficient = 0;
};

struct GearCoupler {
  std::array<CoordinateRef, 2> joints;
  double ratio = 0;
  std::optional<double> offset;
  static constexpr std::string_view type = "gear";
  static constexpr std::string_view doc =
      "A pair of gears: the second joint turns `ratio` times as far as the first. Angles are those "
      "of the joints, relative to what carries the gears, which may turn itself.";
  std::vector<CouplerTerm> terms() const {
    return {{joints[0], CoordinateKind::angle, -ratio}, {joints[1], CoordinateKind::angle, 1}};
  }
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"joints", "", "the joints of the first gear and of the second", Range::any, true},
      s.joints);
    v(Entry{"ratio", "",
            "turns of the second for one turn of the first; negative where they turn against each "
            "other, as external gears on parallel axes do",
            Range::any, true},
      s.ratio);
    v(Entry{"offset", "rad",
            "angle of the second less ratio times that of the first; as described if left out"},
      s.offset);
  }
};

struct RackCoupler {
  std::array<CoordinateRef, 2> joints;
  double radius = 0;
  std::optional<double> offset;
  static constexpr std::string_view type = "rack_and_pinion";
  static constexpr std::string_view doc =
      "A pinion that moves a rack, or a drum that winds a rope: the second joint is displaced by "
      "`radius` times the angle of the first.";
  std::vector<CouplerTerm> terms() const {
    return {{joints[0], CoordinateKind::angle, -radius},
            {joints[1], CoordinateKind::displacement, 1}};
  }
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"joints", "", "the joint of the pinion and that of the rack", Range::any, true},
      s.joints);
    v(Entry{"radius", "m",
            "displacement of the rack for one radian of the pinion; negative where a positive "
            "angle moves it back",
            Range::any, true},
      s.radius);
    v(Entry{"offset", "m", "displacement less radius times angle; as described if left out"},
      s.offset);
  }
};

struct ScrewCoupler {
  JointRef joint;
  double lead = 0;
  std::optional<double> offset;
  static constexpr std::string_view type = "screw";
  static constexpr std::string_view doc =
      "A thread in a joint that turns and slides: one turn displaces it by `lead`.";
  std::vector<CouplerTerm> terms() const {
    return {{{joint.name}, CoordinateKind::angle, -lead / 6.283185307179586476925286766559},
            {{joint.name}, CoordinateKind::displacement, 1}};
  }
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"joint", "", "a cylindrical joint, or a general one that does the same", Range::any,
            true},
      s.joint);
    v(Entry{"lead", "m",
            "displacement along the axis for one turn about it; positive for a right-handed thread",
            Range::any, true},
      s.lead);
    v(Entry{"offset", "m", "displacement at zero angle; as described if left out"}, s.offset);
  }
};

struct BeltCoupler {
  std::array<CoordinateRef, 2> joints;
  std::array<double, 2> radii{};
  bool crossed = false;
  std::optional<double> offset;
  static constexpr std::string_view type = "belt";
  static constexpr std::string_view doc =
      "A belt or chain over two pulleys, which neither slips nor stretches: as much of it leaves "
      "the one as reaches the other.";
  std::vector<CouplerTerm> terms() const {
    return {{joints[0], CoordinateKind::angle, radii[0]},
            {joints[1], CoordinateKind::angle, crossed ? radii[1] : -radii[1]}};
  }
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"joints", "", "the joints of the two pulleys", Range::any, true}, s.joints);
    v(Entry{"radii", "m", "of the two pulleys", Range::positive, true}, s.radii);
    v(Entry{"crossed", "", "true: the pulleys turn against each other"}, s.crossed);
    v(Entry{"offset", "m",
            "belt taken from the second pulley less that given by the first; as described if left "
            "out"},
      s.offset);
  }
};

struct LinearCoupler {
  std::vector<CoordinateRef> joints;
  std::vector<double> coefficients;
  std::optional<double> offset;
  static constexpr std::string_view type = "linear";
  static constexpr std::string_view doc =
      "A sum of two or three coordinates that stays as it is: differentials, planetary gears, "
      "ropes over several pulleys.";
  std::vector<CouplerTerm> terms() const {
    std::vector<CouplerTerm> all;
    for (std::size_t i = 0; i < joints.size() && i < coefficients.size(); ++i)
      all.push_back({joints[i], CoordinateKind::any, coefficients[i]});
    return all;
  }
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"joints", "", "two or three joints, or `joint.rz` where one has several coordinates",
            Range::any, true},
      s.joints);
    v(Entry{"coefficients", "", "one for each: of angles [rad] and displacements [m]", Range::any,
            true},
      s.coefficients);
    v(Entry{"offset", "", "the sum of coefficients times coordinates; as described if left out"},
      s.offset);
  }
};

using CouplerKind =
    std::variant<GearCoupler, RackCoupler, ScrewCoupler, BeltCoupler, LinearCoupler>;

struct Coupler {
  std::string name;
  CouplerKind kind;
};

inline std::vector<CouplerTerm> terms_of(const CouplerKind& kind) {
  return std::visit([](const auto& coupler) { return coupler.terms(); }, kind);
}
inline const std::optional<double>& offset_of(const CouplerKind& kind) {
  return std::visit([](const auto& c) -> const std::optional<double>& { return c.offset; }, kind);
}

}  // namespace tumble
