// Which realisations a shard has, and which studies have shards.
#pragma once
#include <cstdint>
#include <string>

#include "tumble/campaign/study_run.hpp"
#include "tumble/model/study/study.hpp"

namespace tumble {

/// "2/4": the second of four.
std::string to_string(const Shard& shard);

/// Realisations [first, end). `first` begins a leaf.
struct ShardRange {
  std::uint64_t first = 0, end = 0;
  std::uint64_t size() const { return end - first; }
};

/// Of the L leaves of a study, shard i of n has [floor((i - 1) L / n), floor(i L / n)): all leaves,
/// each once, and no shard has two more than another.
/// @throws RequestError if there are fewer leaves than shards.
ShardRange shard_range(const Shard& shard, std::uint64_t realizations);

/// @throws RequestError if what a realisation is, or whether it is needed, depends on others.
void refuse_unless_divisible(const Study& study);

}  // namespace tumble
