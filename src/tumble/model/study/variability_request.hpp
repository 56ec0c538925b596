// What a study of variability response is to be: of which beam, with which waves and spectrum.
#pragma once
#include "tumble/model/field/field_uncertainty.hpp"

namespace tumble {

/// The spectrum of a homogeneous field, by the correlation that goes with it.
struct SpectrumInput {
  FieldKernel kernel = FieldKernel::squared_exponential;
  double length = 0;
  std::optional<double> smoothness;
  static constexpr std::string_view doc =
      "How the variance of a homogeneous random field is spread over wave numbers, by its "
      "correlation.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"kernel", "", "as of a random field"}, s.kernel);
    v(Entry{"length", "m", "the correlation length a", Range::positive, true}, s.length);
    v(Entry{"smoothness", "", "nu of kernel `matern`", Range::positive}, s.smoothness);
  }
};

struct WaveNumbers {
  double to = 0;
  int count = 33;
  static constexpr std::string_view doc = "Wave numbers from 0 on, evenly spaced.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"to", "rad/m", "the largest", Range::positive, true}, s.to);
    v(Entry{"count", "", "how many; an odd number, so that every second one measures the error"},
      s.count);
  }
};

struct VariabilityRequest {
  std::string beam;
  double std = 0;
  WaveNumbers waves;
  int phases = 16;
  SpectrumInput spectrum;
  int check = 1024;

  static constexpr std::string_view doc =
      "Variability response, `method: variability-response`: the flexibility of a beam is 1/E = "
      "(1 + f)/E0 with E0 its Young's modulus and a homogeneous field f of mean zero. Runs with "
      "waves f = sqrt(2) std cos(kappa s + phase) tell how much each wave number matters; what "
      "follows for a spectrum is compared with random fields that have it. The number of "
      "realisations follows.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"beam", "", "name of the beam", Range::any, true}, s.beam);
    v(Entry{"std", "", "standard deviation of f, below 1/sqrt(2)", Range::positive, true}, s.std);
    v(Entry{"waves", "", "wave numbers of f", Range::any, true}, s.waves);
    v(Entry{"phases", "", "of every wave, evenly spaced"}, s.phases);
    v(Entry{"spectrum", "", "of f, for the variance", Range::any, true}, s.spectrum);
    v(Entry{"check", "",
            "runs with a Gaussian f, and as many with a lognormal 1 + f, of this spectrum, that "
            "show how far the method holds; 0: none"},
      s.check);
  }
};

}  // namespace tumble
