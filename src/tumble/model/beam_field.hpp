// A property of beams as a function of place and of a few numbers, the germ of a random
// field. The germ's numbers are parameter slots, fields.<name>.germ[i], zero in the nominal model.
#pragma once
#include <limits>
#include <memory>

#include "tumble/model/beam.hpp"

namespace tumble {

class BeamFieldValues;

struct BeamField {
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  std::string name;
  BeamProperty property = BeamProperty::youngs_modulus;
  std::vector<std::size_t> beams;  ///< places in the model
  std::vector<double> germ;
  /// The field it is correlated with, by its place in the model: that one's germ comes first in
  /// what `values` are given.
  std::size_t base = none;
  std::shared_ptr<const BeamFieldValues> values;

  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"germ", "", "standard normal variables that the field is made of"}, s.germ);
  }
};

}  // namespace tumble
