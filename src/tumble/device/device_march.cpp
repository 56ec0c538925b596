#include "tumble/device/device_march.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <future>

#include "tumble/base/sha256.hpp"
#include "tumble/model/system.hpp"
#include "tumble/program/machine_samples.hpp"

namespace tumble {

namespace {

constexpr int lanes_of_device = 2;  // one computes while the other one's batch gathers
// Of 64 threads, so many fit on a multiprocessor where each takes 255 registers.
constexpr int blocks_side_by_side = 4;
constexpr std::size_t most_sizes = 6, most_steps = 2000000;

std::string key_of(const std::string& text, const DeviceCompiler& compiler,
                   const DeviceInfo& device) {
  Sha256 key;
  const auto add = [&](const std::string& part) {
    key.add(std::to_string(part.size()) + ":");
    key.add(part);
  };
  add(fmt::format("nvrtc {} sm_{}{}", compiler.version(), device.major, device.minor));
  for (const std::string& option : DeviceCompiler::options()) add(option);
  add(text);
  return key.digest();
}

}  // namespace

struct DeviceMarch::Machine {
  explicit Machine(std::shared_ptr<const CudaDriver> driver, const DeviceInfo& info)
      : device(std::move(driver), info) {}
  ~Machine() {
    try {
      device.make_current();
    } catch (const DeviceError&) {
      // A device that is lost has nothing left to give back.
    }
  }

  Device device;
  std::vector<std::unique_ptr<DeviceModule>> modules;
  void *steps = nullptr, *look = nullptr;
  std::vector<void*> restart;
  std::unique_ptr<DeviceMemory> step_list, contexts, sizes;
  std::size_t most_leaves = 1;  ///< of a batch
  bool lost = false;
};

/// Memory for batches and their order on the device.
class DeviceMarch::Lane {
 public:
  /// As the kernels have it (march_kernels.cu).
  struct Arguments {
    DevicePointer head, rest, values, contexts, sizes, steps;
    double time;
    long realizations;
    int first, last, context, context_ahead, log, begins, is_break, padding;
  };

  Lane(const DeviceMarch& march, Machine& machine)
      : march_(march), machine_(machine), stream_(machine.device) {
    // Another lane, or another program, may have taken what was free before.
    std::size_t leaves = machine.most_leaves;
    while (true) {
      try {
        take(leaves);
        break;
      } catch (const DeviceMemoryError&) {
        head_.reset(), rest_.reset(), values_.reset();
        if (leaves == 1) throw;
        leaves = (leaves + 1) / 2;
      }
    }
    leaves_ = leaves;
  }
  std::size_t leaves() const { return leaves_; }

  void run(const std::vector<Waiting*>& batch) {
    const MarchLayout& at = march_.layout_;
    const auto bytes = [](int numbers) {
      return static_cast<std::uint64_t>(numbers) * DeviceCargo::realizations * sizeof(double);
    };
    for (std::size_t i = 0; i < batch.size(); ++i)
      stream_.upload(head_->address() + i * bytes(at.head_size), batch[i]->cargo.heads,
                     bytes(at.head_size));
    write_arguments(batch.size());
    stream_.upload(list_->address(), arguments_.data(), arguments_.size() * sizeof(Arguments));
    const auto threads = static_cast<unsigned>(batch.size() * DeviceCargo::realizations);
    const unsigned blocks = (threads + device_threads - 1) / device_threads;
    const auto& launches = march_.itinerary_.launches;
    for (std::size_t i = 0; i < launches.size(); ++i) {
      using Kind = DeviceLaunch::Kind;
      void* const kernel = launches[i].kind == Kind::steps  ? machine_.steps
                           : launches[i].kind == Kind::look ? machine_.look
                                                            : restart_of(launches[i]);
      stream_.launch(kernel, blocks, device_threads, list_->address() + i * sizeof(Arguments));
    }
    for (std::size_t i = 0; i < batch.size(); ++i)
      stream_.download(batch[i]->cargo.rows, values_->address() + i * bytes(at.row_size),
                       bytes(at.row_size));
    stream_.wait();
  }

