// The runs of a study by polynomial chaos: which random numbers there are, where the model is run,
// and what its parameters are there.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tumble/chaos/chaos_plan.hpp"
#include "tumble/chaos/error/validation_points.hpp"
#include "tumble/inputs/germ_map.hpp"
#include "tumble/inputs/random_laws.hpp"
#include "tumble/model/study/chaos_request.hpp"
#include "tumble/random/centre/centre_map.hpp"
#include "tumble/random/inertia/inertia_map.hpp"

namespace tumble {

/// How a request reads for the module chaos.
ChaosOptions chaos_options(const ChaosRequest& request, std::uint64_t seed);

/// The random inputs of a model as functions of independent germs: masses and single numbers by
/// their laws, correlated ones through normal scores, the centre of mass through the map of the
/// unit cube, the inertia through its map of normal numbers. Parameters are in the order of
/// RandomInputs. Immutable; may be used by many threads.
class ChaosInputs {
 public:
  /// @throws InputError for laws that do not exist and for inputs that are no function of
  /// independent germs, all of them; std::invalid_argument for a request that does not fit.
  ChaosInputs(const Model& nominal, const Uncertainty& uncertainty, const ChaosRequest& request,
              std::uint64_t seed);

  /// The parameters that vary: their paths, and their indices in the ParameterTable.
  const std::vector<std::string>& paths() const { return paths_; }
  const std::vector<int>& slots() const { return slots_; }
  /// Runs of the study: those that the plan fits, then those that measure its errors.
  std::uint64_t realizations() const { return plan_->runs() + validation_.weights.size(); }
  /// Writes one value per slot. From any thread.
  void fill(std::uint64_t realization, double* values) const;

  const RandomLaws& laws() const { return laws_; }
  const ChaosPlan& plan() const { return *plan_; }
  /// Empty if none was asked for.
  const ValidationPoints& validation() const { return validation_; }
  /// Laws that are reached through a map.
  const std::vector<GermMap>& germ_maps() const { return germ_maps_; }
  /// Of the laws and the plan.
  std::vector<std::string> warnings() const;

 private:
  /// Where a body's numbers come from and go to.
  struct BodyPlan {
    std::size_t first = 0;                          ///< place of mass, position and inertia
    std::size_t mass = 0, centre = 0, inertia = 0;  ///< first germs
    bool is_input = false;                          ///< the mass: the germ was made for its law
    std::optional<CentreMap> centre_map;
    std::optional<InertiaMap> inertia_map;
  };
  struct ScalarPlan {
    std::size_t germ = 0;
    std::vector<std::size_t> places;
  };

  InputSpace plan_bodies(const Model& nominal, GermChoice choice);
  void plan_scalars(InputSpace& space, GermChoice choice);
  void add_map(const std::string& variable, double error);
  double mass_of(const BodyLaws& laws, const BodyPlan& plan, std::span<const double> germs,
                 std::span<const double> inputs) const;
  void fill_body(const BodyLaws& laws, const BodyPlan& plan, std::span<const double> germs,
                 std::span<const double> inputs, double* values) const;

  RandomLaws laws_;
  std::vector<std::string> paths_;
  std::vector<int> slots_;
  std::vector<BodyPlan> body_plans_;
  std::vector<ScalarPlan> scalar_plans_;
  std::vector<GermMap> germ_maps_;
  std::optional<ChaosPlan> plan_;
  ValidationPoints validation_;
};

}  // namespace tumble
