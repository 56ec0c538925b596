// One law of each kind, for tests that all of them must pass.
#pragma once
#include <string>
#include <vector>

#include "tumble/random/law/scalar_law.hpp"

namespace tumble {

struct LawCase {
  std::string title;
  ScalarLaw law;
  /// Size of the terms that x is the sum of, where it is larger than x.
  double terms = 0;
};

inline std::vector<LawCase> laws_with_density() {
  return {
      {"normal", ScalarLaw(NormalLaw{.mean = -2, .cv = 0.4})},
      {"lognormal", ScalarLaw(LognormalLaw{.mean = 3, .std = 1.5})},
      {"shifted lognormal", ScalarLaw(LognormalLaw{.log_mean = 0.2, .log_std = 0.7, .min = 5})},
      {"uniform", ScalarLaw(UniformLaw{.min = -1, .max = 4})},
      {"triangular", ScalarLaw(TriangularLaw{.min = 1, .mode = 1.5, .max = 4})},
      {"rising triangle", ScalarLaw(TriangularLaw{.min = 0, .mode = 2, .max = 2})},
      {"beta", ScalarLaw(BetaLaw{.alpha = 2, .beta = 3.5, .min = -1, .max = 2})},
      {"beta with poles", ScalarLaw(BetaLaw{.alpha = 0.6, .beta = 0.8})},
      {"gamma", ScalarLaw(GammaLaw{.mean = 3000, .cv = 0.5})},
      {"gamma with pole", ScalarLaw(GammaLaw{.shape = 0.7, .scale = 2, .min = 1})},
      {"narrow gamma", ScalarLaw(GammaLaw{.mean = 1, .cv = 0.01})},
      {"weibull", ScalarLaw(WeibullLaw{.shape = 1.8, .scale = 10})},
      {"gumbel", ScalarLaw(GumbelLaw{.location = 30, .scale = 4})},
      {"exponential", ScalarLaw(ExponentialLaw{.mean = 0.25})},
      {"truncated normal",
       ScalarLaw(TruncatedNormalLaw{.normal_mean = 1, .normal_std = 2, .min = 0, .max = 4}), 1},
      {"normal in its tail", ScalarLaw(TruncatedNormalLaw{.normal_std = 0.5, .min = 4})},
      {"narrow slice of a normal", ScalarLaw(TruncatedNormalLaw{.min = -1e-3, .max = 2e-3})},
      {"empirical", ScalarLaw(EmpiricalLaw{.values = {3, 1, 4, 1.5, 9, 2.5, 6}})},
  };
}

}  // namespace tumble
