// What a study may be asked for beside its statistics: densities at some times, and to go on until
// its errors are small.
#pragma once
#include <cstddef>

#include "tumble/model/model.hpp"

namespace tumble {

struct DensityRequest {
  std::vector<double> times;
  int points = 200;
  double bandwidth_factor = 1;

  static constexpr std::string_view doc =
      "Probability densities of all probed numbers at some times, by Gaussian kernels. Needs "
      "`quantile_method: exact`.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"times", "s", "output times", Range::non_negative, true}, s.times);
    v(Entry{"points", "", "how many abscissae each density has"}, s.points);
    v(Entry{"bandwidth_factor", "",
            "on the bandwidth of Silverman's rule, h = 0.9 min(s, IQR/1.34) n^(-1/5)",
            Range::positive},
      s.bandwidth_factor);
  }
};

struct StoppingRequest {
  std::vector<std::string> probes;
  std::vector<std::string> quantities;
  std::optional<double> relative_mean_error;
  std::optional<double> relative_quantile_width;
  int check_every = 512;

  static constexpr std::string_view doc =
      "Ends the study once its errors are small enough; `realizations` is then the most there can "
      "be. At least one of the two limits is needed.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"probes", "",
            "what has to meet the limits, `probe` or `probe.quantity`; every probed number if this "
            "and `quantities` are left out"},
      s.probes);
    v(Entry{"quantities", "", "quantities of interest that have to meet the limits"}, s.quantities);
    v(Entry{"relative_mean_error", "",
            "limit of the largest standard error of the mean over the run, relative to the largest "
            "root-mean-square value",
            Range::positive},
      s.relative_mean_error);
    v(Entry{"relative_quantile_width", "",
            "limit of the largest confidence interval of the quantiles (1-Pc)/2, 0.5, (1+Pc)/2, "
            "relative to the largest distance between the outer ones",
            Range::positive},
      s.relative_quantile_width);
    v(Entry{"check_every", "",
            "look first after so many realisations, then each time half as many have been added, "
            "in whole multiples; rounded up to blocks of 64"},
      s.check_every);
  }
};

/// Whether limits are for probed numbers, for quantities of interest, or for both.
inline bool looks_at_probes(const StoppingRequest& request) {
  return !request.probes.empty() || request.quantities.empty();
}

/// Which output time this is, within rounding; none if it is none.
std::optional<std::size_t> output_index(const Simulation& simulation, double time);

/// Places, among the quantities of all probes, of those that `name` names: all of a probe, or
/// `probe.quantity`. None if there is no such thing.
std::vector<std::size_t> named_quantities(const Model& model, std::string_view name);

}  // namespace tumble
