// Lane kernels for arm64, whose CPUs all have NEON with fused multiply-adds.
#include "tumble/study/lanes/lane_runner.hpp"

namespace tumble {

extern const LaneKernel neon_lane_kernels[3];
const LaneKernel neon_lane_kernels[3] = {{1, "neon", make_runner<Batch<1>>},
                                         {4, "neon", make_runner<Batch<4>>},
                                         {8, "neon", make_runner<Batch<8>>}};

}  // namespace tumble
