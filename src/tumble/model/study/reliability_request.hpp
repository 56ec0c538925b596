// What a study of reliability is to tell: of which event, and by which method.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "tumble/model/entry.hpp"

namespace tumble {

enum class ReliabilityMethod { monte_carlo, subset, importance, form, sorm };
inline constexpr std::array<std::string_view, 5> reliability_method_names{
    "monte-carlo", "subset", "importance", "form", "sorm"};

struct ReliabilityRequest {
  std::string quantity;
  std::optional<double> above, below;
  ReliabilityMethod method = ReliabilityMethod::subset;
  int runs = 10000;
  int replicas = 8;
  double level_probability = 0.1;
  double nominal_share = 0.2;
  std::optional<int> starts;
  std::optional<ReliabilityMethod> cross_check;
  std::optional<int> cross_check_runs;

  /// How far a value is from the limit; 0 or less beyond it.
  double distance(double value) const { return above ? *above - value : value - *below; }
  /// The value that is so far from the limit.
  double value_at(double distance) const { return above ? *above - distance : *below + distance; }

  static constexpr std::string_view doc =
      "Reliability, `method: reliability`: how probable it is that a quantity of interest passes a "
      "limit, in the space of the independent standard normal numbers that random inputs and "
      "random drives are made of.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"quantity", "", "name of the quantity of interest", Range::any, true}, s.quantity);
    v(Entry{"above", "",
            "the limit, in the unit of the quantity: how probable are values of at "
            "least it?"},
      s.above);
    v(Entry{"below", "", "the limit: how probable are values of at most it? One of the two"},
      s.below);
    v(Entry{"method", "",
            "`monte-carlo`: the share of independent draws; `subset`: subset simulation, for small "
            "probabilities and any number of germs; `importance`: draws around the design points, "
            "for few germs; `form`, `sorm`: first and second order at the design point, "
            "approximations without an interval"},
      s.method);
    v(Entry{"runs", "", "at most, of the method"}, s.runs);
    v(Entry{"replicas", "", "`subset`: independent repetitions, whose scatter is the error"},
      s.replicas);
    v(Entry{"level_probability", "", "`subset`: of each level, on condition of the one before",
            Range::fraction},
      s.level_probability);
    v(Entry{"nominal_share", "",
            "`importance`: of the draws, from the laws themselves, wherever the design points are",
            Range::fraction},
      s.nominal_share);
    v(Entry{"starts", "",
            "`importance`, `form`, `sorm`: of the search for design points; by the number of germs "
            "and runs if left out"},
      s.starts);
    v(Entry{"cross_check", "", "another method, run as well to compare with"}, s.cross_check);
    v(Entry{"cross_check_runs", "", "at most, of that method; `runs` if left out"},
      s.cross_check_runs);
  }
};

}  // namespace tumble
