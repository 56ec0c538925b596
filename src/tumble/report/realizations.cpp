#include "tumble/report/realizations.hpp"

#include <algorithm>

namespace tumble::report {
namespace {

std::vector<std::uint8_t> read_status(const ResultsView& results) {
  std::vector<std::uint8_t> status(results.realizations());
  if (const auto* variable = results.file().find("status"); variable != nullptr && !status.empty())
    results.file().read(*variable, {0}, {status.size()}, status.data());
  return status;
}

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
  const std::vector<std::uint8_t> status = read_status(results);
  std::vector<std::size_t> failed;
  for (std::size_t i = 0; i < status.size(); ++i) (status[i] == 0 ? good_ : failed).push_back(i);
  const std::size_t room = std::clamp<std::size_t>(
      results.budget().realizations / bytes_of_one(results), 100, Budget::most_realizations);
  for (const std::size_t i : evenly(failed.size(), std::min(room / 2, Budget::most_failed)))
    numbers_.push_back(failed[i]);
  for (const std::size_t i : evenly(good_.size(), room - numbers_.size()))
    numbers_.push_back(good_[i]);
  std::sort(numbers_.begin(), numbers_.end());
  for (const std::size_t i : numbers_) status_.push_back(status[i]);
}

std::vector<std::size_t> ShownRealizations::good(std::size_t most) const {
  std::vector<std::size_t> chosen;
  for (const std::size_t i : evenly(good_.size(), most)) chosen.push_back(good_[i]);
  return chosen;
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
