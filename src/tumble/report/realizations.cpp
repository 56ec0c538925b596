#include "tumble/report/realizations.hpp"

#include <algorithm>

namespace tumble::report {
namespace {

/// The realisations whose places among those of one kind are given, ascending.
class Picker {
 public:
  explicit Picker(std::vector<std::size_t> places) : places_(std::move(places)) {}
  bool takes_next() {
    if (next_ == places_.size() || places_[next_] != seen_++) return false;
    ++next_;
    return true;
  }

 private:
  std::vector<std::size_t> places_;
  std::size_t next_ = 0, seen_ = 0;
};

/// Bytes that one realisation takes in the page.
std::size_t bytes_of_one(const ResultsView& results) {
  std::size_t numbers = 2;  // its own, and when it failed
  if (const auto* inputs = results.file().find("inputs"); inputs != nullptr)
    numbers += inputs->sizes.at(1);
  for (const ProbedQuantity& q : results.quantities()) numbers += 2 * q.axes.size();
  return sizeof(double) * numbers;
}

}  // namespace

ShownRealizations::ShownRealizations(const ResultsView& results) {
  std::size_t good = 0, failed = 0;
  results.for_each_status([&](std::size_t, std::uint8_t s) { ++(s == 0 ? good : failed); });
  const std::size_t room = std::clamp<std::size_t>(
      results.budget().realizations / bytes_of_one(results), 100, Budget::most_realizations);
  const std::size_t shown_failed = std::min({failed, room / 2, Budget::most_failed});
  Picker failed_ones(evenly(failed, shown_failed)), good_ones(evenly(good, room - shown_failed)),
      run_again(evenly(good, most_run_again));
  results.for_each_status([&](std::size_t number, std::uint8_t s) {
    if (s == 0 && run_again.takes_next()) run_again_.push_back(number);
    if (!(s == 0 ? good_ones : failed_ones).takes_next()) return;
    numbers_.push_back(number);
    status_.push_back(s);
  });
}

std::vector<double> ShownRealizations::rows(const ResultsView& results,
                                            const NetcdfReader::Variable& variable) const {
  const std::size_t size = variable.entries() / std::max<std::size_t>(1, variable.sizes.at(0));
  std::vector<double> rows;
  rows.reserve(numbers_.size() * size);
  auto next = numbers_.begin();
  results.for_each_realization(variable,
                               [&](std::size_t first, const double* values, std::size_t count) {
                                 for (; next != numbers_.end() && *next < first + count; ++next) {
                                   const double* row = values + (*next - first) * size;
                                   rows.insert(rows.end(), row, row + size);
                                 }
                               });
  return rows;
}

Json realizations(const ResultsView& results, const ShownRealizations& shown, Blob& blob) {
  if (!results.is_study()) return nullptr;
  const std::size_t count = shown.numbers().size();
  const std::vector<std::int64_t> numbers(shown.numbers().begin(), shown.numbers().end());
  const auto* time = results.file().find("failure_time");
  return {{"shown", blob.i32(numbers, {count})},
          {"status", blob.u8(shown.status(), {count})},
          {"failure_time", blob.f64(shown.rows(results, *time), {count})}};
}

void add_peaks(const ResultsView& results, const ShownRealizations& shown, Json& curves,
               Blob& blob) {
  for (std::size_t i = 0; i < results.quantities().size(); ++i) {
    const ProbedQuantity& q = results.quantities()[i];
    for (const char* peak : {"peak_max", "peak_min"})
      if (const auto* variable = results.file().find(q.prefix + "_" + peak); variable != nullptr)
        curves[i][peak] =
            blob.f64(shown.rows(results, *variable), {shown.numbers().size(), q.axes.size()});
  }
}

}  // namespace tumble::report