 private:
  void take(std::size_t leaves) {
    const MarchLayout& at = march_.layout_;
    const auto numbers = [&](int size) {
      return leaves * DeviceCargo::realizations * static_cast<std::uint64_t>(size) * sizeof(double);
    };
    const Device& device = machine_.device;
    head_ = std::make_unique<DeviceMemory>(device, numbers(at.head_size));
    rest_ = std::make_unique<DeviceMemory>(device, numbers(at.rest_size));
    values_ = std::make_unique<DeviceMemory>(device, numbers(at.row_size));
    list_ = std::make_unique<DeviceMemory>(device,
                                           march_.itinerary_.launches.size() * sizeof(Arguments));
  }
  void* restart_of(const DeviceLaunch& launch) const {
    return machine_.restart[static_cast<std::size_t>(launch.size)];
  }
  void write_arguments(std::size_t leaves) {
    const MarchLayout& at = march_.layout_;
    arguments_.clear();
    for (const DeviceLaunch& launch : march_.itinerary_.launches) {
      Arguments a{};
      a.head = head_->address();
      a.rest = rest_->address();
      a.values = values_->address();
      a.contexts = machine_.contexts->address();
      a.sizes = machine_.sizes->address();
      a.steps = machine_.step_list->address();
      a.time = launch.time;
      a.realizations = static_cast<long>(leaves) * DeviceCargo::realizations;
      a.first = launch.first, a.last = launch.last;
      a.context = launch.context, a.context_ahead = launch.context_ahead;
      a.log = launch.kind == DeviceLaunch::Kind::look
                  ? at.looks + launch.note * MarchLayout::numbers_of_look
                  : at.breaks + launch.note;
      a.begins = arguments_.empty() ? 1 : 0;
      a.is_break = launch.is_break ? 1 : 0;
      arguments_.push_back(a);
    }
  }

