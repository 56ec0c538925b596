#include "tumble/inputs/worst_case_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "tumble/chaos/box_bounds.hpp"
#include "tumble/inputs/chaos_inputs.hpp"
#include "tumble/model/parameters.hpp"

namespace tumble {
namespace {

/// Everything that is random and not an interval, with what to do about it.
std::vector<Diagnostic> without_interval(const Model& nominal, const Uncertainty& uncertainty) {
  std::vector<Diagnostic> mistakes;
  const auto refuse = [&](const std::string& entry, const std::string& field,
                          const std::string& why) {
    mistakes.push_back(uncertainty_mistake(nominal, entry, field,
                                           "method: worst-case knows intervals only: " + why));
  };
  const auto instead = [](const std::string& path) {
    return fmt::format(
        "give the parameter an interval, as in {}: {{law: uniform, min: ..., max: ...}}", path);
  };
  for (const BodyUncertainty& body : uncertainty.bodies) {
    if (body.mass)
      refuse(body.body, "mass",
             "the maximum-entropy law of a mass has no upper end; " +
                 instead(fmt::format("bodies.{}.mass", body.body)));
    if (body.center_of_mass)
      refuse(body.body, "center_of_mass",
             "a region is no box of single numbers; " +
                 instead(fmt::format("bodies.{}.position[0]", body.body)));
    if (body.inertia)
      refuse(body.body, "inertia",
             "the entries of a random inertia depend on each other; " +
                 instead(fmt::format("bodies.{}.inertia[0]", body.body)));
    if (body.modal_stiffness)
      refuse(body.body, "modal_stiffness",
             "a random matrix has no bounds; " +
                 instead(fmt::format("bodies.{}.modal.stiffness_factor", body.body)));
  }
  for (const BeamUncertainty& beam : uncertainty.beams)
    refuse(beam.beam, {}, "a random field has no bounds; " + instead("a parameter of the beam"));
  for (const SharedFieldInput& field : uncertainty.shared_fields)
    refuse(field.name, {}, "a random field has no bounds; " + instead("a parameter of the beam"));
  for (const BushingUncertainty& bushing : uncertainty.bushings)
    refuse(bushing.bushing, bushing.stiffness ? "stiffness" : "damping",
           "a random matrix has no bounds; " +
               instead(fmt::format("forces.{}.{}[0]", bushing.bushing,
                                   bushing.stiffness ? "stiffness" : "damping")));
  for (std::size_t i = 0; i < uncertainty.correlations.size(); ++i)
    refuse(uncertainty.correlations.size() > 1 ? fmt::format("correlation[{}]", i) : "correlation",
           {}, "numbers in a box do not depend on each other; leave it out");
  for (const ScalarUncertainty& scalar : uncertainty.scalars) {
    if (is_germ(scalar.name)) continue;  // of a random field or matrix, which was refused
    try {
      const ScalarLaw law(scalar.law);
      const Support ends = law.support();
      if (!law.atoms().empty())
        refuse(scalar.name, {},
               fmt::format("a {} law has single values and nothing between them; give its ends as "
                           "{{law: uniform, min: {}, max: {}}}",
                           law.name(), format_number(ends.min), format_number(ends.max)));
      else if (!std::isfinite(ends.min) || !std::isfinite(ends.max))
        refuse(scalar.name, {},
               fmt::format("a {} law has no {} end; truncated_normal with min and max has, and "
                           "uniform",
                           law.name(), std::isfinite(ends.min) ? "upper" : "lower"));
    } catch (const std::invalid_argument&) {
      continue;  // a law that does not exist: RandomLaws says so
    }
  }
  return mistakes;
}

const Uncertainty& require_intervals(const Model& nominal, const Uncertainty& uncertainty) {
  if (auto mistakes = without_interval(nominal, uncertainty); !mistakes.empty())
    throw InputError(std::move(mistakes));
  return uncertainty;
}

ChaosRequest plan_request(const WorstCaseRequest& request) {
  ChaosRequest plan;
  plan.points = request.points;
  plan.degree = request.degree;
  plan.level = request.level;
  plan.runs = request.runs;
  // Extremes are what counts, and where runs fail nothing is known: polynomials of the others are
  // better than none, and the failures are told.
  plan.on_failure = ChaosOnFailure::regression;
  return plan;
}

}  // namespace

double IntervalInput::value(double germ) const {
  if (germ <= -1) return min;
  if (germ >= 1) return max;
  return std::clamp(0.5 * (min * (1 - germ) + max * (1 + germ)), min, max);
}

WorstCaseInputs::WorstCaseInputs(const Model& nominal, const Uncertainty& uncertainty,
                                 const WorstCaseRequest& request, std::uint64_t seed,
                                 std::uint64_t block)
    : laws_(nominal, require_intervals(nominal, uncertainty)) {
  InputSpace space;
  const ParameterTable table(nominal);
  for (const ScalarVariable& scalar : laws_.scalars()) {
    const Support ends = scalar.law.support();
    IntervalInput& input =
        intervals_.emplace_back(IntervalInput{scalar.name, ends.min, ends.max, {}});
    space.add(scalar.name,
              ScalarLaw(BetaLaw{.alpha = 0.5, .beta = 0.5, .min = ends.min, .max = ends.max}));
    for (const std::string& path : scalar.paths) {
      input.places.push_back(paths_.size());
      owner_.push_back(intervals_.size() - 1);
      paths_.push_back(path);
      slots_.push_back(table.find(path));
    }
  }
  plan_.emplace(std::move(space), chaos_options(plan_request(request), seed));

  const std::size_t fitted = plan_->runs(), germs = intervals_.size();
  const std::size_t least = fitted + static_cast<std::size_t>(request.validation);
  const std::size_t all = (least + block - 1) / block * block;
  // Responses are mostly largest in corners; the rest looks everywhere.
  const DenseMatrix corners = box_corners(germs, (all - fitted) / 2);
  const DenseMatrix inside =
      box_points(germs, all - fitted - corners.rows(), seed, "kept out of the fit");
  points_ = DenseMatrix(all, germs);
  const auto copy = [&](const DenseMatrix& from, std::size_t first) {
    for (std::size_t i = 0; i < from.rows(); ++i)
      std::ranges::copy(from.row(i), points_.row(first + i).begin());
  };
  copy(plan_->points(), 0);
  copy(corners, fitted);
  copy(inside, fitted + corners.rows());
}

void WorstCaseInputs::fill(std::span<const double> germs, double* values) const {
  for (std::size_t k = 0; k < intervals_.size(); ++k) {
    const double value = intervals_[k].value(germs[k]);
    for (const std::size_t place : intervals_[k].places) values[place] = value;
  }
}

std::vector<std::string> WorstCaseInputs::announcements() const {
  std::vector<std::string> all;
  for (const ScalarVariable& scalar : laws_.scalars()) {
    if (scalar.law.name() == UniformLaw::type) continue;
    const Support ends = scalar.law.support();
    all.push_back(fmt::format("{}: of its law ({}) the ends alone count, {} and {}", scalar.name,
                              scalar.law.name(), format_number(ends.min), format_number(ends.max)));
  }
  return all;
}

}  // namespace tumble
