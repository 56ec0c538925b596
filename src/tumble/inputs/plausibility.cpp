#include "tumble/inputs/plausibility.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tumble/model/parameters.hpp"
#include "tumble/random/law/normal_score.hpp"

namespace tumble {
namespace {

/// One in ten million is not worth a word.
constexpr double least_probability = 1e-7;
/// Numbers that differ from the nominal one by such a factor are hardly in the same unit.
constexpr double most_ratio = 100.0;
/// A domain of the centre of mass is at most about as wide as the body, some four radii of
/// gyration.
constexpr double most_widths = 100.0;

/// Which values of a law the model refuses, as a function of the normal score z of the value.
class Trials {
 public:
  Trials(const ScalarLaw& law, const std::vector<std::string>& paths, const Model& nominal)
      : law_(law), realization_(nominal) {
    const ParameterTable table(nominal);
    for (const std::string& path : paths) slots_.push_back(table.find(path));
    usable_ = std::ranges::find(slots_, -1) == slots_.end() && check(nominal).empty();
  }

  bool usable() const { return usable_; }
  /// P(the value is refused): the refused part of a few intervals of z, whose ends are found by
  /// bisection.
  double probability() {
    const double end = -standard_normal_score(least_probability);
    const std::array<double, 9> marks{-end, -3.5, -2, -1, 0, 1, 2, 3.5, end};
    double sum = 0, begin = -end;
    bool before = refused(-end);
    if (before) sum += least_probability;
    for (std::size_t i = 1; i < marks.size(); ++i) {
      const bool now = refused(marks[i]);
      if (now != before) {
        const double edge = bisect(marks[i - 1], marks[i], before);
        if (before) sum += between(begin, edge);
        begin = edge;
      }
      before = now;
    }
    if (before) sum += between(begin, end) + least_probability;
    return sum;
  }
  const std::string& reason() const { return reason_; }

 private:
  static double between(double a, double b) {
    return a > 0 ? standard_normal_cdf(-a) - standard_normal_cdf(-b)
                 : standard_normal_cdf(b) - standard_normal_cdf(a);
  }

  double bisect(double low, double high, bool at_low) {
    for (int i = 0; i < 40; ++i) {
      const double middle = 0.5 * (low + high);
      (refused(middle) == at_low ? low : high) = middle;
    }
    return 0.5 * (low + high);
  }

  bool refused(double z) {
    const double value = law_.from_normal_score(z);
    for (const int slot : slots_) realization_.set(slot, value);
    const std::vector<Diagnostic> mistakes = check(realization_.model());
    if (mistakes.empty()) return false;
    const Diagnostic& first = mistakes.front();
    reason_ = fmt::format("{}{}{} {}", first.element, first.element.empty() ? "" : ": ",
                          first.field, first.expectation);
    return true;
  }

  const ScalarLaw& law_;
  Realization realization_;
  std::vector<int> slots_;
  bool usable_ = false;
  std::string reason_;
};

std::string percent(double probability) {
  return probability < 0.1 ? fmt::format("{:.2g} %", 100 * probability)
                           : fmt::format("{:.0f} %", 100 * probability);
}

/// What keeps to possible values.
std::string_view remedy(const std::vector<std::string>& paths) {
  const auto of_inertia = [](const std::string& path) {
    return path.starts_with("bodies.") && path.find(".inertia") != std::string::npos;
  };
  return std::ranges::any_of(paths, of_inertia)
             ? "the law of all six numbers that `inertia` under the body's name in `uncertainty` is"
             : "a law that keeps to possible values, lognormal, gamma or truncated_normal for "
               "example,";
}

}  // namespace

std::vector<std::string> doubts_about(const ScalarLaw& law, const std::vector<std::string>& paths,
                                      const Model& nominal) {
  std::vector<std::string> doubts;
  Trials trials(law, paths, nominal);
  if (!trials.usable()) return doubts;
  if (const double p = trials.probability(); p >= least_probability)
    doubts.push_back(fmt::format(
        "with a probability of {} its value is impossible while all others are nominal ({}), and "
        "such realisations fail; {} avoids it",
        percent(p), trials.reason(), remedy(paths)));
  const Realization model(nominal);
  const ParameterTable table(nominal);
  for (const std::string& path : paths) {
    const double value = std::fabs(model.get(table.find(path)));
    const double size = std::max(std::fabs(law.mean()), law.std());
    if (value == 0 || (size < most_ratio * value && size * most_ratio > value)) continue;
    doubts.push_back(
        fmt::format("its {} {:.4g} is {:.3g} times the nominal value {:.4g} of {}: is "
                    "the unit right?",
                    std::fabs(law.mean()) >= law.std() ? "mean" : "deviation",
                    std::fabs(law.mean()) >= law.std() ? law.mean() : law.std(), size / value,
                    model.get(table.find(path)), path));
  }
  return doubts;
}

// The trace of Z = (tr(J)/2 I - J)/m is the mean square distance of mass from the centre of mass.
std::vector<std::string> doubts_about(const CentreLaw& law, const Body& body) {
  if (!body.rotates) return {};
  const double gyration =
      std::sqrt((body.inertia[0] + body.inertia[1] + body.inertia[2]) / (2 * body.mass));
  const Bounds bounds = law.domain().bounds();
  const double width = norm(bounds.upper - bounds.lower);
  if (!(width > most_widths * gyration)) return {};
  return {fmt::format(
      "the {} of the centre of mass is {:.3g} m across, {:.2g} times the radius of gyration {:.3g} "
      "m of the body: lengths are in metres{}",
      law.domain().kind(), width, width / gyration, gyration,
      law.domain().kind() == "mesh" ? "; scale: 0.001 reads a file in millimetres" : "")};
}

std::vector<std::string> doubts_about(const InertiaLaw& law) {
  if (!law.report().bound) return {};
  const auto reach = [](const Mat3d& moments) {
    return std::sqrt(moments(0, 0) + moments(1, 1) + moments(2, 2));
  };
  const double bound = reach(law.scale().moments_of(*law.report().bound)),
               gyration = reach(law.report().moments);
  if (!(bound > most_widths * gyration)) return {};
  return {fmt::format(
      "z_max lets mass be {:.3g} m from the centre of mass, {:.2g} times the radius of gyration "
      "{:.3g} m of the body: lengths are in metres",
      bound, bound / gyration, gyration)};
}

}  // namespace tumble
