// The functions of the CUDA driver and of NVRTC that Tumble calls, as NVIDIA's manuals declare them
// (CUDA Driver API; NVRTC). Handles are opaque pointers, results 0 where all went well.
#pragma once
#include <cstddef>

namespace tumble {

using CudaAddress = unsigned long long;

struct CudaFunctions {
  int (*cuInit)(unsigned flags);
  int (*cuDriverGetVersion)(int* version);
  int (*cuGetErrorString)(int error, const char** text);
  int (*cuDeviceGetCount)(int* count);
  int (*cuDeviceGet)(int* device, int ordinal);
  int (*cuDeviceGetName)(char* name, int length, int device);
  int (*cuDeviceTotalMem_v2)(std::size_t* bytes, int device);
  int (*cuDeviceGetAttribute)(int* value, int attribute, int device);
  int (*cuDevicePrimaryCtxRetain)(void** context, int device);
  int (*cuDevicePrimaryCtxRelease_v2)(int device);
  int (*cuCtxSetCurrent)(void* context);
  int (*cuMemGetInfo_v2)(std::size_t* free, std::size_t* total);
  int (*cuMemAlloc_v2)(CudaAddress* address, std::size_t bytes);
  int (*cuMemFree_v2)(CudaAddress address);
  int (*cuMemAllocHost_v2)(void** address, std::size_t bytes);
  int (*cuMemFreeHost)(void* address);
  int (*cuMemcpyHtoD_v2)(CudaAddress to, const void* from, std::size_t bytes);
  int (*cuMemcpyHtoDAsync_v2)(CudaAddress to, const void* from, std::size_t bytes, void* stream);
  int (*cuMemcpyDtoHAsync_v2)(void* to, CudaAddress from, std::size_t bytes, void* stream);
  int (*cuStreamCreate)(void** stream, unsigned flags);
  int (*cuStreamDestroy_v2)(void* stream);
  int (*cuStreamSynchronize)(void* stream);
  int (*cuModuleLoadData)(void** module, const void* image);
  int (*cuModuleUnload)(void* module);
  int (*cuModuleGetFunction)(void** function, void* module, const char* name);
  int (*cuLaunchKernel)(void* function, unsigned blocks_x, unsigned blocks_y, unsigned blocks_z,
                        unsigned threads_x, unsigned threads_y, unsigned threads_z,
                        unsigned shared_bytes, void* stream, void** parameters, void** extra);

  /// Calls f(name, pointer) for each.
  template <class F>
  void visit(F&& f) {
#define TUMBLE_FUNCTION(name) f(#name, reinterpret_cast<void**>(&name))
    TUMBLE_FUNCTION(cuInit);
    TUMBLE_FUNCTION(cuDriverGetVersion);
    TUMBLE_FUNCTION(cuGetErrorString);
    TUMBLE_FUNCTION(cuDeviceGetCount);
    TUMBLE_FUNCTION(cuDeviceGet);
    TUMBLE_FUNCTION(cuDeviceGetName);
    TUMBLE_FUNCTION(cuDeviceTotalMem_v2);
    TUMBLE_FUNCTION(cuDeviceGetAttribute);
    TUMBLE_FUNCTION(cuDevicePrimaryCtxRetain);
    TUMBLE_FUNCTION(cuDevicePrimaryCtxRelease_v2);
    TUMBLE_FUNCTION(cuCtxSetCurrent);
    TUMBLE_FUNCTION(cuMemGetInfo_v2);
    TUMBLE_FUNCTION(cuMemAlloc_v2);
    TUMBLE_FUNCTION(cuMemFree_v2);
    TUMBLE_FUNCTION(cuMemAllocHost_v2);
    TUMBLE_FUNCTION(cuMemFreeHost);
    TUMBLE_FUNCTION(cuMemcpyHtoD_v2);
    TUMBLE_FUNCTION(cuMemcpyHtoDAsync_v2);
    TUMBLE_FUNCTION(cuMemcpyDtoHAsync_v2);
    TUMBLE_FUNCTION(cuStreamCreate);
    TUMBLE_FUNCTION(cuStreamDestroy_v2);
    TUMBLE_FUNCTION(cuStreamSynchronize);
    TUMBLE_FUNCTION(cuModuleLoadData);
    TUMBLE_FUNCTION(cuModuleUnload);
    TUMBLE_FUNCTION(cuModuleGetFunction);
    TUMBLE_FUNCTION(cuLaunchKernel);
#undef TUMBLE_FUNCTION
  }

  static constexpr int out_of_memory = 2, no_device = 100;
  static constexpr int multiprocessors = 16, capability_major = 75, capability_minor = 76;
  static constexpr unsigned non_blocking_stream = 1;
};

struct NvrtcFunctions {
  int (*nvrtcVersion)(int* major, int* minor);
  const char* (*nvrtcGetErrorString)(int result);
  int (*nvrtcCreateProgram)(void** program, const char* source, const char* name, int headers,
                            const char* const* texts, const char* const* names);
  int (*nvrtcCompileProgram)(void* program, int options, const char* const* option);
  int (*nvrtcGetProgramLogSize)(void* program, std::size_t* bytes);
  int (*nvrtcGetProgramLog)(void* program, char* log);
  int (*nvrtcGetCUBINSize)(void* program, std::size_t* bytes);
  int (*nvrtcGetCUBIN)(void* program, char* code);
  int (*nvrtcDestroyProgram)(void** program);

  template <class F>
  void visit(F&& f) {
#define TUMBLE_FUNCTION(name) f(#name, reinterpret_cast<void**>(&name))
    TUMBLE_FUNCTION(nvrtcVersion);
    TUMBLE_FUNCTION(nvrtcGetErrorString);
    TUMBLE_FUNCTION(nvrtcCreateProgram);
    TUMBLE_FUNCTION(nvrtcCompileProgram);
    TUMBLE_FUNCTION(nvrtcGetProgramLogSize);
    TUMBLE_FUNCTION(nvrtcGetProgramLog);
    TUMBLE_FUNCTION(nvrtcGetCUBINSize);
    TUMBLE_FUNCTION(nvrtcGetCUBIN);
    TUMBLE_FUNCTION(nvrtcDestroyProgram);
#undef TUMBLE_FUNCTION
  }
};

}  // namespace tumble
