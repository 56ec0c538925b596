#include "tumble/device/march_source.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tumble/integrate/step/integrator.hpp"
#include "tumble/program/emit.hpp"

namespace tumble {

namespace {

// What the integrator's headers need of math/scalar.hpp and the standard library, for one double.
constexpr const char* prelude = R"(
#define TUMBLE_INLINE inline
namespace std {
// By value: a constant of a class has no address on a device.
template <class T>
__device__ constexpr T clamp(T x, T low, T high) {
  return x < low ? low : high < x ? high : x;
}
}  // namespace std
namespace tumble {
__device__ inline double abs(double x) { return fabs(x); }
__device__ inline double min(double a, double b) { return a < b ? a : b; }
__device__ inline double max(double a, double b) { return a > b ? a : b; }
__device__ inline double fma(double a, double b, double c) { return __fma_rn(a, b, c); }
__device__ inline double select(bool mask, double a, double b) { return mask ? a : b; }
__device__ inline bool any(bool mask) { return mask; }
__device__ inline bool all(bool mask) { return mask; }
template <class S>
using Mask = bool;
}  // namespace tumble
)";

/// A header's text without what it includes, and with all that it has open to the kernels, which
/// keep its objects between launches.
std::string open_text(std::string_view header) {
  std::string text;
  while (!header.empty()) {
    const std::size_t end = std::min(header.find('\n'), header.size() - 1);
    const std::string_view line = header.substr(0, end + 1);
    header.remove_prefix(end + 1);
    if (line.starts_with("#include") || line.starts_with("#pragma")) continue;
    if (line.starts_with(" private:"))
      text += " public:\n";
    else
      text += line;
  }
  return text;
}

/// Counts places, and defines them for the kernels.
class Places {
 public:
  explicit Places(std::string& text, const char* of) : text_(text), of_(of) {}
  int add(const char* name, int size) {
    text_ += fmt::format("#define {}_{} {}\n", of_, name, next_);
    const int place = next_;
    next_ += size;
    return place;
  }
  int finish() {
    text_ += fmt::format("#define {}_SIZE {}\n", of_, next_);
    return next_;
  }

 private:
  std::string& text_;
  const char* of_;
  int next_ = 0;
};

int size_of(const Program& program, std::string_view region) {
  for (const auto* regions : {&program.inputs, &program.outputs})
    for (const TapeRegion& r : *regions)
      if (r.name == region) return r.size;
  throw std::logic_error("a program lacks a region");
}

}  // namespace

