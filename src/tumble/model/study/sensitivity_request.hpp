// What a study of sensitivity is to tell: which random inputs count as one, and by which runs.
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "tumble/model/entry.hpp"

namespace tumble {

enum class SensitivityMethod { pick_freeze, morris, shapley };
inline constexpr std::array<std::string_view, 3> sensitivity_method_names{"pick-freeze", "morris",
                                                                          "shapley"};

enum class SensitivityFactors { groups, germs };
inline constexpr std::array<std::string_view, 2> sensitivity_factors_names{"groups", "germs"};

/// Random variables that count as one, under a name of the user's.
struct InputGroups {
  struct Group {
    std::string name;
    std::vector<std::string> variables;
  };
  std::vector<Group> list;
};

struct SensitivityRequest {
  SensitivityMethod method = SensitivityMethod::pick_freeze;
  SensitivityFactors by = SensitivityFactors::groups;
  InputGroups groups;
  int levels = 4;

  static constexpr std::string_view doc =
      "Sensitivity, `method: sensitivity`: which random input the variance comes from. Runs come "
      "in blocks that share random numbers; `realizations` says how many runs there are at most, "
      "whole blocks of them.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"method", "",
            "`pick-freeze`: first-order and total Sobol' indices, k + 2 runs a block for k "
            "factors; `morris`: screening by elementary effects, k + 1 runs a block for k germs; "
            "`shapley`: Shapley effects, which share out what correlated variables have in common, "
            "2^k runs a block for at most 8 factors"},
      s.method);
    v(Entry{"by", "",
            "what a factor is. `groups`: a variable, all of a centre of mass, an inertia, a "
            "random field, or of variables that are correlated (by `shapley` each of them); "
            "`germs`: each of the independent random numbers that these are made of; `morris` "
            "always has these"},
      s.by);
    v(Entry{"groups", "",
            "names, and for each the variables that count as one, as `tumble laws` names them; "
            "others stay by themselves"},
      s.groups);
    v(Entry{"levels", "", "`morris`: values that each random number takes, an even number"},
      s.levels);
  }
};

}  // namespace tumble
