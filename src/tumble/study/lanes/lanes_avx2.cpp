// Lane kernels for CPUs with AVX2 and FMA.
#include "tumble/study/lanes/lane_runner.hpp"

namespace tumble {

extern const LaneKernel avx2_lane_kernels[3];
const LaneKernel avx2_lane_kernels[3] = {{1, "avx2", make_runner<Batch<1>>},
                                         {4, "avx2", make_runner<Batch<4>>},
                                         {8, "avx2", make_runner<Batch<8>>}};

}  // namespace tumble
