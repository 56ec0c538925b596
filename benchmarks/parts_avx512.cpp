// Parts of a step for CPUs with AVX-512; compiled as study/lanes_avx512.cpp is.
#include "parts_runner.hpp"
#include "tumble/math/batch.hpp"

namespace tumble::benchmarks {

PartsKernel avx512_parts_kernel() { return parts_kernel<Batch<8>>("avx512"); }

}  // namespace tumble::benchmarks
