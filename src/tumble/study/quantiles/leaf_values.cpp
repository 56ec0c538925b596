#include "tumble/study/quantiles/leaf_values.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "tumble/study/journal/record_head.hpp"

namespace tumble {
namespace {

constexpr std::uint32_t tag = 0x56464c54;  // "TLFV"

/// How many times count of each realisation of a record.
std::vector<std::uint32_t> read_head(ByteReader& in, const StatisticsLayout& layout) {
  read_record_head(in, tag, layout);
  const auto count = in.number<std::uint64_t>();
  in.require(count <= realizations_per_leaf, "has more realisations than a leaf");
  auto valid_times = in.array<std::uint32_t>(count);
  for (const std::uint32_t valid : valid_times)
    in.require(valid <= layout.times(), "has more output times than the study");
  return valid_times;
}

}  // namespace

double* LeafValues::room(std::size_t ahead) {
  if (realizations() + ahead >= realizations_per_leaf) throw std::logic_error("the leaf is full");
  // Of a whole leaf at once: growing would copy, and would pass through twice the memory.
  if (!rows_) rows_ = HugePageArray<double>(realizations_per_leaf * layout_->row());
  return rows_.data() + (realizations() + ahead) * layout_->row();
}

void LeafValues::add(const double* values, std::size_t stride, std::size_t valid_times) {
  double* const row = room(0);
  const std::size_t valid = valid_times * layout_->numbers();
  if (stride == 1) {
    std::copy_n(values, valid, row);
  } else {
    for (std::size_t i = 0; i < valid; ++i) row[i] = values[i * stride];
  }
  add_there(valid_times);
}

void LeafValues::add_there(std::size_t valid_times) {
  double* const row = room(0);
  std::fill(row + valid_times * layout_->numbers(), row + layout_->row(),
            std::numeric_limits<double>::quiet_NaN());
  valid_times_.push_back(static_cast<std::uint32_t>(valid_times));
}

LeafValues::Pieces LeafValues::pieces() const {
  ByteWriter out;
  write_record_head(out, tag, *layout_);
  out.number(static_cast<std::uint64_t>(realizations()));
  out.array(valid_times_);
  const std::size_t doubles = realizations() * layout_->row();
  if (std::ranges::all_of(valid_times_, [&](auto valid) { return valid == layout_->times(); }))
    return {out.take(), {reinterpret_cast<const char*>(rows_.data()), 8 * doubles}};
  out.reserve(8 * doubles + 4 * valid_times_.size() + 256);
  for (std::size_t i = 0; i < realizations(); ++i)
    out.array(std::span<const double>(row(i), valid_times_[i] * layout_->numbers()));
  return {out.take(), {}};
}

std::string LeafValues::serialize() const {
  Pieces all = pieces();
  all.head += all.rows;
  return std::move(all.head);
}

LeafValues LeafValues::deserialize(std::string_view bytes, LayoutPointer layout) {
  ByteReader in(bytes, "record of stored values");
  LeafValues leaf(std::move(layout));
  for (const std::uint32_t valid : read_head(in, *leaf.layout_))
    leaf.add(in.array<double>(valid * leaf.layout_->numbers()).data(), 1, valid);
  in.expect_end();
  return leaf;
}

std::optional<LeafValues::RowsInPlace> LeafValues::in_place(std::string_view bytes,
                                                            const StatisticsLayout& layout) {
  ByteReader in(bytes, "record of stored values");
  const std::vector<std::uint32_t> valid_times = read_head(in, layout);
  if (!std::ranges::all_of(valid_times, [&](auto valid) { return valid == layout.times(); }))
    return std::nullopt;
  const std::string_view rows = in.rest();
  in.require(rows.size() == valid_times.size() * layout.row() * sizeof(double),
             "does not have the size of its rows");
  return RowsInPlace{valid_times.size(), rows.data()};
}

}  // namespace tumble
