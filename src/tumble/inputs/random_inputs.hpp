// The numbers of every realisation of a study: which parameters vary, and what they are.
//
// A number depends on the seed, the realisation and its variable; neither the order of work nor
// other variables change it.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tumble/inputs/germ_map.hpp"
#include "tumble/inputs/random_laws.hpp"
#include "tumble/random/centre/centre_map.hpp"
#include "tumble/random/design/design.hpp"
#include "tumble/random/inertia/inertia_map.hpp"

namespace tumble {

/// How well the chain of a variable mixes.
struct ChainSummary {
  std::string variable;
  std::size_t burn_in, thinning;
  double acceptance;             ///< of proposals
  double effective_sample_size;  ///< of its draws; the smallest of the coordinates
  double effective_fraction;     ///< the same over the number of draws
};

/// What a realisation may take from another: one coordinate of the design, or one draw of a law
/// that is sampled in another way.
struct InputUnit {
  std::string variable;
  std::size_t number = 0;                  ///< which of the variable's coordinates
  bool alone = true;                       ///< whether the variable has no other
  std::optional<std::size_t> correlation;  ///< among RandomLaws::correlations()
};

/// Immutable; may be used by many threads.
class RandomInputs {
 public:
  /// Chains are made here, `sampling.realizations` long.
  /// @throws InputError for laws that do not exist, std::invalid_argument for a design they cannot
  /// have.
  RandomInputs(const Model& nominal, const Uncertainty& uncertainty,
               const DesignParameters& sampling);

  /// The parameters that vary: their paths, and their indices in the ParameterTable.
  const std::vector<std::string>& paths() const { return paths_; }
  const std::vector<int>& slots() const { return slots_; }
  /// Writes one value per slot. From any thread.
  void fill(std::uint64_t realization, double* values) const;

  /// What the numbers are made of; coordinates of the design come first, in their order.
  const std::vector<InputUnit>& units() const { return units_; }
  /// The same for a mixture of realisations: from[i] is the one that unit i is taken from.
  void fill(std::span<const std::uint64_t> from, double* values) const;
  /// Correlated variables that are not from the realisation `given` are those of theirs on
  /// condition of the variables that are.
  void fill_given(std::uint64_t given, std::span<const std::uint64_t> from, double* values) const;

  /// The same at a point of the unit cube that the caller chose, for inputs that are functions of
  /// their coordinates throughout (DesignParameters::by_coordinates).
  void fill_at(std::span<const double> point, double* values) const;

  const RandomLaws& laws() const { return laws_; }
  const Design& design() const { return *design_; }
  const std::vector<ChainSummary>& chains() const { return chains_; }
  /// Laws that the design reaches through a map; independent draws need none.
  const std::vector<GermMap>& germ_maps() const { return germ_maps_; }
  /// Of the laws, the design and the chains.
  std::vector<std::string> warnings() const;

 private:
  /// Where a body's numbers come from and go to.
  struct BodyPlan {
    std::size_t first = 0;                          ///< place of mass, position and inertia
    std::size_t mass = 0, centre = 0, inertia = 0;  ///< their first coordinates in the design
    CubeMap centre_map;                             ///< empty if points are drawn
    std::optional<InertiaMap> inertia_map;
    std::uint64_t centre_stream = 0, inertia_stream = 0;
    std::size_t centre_unit = 0, inertia_unit = 0;  ///< of draws from streams and chains
    std::vector<Vec3d> centre_chain;
    std::vector<Mat3d> inertia_chain;
  };
  struct ScalarPlan {
    std::size_t coordinate = 0;
    std::vector<std::size_t> places;
    bool correlated = false;
  };

  void plan_bodies(std::vector<DesignCoordinate>& coordinates);
  void plan_scalars(std::vector<DesignCoordinate>& coordinates);
  std::size_t add_slot(const std::string& path);
  bool independent() const {
    return sampling_.kind == DesignKind::monte_carlo && !sampling_.by_coordinates;
  }
  void refuse_chain(const std::string& variable) const;
  void add_map(const std::string& variable, double error);
  void plan_units(const std::vector<DesignCoordinate>& coordinates);
  /// The realisation of each unit, or a point in place of the design's.
  struct Origins {
    std::span<const std::uint64_t> realizations;
    std::span<const double> point = {};
    std::uint64_t operator[](std::size_t unit) const { return realizations[unit]; }
  };
  void fill(Origins from, std::optional<std::uint64_t> given, double* values) const;
  double u(Origins from, std::size_t coordinate) const;
  std::vector<double> scalar_numbers(Origins from, std::optional<std::uint64_t> given) const;
  double mass_of(const BodyLaws& laws, const BodyPlan& plan, Origins from,
                 const std::vector<double>& scalars) const;
  Mat3d inertia_of(const BodyLaws& laws, const BodyPlan& plan, Origins from, double mass) const;
  void fill_body(const BodyLaws& laws, const BodyPlan& plan, Origins from,
                 const std::vector<double>& scalars, double* values) const;

  RandomLaws laws_;
  DesignParameters sampling_;
  std::vector<std::string> paths_;
  std::vector<int> slots_;
  std::vector<BodyPlan> body_plans_;
  std::vector<ScalarPlan> scalar_plans_;
  std::vector<ChainSummary> chains_;
  std::vector<GermMap> germ_maps_;
  std::vector<InputUnit> units_;
  std::unique_ptr<const Design> design_;
};

}  // namespace tumble
