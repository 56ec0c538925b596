// The rules that parameters of laws obey, with their messages.
#pragma once
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "tumble/random/law/law_parameters.hpp"

namespace tumble {

struct GivenParameter {
  std::string_view name;
  std::optional<double> value;
};

struct MeanStd {
  double mean, std;
};

/// That one of the combinations of names in `forms` has been given, no more and no less; if not,
/// the message lists what may be given and what has been. All that is given must be finite.
/// @throws std::invalid_argument
void check_given(std::string_view law, const std::vector<GivenParameter>& parameters,
                 std::span<const LawForm> forms);

/// The same of a law, by its declarations.
template <class Law>
void check_given(const Law& law) {
  std::vector<GivenParameter> parameters;
  const auto add = [&parameters]<class T>(const Entry& entry, const T& value) {
    if constexpr (std::is_same_v<T, std::optional<double>>)
      parameters.push_back({entry.name, value});
  };
  Law::entries(law, add);
  check_given(Law::type, parameters, Law::forms);
}

void check_finite(std::string_view law, std::string_view name, double value);
void check_positive(std::string_view law, std::string_view name, double value);
/// `why` says what the bound is: "min", for example.
void check_above(std::string_view law, std::string_view name, double value, std::string_view why,
                 double bound);

/// Mean and standard deviation from whichever of std and cv is given.
MeanStd mean_and_std(std::string_view law, double mean, const std::optional<double>& std,
                     const std::optional<double>& cv);

}  // namespace tumble
