// Inputs for tests of lanes: every kind of double, and reproducible random ones.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace tumble {

/// Both signs of zero, subnormals, the ends of the range, ties of rounding, inf and NaN.
inline std::vector<double> special_values() {
  std::vector<double> values{0.0,
                             5e-324,
                             1.5e-310,
                             2.2250738585072014e-308,
                             0x1p-1000,
                             0x1p-27,
                             0.25,
                             0.5,
                             0.7853981633974483,
                             1.0,
                             1.5,
                             1.5707963267948966,
                             2.5,
                             3.141592653589793,
                             709.782712893384,
                             745.1332191019412,
                             1048576.0,
                             1048577.0,
                             1e9,
                             0x1p52,
                             0x1.fffffffffffffp52,
                             1e22,
                             5.319372648326541e255,  // closest of all to a multiple of π/2
                             1e300,
                             std::numeric_limits<double>::max(),
                             std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN()};
  for (std::size_t i = 0, n = values.size(); i < n; ++i) values.push_back(-values[i]);
  return values;
}

/// SplitMix64 (Steele, Lea & Flood 2014): the same numbers on every machine.
class RandomBits {
 public:
  std::uint64_t operator()() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }
  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>((*this)() >> 11) * 0x1p-53);
  }
  /// Any double, all exponents equally likely.
  double any() { return std::bit_cast<double>((*this)()); }

 private:
  std::uint64_t state_ = 1;
};

/// Identical, where all NaN count as one: IEEE 754 leaves their sign and payload open.
inline bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}

}  // namespace tumble
