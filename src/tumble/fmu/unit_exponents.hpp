// Units as FMI wants them: powers of the base units of SI, and of rad, which FMI counts among them.
#pragma once
#include <optional>
#include <string_view>

namespace tumble {

struct UnitExponents {
  int kg = 0, m = 0, s = 0, rad = 0;
  bool operator==(const UnitExponents&) const = default;
};

/// Of a unit as this program writes it, "N m s/rad" or "N/(m/s)^2"; a stroke divides by the one
/// unit or bracket behind it. Nothing for a text that is no such unit.
std::optional<UnitExponents> unit_exponents(std::string_view unit);

}  // namespace tumble
