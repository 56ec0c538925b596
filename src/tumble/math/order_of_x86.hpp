// Makes Eigen and Boost compute on arm64 what they compute on x86-64-v3, bit by bit. Included
// before everything else (cmake/CompilerFlags.cmake), and on arm64 only.
//
// Eigen adds four numbers at a time with AVX and two with NEON, and fuses products with sums in
// whole registers alone; the terms of Boost's Lanczos sums are paired where there is SSE2. So
// another instruction set is another order of additions, and other last bits. Here both get the
// instructions of x86 as functions (SIMDe), and are told that they have them while they are read.
#pragma once
#ifdef __aarch64__
#pragma GCC system_header  // warnings in it are not about our code
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx2.h>
#include <simde/x86/fma.h>

namespace tumble::order_of_x86 {

// SIMDe 0.7 rounds twice here.
inline simde__m256d fused(simde__m256d a, simde__m256d b, simde__m256d c) {
  const auto x = simde__m256d_to_private(a), y = simde__m256d_to_private(b);
  auto z = simde__m256d_to_private(c);
  for (int i = 0; i < 4; ++i) z.f64[i] = __builtin_fma(x.f64[i], y.f64[i], z.f64[i]);
  return simde__m256d_from_private(z);
}
inline simde__m256 fused(simde__m256 a, simde__m256 b, simde__m256 c) {
  const auto x = simde__m256_to_private(a), y = simde__m256_to_private(b);
  auto z = simde__m256_to_private(c);
  for (int i = 0; i < 8; ++i) z.f32[i] = __builtin_fmaf(x.f32[i], y.f32[i], z.f32[i]);
  return simde__m256_from_private(z);
}

// Of two zeros, and of NaN and a number, x86 takes the second.
inline simde__m128d lesser(simde__m128d a, simde__m128d b) {
  return vbslq_f64(vcltq_f64(a, b), a, b);
}
inline simde__m128d greater(simde__m128d a, simde__m128d b) {
  return vbslq_f64(vcgtq_f64(a, b), a, b);
}
inline simde__m256d lesser(simde__m256d a, simde__m256d b) {
  auto x = simde__m256d_to_private(a), y = simde__m256d_to_private(b);
  for (int i = 0; i < 2; ++i) x.m128d[i] = lesser(x.m128d[i], y.m128d[i]);
  return simde__m256d_from_private(x);
}
inline simde__m256d greater(simde__m256d a, simde__m256d b) {
  auto x = simde__m256d_to_private(a), y = simde__m256d_to_private(b);
  for (int i = 0; i < 2; ++i) x.m128d[i] = greater(x.m128d[i], y.m128d[i]);
  return simde__m256d_from_private(x);
}

}  // namespace tumble::order_of_x86
#undef _mm256_fmadd_pd
#undef _mm256_fmadd_ps
#undef _mm_min_pd
#undef _mm_max_pd
#undef _mm256_min_pd
#undef _mm256_max_pd
#define _mm256_fmadd_pd(a, b, c) tumble::order_of_x86::fused(a, b, c)
#define _mm256_fmadd_ps(a, b, c) tumble::order_of_x86::fused(a, b, c)
#define _mm_min_pd(a, b) tumble::order_of_x86::lesser(a, b)
#define _mm_max_pd(a, b) tumble::order_of_x86::greater(a, b)
#define _mm256_min_pd(a, b) tumble::order_of_x86::lesser(a, b)
#define _mm256_max_pd(a, b) tumble::order_of_x86::greater(a, b)

// Macros of SIMDe with `?` in them, which Eigen's own type of a register makes ambiguous.
#undef _mm_slli_epi32
#undef _mm_srli_epi32
#undef _mm_slli_epi64
#undef _mm_srli_epi64
#define _mm_slli_epi32(a, n) simde_mm_slli_epi32(static_cast<simde__m128i>(a), n)
#define _mm_srli_epi32(a, n) simde_mm_srli_epi32(static_cast<simde__m128i>(a), n)
#define _mm_slli_epi64(a, n) simde_mm_slli_epi64(static_cast<simde__m128i>(a), n)
#define _mm_srli_epi64(a, n) simde_mm_srli_epi64(static_cast<simde__m128i>(a), n)

#include <Eigen/src/Core/util/Macros.h>
// For clang, which calls itself an old g++, Eigen has some instructions in assembly.
#undef EIGEN_COMP_CLANG
#define EIGEN_COMP_CLANG 0
#undef EIGEN_COMP_GNUC
#define EIGEN_COMP_GNUC 120

#define __SSE2__
#define __AVX__
#define __AVX2__
#define __FMA__
#include <Eigen/Core>
#include <boost/math/special_functions/lanczos.hpp>
#undef __SSE2__
#undef __AVX__
#undef __AVX2__
#undef __FMA__
#endif
