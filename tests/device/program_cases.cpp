// Writes what tests/device/check_programs compiles and runs on a GPU: the CUDA source of the
// programs of some machines, and inputs for every thread with the bits that the interpreter makes
// of them.
//
//   program_cases FOLDER    writes FOLDER/programs.cuh and FOLDER/cases.bin
#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <random>
#include <stdexcept>

#include "tumble/dynamics/context.hpp"
#include "tumble/dynamics/kinematics.hpp"
#include "tumble/dynamics/turns.hpp"
#include "tumble/integrate/step/kkt_solver.hpp"
#include "tumble/model/compile.hpp"
#include "tumble/program/emit.hpp"
#include "tumble/program/machine_programs.hpp"
#include "tumble/program/machine_samples.hpp"
#include "tumble/program/test/machines.hpp"

namespace tumble {
namespace {

constexpr int threads = 128;

class Cases {
 public:
  explicit Cases(const std::string& folder)
      : text_(folder + "/programs.cuh"), data_(folder + "/cases.bin", std::ios::binary) {}

  void add(const testing::Machine& machine, bool with_factor) {
    const Model model = machine.make();
    const Plan plan = make_plan(model);
    const System& system = *plan.system;
    const Schedule schedule = make_schedule(system, model);
    const StepNumbers step = most_frequent_step(system, schedule);
    samples_ = sample_nominal_run(plan, schedule);
    Model other = model;
    if (!other.bodies.empty()) other.bodies.back().mass *= 1.1;
    for (auto& beam : other.beams) beam.youngs_modulus *= 1.1;
    constants_ = {prepare(system, model), prepare(system, other)};
    const auto recorded = record_machine(plan, step, samples_);
    auto programs = specialize(std::get<MachinePrograms>(recorded), shared_constants(constants_),
                               constants_[0]);
    step_ = StepRegion::numbers(step);
    computed_.clear();
    for (const MachineSample& sample : samples_) computed_.push_back(compute(plan, step, sample));
    std::vector<Program*> chosen = {&programs->residual, &programs->residual_without_dissipation,
                                    &programs->correction, &programs->prediction};
    if (with_factor) chosen.push_back(&programs->factor);
    std::vector<Program> renamed;
    for (Program* program : chosen) {
      program->name = fmt::format("{}_{}", machine.name, program->name);
      renamed.push_back(*program);
    }
    const EmittedSource source = emit_cuda(renamed);
    // The prelude once.
    text_ << (first_ ? source.text
                     : source.text.substr(source.text.find("\nstatic __device__ __noinline__")));
    first_ = false;
    for (std::size_t i = 0; i < renamed.size(); ++i) {
      write_kernel(renamed[i], source.functions[i].scratch);
      write_data(renamed[i]);
    }
  }

  void finish() {
    text_ << fmt::format("constexpr int threads = {};\nconst Entry entries[] = {{{}}};\n", threads,
                         entries_);
  }

 private:
  /// What a step computes at a sample before programs are called: drives, residual and factor.
  struct Computed {
    std::vector<double> context, residual, factor;
  };
  static Computed compute(const Plan& plan, const StepNumbers& step, const MachineSample& s) {
    const System& system = *plan.system;
    Computed result;
    Workspace<double> w(system);
    forget_turns(system, w);
    w.ahead = step.h;
    update_drives(system, s.constants.data(), s.time, s.inside, w);
    visit_context(system, w, [&](double x) { result.context.push_back(x); });
    update_bodies(system, s.q.data(), s.v.data(), w);
    result.residual.resize(static_cast<std::size_t>(system.nv + system.nc));
    residual(system, s.constants.data(), s.vdot.data(), s.lambda.data(), w, result.residual.data());
    tangent(system, s.constants.data(), s.vdot.data(), s.lambda.data(), w);
    std::vector<double> matrix(static_cast<std::size_t>(system.pattern.nonzeros()));
    assemble_kkt(system, w, step.c1, step.c2, s.u.data(), matrix.data());
    if (const auto* soft = plan.compliance())
      for (const double x : *soft) matrix.push_back(-x);
    result.factor.resize(static_cast<std::size_t>(plan.elimination->factor_size));
    factorize(*plan.elimination, matrix.data(), result.factor.data());
    return result;
  }

