#include "tumble/device/driver.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <functional>

#include "tumble/device/driver_functions.hpp"

namespace tumble {

namespace {

/// The first of some libraries that can be loaded; null if none can.
void* load_first(const char* variable, const std::vector<std::string>& names) {
  if (const char* given = std::getenv(variable); given != nullptr && *given != 0)
    return dlopen(given, RTLD_NOW | RTLD_LOCAL);
  for (const std::string& name : names)
    if (void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  return nullptr;
}

/// The name of a function that the library lacks; empty if it has all.
template <class Functions>
std::string find_functions(void* library, Functions& functions) {
  std::string missing;
  functions.visit([&](const char* name, void** function) {
    *function = dlsym(library, name);
    if (*function == nullptr) missing = name;
  });
  return missing;
}

}  // namespace

std::string cuda_version_text(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

CudaDriver::CudaDriver() : functions_(std::make_unique<CudaFunctions>()) {}
CudaDriver::~CudaDriver() {
  // The library stays: drivers have threads of their own that outlive a dlclose().
}

void CudaDriver::require(int result, const char* what) const {
  if (result == 0) return;
  const char* text = nullptr;
  functions_->cuGetErrorString(result, &text);
  const std::string message =
      fmt::format("{}: {} ({})", what, text != nullptr ? text : "unknown error", result);
  if (result == CudaFunctions::out_of_memory) throw DeviceMemoryError(message);
  throw DeviceError(message);
}

std::variant<std::shared_ptr<const CudaDriver>, Refusal> CudaDriver::find() {
  const std::shared_ptr<CudaDriver> driver(new CudaDriver);
  driver->library_ = load_first("TUMBLE_CUDA_DRIVER", {"libcuda.so.1", "libcuda.so"});
  if (driver->library_ == nullptr) return Refusal{"there is no CUDA driver (libcuda.so.1)"};
  CudaFunctions& cuda = *driver->functions_;
  if (const std::string missing = find_functions(driver->library_, cuda); !missing.empty())
    return Refusal{fmt::format("the CUDA driver is too old: it has no {}", missing)};
  try {
    const int result = cuda.cuInit(0);
    if (result == CudaFunctions::no_device) return Refusal{"the CUDA driver found no device"};
    driver->require(result, "the CUDA driver does not start");
    driver->require(cuda.cuDriverGetVersion(&driver->version_), "asking for the driver's version");
    int count = 0;
    driver->require(cuda.cuDeviceGetCount(&count), "counting devices");
    for (int i = 0; i < count; ++i) {
      DeviceInfo info;
      info.ordinal = i;
      int device = 0;
      driver->require(cuda.cuDeviceGet(&device, i), "opening a device");
      char name[256] = {};
      driver->require(cuda.cuDeviceGetName(name, sizeof name - 1, device), "naming a device");
      info.name = name;
      std::size_t bytes = 0;
      driver->require(cuda.cuDeviceTotalMem_v2(&bytes, device), "asking for a device's memory");
      info.memory = bytes;
      const auto attribute = [&](int number) {
        int value = 0;
        driver->require(cuda.cuDeviceGetAttribute(&value, number, device), "asking a device");
        return value;
      };
      info.major = attribute(CudaFunctions::capability_major);
      info.minor = attribute(CudaFunctions::capability_minor);
      info.multiprocessors = attribute(CudaFunctions::multiprocessors);
      driver->devices_.push_back(info);
    }
  } catch (const DeviceError& error) {
    return Refusal{error.what()};
  }
  if (driver->devices_.empty()) return Refusal{"the CUDA driver found no device"};
  return std::shared_ptr<const CudaDriver>(driver);
}

DeviceCompiler::DeviceCompiler() : functions_(std::make_unique<NvrtcFunctions>()) {}
DeviceCompiler::~DeviceCompiler() = default;

std::variant<std::shared_ptr<const DeviceCompiler>, Refusal> DeviceCompiler::find() {
  const std::shared_ptr<DeviceCompiler> compiler(new DeviceCompiler);
  std::vector<std::string> names;
  for (const char* folder : {"", "/usr/local/cuda/lib64/"})
    for (const char* name : {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2"})
      names.push_back(std::string(folder) + name);
  compiler->library_ = load_first("TUMBLE_NVRTC", names);
  if (compiler->library_ == nullptr)
    return Refusal{"there is no NVRTC (libnvrtc.so), which compiles for devices"};
  if (const std::string missing = find_functions(compiler->library_, *compiler->functions_);
      !missing.empty())
    return Refusal{fmt::format("NVRTC is too old: it has no {}", missing)};
  int major = 0, minor = 0;
  if (compiler->functions_->nvrtcVersion(&major, &minor) != 0)
    return Refusal{"NVRTC does not start"};
  compiler->version_ = 1000 * major + 10 * minor;
  return std::shared_ptr<const DeviceCompiler>(compiler);
}

const std::vector<std::string>& DeviceCompiler::options() {
  static const std::vector<std::string> options = {
      "--std=c++17",     "--fmad=false",     "--ftz=false",
      "--prec-div=true", "--prec-sqrt=true", "--device-as-default-execution-space"};
  return options;
}

std::string DeviceCompiler::compile(const std::string& source, const DeviceInfo& device) const {
  const NvrtcFunctions& nvrtc = *functions_;
  void* program = nullptr;
  const auto require = [&](int result, const char* what) {
    if (result != 0)
      throw DeviceError(fmt::format("{}: {}", what, nvrtc.nvrtcGetErrorString(result)));
  };
  require(nvrtc.nvrtcCreateProgram(&program, source.c_str(), "tumble.cu", 0, nullptr, nullptr),
          "NVRTC refuses a program");
  const std::unique_ptr<void, std::function<void(void*)>> guard(
      program, [&](void* p) { nvrtc.nvrtcDestroyProgram(&p); });
  std::vector<std::string> given = options();
  given.push_back(fmt::format("--gpu-architecture=sm_{}{}", device.major, device.minor));
  std::vector<const char*> option;
  for (const std::string& text : given) option.push_back(text.c_str());
  const int result =
      nvrtc.nvrtcCompileProgram(program, static_cast<int>(option.size()), option.data());
  if (result != 0) {
    std::size_t size = 0;
    std::string log;
    if (nvrtc.nvrtcGetProgramLogSize(program, &size) == 0 && size > 0) {
      log.resize(size);
      if (nvrtc.nvrtcGetProgramLog(program, log.data()) != 0) log.clear();
    }
    throw DeviceError(fmt::format("NVRTC {} cannot compile for {} (sm_{}{}): {}\n{}",
                                  cuda_version_text(version_), device.name, device.major,
                                  device.minor, nvrtc.nvrtcGetErrorString(result),
                                  log.substr(0, 2000)));
  }
  std::size_t size = 0;
  require(nvrtc.nvrtcGetCUBINSize(program, &size), "NVRTC has no code");
  std::string code(size, '\0');
  require(nvrtc.nvrtcGetCUBIN(program, code.data()), "NVRTC has no code");
  return code;
}

std::variant<DeviceList, Refusal> list_devices() {
  const auto driver = CudaDriver::find();
  if (const auto* refusal = std::get_if<Refusal>(&driver)) return *refusal;
  DeviceList list;
  const CudaDriver& found = *std::get<std::shared_ptr<const CudaDriver>>(driver);
  list.driver_version = found.version();
  list.devices = found.devices();
  const auto compiler = DeviceCompiler::find();
  if (const auto* refusal = std::get_if<Refusal>(&compiler))
    list.compiler_problem = refusal->reason;
  else
    list.compiler_version = std::get<std::shared_ptr<const DeviceCompiler>>(compiler)->version();
  return list;
}

Device::Device(std::shared_ptr<const CudaDriver> driver, const DeviceInfo& info)
    : driver_(std::move(driver)), info_(info) {
  const CudaFunctions& cuda = driver_->functions();
  driver_->require(cuda.cuDeviceGet(&device_, info.ordinal), "opening the device");
  driver_->require(cuda.cuDevicePrimaryCtxRetain(&context_, device_), "opening the device");
}
Device::~Device() { driver_->functions().cuDevicePrimaryCtxRelease_v2(device_); }

void Device::make_current() const {
  driver_->require(driver_->functions().cuCtxSetCurrent(context_), "choosing the device");
}

std::uint64_t Device::free_memory() const {
  std::size_t free = 0, total = 0;
  driver_->require(driver_->functions().cuMemGetInfo_v2(&free, &total), "asking for memory");
  return free;
}

DeviceMemory::DeviceMemory(const Device& device, std::uint64_t bytes) : device_(device) {
  const CudaDriver& driver = device.driver();
  driver.require(driver.functions().cuMemAlloc_v2(&address_, bytes == 0 ? 8 : bytes),
                 "taking memory of the device");
}
DeviceMemory::~DeviceMemory() { device_.driver().functions().cuMemFree_v2(address_); }
void DeviceMemory::upload(const void* from, std::uint64_t bytes) const {
  if (bytes == 0) return;
  const CudaDriver& driver = device_.driver();
  driver.require(driver.functions().cuMemcpyHtoD_v2(address_, from, bytes),
                 "copying to the device");
}

PinnedMemory::PinnedMemory(const Device& device, std::size_t numbers) : device_(device) {
  void* address = nullptr;
  device.make_current();
  pinned_ = device.driver().functions().cuMemAllocHost_v2(&address, numbers * sizeof(double)) == 0;
  data_ = pinned_ ? static_cast<double*>(address) : new double[numbers];
}
PinnedMemory::~PinnedMemory() {
  if (pinned_) {
    try {
      device_.make_current();
    } catch (const DeviceError&) {
      // The device is lost; what is given back to it does not matter any more.
    }
    device_.driver().functions().cuMemFreeHost(data_);
  } else {
    delete[] data_;
  }
}

DeviceModule::DeviceModule(const Device& device, const std::string& code) : device_(device) {
  const CudaDriver& driver = device.driver();
  driver.require(driver.functions().cuModuleLoadData(&module_, code.data()),
                 "loading code to the device");
}
DeviceModule::~DeviceModule() { device_.driver().functions().cuModuleUnload(module_); }
void* DeviceModule::function(const char* name) const {
  void* found = nullptr;
  const CudaDriver& driver = device_.driver();
  driver.require(driver.functions().cuModuleGetFunction(&found, module_, name),
                 "looking for a kernel");
  return found;
}

DeviceStream::DeviceStream(const Device& device) : device_(device) {
  const CudaDriver& driver = device.driver();
  driver.require(driver.functions().cuStreamCreate(&stream_, CudaFunctions::non_blocking_stream),
                 "opening a stream of the device");
}
DeviceStream::~DeviceStream() { device_.driver().functions().cuStreamDestroy_v2(stream_); }
void DeviceStream::upload(DevicePointer to, const void* from, std::uint64_t bytes) const {
  const CudaDriver& driver = device_.driver();
  driver.require(driver.functions().cuMemcpyHtoDAsync_v2(to, from, bytes, stream_),
                 "copying to the device");
}
void DeviceStream::download(void* to, DevicePointer from, std::uint64_t bytes) const {
  const CudaDriver& driver = device_.driver();
  driver.require(driver.functions().cuMemcpyDtoHAsync_v2(to, from, bytes, stream_),
                 "copying from the device");
}
void DeviceStream::launch(void* function, unsigned blocks, unsigned threads,
                          DevicePointer argument) const {
  void* parameters[] = {&argument};
  const CudaDriver& driver = device_.driver();
  driver.require(driver.functions().cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0,
                                                   stream_, parameters, nullptr),
                 "launching a kernel");
}
void DeviceStream::wait() const {
  const CudaDriver& driver = device_.driver();
  driver.require(driver.functions().cuStreamSynchronize(stream_), "waiting for the device");
}

}  // namespace tumble
