// The values of a random field along beams.
#pragma once
#include <cstddef>
#include <vector>

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
  /// Whether it is a series in its germ at all, which describe() and lognormal() are about.
  virtual bool is_series() const { return true; }
};

}  // namespace tumble
