// What every record of statistics begins with: its kind, the version of its format, its layout.
#pragma once
#include <fmt/format.h>

#include "tumble/study/journal/byte_stream.hpp"
#include "tumble/study/layout.hpp"

namespace tumble {

/// Raised whenever the bytes of a record change their meaning.
inline constexpr std::uint32_t statistics_format_version = 4;

inline void write_record_head(ByteWriter& out, std::uint32_t tag, const StatisticsLayout& layout) {
  out.number(tag);
  out.number(statistics_format_version);
  out.number(static_cast<std::uint64_t>(layout.times()));
  out.number(static_cast<std::uint64_t>(layout.quantities()));
  out.array(layout.sizes());
}

/// Throws std::runtime_error unless the record is of that kind, this version and that layout.
inline void read_record_head(ByteReader& in, std::uint32_t tag, const StatisticsLayout& layout) {
  in.require(in.number<std::uint32_t>() == tag, "is of another kind");
  const auto version = in.number<std::uint32_t>();
  if (version != statistics_format_version)
    in.fail(fmt::format("has format version {}, this program reads {}", version,
                        statistics_format_version));
  const auto times = in.number<std::uint64_t>();
  const auto quantities = in.number<std::uint64_t>();
  if (times != layout.times() || quantities != layout.quantities())
    in.fail(fmt::format("has {} output times and {} quantities, the study has {} and {}", times,
                        quantities, layout.times(), layout.quantities()));
  in.require(in.array<std::uint32_t>(quantities) == layout.sizes(),
             "has quantities of other sizes than the study");
}

}  // namespace tumble
