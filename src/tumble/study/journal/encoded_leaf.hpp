// A finished leaf as bytes: as it travels from rank to rank.
#pragma once
#include <cstdint>
#include <string>

#include "tumble/study/ensemble.hpp"

namespace tumble {

struct EncodedLeaf {
  std::uint64_t leaf = 0;
  std::string record;      ///< LeafRecord::serialize()
  std::string statistics;  ///< LeafStatistics::serialize()
  LeafTimes times = {};
};

inline EncodedLeaf encode(const LeafResult& result) {
  return {result.record.leaf, result.record.serialize(), result.statistics.serialize(),
          result.times};
}

/// @throws std::runtime_error if it is of another layout.
inline LeafResult decode(const EncodedLeaf& leaf, const LayoutPointer& layout) {
  return {LeafRecord::deserialize(leaf.leaf, leaf.record, layout),
          LeafStatistics::deserialize(leaf.statistics, layout), leaf.times};
}

}  // namespace tumble