  const DeviceMarch& march_;
  Machine& machine_;
  DeviceStream stream_;
  std::unique_ptr<DeviceMemory> head_, rest_, values_, list_;
  std::vector<Arguments> arguments_;
  std::size_t leaves_ = 0;
};

std::variant<std::unique_ptr<DeviceMarch>, Refusal> DeviceMarch::make(const Plan& plan,
                                                                      const Schedule& schedule,
                                                                      const Request& request,
                                                                      const KernelCache& cache) {
  if (const auto none = why_no_march(plan)) return Refusal{none->reason};
  auto found = CudaDriver::find();
  if (auto* refusal = std::get_if<Refusal>(&found)) return *refusal;
  const auto& driver = std::get<std::shared_ptr<const CudaDriver>>(found);
  auto found_compiler = DeviceCompiler::find();
  if (auto* refusal = std::get_if<Refusal>(&found_compiler)) return *refusal;
  const auto& compiler = std::get<std::shared_ptr<const DeviceCompiler>>(found_compiler);
  if (compiler->version() / 1000 > driver->version() / 1000)
    return Refusal{fmt::format("the driver, for CUDA {}, is older than NVRTC {}",
                               cuda_version_text(driver->version()),
                               cuda_version_text(compiler->version()))};

  if (schedule.segments.empty()) return Refusal{"nothing moves"};
  std::unique_ptr<DeviceMarch> march(new DeviceMarch);
  march->shared_.constants = shared_constants(request.constants);
  march->shared_.offsets = shared_constants(request.offsets);
  march->shared_.constant_values = request.constants[0];
  march->shared_.offset_values = request.offsets[0];
  auto itinerary = make_itinerary(plan, schedule, request.constants, march->shared_.constants);
  if (auto* refusal = std::get_if<Refusal>(&itinerary)) return *refusal;
  march->itinerary_ = std::move(std::get<Itinerary>(itinerary));
  Itinerary& way = march->itinerary_;
  if (way.sizes.size() > most_sizes) return Refusal{"its steps have too many sizes"};
  if (way.steps.size() > most_steps) return Refusal{"it takes too many steps"};

  const auto samples = sample_nominal_run(plan, schedule);
  if (samples.empty()) return Refusal{"the nominal machine does not start"};
  const auto recorded = record_march(plan, way.sizes, samples);
  if (const auto* none = std::get_if<NoPrograms>(&recorded)) return Refusal{none->reason};
  auto programs = specialize(std::get<MarchPrograms>(recorded), march->shared_);
  if (!programs) return Refusal{"the realisations take other paths than the nominal machine"};
  const MarchSource source = make_march_source(*plan.system, *programs, way);
  march->layout_ = source.layout;
  for (const int i : source.layout.context)
    if (static_cast<std::size_t>(i) >= way.drive_numbers) return Refusal{"it counts turns"};

  // Rows of drives with what programs read of them, and of sizes.
  std::vector<double> contexts, sizes;
  for (auto& row : way.contexts)
    for (const int i : source.layout.context) contexts.push_back(row[static_cast<std::size_t>(i)]);
  for (const double h : way.sizes)
    for (const double x : StepRegion::numbers(step_numbers(*plan.system, h))) sizes.push_back(x);

  DeviceReport& report = march->report_;
  report.driver_version = driver->version();
  report.operations = source.operations;
  std::vector<std::unique_ptr<Machine>> machines;
  try {
    const auto begun = std::chrono::steady_clock::now();
    for (const DeviceInfo& info : driver->devices()) {
      std::vector<std::future<std::string>> codes;
      std::vector<char> cached(source.texts.size(), 0);
      for (std::size_t i = 0; i < source.texts.size(); ++i)
        codes.push_back(std::async(std::launch::async, [&, i] {
          const std::string key = key_of(source.texts[i], *compiler, info);
          if (auto code = cache.find(key)) {
            cached[i] = 1;
            return std::move(*code);
          }
          std::string code = compiler->compile(source.texts[i], info);
          cache.store(key, code);
          return code;
        }));
      for (auto& code : codes) code.wait();
      auto machine = std::make_unique<Machine>(driver, info);
      machine->device.make_current();
      for (auto& code : codes)
        machine->modules.push_back(std::make_unique<DeviceModule>(machine->device, code.get()));
      report.from_cache = std::ranges::count(cached, 1) == static_cast<long>(cached.size());
      machine->steps = machine->modules[0]->function("tumble_march");
      machine->look = machine->modules[1]->function("tumble_note");
      for (std::size_t i = 2; i < machine->modules.size(); ++i)
        machine->restart.push_back(machine->modules[i]->function("tumble_begin"));
      const auto upload = [&](const auto& numbers) {
        const std::uint64_t bytes = numbers.size() * sizeof(numbers[0]);
        auto memory = std::make_unique<DeviceMemory>(machine->device, bytes);
        memory->upload(numbers.data(), bytes);
        return memory;
      };
      machine->step_list = upload(way.steps);
      machine->contexts = upload(contexts);
      machine->sizes = upload(sizes);
      const MarchLayout& at = march->layout_;
      const std::uint64_t leaf =
          static_cast<std::uint64_t>(at.head_size + at.rest_size + at.row_size) *
          DeviceCargo::realizations * sizeof(double);
      // Something stays free for the driver; a batch is what a device computes side by side.
      const std::uint64_t fit = machine->device.free_memory() / 10 * 8 / lanes_of_device / leaf;
      machine->most_leaves = std::clamp<std::size_t>(
          fit, 1,
          static_cast<std::size_t>(blocks_side_by_side * std::max(1, info.multiprocessors)));
      report.devices.push_back(info.name);
      machines.push_back(std::move(machine));
    }
    if (!report.from_cache)
      report.compile_seconds =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  } catch (const DeviceError& error) {
    return Refusal{error.what()};
  }
  way.contexts.clear();
  march->begin(std::move(machines), request.host_memory);
  return march;
}

void DeviceMarch::begin(std::vector<std::unique_ptr<Machine>> machines, std::uint64_t host_memory) {
  machines_ = std::move(machines);
  // A leaf's rows twice: as they came, and as statistics read them.
  const std::uint64_t leaf = static_cast<std::uint64_t>(2 * layout_.row_size + layout_.head_size) *
                             DeviceCargo::realizations * sizeof(double);
  std::size_t most = host_memory == 0 ? SIZE_MAX : std::max<std::uint64_t>(host_memory / leaf, 2);
  for (const auto& machine : machines_) leaves_under_way_ += lanes_of_device * machine->most_leaves;
  leaves_under_way_ = std::min(leaves_under_way_, most);
  serving_ = static_cast<int>(machines_.size()) * lanes_of_device;
  for (const auto& machine : machines_)
    for (int i = 0; i < lanes_of_device; ++i)
      threads_.emplace_back([this, &machine = *machine] { serve(machine); });
}

DeviceMarch::DeviceMarch() = default;
DeviceMarch::~DeviceMarch() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  arrived_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

std::unique_ptr<PinnedMemory> DeviceMarch::memory(std::size_t numbers) const {
  return std::make_unique<PinnedMemory>(machines_.front()->device, numbers);
}

bool DeviceMarch::run(const DeviceCargo& cargo) {
  Waiting waiting{cargo};
  std::unique_lock lock(mutex_);
  if (serving_ == 0) return false;
  waiting_.push_back(&waiting);
  arrived_.notify_all();
  finished_.wait(lock, [&] { return waiting.done || waiting.refused; });
  return waiting.done;
}

void DeviceMarch::serve(Machine& machine) {
  std::vector<Waiting*> batch;
  try {
    machine.device.make_current();
    Lane lane(*this, machine);
    const std::size_t full =
        std::min(lane.leaves(), std::max<std::size_t>(leaves_under_way_ / lanes_of_device, 1));
    while (true) {
      std::unique_lock lock(mutex_);
      arrived_.wait(lock, [&] { return ending_ || machine.lost || !waiting_.empty(); });
      if (ending_) return;
      // More may be on their way: a batch takes as long whether it is full or not.
      arrived_.wait_for(lock, std::chrono::milliseconds(30),
                        [&] { return ending_ || machine.lost || waiting_.size() >= full; });
      if (machine.lost) {
        lock.unlock();
        return lose(machine, "", {});
      }
      while (!waiting_.empty() && batch.size() < full) {
        batch.push_back(waiting_.front());
        waiting_.pop_front();
      }
      if (batch.empty()) continue;
      lock.unlock();
      const auto begun = std::chrono::steady_clock::now();
      lane.run(batch);
      const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun;
      lock.lock();
      ++report_.batches;
      report_.batch_seconds += taken.count();
      for (Waiting* one : batch) one->done = true;
      batch.clear();
      finished_.notify_all();
    }
  } catch (const DeviceError& error) {
    lose(machine, error.what(), batch);
  }
}

/// One thread fewer serves. What it had goes to the others, or back.
void DeviceMarch::lose(Machine& machine, const std::string& why,
                       const std::vector<Waiting*>& batch) {
  const std::lock_guard lock(mutex_);
  if (!machine.lost) report_.failures.push_back(machine.device.info().name + ": " + why);
  machine.lost = true;
  --serving_;
  waiting_.insert(waiting_.begin(), batch.begin(), batch.end());
  if (serving_ == 0) {
    for (Waiting* one : waiting_) one->refused = true;
    waiting_.clear();
    finished_.notify_all();
  }
  arrived_.notify_all();
}

void DeviceMarch::note(std::uint64_t computed, std::uint64_t left) {
  const std::lock_guard lock(mutex_);
  report_.computed += computed;
  report_.left += left;
}

DeviceReport DeviceMarch::report() const {
  const std::lock_guard lock(mutex_);
  return report_;
}

std::string to_string(const DeviceReport& report) {
  std::string names;
  for (const std::string& name : report.devices) names += (names.empty() ? "" : ", ") + name;
  std::string text = fmt::format(
      "{} realisations ran on {} in {} batches of {:.2g} s ({}); {} on the processor",
      report.computed, names, report.batches,
      report.batches > 0 ? report.batch_seconds / static_cast<double>(report.batches) : 0.0,
      report.from_cache ? std::string("code from the cache")
                        : fmt::format("code compiled in {:.2g} s", report.compile_seconds),
      report.left);
  for (const std::string& failure : report.failures)
    text += fmt::format("\n  {}; the study went on without it", failure);
  return text;
}

}  // namespace tumble
