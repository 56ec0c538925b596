#include "tumble/random/law/scalar_law.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tumble/random/law/law_kernel.hpp"
#include "tumble/random/law/normal_score.hpp"

namespace tumble {
namespace {

void check_probability(double p) {
  if (!(p > 0 && p < 1))
    throw std::invalid_argument(fmt::format(
        "probability {} must lie strictly between 0 and 1: the ends have no quantile in "
        "laws without bounds",
        p));
}

/// "truncated_normal" as a sentence has it.
std::string in_words(std::string_view type) {
  std::string words(type);
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

}  // namespace

double LawKernel::from_normal_score(double z) const {
  // No study gets to 12, a probability of 2e-33; further out the inverse of the beta distribution
  // may fail to converge.
  const double magnitude = std::min(std::abs(z), 12.0);
  const double tail = standard_normal_cdf(-magnitude);
  return z < 0 ? quantile(tail) : quantile_upper(tail);
}

ScalarLaw::ScalarLaw(const ScalarLawParameters& parameters)
    : name_(std::visit([](const auto& law) { return in_words(law.type); }, parameters)),
      kernel_(std::visit([](const auto& law) { return make_kernel(law); }, parameters)) {}

bool ScalarLaw::has_density() const { return kernel_->has_density(); }

double ScalarLaw::pdf(double x) const {
  if (!has_density())
    throw std::domain_error(
        fmt::format("{}: a law with single values of positive probability has "
                    "no density",
                    name_));
  const Support s = support();
  return x < s.min || x > s.max ? 0 : kernel_->pdf(x);
}

double ScalarLaw::cdf(double x) const {
  const Support s = support();
  return x < s.min ? 0 : x >= s.max ? 1 : kernel_->cdf(x);
}

double ScalarLaw::cdf_upper(double x) const {
  const Support s = support();
  return x < s.min ? 1 : x >= s.max ? 0 : kernel_->cdf_upper(x);
}

double ScalarLaw::quantile(double u) const {
  check_probability(u);
  return u <= 0.5 ? kernel_->quantile(u) : kernel_->quantile_upper(1 - u);
}

double ScalarLaw::quantile_upper(double q) const {
  check_probability(q);
  return q <= 0.5 ? kernel_->quantile_upper(q) : kernel_->quantile(1 - q);
}

double ScalarLaw::at_the_place_of(double x, const ScalarLaw& other) const {
  if (kernel_ == other.kernel_) return x;
  const double below = other.cdf(x);
  return below < 0.5 ? quantile(below) : quantile_upper(other.cdf_upper(x));
}

double ScalarLaw::from_normal_score(double z) const { return kernel_->from_normal_score(z); }

double ScalarLaw::mean() const { return kernel_->mean(); }
double ScalarLaw::variance() const { return kernel_->variance(); }
double ScalarLaw::std() const { return std::sqrt(variance()); }
Support ScalarLaw::support() const { return kernel_->support(); }
std::vector<double> ScalarLaw::breakpoints() const { return kernel_->breakpoints(); }
std::vector<Atom> ScalarLaw::atoms() const { return kernel_->atoms(); }

LawReport ScalarLaw::report() const {
  return {name_, kernel_->parameters(), mean(), std(), support(), warnings_, sample_warnings_};
}

}  // namespace tumble
