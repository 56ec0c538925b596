// Merges two ascending runs.
#pragma once
#include <algorithm>
#include <cstddef>

namespace tumble {

/// a[0..n_a) and b[0..n_b) into out, which overlaps neither. Random values would make every second
/// branch of std::merge a misprediction; here the choice is data. Runs of equal length, the rule in
/// a balanced tree, are merged from both ends at once: two chains of dependent loads instead of
/// one, and neither can leave its run before it has made its half of the output, so nothing is
/// tested.
inline void merge_runs(const double* a, std::size_t n_a, const double* b, std::size_t n_b,
                       double* out) {
  if (n_a == n_b) {
    const double *a_end = a + n_a, *b_end = b + n_b;
    double* out_end = out + n_a + n_b;
    for (std::size_t i = 0; i < n_a; ++i) {
      const bool low_b = *b < *a;
      *out++ = low_b ? *b : *a;
      b += low_b;
      a += !low_b;
      const bool high_a = b_end[-1] < a_end[-1];
      *--out_end = high_a ? a_end[-1] : b_end[-1];
      a_end -= high_a;
      b_end -= !high_a;
    }
    return;
  }
  const double *a_end = a + n_a, *b_end = b + n_b;
  while (a != a_end && b != b_end) {
    const bool low_b = *b < *a;
    *out++ = low_b ? *b : *a;
    b += low_b;
    a += !low_b;
  }
  out = std::copy(a, a_end, out);
  std::copy(b, b_end, out);
}

}  // namespace tumble
