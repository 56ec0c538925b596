#include "tumble/inputs/variability_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "tumble/model/compile/beam_shape.hpp"
#include "tumble/model/parameters.hpp"
#include "tumble/random/law/normal_score.hpp"
#include "tumble/random/stream/variable_id.hpp"

namespace tumble {
namespace {

constexpr int fewest_checks = 128;  // 16 copies of 8 points
constexpr std::uint64_t copies_of_check = 16;

void require(bool good, const char* field, const std::string& expectation) {
  if (!good) throw std::invalid_argument(fmt::format("{} {}", field, expectation));
}

const BeamField& flexibility_of(const Model& model, const VariabilityRequest& request) {
  const auto found = std::ranges::find(model.fields, flexibility_name(request), &BeamField::name);
  if (found == model.fields.end()) throw std::logic_error("the model lacks its flexibility");
  return *found;
}

}  // namespace

VariabilityInputs::VariabilityInputs(const Model& nominal, const VariabilityRequest& request,
                                     std::uint64_t seed)
    : phases_(static_cast<std::uint64_t>(std::max(request.phases, 0))),
      check_(static_cast<std::uint64_t>(std::max(request.check, 0))),
      std_(request.std),
      kernel_(kernel_of(request.spectrum.kernel, request.spectrum.length,
                        request.spectrum.smoothness)) {
  require(request.waves.count >= 5 && request.waves.count % 2 == 1 && request.waves.count <= 4097,
          "waves.count", "must be an odd number between 5 and 4097");
  require(request.phases >= 4 && request.phases <= 1024, "phases", "must be between 4 and 1024");
  require(request.check == 0 || (request.check >= fewest_checks && request.check <= 1 << 22),
          "check", fmt::format("must be 0, or between {} and {}", fewest_checks, 1 << 22));
  const int count = request.waves.count;
  for (int i = 0; i < count; ++i) wave_numbers_.push_back(i * request.waves.to / (count - 1));

  const BeamField& field = flexibility_of(nominal, request);
  const ParameterTable table(nominal);
  for (std::size_t i = 0; i < field.germ.size(); ++i) {
    paths_.push_back(fmt::format("fields.{}.germ[{}]", field.name, i));
    slots_.push_back(table.find(paths_.back()));
  }
  if (check_ > 0) {
    std::vector<DesignCoordinate> coordinates;
    for (std::size_t i = flexibility_germ::first_normal; i < paths_.size(); ++i)
      coordinates.push_back({variable_id(paths_[i]), 0});
    DesignParameters sampling;
    sampling.kind = DesignKind::sobol;
    sampling.seed = seed;
    sampling.realizations = check_;
    sampling.randomizations = copies_of_check;
    design_ = make_design(sampling, std::move(coordinates));
  }

  variance_errors_ = flexibility_variance_errors(nominal, request);
  constexpr double told = 1e-3;
  if (const double worst = std::max(variance_errors_[0], variance_errors_[1]); worst > told)
    warnings_.push_back(fmt::format(
        "the random fields that variability response is compared with miss up to {:.2g} of their "
        "variance in places; intervals of conjecture_error allow for it",
        worst));

  const Beam& beam = nominal.beams[field.beams.front()];
  const double across = request.waves.to * beam_shape(beam).element_length;
  constexpr double coarse = std::numbers::pi / 2;  // four elements a wave
  if (across > coarse)
    warnings_.push_back(fmt::format(
        "the shortest wave of study.variability, {:.3g} m, has {:.2g} elements of beam '{}': fewer "
        "than 4 "
        "average its flexibility wrongly",
        2 * std::numbers::pi / request.waves.to, 2 * std::numbers::pi / across, request.beam));
}

void VariabilityInputs::fill(std::uint64_t realization, double* values) const {
  namespace g = flexibility_germ;
  std::fill_n(values, slots_.size(), 0.0);
  if (realization < waves()) {
    values[g::amplitude] = std::numbers::sqrt2 * std_;
    values[g::wave_number] = wave_numbers_[realization / phases_];
    values[g::phase] = 2 * std::numbers::pi * static_cast<double>(realization % phases_) /
                       static_cast<double>(phases_);
    return;
  }
  const std::uint64_t draw = realization - waves();
  values[g::law] = draw < check_ ? 1 : 2;
  for (std::size_t i = g::first_normal; i < slots_.size(); ++i)
    values[i] = standard_normal_score(design_->u(draw % check_, i - g::first_normal));
}

}  // namespace tumble
