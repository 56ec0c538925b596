// The functions of a batch, part of batch.hpp.
#pragma once
#include "tumble/math/batch.hpp"

namespace tumble {
inline namespace TUMBLE_INSTRUCTION_SET {

template <int W>
TUMBLE_INLINE void load_lanes(Batch<W>& x, const double* lanes) {
  x = Batch<W>::load(lanes);
}
template <int W>
TUMBLE_INLINE void store_lanes(const Batch<W>& x, double* lanes) {
  x.store(lanes);
}
template <int W>
TUMBLE_INLINE double first_lane(const Batch<W>& x) {
  return x.lane(0);
}

template <int W>
TUMBLE_INLINE Batch<W> sqrt(const Batch<W>& x) {
  if constexpr (Batch<W>::split) {
    return Batch<W>::from({sqrt(x.data.low), sqrt(x.data.high)});
  } else if constexpr (W == 1) {
    return Batch<W>(sqrt(x.data));
#if TUMBLE_NATIVE_LANES >= 8
  } else if constexpr (W == 8) {  // the form with a mask because g++ 12 warns of the plain one
    return Batch<W>::from(_mm512_mask_sqrt_pd(x.data, 0xff, x.data));
#endif
#if TUMBLE_NATIVE_LANES >= 4
  } else if constexpr (W == 4) {
    return Batch<W>::from(_mm256_sqrt_pd(x.data));
#endif
#if defined(__aarch64__)
  } else if constexpr (W == 2) {
    using Data = typename Batch<W>::Data;
    const float64x2_t root = vsqrtq_f64(__builtin_bit_cast(float64x2_t, x.data));
    return Batch<W>::from(__builtin_bit_cast(Data, root));
#elif TUMBLE_NATIVE_LANES >= 2
  } else if constexpr (W == 2) {
    return Batch<W>::from(_mm_sqrt_pd(x.data));
#endif
  }
}

template <int W>
TUMBLE_INLINE Batch<W> abs(const Batch<W>& x) {
  if constexpr (Batch<W>::split) {
    return Batch<W>::from({abs(x.data.low), abs(x.data.high)});
  } else {
    using Bits = typename BatchData<W>::Bits;
    const Bits bits = __builtin_bit_cast(Bits, x.data) & 0x7fffffffffffffffull;
    return Batch<W>::from(__builtin_bit_cast(typename Batch<W>::Data, bits));
  }
}

template <int W>
TUMBLE_INLINE Batch<W> copysign(const Batch<W>& size, const Batch<W>& sign) {
  if constexpr (Batch<W>::split) {
    return Batch<W>::from(
        {copysign(size.data.low, sign.data.low), copysign(size.data.high, sign.data.high)});
  } else {
    using Bits = typename BatchData<W>::Bits;
    const Bits bits = (__builtin_bit_cast(Bits, size.data) & 0x7fffffffffffffffull) |
                      (__builtin_bit_cast(Bits, sign.data) & 0x8000000000000000ull);
    return Batch<W>::from(__builtin_bit_cast(typename Batch<W>::Data, bits));
  }
}

template <int W>
TUMBLE_INLINE Batch<W> round(const Batch<W>& x) {
  return round_to_even(x);
}

template <int W>
TUMBLE_INLINE Batch<W> power_of_two(const Batch<W>& n) {
  if constexpr (Batch<W>::split) {
    return Batch<W>::from({power_of_two(n.data.low), power_of_two(n.data.high)});
  } else {
    using Bits = typename BatchData<W>::Bits;
    const Bits bits = __builtin_bit_cast(Bits, n.data + (0x1p52 + 1023.0)) << 52;
    return Batch<W>::from(__builtin_bit_cast(typename Batch<W>::Data, bits));
  }
}

template <int W>
TUMBLE_INLINE Batch<W> sin(const Batch<W>& x) {
  return elementary::sin(x);
}
template <int W>
TUMBLE_INLINE Batch<W> cos(const Batch<W>& x) {
  return elementary::cos(x);
}
template <int W>
TUMBLE_INLINE SinCos<Batch<W>> sincos(const Batch<W>& x) {
  return elementary::sincos(x);
}
template <int W>
TUMBLE_INLINE Batch<W> exp(const Batch<W>& x) {
  return elementary::exp(x);
}
template <int W>
TUMBLE_INLINE Batch<W> atan2(const Batch<W>& y, const Batch<W>& x) {
  return elementary::atan2(y, x);
}

/// An index per lane, for tables whose points differ between lanes.
template <int W>
struct BatchIndex {
  int lane[W];
};

/// Per lane the same interval as find_interval() of cubic_spline.hpp finds: the last one that
/// begins at or before x. All lanes take the same number of steps, without branches.
template <int W>
TUMBLE_INLINE BatchIndex<W> find_interval(const Batch<W>* knots, int n, const Batch<W>& x) {
  BatchIndex<W> index{};
  double at[W];
  x.store(at);
  for (int size = n > 1 ? n - 1 : 1; size > 1;) {  // the answer is in [index, index + size)
    const int half = size / 2;
    for (int i = 0; i < W; ++i) {
      const int middle = index.lane[i] + half;
      index.lane[i] = at[i] >= knots[middle].lane(i) ? middle : index.lane[i];
    }
    size -= half;
  }
  return index;
}

template <int W>
TUMBLE_INLINE Batch<W> gather(const Batch<W>* values, const BatchIndex<W>& index) {
  double lanes[W];
  for (int i = 0; i < W; ++i) lanes[i] = values[index.lane[i]].lane(i);
  return Batch<W>::load(lanes);
}

}  // namespace TUMBLE_INSTRUCTION_SET
}  // namespace tumble
