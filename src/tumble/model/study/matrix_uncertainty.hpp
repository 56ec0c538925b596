// Matrices that are random as a whole, as the user describes them. The nominal matrix is the mean.
#pragma once
#include <optional>

#include "tumble/model/entry.hpp"

namespace tumble {

struct MatrixUncertainty {
  double delta = 0;
  std::string variable = {};
  static constexpr std::string_view doc =
      "Positive definite, of maximum entropy, with the nominal matrix as mean (Soize's ensemble "
      "SG+0).";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"delta", "",
            "dispersion: delta^2 = E{norm(G - I)^2}/n of the normalised matrix G of n rows; below "
            "sqrt((n+1)/(n+5)), 0.798 for 6 rows",
            Range::positive, true},
      s.delta);
    v(Entry{"variable", "", "name of a variable: matrices that name the same one share its draw"},
      s.variable);
  }
};

struct BushingUncertainty {
  std::string bushing;
  std::optional<MatrixUncertainty> stiffness, damping;
  static constexpr std::string_view doc =
      "Under the name of a bushing: which of its matrices vary as a whole.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"stiffness", "",
            "a random matrix; the nominal one must be symmetric and, but for rows "
            "of zeros, positive definite"},
      s.stiffness);
    v(Entry{"damping", "", "likewise, independent of the stiffness"}, s.damping);
  }
};

}  // namespace tumble
