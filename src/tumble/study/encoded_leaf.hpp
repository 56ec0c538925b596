// A finished leaf as bytes: as the journal stores it, and as it travels from rank to rank.
#pragma once
#include <cstdint>
#include <string>

#include "tumble/study/ensemble.hpp"

namespace tumble {

struct EncodedLeaf {
  std::uint64_t leaf = 0;
  std::string record;      ///< LeafRecord::serialize()
  std::string statistics;  ///< LeafStatistics::serialize()
};

inline EncodedLeaf encode(const LeafResult& result) {
  return {result.record.leaf, result.record.serialize(), result.statistics.serialize()};
}

}  // namespace tumble