  void write_kernel(const Program& p, int scratch) {
    std::string in, out, in_sizes, out_sizes;
    for (std::size_t r = 0; r < p.inputs.size(); ++r) {
      in += fmt::format("{}in[{}] + t", r == 0 ? "" : ", ", r);
      in_sizes += fmt::format("{}, ", p.inputs[r].size);
    }
    for (std::size_t r = 0; r < p.outputs.size(); ++r) {
      out += fmt::format("{}out[{}] + t", r == 0 ? "" : ", ", r);
      out_sizes += fmt::format("{}, ", p.outputs[r].size);
    }
    text_ << fmt::format(
        "__global__ void run_{0}(const double* const* in, double* const* out, double* scratch, "
        "long stride, int* failed) {{\n"
        "  const long t = (long)blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  const double* mine[] = {{{1}}};\n  double* to[] = {{{2}}};\n"
        "  failed[t] = {0}(mine, to, scratch + t, stride);\n}}\n",
        p.name, in, out);
    entries_ += fmt::format("{{\"{0}\", {{{1}}}, {2}, {{{3}}}, {4}, {5}, {6}, run_{0}}},\n", p.name,
                            in_sizes, p.inputs.size(), out_sizes, p.outputs.size(), scratch,
                            count_operations(p));
  }

  /// What a thread has of a region: the numbers of a sample, shaken a little.
  double value(const TapeRegion& region, int i, int thread) {
    const auto at = static_cast<std::size_t>(i);
    const std::size_t k = static_cast<std::size_t>(thread) % samples_.size();
    const MachineSample& s = samples_[k];
    const auto shaken = [&](double x) { return x + noise_(random_) * 1e-4 * (1 + std::fabs(x)); };
    if (region.name == "constants")
      return constants_[static_cast<std::size_t>(thread / 7) % constants_.size()][at];
    if (region.name == "step") return step_[at];
    if (region.name == "active") return thread % 5 == 0 ? 0 : 1;
    if (region.name == "q") return s.q[at];
    if (region.name == "v") return shaken(s.v[at]);
    if (region.name == "u") return s.u[at];
    if (region.name.starts_with("vdot") || region.name == "a") return shaken(s.vdot[at]);
    if (region.name.starts_with("lambda")) return shaken(s.lambda[at]);
    if (region.name == "context") return computed_[k].context[at];
    if (region.name == "residual") return shaken(computed_[k].residual[at]);
    if (region.name == "factor") return computed_[k].factor[at];
    throw std::logic_error("no numbers for " + region.name);
  }

  void write_data(const Program& p) {
    const auto flat = [](const std::vector<TapeRegion>& regions) {
      std::vector<std::vector<double>> arrays;
      for (const TapeRegion& r : regions)
        arrays.emplace_back(static_cast<std::size_t>(r.size * threads));
      return arrays;
    };
    auto in = flat(p.inputs), out = flat(p.outputs);
    std::vector<int> failed(threads);
    for (int t = 0; t < threads; ++t) {
      std::vector<std::vector<double>> mine, to;
      std::vector<const double*> from;
      std::vector<double*> into;
      for (std::size_t r = 0; r < p.inputs.size(); ++r) {
        mine.emplace_back();
        for (int i = 0; i < p.inputs[r].size; ++i) {
          mine.back().push_back(value(p.inputs[r], i, t));
          in[r][static_cast<std::size_t>(i * threads + t)] = mine.back().back();
        }
      }
      for (const auto& region : p.outputs) to.emplace_back(static_cast<std::size_t>(region.size));
      for (const auto& array : mine) from.push_back(array.data());
      for (auto& array : to) into.push_back(array.data());
      failed[static_cast<std::size_t>(t)] = interpret(p, from, into) ? 0 : 1;
      for (std::size_t r = 0; r < to.size(); ++r)
        for (std::size_t i = 0; i < to[r].size(); ++i)
          out[r][i * threads + static_cast<std::size_t>(t)] = to[r][i];
    }
    const auto write = [&](const auto& array) {
      data_.write(reinterpret_cast<const char*>(array.data()),
                  static_cast<std::streamsize>(array.size() * sizeof(array[0])));
    };
    for (const auto& array : in) write(array);
    write(failed);
    for (const auto& array : out) write(array);
  }

  std::ofstream text_, data_;
  std::string entries_;
  bool first_ = true;
  std::vector<MachineSample> samples_;
  std::vector<Computed> computed_;  ///< by sample
  std::vector<std::vector<double>> constants_;
  std::vector<double> step_;
  std::mt19937 random_{1};
  std::uniform_real_distribution<double> noise_{-1, 1};
};

}  // namespace
}  // namespace tumble

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  tumble::Cases cases(argv[1]);
  for (const auto& machine : tumble::testing::machines)
    cases.add(machine, std::string(machine.name) != "flexible_double_pendulum");
  cases.finish();
}
