// Batch<W>: W realisations side by side, one double per lane, as a scalar S of the kernels.
//
// Every operation acts on each lane as the double operation of arithmetic.hpp does, bit by bit: no
// lane can influence another, and the width changes speed only. Comparisons yield a BatchMask<W>,
// which has no conversion to bool: a kernel must say any(), all() or select().
//
// Up to the registers of the instruction set a batch is one GCC vector; wider ones are two halves,
// which compilers keep in registers where they would move one oversized vector through memory. The
// bytes are the same everywhere: W consecutive doubles, aligned to 8 W.
//
// Kernels take batches by const reference: passing one by value in memory makes g++ tell of an old
// change of its ABI.
//
// Batch<8> of an AVX2 file is another type than Batch<8> of an AVX-512 file (see arithmetic.hpp),
// so the linker cannot mix up the kernels instantiated for them; data cross that border as double*.
#pragma once
#include "tumble/math/scalar.hpp"

namespace tumble {
inline namespace TUMBLE_INSTRUCTION_SET {

template <int W>
struct Batch;
template <int W>
struct BatchMask;

/// What Batch<W> and BatchMask<W> hold: halves, a vector register, or for W = 1 a double and a
/// bool.
template <int W, bool split = (W > TUMBLE_NATIVE_LANES)>
struct BatchData {
  struct Reals {
    Batch<W / 2> low, high;
  };
  struct Truths {
    BatchMask<W / 2> low, high;
  };
};
template <int W>
struct BatchData<W, false> {
  typedef double Reals __attribute__((vector_size(8 * W)));
  typedef unsigned long long Bits __attribute__((vector_size(8 * W)));
  typedef long Truths __attribute__((vector_size(8 * W)));  // 0 or -1, as comparisons yield
};
template <>
struct BatchData<1, false> {
  using Reals = double;
  using Bits = unsigned long long;
  using Truths = bool;
};

/// A truth value per lane.
template <int W>
struct BatchMask {
  static constexpr bool split = W > TUMBLE_NATIVE_LANES;
  using Data = typename BatchData<W>::Truths;
  Data data;

  TUMBLE_INLINE BatchMask() : data{} {}
  TUMBLE_INLINE explicit BatchMask(bool value) : data{} {
    if (value) *this = !*this;
  }
  TUMBLE_INLINE static BatchMask from(const Data& d) {
    BatchMask mask;
    mask.data = d;
    return mask;
  }
  TUMBLE_INLINE bool lane(int i) const {
    if constexpr (split) {
      return i < W / 2 ? data.low.lane(i) : data.high.lane(i - W / 2);
    } else if constexpr (W == 1) {
      return data;
    } else {
      return data[i] != 0;
    }
  }
  TUMBLE_INLINE void set_lane(int i, bool value) {
    if constexpr (split) {
      (i < W / 2 ? data.low : data.high).set_lane(i < W / 2 ? i : i - W / 2, value);
    } else if constexpr (W == 1) {
      data = value;
    } else {
      data[i] = value ? -1 : 0;
    }
  }

  friend TUMBLE_INLINE BatchMask operator&(const BatchMask& a, const BatchMask& b) {
    if constexpr (split)
      return from({a.data.low & b.data.low, a.data.high & b.data.high});
    else
      return from(static_cast<Data>(a.data & b.data));
  }
  friend TUMBLE_INLINE BatchMask operator|(const BatchMask& a, const BatchMask& b) {
    if constexpr (split)
      return from({a.data.low | b.data.low, a.data.high | b.data.high});
    else
      return from(static_cast<Data>(a.data | b.data));
  }
  friend TUMBLE_INLINE BatchMask operator!(const BatchMask& a) {
    if constexpr (split)
      return from({!a.data.low, !a.data.high});
    else if constexpr (W == 1)
      return from(!a.data);
    else
      return from(~a.data);
  }
  friend TUMBLE_INLINE bool any(const BatchMask& a) {
    if constexpr (split)
      return any(a.data.low | a.data.high);
    else
      return a.to_bits() != 0;
  }
  friend TUMBLE_INLINE bool none(const BatchMask& a) { return !any(a); }
  friend TUMBLE_INLINE bool all(const BatchMask& a) {
    if constexpr (split)
      return all(a.data.low & a.data.high);
    else
      return a.to_bits() == (1 << W) - 1;
  }
  friend TUMBLE_INLINE Batch<W> select(const BatchMask& mask, const Batch<W>& if_true,
                                       const Batch<W>& if_false) {
    if constexpr (split) {
      return Batch<W>::from({select(mask.data.low, if_true.data.low, if_false.data.low),
                             select(mask.data.high, if_true.data.high, if_false.data.high)});
    } else {
      return Batch<W>::from(mask.data ? if_true.data : if_false.data);
    }
  }

  /// Bit i is lane i.
  TUMBLE_INLINE int to_bits() const {
    if constexpr (split) {
      return data.low.to_bits() | data.high.to_bits() << W / 2;
    } else if constexpr (W == 1) {
      return data;
#if TUMBLE_NATIVE_LANES >= 8
    } else if constexpr (W == 8) {
      return _mm512_cmplt_epi64_mask(__builtin_bit_cast(__m512i, data), _mm512_setzero_si512());
#endif
#if TUMBLE_NATIVE_LANES >= 4
    } else if constexpr (W == 4) {
      return _mm256_movemask_pd(__builtin_bit_cast(__m256d, data));
#endif
#if defined(__aarch64__)
    } else if constexpr (W == 2) {
      return static_cast<int>((data[0] & 1) | (data[1] & 2));
#elif TUMBLE_NATIVE_LANES >= 2
    } else if constexpr (W == 2) {
      return _mm_movemask_pd(__builtin_bit_cast(__m128d, data));
#endif
    }
  }
};

/// One double per lane.
template <int W>
struct alignas(8 * W) Batch {
  static_assert(W == 1 || W == 2 || W == 4 || W == 8 || W == 16);
  static constexpr bool split = W > TUMBLE_NATIVE_LANES;
  using Data = typename BatchData<W>::Reals;
  Data data;

  TUMBLE_INLINE Batch() : data{} {}
  /// The same value in every lane; implicit, so that 2.0 * x and select(m, x, 0.0) can be written.
  TUMBLE_INLINE Batch(double x) {
    if constexpr (split)
      data = {Batch<W / 2>(x), Batch<W / 2>(x)};
    else if constexpr (W == 1)
      data = x;
    else if constexpr (W == 2)
      data = Data{x, x};
    else if constexpr (W == 4)
      data = Data{x, x, x, x};
    else
      data = Data{x, x, x, x, x, x, x, x};
  }
  TUMBLE_INLINE static Batch from(const Data& d) {
    Batch batch;
    batch.data = d;
    return batch;
  }
  /// From and to W consecutive doubles of any alignment.
  TUMBLE_INLINE static Batch load(const double* p) {
    if constexpr (split) {
      return from({Batch<W / 2>::load(p), Batch<W / 2>::load(p + W / 2)});
    } else {
      Data d;
      __builtin_memcpy(&d, p, sizeof(d));
      return from(d);
    }
  }
  TUMBLE_INLINE void store(double* p) const {
    if constexpr (split) {
      data.low.store(p), data.high.store(p + W / 2);
    } else {
      __builtin_memcpy(p, &data, sizeof(data));
    }
  }

  TUMBLE_INLINE double lane(int i) const {
    if constexpr (split) {
      return i < W / 2 ? data.low.lane(i) : data.high.lane(i - W / 2);
    } else if constexpr (W == 1) {
      return data;
    } else {
      return data[i];
    }
  }
  TUMBLE_INLINE void set_lane(int i, double value) {
    if constexpr (split) {
      (i < W / 2 ? data.low : data.high).set_lane(i < W / 2 ? i : i - W / 2, value);
    } else if constexpr (W == 1) {
      data = value;
    } else {
      data[i] = value;
    }
  }

  friend TUMBLE_INLINE Batch operator-(const Batch& a) {
    if constexpr (split)
      return from({-a.data.low, -a.data.high});
    else
      return from(-a.data);
  }
#define TUMBLE_BATCH_OPERATOR(Result, op)                                          \
  friend TUMBLE_INLINE Result operator op(const Batch& a, const Batch& b) {        \
    if constexpr (split) {                                                         \
      return Result::from({a.data.low op b.data.low, a.data.high op b.data.high}); \
    } else {                                                                       \
      return Result::from(a.data op b.data);                                       \
    }                                                                              \
  }
  TUMBLE_BATCH_OPERATOR(Batch, +)
  TUMBLE_BATCH_OPERATOR(Batch, -)
  TUMBLE_BATCH_OPERATOR(Batch, *)
  TUMBLE_BATCH_OPERATOR(Batch, /)
  TUMBLE_BATCH_OPERATOR(BatchMask<W>, <)
  TUMBLE_BATCH_OPERATOR(BatchMask<W>, <=)
  TUMBLE_BATCH_OPERATOR(BatchMask<W>, >)
  TUMBLE_BATCH_OPERATOR(BatchMask<W>, >=)
  TUMBLE_BATCH_OPERATOR(BatchMask<W>, ==)
  TUMBLE_BATCH_OPERATOR(BatchMask<W>, !=)
#undef TUMBLE_BATCH_OPERATOR
  TUMBLE_INLINE Batch& operator+=(const Batch& b) { return *this = *this + b; }
  TUMBLE_INLINE Batch& operator-=(const Batch& b) { return *this = *this - b; }
  TUMBLE_INLINE Batch& operator*=(const Batch& b) { return *this = *this * b; }
  TUMBLE_INLINE Batch& operator/=(const Batch& b) { return *this = *this / b; }

  // Friends, so that a double argument converts.
  friend TUMBLE_INLINE Batch min(const Batch& a, const Batch& b) { return select(a < b, a, b); }
  friend TUMBLE_INLINE Batch max(const Batch& a, const Batch& b) { return select(a > b, a, b); }
  friend TUMBLE_INLINE Batch fma(const Batch& a, const Batch& b, const Batch& c) {
    if constexpr (split) {
      return from(
          {fma(a.data.low, b.data.low, c.data.low), fma(a.data.high, b.data.high, c.data.high)});
#if TUMBLE_NATIVE_LANES >= 8
    } else if constexpr (W == 8) {
      return from(_mm512_fmadd_pd(a.data, b.data, c.data));
#endif
#if TUMBLE_NATIVE_LANES >= 4 && defined(__FMA__)
    } else if constexpr (W == 4) {
      return from(_mm256_fmadd_pd(a.data, b.data, c.data));
    } else if constexpr (W == 2) {
      return from(_mm_fmadd_pd(a.data, b.data, c.data));
#endif
#if defined(__aarch64__)
    } else if constexpr (W == 2) {
      const auto lanes = [](const Data& d) { return __builtin_bit_cast(float64x2_t, d); };
      return from(__builtin_bit_cast(Data, vfmaq_f64(lanes(c.data), lanes(a.data), lanes(b.data))));
#endif
    } else {
      Batch result;
      for (int i = 0; i < W; ++i) result.set_lane(i, fma(a.lane(i), b.lane(i), c.lane(i)));
      return result;
    }
  }
  friend TUMBLE_INLINE Batch fnma(const Batch& a, const Batch& b, const Batch& c) {
    return fma(-a, b, c);
  }
};

template <int W>
inline constexpr int lane_count<Batch<W>> = W;

}  // namespace TUMBLE_INSTRUCTION_SET
}  // namespace tumble

#include "tumble/math/batch_functions.hpp"
