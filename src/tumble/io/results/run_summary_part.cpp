#include "tumble/io/results/run_summary_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tumble {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
/// Realisations that are compressed together. HDF5 remembers where each piece is while a file is
/// open: pieces of 1024 took 5 MiB more for a million realisations.
constexpr std::size_t piece = 8192;

/// Mean of the squares of realisations so far, with what its error needs.
class MeanSquare {
 public:
  explicit MeanSquare(const Sampling& sampling)
      : sampling_(sampling), copies_(sampling.in_copies() ? sampling.randomizations : 1) {
    counts_.resize(copies_);
    sums_.resize(copies_);
  }

  void add(std::uint64_t realization, double y) {
    ++n_;
    const double d = y - mean_;
    mean_ += d / static_cast<double>(n_);
    squares_ += d * (y - mean_);
    ++counts_[realization % copies_];
    sums_[realization % copies_] += y;
  }
  /// sqrt(mean); NaN without any.
  double root() const { return n_ == 0 ? nan : std::sqrt(mean_); }
  /// Its standard error, se(mean) / (2 sqrt(mean)).
  double error() const {
    if (n_ < 2 || !sampling_.has_errors()) return nan;
    const double of_mean =
        sampling_.in_copies()
            ? error_of_copies()
            : std::sqrt(squares_ / static_cast<double>(n_ - 1) / sampling_.worth(n_));
    return of_mean == 0 ? 0.0 : of_mean / (2 * root());
  }

 private:
  double error_of_copies() const {
    std::vector<double> means;
    for (std::size_t c = 0; c < copies_; ++c)
      means.push_back(counts_[c] == 0 ? 0 : sums_[c] / static_cast<double>(counts_[c]));
    return error_from_copies(means, counts_);
  }

  const Sampling& sampling_;
  const std::uint64_t copies_;
  std::uint64_t n_ = 0;
  double mean_ = 0, squares_ = 0;
  std::vector<std::uint64_t> counts_;
  std::vector<double> sums_;
};

}  // namespace

std::vector<std::uint64_t> convergence_counts(std::uint64_t realizations) {
  std::vector<std::uint64_t> counts;
  for (int k = 0;; ++k) {
    const auto n = static_cast<std::uint64_t>(std::llround(std::pow(2.0, 0.25 * k)));
    if (n >= realizations) break;
    if (counts.empty() || counts.back() < n) counts.push_back(n);
  }
  counts.push_back(realizations);
  return counts;
}

RunSummaryPart::RunSummaryPart(NetcdfWriter& file, const NominalPart& nominal,
                               const EnsembleResults& results, int realization)
    : file_(file),
      nominal_(nominal),
      results_(results),
      layout_(results.statistics->moments().layout()),
      output_step_(results.nominal->times.size() > 1
                       ? results.nominal->times[1] - results.nominal->times[0]
                       : 0.0),
      convergence_counts_(convergence_counts(results.realizations)),
      out_of_range_(layout_.numbers(), 0) {
  if (has_convergence()) {
    convergence_dimension_ = file.dimension("convergence_n", convergence_counts_.size());
    convergence_n_ = file.variable("convergence_n", NC_INT64, {convergence_dimension_});
    file.attribute(convergence_n_, "long_name", "number of realisations, in the order of indices");
  }
  for (const ProbeSeries& series : results.nominal->series)
    variables_.push_back(define(series, realization));
}

bool RunSummaryPart::has_range(std::size_t q) const {
  return q < results_.ranges.size() && results_.ranges[q].has_value();
}

