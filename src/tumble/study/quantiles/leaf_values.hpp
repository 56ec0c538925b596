// The values of the realisations of one leaf, row by row.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tumble/base/huge_pages.hpp"
#include "tumble/study/layout.hpp"

namespace tumble {

class LeafValues {
 public:
  explicit LeafValues(LayoutPointer layout) : layout_(std::move(layout)) {}

  /// Appends the next realisation, of which the first `valid_times` output times count; the rest of
  /// its row becomes NaN. For `stride` see usable_times().
  void add(const double* values, std::size_t stride, std::size_t valid_times);
  /// Where the next realisation's row is to be, or that of one `ahead` of it: who writes it there
  /// spares a copy, and appends it by add_there().
  double* room(std::size_t ahead);
  void add_there(std::size_t valid_times);

  const StatisticsLayout& layout() const { return *layout_; }
  const LayoutPointer& layout_pointer() const { return layout_; }
  std::size_t realizations() const { return valid_times_.size(); }
  std::size_t valid_times(std::size_t i) const { return valid_times_[i]; }
  /// [time][number]
  const double* row(std::size_t i) const { return rows_.data() + i * layout_->row(); }

  /// Bytes that deserialize() turns into the same values, for the journal of a study that stores
  /// values. Throws std::runtime_error where the bytes are damaged or of another layout.
  std::string serialize() const;
  /// The same bytes in two pieces: rows of complete runs are not copied but lie in these values.
  struct Pieces {
    std::string head;
    std::string_view rows;
  };
  Pieces pieces() const;
  static LeafValues deserialize(std::string_view bytes, LayoutPointer layout);

  /// Rows of complete runs as they lie in such bytes, at whatever address; nothing if a run is not
  /// complete. Throws the same.
  struct RowsInPlace {
    std::size_t realizations;
    const char* rows;
  };
  static std::optional<RowsInPlace> in_place(std::string_view bytes,
                                             const StatisticsLayout& layout);

 private:
  LayoutPointer layout_;
  std::vector<std::uint32_t> valid_times_;
  HugePageArray<double> rows_;  ///< room for a whole leaf, from the first row on
};

}  // namespace tumble
