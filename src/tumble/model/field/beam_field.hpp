// A property of beams as a function of place and of a few numbers, the germ of a random
// field. The germ's numbers are parameter slots, fields.<name>.germ[i], zero in the nominal model.
#pragma once
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "tumble/model/field/field_uncertainty.hpp"

namespace tumble {

/// What a field is at one place, whatever its germ.
struct FieldPlace {
  double arc_length = 0;           ///< from the start of the beam [m]
  double mean = 0, std = 0;        ///< of the field that was described
  double variance_error = 0;       ///< the part of its variance that the series leaves out
  std::vector<double> modes = {};  ///< factors of the germ, in the value or in its logarithm
};

/// The values of a field along beams. Immutable for its users; may be used by many threads.
class BeamFieldValues {
 public:
  virtual ~BeamFieldValues() = default;
  /// At the place x/L of an element of a beam, by the beam's place in the model; what is computed
  /// for a place is kept. NaN where the field does not reach.
  virtual double at(std::size_t beam, int element, double place,
                    const std::vector<double>& germ) const = 0;
  /// The same place without a germ; the beam must carry the field.
  virtual FieldPlace describe(std::size_t beam, int element, double place) const = 0;
  /// True if a value is exp(log(mean) - |modes|^2 / 2 + modes germ), false if mean + modes germ.
  virtual bool lognormal() const = 0;
};

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