RunSummaryPart::Variables RunSummaryPart::define(const ProbeSeries& series, int realization) {
  const std::size_t pieces = std::min<std::size_t>(results_.realizations, piece);
  const auto peak = [&](const char* statistic, const char* remark, bool time) {
    const int id = nominal_.define(file_, series, statistic, {realization}, remark,
                                   time ? VariableForm{NC_DOUBLE, "s"} : VariableForm{});
    std::vector<std::size_t> sizes{pieces};
    if (series.size > 1) sizes.push_back(static_cast<std::size_t>(series.size));
    // Times are those of outputs and come again and again; values do not. Where there are few,
    // compressing them takes longer than they are worth.
    constexpr std::uint64_t few = 8192;
    file_.chunk(id, sizes,
                time && results_.realizations > few ? NetcdfWriter::Pieces::compressed
                                                    : NetcdfWriter::Pieces::plain);
    return id;
  };
  const auto nominal_peak = [&](const char* statistic, const char* remark, bool time) {
    return nominal_.define(file_, series, statistic, {}, remark,
                           time ? VariableForm{NC_DOUBLE, "s"} : VariableForm{});
  };
  Variables v{};
  v.minimum = peak("peak_min", " (smallest value over the output times that count)", false);
  v.minimum_time = peak("peak_min_time", " (when it is smallest)", true);
  v.maximum = peak("peak_max", " (largest value over the output times that count)", false);
  v.maximum_time = peak("peak_max_time", " (when it is largest)", true);
  v.nominal_minimum =
      nominal_peak("nominal_peak_min", " (smallest value over the output times)", false);
  v.nominal_minimum_time = nominal_peak("nominal_peak_min_time", " (when it is smallest)", true);
  v.nominal_maximum =
      nominal_peak("nominal_peak_max", " (largest value over the output times)", false);
  v.nominal_maximum_time = nominal_peak("nominal_peak_max_time", " (when it is largest)", true);

  const std::string unit(info(series.quantity).unit);
  const VariableForm square{NC_DOUBLE, unit.empty() ? "s" : fmt::format("({})^2 s", unit), false};
  // UDUNITS, by which CF units are read, knows no roots of units.
  const VariableForm root{NC_DOUBLE, {}, false, true};
  const std::string root_unit =
      fmt::format(" [{}{}square root of s]", unit, unit.empty() ? "" : " times the ");
  v.square_integral =
      nominal_.define(file_, series, "square_integral", {realization},
                      " (integral of the squared length over the run; NaN if it failed)", square);
  file_.chunk(v.square_integral, {pieces}, NetcdfWriter::Pieces::plain);
  if (has_convergence()) {
    v.convergence = nominal_.define(
        file_, series, "convergence", {convergence_dimension_},
        " (root of the mean of the square integrals of the first n realisations)" + root_unit,
        root);
    v.convergence_error = nominal_.define(file_, series, "convergence_se", {convergence_dimension_},
                                          " (its standard error)" + root_unit, root);
  }
  const std::size_t q = variables_.size();
  if (has_range(q)) {
    v.out_of_range = nominal_.define(
        file_, series, "out_of_range", {},
        fmt::format(" (realisations that did not fail and left the declared range [{}, {}])",
                    format_number(results_.ranges[q]->lower),
                    format_number(results_.ranges[q]->upper)),
        {NC_INT64, "1"});
  }
  return v;
}

void RunSummaryPart::put(const LeafRecord& leaf) {
  const RunSummaries& summaries = leaf.summaries;
  const std::size_t count = leaf.realizations(), numbers = layout_.numbers();
  if (summaries.peaks.size() != count * numbers ||
      summaries.square_integrals.size() != count * layout_.quantities())
    throw std::logic_error("a leaf lacks the summaries of its runs");
  const std::vector<double>& times = results_.nominal->times;
  for (std::size_t q = 0; q < layout_.quantities(); ++q) {
    const std::size_t size = layout_.size(q), first = layout_.number(q);
    std::vector<double> minimum, minimum_time, maximum, maximum_time, integrals;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t a = 0; a < size; ++a) {
        const Peak& peak = summaries.peaks[i * numbers + first + a];
        const bool any = !std::isnan(peak.minimum);
        minimum.push_back(peak.minimum);
        maximum.push_back(peak.maximum);
        minimum_time.push_back(any ? times[peak.minimum_time] : nan);
        maximum_time.push_back(any ? times[peak.maximum_time] : nan);
        if (has_range(q) && leaf.outcomes[i].status == RealizationStatus::ok &&
            (peak.minimum < results_.ranges[q]->lower || peak.maximum > results_.ranges[q]->upper))
          ++out_of_range_[first + a];
      }
      integrals.push_back(summaries.square_integrals[i * layout_.quantities() + q] * output_step_);
    }
    const Variables& v = variables_[q];
    std::vector<std::size_t> start{leaf.first()}, counts{count};
    file_.put(v.square_integral, start, counts, integrals.data());
    if (size > 1) {
      start.push_back(0);
      counts.push_back(size);
    }
    file_.put(v.minimum, start, counts, minimum.data());
    file_.put(v.minimum_time, start, counts, minimum_time.data());
    file_.put(v.maximum, start, counts, maximum.data());
    file_.put(v.maximum_time, start, counts, maximum_time.data());
  }
}

