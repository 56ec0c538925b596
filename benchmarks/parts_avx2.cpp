// Parts of a step for CPUs with AVX2 and FMA; compiled as study/lanes_avx2.cpp is.
#include "parts_runner.hpp"
#include "tumble/math/batch.hpp"

namespace tumble::benchmarks {

PartsKernel avx2_parts_kernel(int width) {
  if (width == 1) return parts_kernel<Batch<1>>("avx2");
  return width == 4 ? parts_kernel<Batch<4>>("avx2") : parts_kernel<Batch<8>>("avx2");
}

}  // namespace tumble::benchmarks
