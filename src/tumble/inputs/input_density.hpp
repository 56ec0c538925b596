// The probability density of random inputs, for ratios of laws that differ in their parameters.
#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "tumble/inputs/random_laws.hpp"

namespace tumble {

/// One random thing of a model: "rb5.mass", "rb5.center_of_mass", "rb5.inertia", or the name of a
/// scalar variable. Variables that are correlated are one thing, under each of their names.
using RandomPart = std::string;

/// The joint density of some of a model's random things, as a function of the numbers that a
/// realisation has in its parameter slots. Immutable; may be used by many threads.
///
/// The number of a slot is what the law is a law of, except for an inertia, where the density is
/// that of the normalised tensor G (Batou & Soize 2012, Eqs. 29 and 37) with respect to its volume
/// element: a factor that does not depend on the law's parameters is left out.
class InputDensity {
 public:
  /// `paths`: of the numbers that will be given. `parts`: whose density is meant.
  /// @throws std::invalid_argument that says which part has no density, and why.
  InputDensity(const RandomLaws& laws, const std::vector<std::string>& paths,
               const std::set<RandomPart>& parts);

  /// Minus infinity outside the support.
  double log_density(const double* values) const;
  /// The ends of the supports of all parts, one after the other: laws whose supports are the same
  /// have the same numbers here.
  std::vector<double> support() const;

 private:
  struct ScalarPart {
    ScalarLaw law;
    std::size_t place;
  };
  struct CentrePart {
    CentreLaw law;
    std::size_t place;
  };
  struct InertiaPart {
    InertiaLaw law;
    std::size_t place;
    std::size_t mass_place;  ///< none if the mass is not random
    double nominal_mass;
  };
  struct CorrelatedPart {
    std::vector<ScalarPart> members;
    std::vector<double> precision;  ///< R^-1 - I, by rows
    double log_determinant;
  };
  void add_body(const RandomLaws& laws, const BodyLaws& body, const std::set<RandomPart>& parts,
                const std::vector<std::string>& paths);
  void add_correlated(const RandomLaws& laws, const CorrelatedVariables& group,
                      const std::vector<std::string>& paths);

  std::vector<ScalarPart> scalars_;
  std::vector<CentrePart> centres_;
  std::vector<InertiaPart> inertias_;
  std::vector<CorrelatedPart> correlated_;
};

/// The parts of a model's random inputs that follow from the values at `paths`: whose density can
/// be told where these numbers are known. Those of which some numbers are missing are not among
/// them.
std::set<RandomPart> parts_known_from(const RandomLaws& laws,
                                      const std::vector<std::string>& paths);

}  // namespace tumble
