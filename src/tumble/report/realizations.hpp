// Which single realisations a page shows, and what it says about them.
#pragma once
#include "tumble/report/results_view.hpp"

namespace tumble::report {

/// At most some thousand, in the order of their numbers. Failed ones come first when there is no
/// room for all: a page that leaves them out would look better than the study was.
class ShownRealizations {
 public:
  explicit ShownRealizations(const ResultsView& results);

  const std::vector<std::size_t>& numbers() const { return numbers_; }
  const std::vector<std::uint8_t>& status() const { return status_; }
  /// Realisations that ended well, evenly chosen: those whose motion is computed again.
  static constexpr std::size_t most_run_again = 64;
  const std::vector<std::size_t>& run_again() const { return run_again_; }

  /// Of a variable over realisations those of the shown ones: [shown][entries].
  std::vector<double> rows(const ResultsView& results,
                           const NetcdfReader::Variable& variable) const;

 private:
  std::vector<std::size_t> numbers_, run_again_;
  std::vector<std::uint8_t> status_;
};

/// Study.realizations.
Json realizations(const ResultsView& results, const ShownRealizations& shown, Blob& blob);

/// Adds peak_max and peak_min to the curves.
void add_peaks(const ResultsView& results, const ShownRealizations& shown, Json& curves,
               Blob& blob);

}  // namespace tumble::report