MarchSource make_march_source(const System& system, MarchPrograms& programs,
                              const Itinerary& itinerary) {
  MarchSource source;
  MarchLayout& at = source.layout;
  at.constants = indices_read(programs.all(), "constants");
  at.offsets = indices_read(programs.all(), "offsets");
  at.context = indices_read(programs.all(), "context");
  for (const int i : indices_read(programs.all(), "context_ahead")) at.context.push_back(i);
  std::ranges::sort(at.context);
  at.context.erase(std::unique(at.context.begin(), at.context.end()), at.context.end());
  keep_only(programs.all(), "constants", at.constants);
  keep_only(programs.all(), "offsets", at.offsets);
  keep_only(programs.all(), "context", at.context);
  keep_only(programs.all(), "context_ahead", at.context);

  EmitOptions options;
  options.stride = device_block;
  options.shared_regions = {"context", "context_ahead", "step", "time"};
  int scratch = 0;
  const auto emit = [&](const std::vector<Program>& some) {
    const EmittedSource emitted = emit_cuda(some, options);
    for (const auto& function : emitted.functions) scratch = std::max(scratch, function.scratch);
    return emitted.text;
  };
  std::vector<std::string> emitted = {
      emit({programs.first_prediction, programs.prediction, programs.residual,
            programs.residual_without_dissipation, programs.overflow, programs.factor,
            programs.correction, programs.turn, programs.follow, programs.measure}),
      emit({programs.look})};
  for (const Program& restart : programs.restart) emitted.push_back(emit({restart}));

  const int nq = at.nq = system.nq, nv = at.nv = system.nv, nc = at.nc = system.nc;
  at.numbers = size_of(programs.measure, "values");
  std::string sizes;
  Places head(sizes, "HEAD");
  head.add("CONSTANTS", static_cast<int>(at.constants.size()));
  head.add("OFFSETS", static_cast<int>(at.offsets.size()));
  at.q = head.add("Q", nq);
  at.v = head.add("V", nv);
  at.vdot = head.add("VDOT", nv);
  at.lambda = head.add("LAMBDA", nc);
  at.a = head.add("A", nv);
  at.v_start = head.add("V_START", nv);
  at.euler_size = size_of(programs.turn, "euler");
  at.euler = head.add("EULER", at.euler_size);
  at.acceleration_size = head.add("ACCELERATION_SIZE", 1);
  at.length_scale = head.add("LENGTH_SCALE", 1);
  at.work = head.add("WORK", 6);
  at.dissipated = head.add("DISSIPATED", 6);
  at.record = head.add("RECORD", 4);
  at.fault = head.add("FAULT", 1);
  at.head_size = head.finish();
  Places rest(sizes, "REST");
  rest.add("Q", nq);
  rest.add("V", 2 * nv);
  rest.add("VDOT_BEFORE", nv);
  rest.add("VDOT", 2 * nv);
  rest.add("LAMBDA_BEFORE", nc);
  rest.add("LAMBDA", 2 * nc);
  rest.add("A", nv);
  rest.add("U", 2 * nv);
  rest.add("RESIDUAL", nv + nc);
  rest.add("FACTOR", size_of(programs.factor, "factor"));
  rest.add("EULER", at.euler_size);
  rest.add("FEW", 8);
  rest.add("SCRATCH", scratch);
  at.rest_size = rest.finish();
  at.looks = static_cast<int>(itinerary.outputs) * at.numbers;
  at.breaks = at.looks + itinerary.looks * MarchLayout::numbers_of_look;
  at.row_fault = at.breaks + itinerary.breaks;
  at.row_size = at.row_fault + 1;
  const Simulation& simulation = system.nominal.simulation;
  const auto define = [&](const char* name, const std::string& value) {
    sizes += fmt::format("#define {} {}\n", name, value);
  };
  define("ROW_SIZE", std::to_string(at.row_size));
  define("FAULT_PLACE", std::to_string(at.row_fault));
  define("NUMBERS", std::to_string(at.numbers));
  define("NQ", std::to_string(nq));
  define("NV", std::to_string(nv));
  define("NC", std::to_string(nc));
  define("EULERS", std::to_string(at.euler_size));
  define("CONTEXT_SIZE", std::to_string(at.context.size()));
  define("THREADS", std::to_string(device_threads));
  define("MAX_ITERATIONS", std::to_string(simulation.max_iterations));
  define("TOLERANCE", fmt::format("{:.17g}", simulation.newton_tolerance));
  define("EXCHANGES_POWER", exchanges_power(system) ? "true" : "false");

  const std::string control =
      std::string(prelude) + open_text(newton_judge_text) + open_text(power_integral_text);
  for (std::size_t i = 0; i < emitted.size(); ++i) {
    std::string part = sizes;
    part += i == 0   ? "#define PART_MARCH\n"
            : i == 1 ? "#define PART_LOOK\n"
                     : "#define PART_RESTART\n";
    if (i > 1) part += fmt::format("#define RESTART_PROGRAM {}\n", programs.restart[i - 2].name);
    source.texts.push_back(part + control + emitted[i] + "\n" + march_kernels_text);
  }
  source.operations = count_operations(programs.residual_without_dissipation) +
                      count_operations(programs.correction);
  return source;
}

}  // namespace tumble
