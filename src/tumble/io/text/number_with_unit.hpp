// What to write in place of "2.5 kg", "90 deg" or "50 %": numbers of model files are in SI units
// and have none themselves.
#pragma once
#include <string>
#include <string_view>

namespace tumble {

/// Advice for the text of a field with the given unit ("" if it has none or it is not known), such
/// as "write 0.003, in m and without a unit"; empty if the text is no number with a unit.
std::string advice_for_unit(std::string_view text, std::string_view unit);

}  // namespace tumble
