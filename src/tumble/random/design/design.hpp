// Where in the unit cube the realisations of a study lie.
//
// A design gives every realisation a point u in (0, 1)^d, one coordinate for each uniform number
// that the random inputs are made of. Its coordinates are functions of (seed, realisation,
// coordinate): any thread may ask for any of them, in any order, and gets the same.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tumble {

/// One coordinate of the cube: the `number`-th uniform number of a variable, counted from 0. A
/// scalar law has one of them, a point in a box three.
struct DesignCoordinate {
  std::uint64_t variable;  ///< variable_id() of its name
  std::uint64_t number = 0;
};

enum class DesignKind {
  monte_carlo,      ///< independent points
  latin_hypercube,  ///< in each coordinate one point in each of n strata
  sobol,            ///< Sobol' points with nested uniform scrambling
  morris            ///< walks over a grid, one coordinate at a time
};

struct DesignParameters {
  DesignKind kind = DesignKind::monte_carlo;
  std::uint64_t seed = 1;
  /// How many realisations there will be. Part of a Latin hypercube, which cannot be extended.
  std::uint64_t realizations = 0;
  /// Independent copies of the point set, R. Realisation i is point i / R of copy i mod R. Means of
  /// copies are independent, and so say how large the error is. Without meaning for Monte Carlo.
  std::uint64_t randomizations = 16;
  /// Values of a coordinate in a walk of Morris, an even number.
  std::uint64_t levels = 4;
  /// Draws of Monte Carlo shall be functions of coordinates of their own throughout, as those of
  /// other designs are, where a sampler would be quicker.
  bool by_coordinates = false;
};

class Design {
 public:
  virtual ~Design() = default;

  /// In the open interval (0, 1). `coordinate` counts from 0 to dimension() - 1.
  virtual double u(std::uint64_t realization, std::size_t coordinate) const = 0;
  virtual std::size_t dimension() const = 0;
  /// Whether more realisations may follow those there are, which stay what they are.
  virtual bool can_be_extended() const = 0;
  /// Number of independent copies; 0 if every realisation is independent of the others.
  virtual std::uint64_t randomizations() const = 0;
  /// What a user should know about a study with this number of realisations.
  virtual std::vector<std::string> warnings(std::uint64_t realizations) const = 0;
};

/// Throws std::invalid_argument for numbers of realisations, copies or coordinates that the design
/// cannot have.
std::unique_ptr<const Design> make_design(const DesignParameters& parameters,
                                          std::vector<DesignCoordinate> coordinates);

}  // namespace tumble
