#include "tumble/study/lanes/lane_kernel.hpp"

namespace tumble {

#ifdef __aarch64__
extern const LaneKernel neon_lane_kernels[3];
#else
extern const LaneKernel avx2_lane_kernels[3];
extern const LaneKernel avx512_lane_kernels[1];
#endif

LaneRunner::~LaneRunner() = default;

namespace {

std::vector<LaneKernel> detect() {
#ifdef __aarch64__
  return {std::begin(neon_lane_kernels), std::end(neon_lane_kernels)};
#else
  std::vector<LaneKernel> kernels(std::begin(avx2_lane_kernels), std::end(avx2_lane_kernels));
#ifdef TUMBLE_AVX512
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
    kernels.back() = avx512_lane_kernels[0];
#endif
  return kernels;
#endif
}

}  // namespace

std::vector<LaneKernel> available_lane_kernels() { return detect(); }

const LaneKernel* find_lane_kernel(int width) {
  static const std::vector<LaneKernel> kernels = detect();
  if (width == 0) return &kernels.back();
  for (const auto& kernel : kernels)
    if (kernel.width == width) return &kernel;
  return nullptr;
}

}  // namespace tumble
