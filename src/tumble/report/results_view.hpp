// Results as a report reads them: variable by variable, fewer times where there are many.
#pragma once
#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>

#include "tumble/base/diagnostic.hpp"
#include "tumble/io/model_reader.hpp"
#include "tumble/io/netcdf/netcdf_reader.hpp"
#include "tumble/report/blob.hpp"

namespace tumble::report {

/// How many bytes of a study go into the page, before base64 makes 4 of 3. A page must stay small
/// enough to be mailed, whatever the study: docs/guide/report.md.
struct Budget {
  std::size_t curves = 4'500'000;
  std::size_t samples = 1'200'000;       ///< curves of selected realisations
  std::size_t scene = 3'000'000;         ///< 0: no scene
  std::size_t realizations = 1'500'000;  ///< inputs and peaks of single ones
  std::size_t field_samples = 40;        ///< realisations of each random field, a number

  static constexpr std::size_t most_times = 2001, most_frames = 301, most_realizations = 4000,
                               most_failed = 1000, most_samples = 40;
  /// The share of one of several studies in a page.
  Budget divided(std::size_t studies) const {
    return {curves / studies, samples / studies, scene / studies, realizations / studies,
            field_samples};
  }
};

/// One quantity of one probe: the variables <prefix>_<statistic>.
struct ProbedQuantity {
  std::string probe, quantity, prefix;
  std::string unit, description;
  std::vector<std::string> axes;  ///< of components; one empty name for a scalar
  bool is_vector() const { return axes.size() == 3; }
};

class ResultsView {
 public:
  /// `directory` holds results.nc. @throws std::runtime_error if it does not, or if the file holds
  /// a sweep, which is several studies.
  ResultsView(const std::filesystem::path& directory, const Budget& budget);

  const NetcdfReader& file() const { return file_; }
  const Budget& budget() const { return budget_; }
  const std::vector<ProbedQuantity>& quantities() const { return quantities_; }
  /// Absent if it cannot be read any more, for example because a file it refers to is gone; then
  /// model_problem() says why.
  const std::optional<ModelFile>& model() const { return model_; }
  const std::string& model_problem() const { return model_problem_; }
  /// Whether the model had forces or constraints of another program, which are not in the results.
  bool lacks_elements() const;
  const std::string& model_path() const { return model_path_; }

  bool is_study() const { return realizations_ > 0; }
  std::size_t realizations() const { return realizations_; }  ///< 0 for a single run
  std::string method() const;
  /// Whether realisations are draws, so that how many lie where says something about the law.
  /// Points that a method chose are none.
  bool holds_draws() const;
  /// All output times, and which of them the page shows: evenly chosen, the last one and break
  /// points always among them.
  const std::vector<double>& times() const { return times_; }
  const std::vector<std::size_t>& shown_times() const { return shown_times_; }
  std::vector<double> times_shown() const;

  /// Numbers of a variable, or nothing if the file has none of this name. Of a variable over time
  /// those at the times shown.
  std::optional<std::vector<double>> numbers(const std::string& name) const;
  std::vector<std::string> text(const std::string& name) const;  ///< empty if there is none
  /// The lines of a global attribute.
  std::vector<std::string> lines(const char* attribute) const;

  /// Numbers of a variable over realisations, piece by piece: visit(first, values, count), with
  /// `values` [count][entries of one realisation].
  using Visitor = std::function<void(std::size_t first, const double* values, std::size_t count)>;
  void for_each_realization(const NetcdfReader::Variable& variable, const Visitor& visit) const;
  /// How `count` realisations ended: 0 ok, 1 failed, 2 inadmissible.
  std::vector<std::uint8_t> status(std::size_t first, std::size_t count) const;
  /// Calls f with the number and the status of every realisation.
  template <class F>
  void for_each_status(const F& f) const {
    for (std::size_t first = 0; first < realizations_; first += piece) {
      const std::vector<std::uint8_t> some = status(first, std::min(piece, realizations_ - first));
      for (std::size_t i = 0; i < some.size(); ++i) f(first + i, some[i]);
    }
  }

 private:
  void read_model();
  void find_quantities();
  void add_quantity(const std::string& probe, const std::string& quantity);
  void choose_times();

  /// Realisations in memory at a time.
  static constexpr std::size_t piece = 65536;

  Budget budget_;
  NetcdfReader file_;
  std::optional<ModelFile> model_;
  std::string model_problem_, model_path_;
  std::vector<ProbedQuantity> quantities_;
  std::size_t realizations_ = 0;
  std::vector<double> times_;
  std::vector<std::size_t> shown_times_;
};

/// The statistics of a curve that are functions of time, as variables and in the page; beside them
/// it has plain_statistics().
inline constexpr const char* statistics_over_time[] = {"mean",
                                                       "std",
                                                       "mean_se",
                                                       "std_se",
                                                       "mean_error",
                                                       "std_error",
                                                       "chaos_error",
                                                       "quantile",
                                                       "quantile_lower",
                                                       "quantile_upper",
                                                       "cov",
                                                       "principal_std",
                                                       "principal_axes",
                                                       "sobol_first",
                                                       "sobol_total",
                                                       "sobol_group",
                                                       "sobol_group_total",
                                                       "shapley",
                                                       "morris_mean_abs",
                                                       "chaos_error_lower",
                                                       "chaos_error_upper",
                                                       "time_error",
                                                       "mean_time_error",
                                                       "region_lower",
                                                       "region_upper",
                                                       "dvrf",
                                                       "variance",
                                                       "variance_bound",
                                                       "check_std",
                                                       "bound_lower",
                                                       "bound_upper",
                                                       "bound_error",
                                                       "inclusion_lower",
                                                       "inclusion_upper",
                                                       "found_min",
                                                       "found_max"};

/// At most `most` of the indices 0 ... count - 1, evenly spaced, first and last among them.
std::vector<std::size_t> evenly(std::size_t count, std::size_t most);

/// A message for a page that others will read: where the model's directory was is not theirs to
/// know.
std::string without_directory(Diagnostic diagnostic);

}  // namespace tumble::report
