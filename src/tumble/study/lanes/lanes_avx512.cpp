// Lane kernels for CPUs with AVX-512 (F and DQ).
#include "tumble/study/lanes/lane_runner.hpp"

namespace tumble {

extern const LaneKernel avx512_lane_kernels[1];
const LaneKernel avx512_lane_kernels[1] = {{8, "avx512", make_runner<Batch<8>>}};

}  // namespace tumble
