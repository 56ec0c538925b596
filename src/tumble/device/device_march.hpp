// Realisations of one machine on the devices of this computer: programs recorded and compiled for
// them, and batches of leaves that go there and come back.
//
// A thread that computes a leaf hands it in and waits. Beside each device two threads take what
// waits: while one batch is under way, the next gathers. Whether, where and with whom a leaf is
// computed changes no bit. A device that fails gives its leaves back; without devices left the
// caller computes them himself.
#pragma once
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <variant>
#include <vector>

#include "tumble/device/driver.hpp"
#include "tumble/device/march_source.hpp"
#include "tumble/program/kernel_cache.hpp"

namespace tumble {

/// A leaf of 64 realisations on its way: its heads go, its rows come back (MarchLayout::place()).
struct DeviceCargo {
  static constexpr int realizations = 64;
  double* heads = nullptr;
  double* rows = nullptr;
};

struct DeviceReport {
  std::vector<std::string> devices;  ///< names of those that are used
  int driver_version = 0;
  double compile_seconds = 0;  ///< 0 from the cache
  bool from_cache = false;
  int operations = 0;
  std::uint64_t computed = 0, left = 0;  ///< realisations here, and those left to the processor
  std::uint64_t batches = 0;             ///< that devices took
  double batch_seconds = 0;              ///< there and back, all together
  std::vector<std::string> failures;     ///< devices that were lost, and why
};

class DeviceMarch {
 public:
  struct Request {
    /// Of the nominal machine and of some realisations: what they share is shared by the study, or
    /// a realisation is left to the processor.
    std::vector<std::vector<double>> constants, offsets;
    std::uint64_t host_memory = 0;  ///< that leaves under way may take [bytes]; 0: no bound
  };
  /// Compiles, or takes from the cache, and begins to serve.
  static std::variant<std::unique_ptr<DeviceMarch>, Refusal> make(const Plan& plan,
                                                                  const Schedule& schedule,
                                                                  const Request& request,
                                                                  const KernelCache& cache);
  ~DeviceMarch();
  DeviceMarch(const DeviceMarch&) = delete;
  DeviceMarch& operator=(const DeviceMarch&) = delete;

  const MarchLayout& layout() const { return layout_; }
  const Itinerary& itinerary() const { return itinerary_; }
  /// What a realisation must have for the programs to be its own.
  const SharedNumbers& shared() const { return shared_; }
  /// How many leaves keep the devices busy.
  std::size_t leaves_under_way() const { return leaves_under_way_; }
  /// Memory for a cargo, for good copies.
  std::unique_ptr<PinnedMemory> memory(std::size_t numbers) const;

  /// Computes a leaf; false if no device is left. From several threads.
  bool run(const DeviceCargo& cargo);
  /// Counts a leaf's realisations.
  void note(std::uint64_t computed, std::uint64_t left);
  DeviceReport report() const;

 private:
  struct Machine;  // a device with the code and what threads share
  class Lane;      // memory and a stream of it
  struct Waiting {
    DeviceCargo cargo;
    bool done = false, refused = false;
  };
  DeviceMarch();
  void begin(std::vector<std::unique_ptr<Machine>> machines, std::uint64_t host_memory);
  void serve(Machine& machine);
  void lose(Machine& machine, const std::string& why, const std::vector<Waiting*>& batch);

  MarchLayout layout_;
  Itinerary itinerary_;
  SharedNumbers shared_;
  std::vector<std::unique_ptr<Machine>> machines_;
  std::size_t leaves_under_way_ = 0;

  mutable std::mutex mutex_;
  std::condition_variable arrived_, finished_;
  std::deque<Waiting*> waiting_;
  int serving_ = 0;  ///< threads that serve
  bool ending_ = false;
  DeviceReport report_;
  std::vector<std::thread> threads_;
};

/// A sentence of the summary.
std::string to_string(const DeviceReport& report);

}  // namespace tumble
