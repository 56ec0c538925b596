// The CUDA driver and NVRTC, its compiler, as this machine has them: loaded when they are asked
// for, so that neither building nor running Tumble needs them.
#pragma once
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "tumble/program/source_compiler.hpp"

namespace tumble {

/// A call of the driver or the compiler failed. The message tells which and why.
struct DeviceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// The device has not enough memory for what was asked; less may do.
struct DeviceMemoryError : DeviceError {
  using DeviceError::DeviceError;
};

struct DeviceInfo {
  int ordinal = 0;
  std::string name;
  std::uint64_t memory = 0;  ///< bytes
  int major = 0, minor = 0;  ///< compute capability
  int multiprocessors = 0;
};

/// What was found: versions as 1000 major + 10 minor, as CUDA counts.
struct DeviceList {
  int driver_version = 0;
  int compiler_version = 0;      ///< of NVRTC; 0: there is none
  std::string compiler_problem;  ///< why there is none
  std::vector<DeviceInfo> devices;
};

struct CudaFunctions;  // driver_functions.hpp
struct NvrtcFunctions;

class CudaDriver {
 public:
  /// $TUMBLE_CUDA_DRIVER, or the library that drivers install. Why there is none, or no device.
  static std::variant<std::shared_ptr<const CudaDriver>, Refusal> find();
  ~CudaDriver();
  CudaDriver(const CudaDriver&) = delete;
  CudaDriver& operator=(const CudaDriver&) = delete;

  int version() const { return version_; }
  const std::vector<DeviceInfo>& devices() const { return devices_; }
  const CudaFunctions& functions() const { return *functions_; }
  /// @throws DeviceError if `result` says that `what` failed.
  void require(int result, const char* what) const;

 private:
  CudaDriver();
  void* library_ = nullptr;
  std::unique_ptr<CudaFunctions> functions_;
  int version_ = 0;
  std::vector<DeviceInfo> devices_;
};

class DeviceCompiler {
 public:
  /// $TUMBLE_NVRTC, or the library of CUDA's toolkit.
  static std::variant<std::shared_ptr<const DeviceCompiler>, Refusal> find();
  ~DeviceCompiler();
  DeviceCompiler(const DeviceCompiler&) = delete;
  DeviceCompiler& operator=(const DeviceCompiler&) = delete;

  int version() const { return version_; }
  /// Machine code of CUDA C++ for a device, without contraction of products and sums. From several
  /// threads at once. @throws DeviceError with the compiler's messages.
  std::string compile(const std::string& source, const DeviceInfo& device) const;
  /// What code is compiled with, beside the device.
  static const std::vector<std::string>& options();

 private:
  DeviceCompiler();
  void* library_ = nullptr;
  std::unique_ptr<NvrtcFunctions> functions_;
  int version_ = 0;
};

/// What this machine has.
std::variant<DeviceList, Refusal> list_devices();

/// "13.0" of 13000.
std::string cuda_version_text(int version);

/// A device in use by this process: its context, which threads make current before they call.
class Device {
 public:
  /// @throws DeviceError.
  Device(std::shared_ptr<const CudaDriver> driver, const DeviceInfo& info);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const DeviceInfo& info() const { return info_; }
  const CudaDriver& driver() const { return *driver_; }
  /// For the calling thread.
  void make_current() const;
  std::uint64_t free_memory() const;

 private:
  std::shared_ptr<const CudaDriver> driver_;
  DeviceInfo info_;
  int device_ = 0;
  void* context_ = nullptr;
};

using DevicePointer = unsigned long long;

/// Memory of a device.
class DeviceMemory {
 public:
  /// @throws DeviceMemoryError, DeviceError.
  DeviceMemory(const Device& device, std::uint64_t bytes);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  DevicePointer address() const { return address_; }
  /// Copies now. @throws DeviceError.
  void upload(const void* from, std::uint64_t bytes) const;

 private:
  const Device& device_;
  DevicePointer address_ = 0;
};

/// Memory of the host that devices copy to and from while the processor goes on; ordinary memory
/// where the driver has none to give.
class PinnedMemory {
 public:
  PinnedMemory(const Device& device, std::size_t numbers);
  ~PinnedMemory();
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;
  double* data() const { return data_; }

 private:
  const Device& device_;
  bool pinned_ = false;
  double* data_ = nullptr;
};

/// Machine code on a device.
class DeviceModule {
 public:
  DeviceModule(const Device& device, const std::string& code);
  ~DeviceModule();
  DeviceModule(const DeviceModule&) = delete;
  DeviceModule& operator=(const DeviceModule&) = delete;
  /// @throws DeviceError if there is none of that name.
  void* function(const char* name) const;

 private:
  const Device& device_;
  void* module_ = nullptr;
};

/// Copies and launches of a device in order.
class DeviceStream {
 public:
  explicit DeviceStream(const Device& device);
  ~DeviceStream();
  DeviceStream(const DeviceStream&) = delete;
  DeviceStream& operator=(const DeviceStream&) = delete;
  void upload(DevicePointer to, const void* from, std::uint64_t bytes) const;
  void download(void* to, DevicePointer from, std::uint64_t bytes) const;
  /// With one argument, an address on the device.
  void launch(void* function, unsigned blocks, unsigned threads, DevicePointer argument) const;
  /// Until all is done. @throws DeviceError of what was asked before.
  void wait() const;

 private:
  const Device& device_;
  void* stream_ = nullptr;
};

}  // namespace tumble
