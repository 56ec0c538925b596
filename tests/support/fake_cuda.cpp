// A CUDA driver and an NVRTC that are none: they compile kernels by the C++ compiler and run them
// thread by thread on the processor, with the bits that a device has. For tests of everything that
// lies between a study and a device; TUMBLE_CUDA_DRIVER and TUMBLE_NVRTC name this library.
//
// FAKE_CUDA says what goes wrong, as words with numbers:
//   devices=N            how many there are (1)
//   driver=V             the driver's version (13000)
//   memory=BYTES         of each device (2^32)
//   fail_launch=N        the N-th launch fails, and all after it
//   lose=N               the device is lost when the N-th wait begins
//   lose_device=K        only calls of device K fail so (all)
//   reject               NVRTC refuses every program
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "tumble/program/emit.hpp"
#include "tumble/program/source_compiler.hpp"

namespace {

/// The number after a word of FAKE_CUDA.
long setting(const char* word, long otherwise) {
  const char* text = std::getenv("FAKE_CUDA");
  const std::string all = text != nullptr ? text : "";
  const std::string key = std::string(word) + "=";
  for (std::size_t at = all.find(key); at != std::string::npos; at = all.find(key, at + 1))
    if (at == 0 || all[at - 1] == ' ') return std::atol(all.c_str() + at + key.size());
  return all == word ? 1 : otherwise;
}

struct Context {
  int device = 0;
};
Context contexts[16];
thread_local Context* current = nullptr;

struct Memory {
  int device;
  std::size_t bytes;
};
std::mutex mutex;
std::map<unsigned long long, Memory> memory;
std::map<int, std::size_t> taken;
std::atomic<long> launches{0}, waits{0};
std::atomic<bool> failed[16];

constexpr int out_of_memory = 2, invalid = 1, lost = 719, launch_failed = 702;

bool concerned() {
  const long device = setting("lose_device", -1);
  return device < 0 || (current != nullptr && current->device == device);
}
bool is_lost() { return current != nullptr && failed[current->device]; }
int lose(int error) {
  if (current != nullptr) failed[current->device] = true;
  return error;
}

const char* const host_prefix = R"(
struct FakePlace { unsigned x; };
static thread_local FakePlace blockIdx, blockDim, threadIdx;
#define __global__
#define __launch_bounds__(n)
)";
const char* const host_suffix = R"(
extern "C" void fake_place(unsigned block, unsigned threads, unsigned thread) {
  blockIdx.x = block, blockDim.x = threads, threadIdx.x = thread;
}
)";

struct FakeProgram {
  std::string source, code, log;
};
struct FakeModule {
  std::unique_ptr<tumble::LoadedCode> code;
};
struct FakeFunction {
  void (*kernel)(const void*);
  void (*place)(unsigned, unsigned, unsigned);
};

}  // namespace

