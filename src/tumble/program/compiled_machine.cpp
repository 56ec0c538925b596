#include "tumble/program/compiled_machine.hpp"

#include <algorithm>
#include <chrono>
#include <set>

#include "tumble/base/sha256.hpp"
#include "tumble/integrate/plan.hpp"
#include "tumble/model/system.hpp"
#include "tumble/program/machine_programs.hpp"
#include "tumble/program/machine_samples.hpp"

namespace tumble {

namespace {

/// Which numbers of a region programs read.
void add_indices_read(const Program& program, int region, std::set<int>& indices) {
  for (const TapeNode& node : program.nodes)
    if (node.operation == Operation::input && node.a == region) indices.insert(node.b);
}

struct Sources {
  std::vector<std::string> texts;
  int scratch = 0;
};

/// What compiles side by side: factors are as long as all the rest.
Sources sources_of(const MachinePrograms& p, const CompileRequest& request) {
  Sources sources;
  const auto add = [&](const std::vector<Program>& programs) {
    const EmittedSource emitted =
        emit_lanes(programs, request.registers, request.width, request.emit);
    sources.texts.push_back(emitted.text);
    for (const auto& function : emitted.functions)
      sources.scratch = std::max(sources.scratch, function.scratch);
  };
  add({p.factor});
  add({p.residual, p.residual_without_dissipation});
  add({p.correction, p.prediction});
  return sources;
}

std::string key_of(const Sources& sources, const std::vector<std::string>& flags,
                   const SourceCompiler& compiler) {
  Sha256 key;
  const auto add = [&](const std::string& text) {
    key.add(std::to_string(text.size()) + ":");
    key.add(text);
  };
  add(compiler.identity());
  for (const std::string& flag : flags) add(flag);
  for (const std::string& text : sources.texts) add(text);
  return key.digest();
}

}  // namespace

std::variant<CompiledMachine, Refusal> compile_machine(const Plan& plan, const Schedule& schedule,
                                                       const CompileRequest& request,
                                                       const KernelCache& cache) {
  auto found = SourceCompiler::find();
  if (auto* refusal = std::get_if<Refusal>(&found)) return *refusal;
  const auto& compiler = std::get<SourceCompiler>(found);

  const System& system = *plan.system;
  const std::vector<MachineSample> samples = sample_nominal_run(plan, schedule);
  if (samples.empty()) return Refusal{"the nominal machine does not start"};
  const StepNumbers step = most_frequent_step(system, schedule);
  const auto recorded = record_machine(plan, step, samples);
  if (const auto* none = std::get_if<NoPrograms>(&recorded)) return Refusal{none->reason};
  const std::vector<int> shared = shared_constants(request.constants);
  const auto programs =
      specialize(std::get<MachinePrograms>(recorded), shared, request.constants[0]);
  if (!programs) return Refusal{"the realisations take other paths than the nominal machine"};

  const Sources sources = sources_of(*programs, request);
  const std::vector<std::string> flags = compile_flags(request.registers);
  const std::string key = key_of(sources, flags, compiler);

  CompiledMachine machine;
  std::optional<std::string> bytes = cache.find(key);
  machine.from_cache = bytes.has_value();
  if (!bytes) {
    const auto begun = std::chrono::steady_clock::now();
    auto compiled = compiler.compile(sources.texts, flags, request.cancelled);
    if (auto* refusal = std::get_if<Refusal>(&compiled)) return *refusal;
    bytes = std::move(std::get<std::string>(compiled));
    machine.compile_seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    cache.store(key, *bytes);
  }
  try {
    machine.code = std::make_shared<const LoadedCode>(*bytes);
  } catch (const std::exception& error) {
    return Refusal{std::string("compiled programs cannot be loaded: ") + error.what()};
  }

  StepPrograms& p = machine.programs;
  const auto function = [&](const Program& program) {
    return reinterpret_cast<StepPrograms::Function*>(machine.code->address(program.name));
  };
  p.residual = function(programs->residual);
  p.residual_without_dissipation = function(programs->residual_without_dissipation);
  p.factor = function(programs->factor);
  p.correction = function(programs->correction);
  p.prediction = function(programs->prediction);
  for (auto* f : {p.residual, p.residual_without_dissipation, p.factor, p.correction, p.prediction})
    if (f == nullptr) return Refusal{"compiled programs lack a function"};
  p.scratch = sources.scratch;
  p.step_size = step.h;
  p.residual_needs_step_size = programs->residual_needs_step_size;
  std::set<int> context;
  add_indices_read(programs->residual, ResidualRegions::context, context);
  add_indices_read(programs->factor, FactorRegions::context, context);
  p.context.assign(context.begin(), context.end());
  p.shared = shared;
  for (const int i : shared)
    p.shared_values.push_back(request.constants[0][static_cast<std::size_t>(i)]);
  machine.operations = count_operations(programs->residual_without_dissipation) +
                       count_operations(programs->correction);
  return machine;
}

}  // namespace tumble
