// The designs there are; make_design() chooses.
#pragma once
#include <vector>

#include "tumble/random/design/design.hpp"
#include "tumble/random/design/shuffle.hpp"
#include "tumble/random/design/sobol_sequence.hpp"

namespace tumble {

/// The numbers of the streams themselves: what Draws gives.
class MonteCarloDesign : public Design {
 public:
  MonteCarloDesign(const DesignParameters& parameters, std::vector<DesignCoordinate> coordinates);
  double u(std::uint64_t realization, std::size_t coordinate) const override;
  std::size_t dimension() const override { return coordinates_.size(); }
  bool can_be_extended() const override { return true; }
  std::uint64_t randomizations() const override { return 0; }
  std::vector<std::string> warnings(std::uint64_t) const override { return {}; }

 private:
  std::uint64_t seed_;
  std::vector<DesignCoordinate> coordinates_;
};

/// Each of R copies has n = N / R points; if that is not whole, the first N mod R have one more
/// than the others. In every coordinate a random permutation puts them into the strata [k / n, (k +
/// 1) / n), where they lie at random (M. D. McKay, R. J. Beckman, W. J. Conover, Technometrics 21,
/// 1979).
class LatinHypercubeDesign : public Design {
 public:
  LatinHypercubeDesign(const DesignParameters& parameters,
                       std::vector<DesignCoordinate> coordinates);
  double u(std::uint64_t realization, std::size_t coordinate) const override;
  std::size_t dimension() const override { return coordinates_.size(); }
  bool can_be_extended() const override { return false; }
  std::uint64_t randomizations() const override { return randomizations_; }
  std::vector<std::string> warnings(std::uint64_t realizations) const override;

 private:
  std::uint64_t strata(std::uint64_t copy) const;  ///< n

  std::uint64_t seed_, randomizations_, realizations_;
  std::vector<DesignCoordinate> coordinates_;
  std::vector<Shuffle> shuffles_;  ///< one for each copy and coordinate
};

/// Each of R copies is the Sobol' sequence with a scrambling of its own (owen_scrambling.hpp).
class SobolDesign : public Design {
 public:
  SobolDesign(const DesignParameters& parameters, std::vector<DesignCoordinate> coordinates);
  double u(std::uint64_t realization, std::size_t coordinate) const override;
  std::size_t dimension() const override { return coordinates_.size(); }
  bool can_be_extended() const override { return true; }
  std::uint64_t randomizations() const override { return randomizations_; }
  std::vector<std::string> warnings(std::uint64_t realizations) const override;

 private:
  std::uint64_t seed_, randomizations_;
  std::vector<DesignCoordinate> coordinates_;
  SobolSequence sequence_;
};

/// Walks of d + 1 points over the grid (l + 1/2) / p, l = 0 ... p - 1. A walk begins at a random
/// point and moves each coordinate once, in random order, by half of the unit interval (M. D.
/// Morris, Technometrics 33, 1991; his grid holds the ends 0 and 1, where laws may be infinite).
class MorrisDesign : public Design {
 public:
  MorrisDesign(const DesignParameters& parameters, std::vector<DesignCoordinate> coordinates);
  double u(std::uint64_t realization, std::size_t coordinate) const override;
  std::size_t dimension() const override { return coordinates_.size(); }
  bool can_be_extended() const override { return true; }
  std::uint64_t randomizations() const override { return 0; }
  std::vector<std::string> warnings(std::uint64_t) const override { return {}; }

  /// The coordinate that moves between points `step` and `step + 1` of a walk.
  std::size_t moved(std::uint64_t walk, std::size_t step) const;
  static constexpr double jump = 0.5;  ///< by which it moves, up or down

 private:
  /// In which step of its walk a coordinate moves.
  std::size_t step_of(std::uint64_t walk, std::size_t coordinate) const;

  std::uint64_t seed_, levels_;
  std::vector<DesignCoordinate> coordinates_;
};

}  // namespace tumble