extern "C" {

int cuInit(unsigned) { return setting("devices", 1) == 0 ? 100 : 0; }
int cuDriverGetVersion(int* version) {
  *version = static_cast<int>(setting("driver", 13000));
  return 0;
}
int cuGetErrorString(int error, const char** text) {
  *text = error == out_of_memory   ? "out of memory"
          : error == lost          ? "unspecified launch failure"
          : error == launch_failed ? "the launch timed out and was terminated"
                                   : "invalid argument";
  return 0;
}
int cuDeviceGetCount(int* count) {
  *count = static_cast<int>(setting("devices", 1));
  return 0;
}
int cuDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return 0;
}
int cuDeviceGetName(char* name, int length, int device) {
  const std::string text = "fake device " + std::to_string(device);
  std::strncpy(name, text.c_str(), static_cast<std::size_t>(length));
  return 0;
}
int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
  *bytes = static_cast<std::size_t>(setting("memory", 1L << 32));
  return 0;
}
int cuDeviceGetAttribute(int* value, int attribute, int) {
  *value = attribute == 16 ? 2 : attribute == 75 ? 9 : 0;
  return 0;
}
int cuDevicePrimaryCtxRetain(void** context, int device) {
  contexts[device].device = device;
  *context = &contexts[device];
  return 0;
}
int cuDevicePrimaryCtxRelease_v2(int) { return 0; }
int cuCtxSetCurrent(void* context) {
  current = static_cast<Context*>(context);
  return 0;
}
int cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
  const std::lock_guard lock(mutex);
  cuDeviceTotalMem_v2(total, 0);
  *free = *total - taken[current->device];
  return 0;
}
int cuMemAlloc_v2(unsigned long long* address, std::size_t bytes) {
  const std::lock_guard lock(mutex);
  std::size_t total = 0;
  cuDeviceTotalMem_v2(&total, 0);
  // What is asked for as free is not all to be had, as on a device that others use too.
  if (taken[current->device] + bytes >
      static_cast<std::size_t>(setting("available", static_cast<long>(total))))
    return out_of_memory;
  void* place = std::malloc(bytes);
  // Nothing relies on what memory holds at first.
  std::memset(place, 0x7f, bytes);
  *address = reinterpret_cast<unsigned long long>(place);
  memory[*address] = {current->device, bytes};
  taken[current->device] += bytes;
  return 0;
}
int cuMemFree_v2(unsigned long long address) {
  const std::lock_guard lock(mutex);
  const auto found = memory.find(address);
  if (found == memory.end()) return invalid;
  taken[found->second.device] -= found->second.bytes;
  memory.erase(found);
  std::free(reinterpret_cast<void*>(address));
  return 0;
}
int cuMemAllocHost_v2(void** address, std::size_t bytes) {
  *address = std::malloc(bytes);
  return *address == nullptr ? out_of_memory : 0;
}
int cuMemFreeHost(void* address) {
  std::free(address);
  return 0;
}
int cuMemcpyHtoD_v2(unsigned long long to, const void* from, std::size_t bytes) {
  if (is_lost()) return lost;
  std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return 0;
}
int cuMemcpyHtoDAsync_v2(unsigned long long to, const void* from, std::size_t bytes, void*) {
  return cuMemcpyHtoD_v2(to, from, bytes);
}
int cuMemcpyDtoHAsync_v2(void* to, unsigned long long from, std::size_t bytes, void*) {
  if (is_lost()) return lost;
  std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
  return 0;
}
int cuStreamCreate(void** stream, unsigned) {
  *stream = nullptr;
  return 0;
}
int cuStreamDestroy_v2(void*) { return 0; }
int cuStreamSynchronize(void*) {
  if (is_lost()) return lost;
  const long number = setting("lose", 0);
  return number > 0 && concerned() && ++waits >= number ? lose(lost) : 0;
}
int cuModuleLoadData(void** module, const void* image) {
  // The image says its own size, as those of devices do.
  std::size_t size = 0;
  std::memcpy(&size, image, sizeof size);
  auto loaded = std::make_unique<FakeModule>();
  loaded->code = std::make_unique<tumble::LoadedCode>(
      std::string(static_cast<const char*>(image) + sizeof size, size));
  *module = loaded.release();
  return 0;
}
int cuModuleUnload(void* module) {
  delete static_cast<FakeModule*>(module);
  return 0;
}
int cuModuleGetFunction(void** function, void* module, const char* name) {
  const auto& code = *static_cast<FakeModule*>(module)->code;
  static std::map<std::pair<void*, std::string>, FakeFunction> functions;
  const std::lock_guard lock(mutex);
  FakeFunction& found = functions[{module, name}];
  found.kernel = reinterpret_cast<void (*)(const void*)>(code.address(name));
  found.place =
      reinterpret_cast<void (*)(unsigned, unsigned, unsigned)>(code.address("fake_place"));
  *function = &found;
  return found.kernel == nullptr ? 500 : 0;
}
int cuLaunchKernel(void* function, unsigned blocks, unsigned, unsigned, unsigned threads, unsigned,
                   unsigned, unsigned, void*, void** parameters, void**) {
  if (is_lost()) return lost;
  const long number = setting("fail_launch", 0);
  if (number > 0 && concerned() && ++launches >= number) return lose(launch_failed);
  const auto& f = *static_cast<const FakeFunction*>(function);
  const void* argument = *static_cast<void**>(parameters[0]);
  for (unsigned block = 0; block < blocks; ++block)
    for (unsigned thread = 0; thread < threads; ++thread) {
      f.place(block, threads, thread);
      f.kernel(argument);
    }
  return 0;
}

int nvrtcVersion(int* major, int* minor) {
  *major = 13, *minor = 0;
  return 0;
}
const char* nvrtcGetErrorString(int) { return "NVRTC_ERROR_COMPILATION"; }
int nvrtcCreateProgram(void** program, const char* source, const char*, int, const char* const*,
                       const char* const*) {
  auto made = std::make_unique<FakeProgram>();
  made->source = source;
  *program = made.release();
  return 0;
}
int nvrtcCompileProgram(void* program, int, const char* const*) {
  auto& p = *static_cast<FakeProgram*>(program);
  if (setting("reject", 0) > 0) {
    p.log = "this compiler compiles nothing";
    return 6;
  }
  auto compiler = tumble::SourceCompiler::find();
  if (auto* refusal = std::get_if<tumble::Refusal>(&compiler)) {
    p.log = refusal->reason;
    return 6;
  }
  auto flags = tumble::compile_flags(tumble::LaneRegisters::avx2);
  std::ranges::replace(flags, std::string("-O2"), std::string("-O1"));
  auto made = std::get<tumble::SourceCompiler>(compiler).compile(
      {tumble::cuda_host_shim() + host_prefix + p.source + host_suffix}, flags);
  if (auto* refusal = std::get_if<tumble::Refusal>(&made)) {
    p.log = refusal->reason;
    return 6;
  }
  const std::string& code = std::get<std::string>(made);
  const std::size_t size = code.size();
  p.code.assign(reinterpret_cast<const char*>(&size), sizeof size);
  p.code += code;
  return 0;
}
int nvrtcGetProgramLogSize(void* program, std::size_t* bytes) {
  *bytes = static_cast<FakeProgram*>(program)->log.size() + 1;
  return 0;
}
int nvrtcGetProgramLog(void* program, char* log) {
  std::strcpy(log, static_cast<FakeProgram*>(program)->log.c_str());
  return 0;
}
int nvrtcGetCUBINSize(void* program, std::size_t* bytes) {
  *bytes = static_cast<FakeProgram*>(program)->code.size();
  return 0;
}
int nvrtcGetCUBIN(void* program, char* code) {
  const std::string& text = static_cast<FakeProgram*>(program)->code;
  std::memcpy(code, text.data(), text.size());
  return 0;
}
int nvrtcDestroyProgram(void** program) {
  delete static_cast<FakeProgram*>(*program);
  *program = nullptr;
  return 0;
}

}  // extern "C"
