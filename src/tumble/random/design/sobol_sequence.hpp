// The Sobol' sequence in base 2.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

namespace tumble {

/// Points of I. M. Sobol' (1967) with the direction numbers of S. Joe and F. Y. Kuo (SIAM Journal
/// on Scientific Computing 30, 2008) as they are in Boost.Random. The first 2^m points of the first
/// two coordinates, and of every coordinate alone, have one in each elementary interval of volume
/// 2^-m.
class SobolSequence {
 public:
  /// Binary digits of a coordinate; no more points than they can tell apart.
  static constexpr unsigned digits = 52;
  static constexpr std::uint64_t most_points = std::uint64_t{1} << digits;
  static constexpr std::size_t most_dimensions = 3667;

  explicit SobolSequence(std::size_t dimensions);

  /// 2^52 times the coordinate, for index < 2^52. Points are in their natural order, the one of
  /// index 0 being the origin: coordinate = xor of v_k over the digits k of the index that are 1.
  std::uint64_t coordinate(std::uint64_t index, std::size_t dimension) const;

 private:
  /// v_k, one array for each dimension.
  std::vector<std::array<std::uint64_t, digits>> directions_;
};

}  // namespace tumble