std::vector<std::string> RunSummaryPart::finish() {
  if (has_convergence())
    file_.put(convergence_n_,
              std::vector<long long>(convergence_counts_.begin(), convergence_counts_.end()));
  std::vector<std::string> sentences;
  for (std::size_t q = 0; q < layout_.quantities(); ++q) {
    put_nominal(q);
    if (has_convergence()) put_convergence(q);
    if (!has_range(q)) continue;
    const auto first = out_of_range_.begin() + static_cast<std::ptrdiff_t>(layout_.number(q));
    const std::vector<long long> counts(first,
                                        first + static_cast<std::ptrdiff_t>(layout_.size(q)));
    file_.put(variables_[q].out_of_range, counts);
    const ProbeSeries& series = results_.nominal->series[q];
    const QuantityInfo& quantity = info(series.quantity);
    for (std::size_t a = 0; a < counts.size(); ++a)
      if (counts[a] > 0)
        sentences.push_back(fmt::format(
            "{}.{}{}: {} realisations left the declared range [{}, {}] {}", series.probe,
            quantity.name, counts.size() > 1 ? fmt::format("[{}]", a) : "", counts[a],
            format_number(results_.ranges[q]->lower), format_number(results_.ranges[q]->upper),
            quantity.unit));
  }
  return sentences;
}

void RunSummaryPart::put_nominal(std::size_t q) {
  const ProbeSeries& series = results_.nominal->series[q];
  const std::vector<double>& times = results_.nominal->times;
  const StatisticsLayout alone(times.size(), {static_cast<std::uint32_t>(series.size)});
  std::vector<double> minimum, minimum_time, maximum, maximum_time;
  for (const Peak& peak : find_peaks(alone, series.values.data(), 1, times.size())) {
    minimum.push_back(peak.minimum);
    minimum_time.push_back(times[peak.minimum_time]);
    maximum.push_back(peak.maximum);
    maximum_time.push_back(times[peak.maximum_time]);
  }
  const Variables& v = variables_[q];
  file_.put(v.nominal_minimum, minimum);
  file_.put(v.nominal_minimum_time, minimum_time);
  file_.put(v.nominal_maximum, maximum);
  file_.put(v.nominal_maximum_time, maximum_time);
}

/// The mean-square norm of the response, by whose convergence Batou and Soize (2012) chose their
/// number of realisations; they print no formula, this is ours:
///   Conv(n) = sqrt((1/n) sum_{j <= n} integral |q(t; theta_j)|^2 dt),
/// over those of the first n that did not fail. Summed in the order of indices, which leaves do not
/// come in: from what the file holds by now.
void RunSummaryPart::put_convergence(std::size_t q) {
  MeanSquare mean(results_.sampling);
  std::vector<double> curve, error;
  std::uint64_t next = 0;
  std::vector<double> integrals;
  for (const std::uint64_t n : convergence_counts_) {
    while (next < n) {
      integrals.resize(std::min<std::uint64_t>(piece - next % piece, n - next));
      file_.get(variables_[q].square_integral, next, integrals);
      for (const double y : integrals) {
        if (!std::isnan(y)) mean.add(next, y);
        ++next;
      }
    }
    curve.push_back(mean.root());
    error.push_back(mean.error());
  }
  file_.put(variables_[q].convergence, curve);
  file_.put(variables_[q].convergence_error, error);
}

}  // namespace tumble
