// The statistics of one block of realisations, or of several put together: a node of the tree.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tumble/study/quantiles/quantile_sketch.hpp"
#include "tumble/study/statistics/copy_moments.hpp"
#include "tumble/study/statistics/moments.hpp"

namespace tumble {

class LeafStatistics {
 public:
  LeafStatistics(std::uint64_t realizations, Moments moments, std::optional<QuantileSketch> sketch,
                 std::optional<CopyMoments> copies = std::nullopt);

  /// How many realisations it was made from, failed ones included.
  std::uint64_t realizations() const { return realizations_; }
  const Moments& moments() const { return moments_; }
  /// Null in a study without sketches.
  const QuantileSketch* sketch() const { return sketch_ ? &*sketch_ : nullptr; }
  /// Null in a study of independent realisations.
  const CopyMoments* copies() const { return copies_ ? &*copies_ : nullptr; }

  /// `left` holds the lower indices. Not associative to the last bit: who merges keeps an order.
  static LeafStatistics merge(const LeafStatistics& left, const LeafStatistics& right);

  /// Bytes of a fixed, little-endian form; deserialize() gives back the same bits, and throws
  /// std::runtime_error where the bytes are damaged, of another version or of another layout.
  std::string serialize() const;
  static LeafStatistics deserialize(std::string_view bytes, LayoutPointer layout);
  /// Equal to the last bit.
  bool operator==(const LeafStatistics& other) const { return serialize() == other.serialize(); }

  /// Memory of its arrays.
  std::size_t bytes() const;

 private:
  std::uint64_t realizations_;
  Moments moments_;
  std::optional<QuantileSketch> sketch_;
  std::optional<CopyMoments> copies_;
};

}  // namespace tumble
