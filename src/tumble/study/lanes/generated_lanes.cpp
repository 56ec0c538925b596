#include "tumble/study/lanes/generated_lanes.hpp"

#include <fmt/format.h>

#include "tumble/program/compiled_machine.hpp"
#include "tumble/study/lanes/lane_kernel.hpp"

namespace tumble {

namespace {

LaneRegisters registers_of(const LaneKernel& kernel) {
  return lane_registers(kernel.instruction_set, kernel.width);
}

/// Of what is left to compute, programs save a fifth; compiling takes some seconds of three cores,
/// and memory. Below this many seconds of one core nobody notices.
constexpr double worth_compiling = 60;

}  // namespace

std::string to_string(const ProgramReport& report) {
  if (!report.refusal.empty())
    return fmt::format("no code was generated for this model: {}", report.refusal);
  if (!report.ready) return "no code was generated for this model: too little was left to compute";
  return fmt::format("code generated for this model, {}, ran {} of {} groups of realisations",
                     report.from_cache
                         ? std::string("from the cache")
                         : fmt::format("compiled in {:.2g} s", report.compile_seconds),
                     report.batches, report.batches + report.without);
}

GeneratedLanes::GeneratedLanes(const Plan& plan, const Schedule& schedule, const LaneKernel& kernel,
                               ProgramUse use, std::uint64_t realizations,
                               std::function<std::vector<std::vector<double>>()> constants)
    : plan_(plan),
      schedule_(schedule),
      kernel_(kernel),
      use_(use),
      realizations_(realizations),
      constants_(std::move(constants)) {
  if (use == ProgramUse::awaited) {
    begun_ = true;
    compile();
  } else if (const LaneRegisters registers = registers_of(kernel);
             registers != LaneRegisters::avx512 && registers != LaneRegisters::avx512vl) {
    // Measured: with sixteen registers of four programs gain nothing over the kernels
    // (docs/theory/generated-programs.md).
    begun_ = true;
    refusal_ = "it does not pay without AVX-512";
    ended_ = true;
  }
}

GeneratedLanes::~GeneratedLanes() {
  cancelled_ = true;
  if (thread_.joinable()) thread_.join();
}

const StepPrograms* GeneratedLanes::programs() const {
  return ready_.load(std::memory_order_acquire) ? &machine_->programs : nullptr;
}

void GeneratedLanes::note_batch(bool with_programs, std::size_t realizations, double seconds) {
  (with_programs ? batches_ : without_).fetch_add(1, std::memory_order_relaxed);
  if (use_ != ProgramUse::when_they_pay || begun_.load(std::memory_order_relaxed)) return;
  const std::uint64_t counted = counted_.fetch_add(realizations) + realizations;
  double total = seconds_.load();
  while (!seconds_.compare_exchange_weak(total, total + seconds)) continue;
  total += seconds;
  // A few batches of each thread: the first ones are slow.
  if (counted < 64 || counted >= realizations_) return;
  const double left =
      total / static_cast<double>(counted) * static_cast<double>(realizations_ - counted);
  if (left < worth_compiling || begun_.exchange(true)) return;
  thread_ = std::thread([this] { compile(); });
}

void GeneratedLanes::compile() {
  // Newton's factors turn with the nodes of beams (integrate/step/turned_nodes.hpp); no program
  // does.
  if (!plan_.system->beams.empty()) {
    refusal_ = "factors that turn with its beams are left to the kernels";
    ended_.store(true, std::memory_order_release);
    return;
  }
  try {
    CompileRequest request;
    request.registers = registers_of(kernel_);
    request.width = kernel_.width;
    request.constants = constants_();
    request.cancelled = [this] { return cancelled_.load(std::memory_order_relaxed); };
    auto made = compile_machine(plan_, schedule_, request, KernelCache::of_user());
    if (auto* refusal = std::get_if<Refusal>(&made)) {
      refusal_ = refusal->reason;
    } else {
      machine_ =
          std::make_unique<const CompiledMachine>(std::move(std::get<CompiledMachine>(made)));
      ready_.store(true, std::memory_order_release);
    }
  } catch (const std::exception& error) {
    refusal_ = error.what();
  }
  ended_.store(true, std::memory_order_release);
}

ProgramReport GeneratedLanes::report() const {
  ProgramReport report;
  report.batches = batches_;
  report.without = without_;
  if (!ended_.load(std::memory_order_acquire)) return report;
  report.refusal = refusal_;
  if (machine_ == nullptr) return report;
  report.ready = true;
  report.from_cache = machine_->from_cache;
  report.compile_seconds = machine_->compile_seconds;
  return report;
}

}  // namespace tumble
