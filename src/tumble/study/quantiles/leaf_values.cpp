#include "tumble/study/quantiles/leaf_values.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <limits>
#include <system_error>

#include "tumble/study/journal/record_head.hpp"

namespace tumble {
namespace {

constexpr std::uint32_t tag = 0x56464c54;  // "TLFV"

/// Doubles of a page of 2 MiB.
constexpr std::size_t huge_page = (std::size_t{1} << 21) / sizeof(double);

/// Doubles to ask for if a leaf has so many: up to the end of a page if little is missing, since
/// only whole ones are taken at once.
std::size_t room_for(std::size_t doubles) {
  constexpr std::size_t little = huge_page / 16;
  const std::size_t missing = (huge_page - doubles % huge_page) % huge_page;
  return doubles + (missing <= little ? missing : 0);
}

/// Has a page of memory made by a thread of its own, beside the runs that will fill it: on virtual
/// machines that takes longer than all statistics. Contents stay as they are, so nobody waits for
/// it; if the page is needed before, whoever needs it makes it.
void make_ready(const double* begin) {
  thread_local std::future<void> under_way;
  if (under_way.valid() && under_way.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
    return;
  try {
    under_way = std::async(std::launch::async, [begin] {
      ::madvise(const_cast<double*>(begin), huge_page * sizeof(double), MADV_POPULATE_WRITE);
    });
  } catch (const std::system_error&) {  // no more threads: it is made when it is needed
  }
}

}  // namespace

LeafValues::LeafValues(LayoutPointer layout) : layout_(std::move(layout)) {
  // Room for a whole leaf at once: growing would copy, and would pass through twice the memory.
  const std::size_t room = room_for(realizations_per_leaf * layout_->row());
  if (room < huge_page) return;
  rows_.reserve(room);
  make_ready(rows_.data());
}

void LeafValues::add(const double* values, std::size_t stride, std::size_t valid_times) {
  if (rows_.empty()) rows_.reserve(room_for(realizations_per_leaf * layout_->row()));
  const std::size_t before = rows_.size();
  const std::size_t valid = valid_times * layout_->numbers();
  if (stride == 1) {
    rows_.insert(rows_.end(), values, values + valid);
  } else {
    for (std::size_t i = 0; i < valid; ++i) rows_.push_back(values[i * stride]);
  }
  valid_times_.push_back(static_cast<std::uint32_t>(valid_times));
  rows_.resize(realizations() * layout_->row(), std::numeric_limits<double>::quiet_NaN());
  // Half a page ahead.
  const std::size_t next = (rows_.size() + huge_page / 2) / huge_page;
  if (next != (before + huge_page / 2) / huge_page && (next + 1) * huge_page <= rows_.capacity())
    make_ready(rows_.data() + next * huge_page);
}

LeafValues::Pieces LeafValues::pieces() const {
  ByteWriter out;
  write_record_head(out, tag, *layout_);
  out.number(static_cast<std::uint64_t>(realizations()));
  out.array(valid_times_);
  if (std::ranges::all_of(valid_times_, [&](auto valid) { return valid == layout_->times(); }))
    return {out.take(), {reinterpret_cast<const char*>(rows_.data()), 8 * rows_.size()}};
  out.reserve(8 * rows_.size() + 4 * valid_times_.size() + 256);
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
  read_record_head(in, tag, *layout);
  LeafValues leaf(std::move(layout));
  const auto count = in.number<std::uint64_t>();
  in.require(count <= realizations_per_leaf, "has more realisations than a leaf");
  const auto valid_times = in.array<std::uint32_t>(count);
  for (const std::uint32_t valid : valid_times) {
    in.require(valid <= leaf.layout_->times(), "has more output times than the study");
    leaf.add(in.array<double>(valid * leaf.layout_->numbers()).data(), 1, valid);
  }
  in.expect_end();
  return leaf;
}

}  // namespace tumble
