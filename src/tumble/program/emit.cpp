#include "tumble/program/emit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace tumble {

namespace {

/// How a target spells what programs consist of. {0}, {1}, {2} are operands.
struct Dialect {
  const char* prelude;
  const char* head;         ///< of a function that is called from outside; {0} is its name
  const char* part;         ///< of one of its pieces
  const char* call;         ///< of a piece
  const char* begin_lanes;  ///< around the calls of all pieces
  const char* end_lanes;
  const char *load, *store;  ///< {0} array, {1} index
  const char* literal;
  const char* operation[23];
  const char* guard;
  bool strided;  ///< the numbers of a region are `stride` apart
};

constexpr int width_of_operations = 23;
static_assert(static_cast<int>(Operation::negation) + 1 == width_of_operations);

// In the order of Operation; those that are no operations are empty.
constexpr Dialect lanes = {
    "",
    "extern \"C\" int {0}(const double* const* in, double* const* out, double* scratch) {{\n",
    "static __attribute__((noinline)) int {0}(const double* const* in, double* const* out, "
    "double* scratch, long lane) {{\n",
    "    failed |= {0}(in, out, scratch, lane);\n",
    "  int failed = 0;\n  for (long lane = 0; lane < WIDTH; lane += LANES) {\n",
    "  }\n  return failed;\n}\n",
    "LOAD({0}, {1})",
    "STORE({0}, {1}, {2});",
    "ALL({0})",
    {"",
     "",
     "-{0}",
     "ABS({0})",
     "SQRT({0})",
     "POWER_OF_TWO({0})",
     "{0} + {1}",
     "{0} - {1}",
     "{0} * {1}",
     "{0} / {1}",
     "FMA({0}, {1}, {2})",
     "FNMA({0}, {1}, {2})",
     "FMS({0}, {1}, {2})",
     "FNMS({0}, {1}, {2})",
     "COPYSIGN({0}, {1})",
     "{0} ? {1} : {2}",
     "",
     "{0} < {1}",
     "{0} <= {1}",
     "{0} == {1}",
     "{0} & {1}",
     "{0} | {1}",
     "NOT({0})"},
    "good = good & {0};",
    false};

constexpr Dialect cuda = {
    "",
    "extern \"C\" __device__ int {0}(const double* const* in, double* const* out, double* scratch, "
    "long stride) {{\n",
    "static __device__ __noinline__ int {0}(const double* const* in, double* const* out, "
    "double* scratch, long stride) {{\n",
    "    failed |= {0}(in, out, scratch, stride);\n",
    "  int failed = 0;\n  {\n",
    "  }\n  return failed;\n}\n",
    "{0}[{1}]",
    "{0}[{1}] = {2};",
    "{0}",
    {"",
     "",
     "-{0}",
     "fabs({0})",
     "__dsqrt_rn({0})",
     "power_of_two({0})",
     "__dadd_rn({0}, {1})",
     "__dsub_rn({0}, {1})",
     "__dmul_rn({0}, {1})",
     "__ddiv_rn({0}, {1})",
     "__fma_rn({0}, {1}, {2})",
     "__fma_rn(-{0}, {1}, {2})",
     "__fma_rn({0}, {1}, -{2})",
     "__fma_rn(-{0}, {1}, -{2})",
     "copysign({0}, {1})",
     "{0} ? {1} : {2}",
     "",
     "{0} < {1}",
     "{0} <= {1}",
     "{0} == {1}",
     "{0} && {1}",
     "{0} || {1}",
     "!{0}"},
    "good = good && {0};",
    true};

std::string literal_text(double x) {
  if (std::isnan(x)) return std::signbit(x) ? "(-UNDEFINED)" : "UNDEFINED";
  if (std::isinf(x)) return x > 0 ? "INFINITE" : "(-INFINITE)";
  // Enough digits to come back as the same double, by every compiler; integers stay short.
  std::string text = fmt::format("{:.17g}", x);
  if (const std::string shorter = fmt::format("{:g}", x);
      std::strtod(shorter.c_str(), nullptr) == x)
    text = shorter;
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return std::signbit(x) ? "(" + text + ")" : text;
}

/// Which nodes each function computes, and where values wait that others need.
class Layout {
 public:
  Layout(const Program& program, int largest) : part_(program.nodes.size(), -1) {
    int operations = 0;
    for (std::size_t i = 0; i < part_.size(); ++i) {
      if (operand_count(program.nodes[i].operation) == 0) continue;  // wherever it is used
      part_[i] = operations++ / largest;
    }
    parts = operations == 0 ? 1 : (operations - 1) / largest + 1;
    find_slots(program);
  }

  int part_of(int node) const { return part_[static_cast<std::size_t>(node)]; }
  /// Where it waits in scratch memory; -1 if nobody else needs it.
  int slot_of(int node) const { return slot_[static_cast<std::size_t>(node)]; }

  int parts = 1, slots = 0;

 private:
  void find_slots(const Program& program) {
    std::vector<int> last(part_.size(), -1);
    for (std::size_t i = 0; i < part_.size(); ++i) {
      const TapeNode& node = program.nodes[i];
      const int operands[] = {node.a, node.b, node.c};
      for (int k = 0; k < operand_count(node.operation); ++k) {
        int& used = last[static_cast<std::size_t>(operands[k])];
        used = std::max(used, part_[i]);
      }
    }
    // A slot is free again after the last function that reads it.
    slot_.assign(part_.size(), -1);
    std::vector<std::vector<int>> freed(static_cast<std::size_t>(parts) + 1);
    std::vector<int> free;
    int current = 0;
    for (std::size_t i = 0; i < part_.size(); ++i) {
      if (part_[i] < 0 || last[i] <= part_[i]) continue;
      while (current < part_[i]) {
        ++current;
        for (const int slot : freed[static_cast<std::size_t>(current)]) free.push_back(slot);
      }
      if (free.empty()) free.push_back(slots++);
      slot_[i] = free.back();
      free.pop_back();
      freed[static_cast<std::size_t>(last[i]) + 1].push_back(slot_[i]);
    }
  }

  std::vector<int> part_, slot_;
};

class Writer {
 public:
  Writer(const Program& program, const Dialect& dialect, const EmitOptions& options)
      : program_(program),
        dialect_(dialect),
        options_(options),
        layout_(program, options.largest_function),
        written_(program.nodes.size(), -1),
        stores_(program.nodes.size()),
        guards_(program.nodes.size(), false) {
    for (const auto& store : program.stores)
      stores_[static_cast<std::size_t>(store.node)].push_back(&store);
    for (const int guard : program.guards) guards_[static_cast<std::size_t>(guard)] = true;
  }

  std::string write() {
    for (int part = 0; part < layout_.parts; ++part) write_part(part);
    text_ += fmt::format(fmt::runtime(dialect_.head), program_.name);
    text_ += dialect_.begin_lanes;
    for (int part = 0; part < layout_.parts; ++part)
      text_ += fmt::format(fmt::runtime(dialect_.call), part_name(part));
    text_ += dialect_.end_lanes;
    return text_;
  }
  int slots() const { return layout_.slots; }

 private:
  std::string part_name(int part) const { return fmt::format("{}_{}", program_.name, part); }

  void write_part(int part) {
    part_ = part;
    text_ += fmt::format(fmt::runtime(dialect_.part), part_name(part));
    for (std::size_t r = 0; r < program_.inputs.size(); ++r)
      text_ += fmt::format("  const double* RESTRICT in{0} = in[{0}];\n", r);
    for (std::size_t r = 0; r < program_.outputs.size(); ++r)
      text_ += fmt::format("  double* RESTRICT out{0} = out[{0}];\n", r);
    text_ += "  double* RESTRICT wait = scratch;\n  TRUTH good = EVERYWHERE;\n";
    for (std::size_t r = 0; r < program_.inputs.size(); ++r)
      text_ += fmt::format("  (void)in{};", r);
    for (std::size_t r = 0; r < program_.outputs.size(); ++r)
      text_ += fmt::format("  (void)out{};", r);
    text_ += "  (void)wait;\n";
    // What is stored as it came in has no part of its own.
    for (std::size_t i = 0; i < program_.nodes.size(); ++i) {
      const int node = static_cast<int>(i), home = layout_.part_of(node);
      if (home == part) compute(node);
      if (home == part || (home < 0 && part == 0)) write_stores(node);
    }
    text_ += "  return !HOLDS(good);\n}\n";
  }

  void write_stores(int node) {
    for (const auto* store : stores_[static_cast<std::size_t>(node)])
      text_ += "  " +
               fmt::format(fmt::runtime(dialect_.store), fmt::format("out{}", store->region),
                           place(store->index), name_of(node)) +
               "\n";
    if (guards_[static_cast<std::size_t>(node)] && layout_.part_of(node) >= 0)
      text_ += "  " + fmt::format(fmt::runtime(dialect_.guard), name_of(node)) + "\n";
    if (layout_.slot_of(node) >= 0) {
      const bool truth = yields_truth(program_.nodes[static_cast<std::size_t>(node)].operation);
      text_ += "  " +
               fmt::format(fmt::runtime(dialect_.store), "wait", place(layout_.slot_of(node)),
                           truth ? "AS_NUMBER(" + name_of(node) + ")" : name_of(node)) +
               "\n";
    }
  }

  void compute(int number) {
    const TapeNode& node = program_.nodes[static_cast<std::size_t>(number)];
    const int operands = operand_count(node.operation);
    const int operand[] = {node.a, node.b, node.c};
    std::string name[3];
    for (int k = 0; k < operands; ++k) name[k] = name_of(operand[k]);
    define(number,
           fmt::format(fmt::runtime(dialect_.operation[static_cast<std::size_t>(node.operation)]),
                       name[0], name[1], name[2]));
  }

  void define(int number, const std::string& expression) {
    const bool truth = yields_truth(program_.nodes[static_cast<std::size_t>(number)].operation);
    text_ += fmt::format("  const {} {}{} = {};\n", truth ? "TRUTH" : "NUMBER", truth ? 't' : 'x',
                         number, expression);
    written_[static_cast<std::size_t>(number)] = part_;
  }

  /// The name of a node in this part; fetches it if the part has not yet.
  std::string name_of(int number) {
    const TapeNode& node = program_.nodes[static_cast<std::size_t>(number)];
    const bool truth = yields_truth(node.operation);
    if (node.operation == Operation::literal)
      return fmt::format(fmt::runtime(dialect_.literal),
                         literal_text(program_.literals[static_cast<std::size_t>(node.a)]));
    if (node.operation == Operation::truth) return node.a != 0 ? "EVERYWHERE" : "NOWHERE";
    if (written_[static_cast<std::size_t>(number)] != part_) {
      if (node.operation == Operation::input) {
        const std::string& region = program_.inputs[static_cast<std::size_t>(node.a)].name;
        const bool shared =
            std::ranges::find(options_.shared_regions, region) != options_.shared_regions.end();
        define(number, fmt::format(fmt::runtime(dialect_.load), fmt::format("in{}", node.a),
                                   shared ? std::to_string(node.b) : place(node.b)));
      } else {
        const std::string waiting =
            fmt::format(fmt::runtime(dialect_.load), "wait", place(layout_.slot_of(number)));
        define(number, truth ? "AS_TRUTH(" + waiting + ")" : waiting);
      }
    }
    return fmt::format("{}{}", truth ? 't' : 'x', number);
  }

  /// Where the numbers of a thread have their i-th.
  std::string place(long i) const {
    if (!dialect_.strided) return std::to_string(i);
    return options_.stride > 0 ? std::to_string(i * options_.stride)
                               : fmt::format("{} * stride", i);
  }

  const Program& program_;
  const Dialect& dialect_;
  const EmitOptions& options_;
  const Layout layout_;
  int part_ = 0;
  std::vector<int> written_;  ///< by node: the last part that has it
  std::vector<std::vector<const Program::Output*>> stores_;
  std::vector<bool> guards_;
  std::string text_;
};

EmittedSource emit(const std::vector<Program>& programs, const Dialect& dialect,
                   const std::string& prelude, const EmitOptions& options) {
  EmittedSource source;
  source.text = prelude;
  for (const Program& program : programs) {
    Writer writer(program, dialect, options);
    source.text += "\n" + writer.write();
    source.functions.push_back({program.name, writer.slots()});
  }
  return source;
}

constexpr const char* general_lanes = R"(
#define RESTRICT __restrict__
#define LOAD(p, i) (*(const NUMBER*)((p) + (i)*WIDTH + lane))
#define STORE(p, i, x) (*(NUMBER*)((p) + (i)*WIDTH + lane) = (x))
#define INLINE static inline __attribute__((always_inline))
#define INFINITE __builtin_inf()
#define UNDEFINED __builtin_nan("")
)";

// A number is a register of LANES doubles; truths are 0 or -1 in each lane.
constexpr const char* vector_lanes = R"(
typedef double NUMBER __attribute__((vector_size(8 * LANES), may_alias));
typedef long TRUTH __attribute__((vector_size(8 * LANES), may_alias));
typedef unsigned long BITS __attribute__((vector_size(8 * LANES)));
#define ABS(x) ((NUMBER)((BITS)(x) & 0x7ffffffffffffffful))
#define COPYSIGN(x, s) \
  ((NUMBER)(((BITS)(x) & 0x7ffffffffffffffful) | ((BITS)(s) & 0x8000000000000000ul)))
#define POWER_OF_TWO(x) ((NUMBER)((BITS)((x) + ALL(0x1p52 + 1023.0)) << 52))
#define NOT(t) (~(t))
#define EVERYWHERE ((TRUTH){} == (TRUTH){})
#define NOWHERE ((TRUTH){} != (TRUTH){})
#define AS_NUMBER(t) ((NUMBER)(t))
#define AS_TRUTH(x) ((TRUTH)(x))
)";

constexpr const char* avx2_lanes = R"(
#define ALL(x) ((NUMBER)_mm256_set1_pd(x))
#define SQRT(x) ((NUMBER)_mm256_sqrt_pd((__m256d)(x)))
#define FMA(a, b, c) ((NUMBER)_mm256_fmadd_pd((__m256d)(a), (__m256d)(b), (__m256d)(c)))
#define FNMA(a, b, c) ((NUMBER)_mm256_fnmadd_pd((__m256d)(a), (__m256d)(b), (__m256d)(c)))
#define FMS(a, b, c) ((NUMBER)_mm256_fmsub_pd((__m256d)(a), (__m256d)(b), (__m256d)(c)))
#define FNMS(a, b, c) ((NUMBER)_mm256_fnmsub_pd((__m256d)(a), (__m256d)(b), (__m256d)(c)))
#define HOLDS(t) (_mm256_movemask_pd((__m256d)(t)) == 15)
)";

constexpr const char* avx512_lanes = R"(
#define ALL(x) ((NUMBER)_mm512_set1_pd(x))
#define SQRT(x) ((NUMBER)_mm512_sqrt_pd((__m512d)(x)))
#define FMA(a, b, c) ((NUMBER)_mm512_fmadd_pd((__m512d)(a), (__m512d)(b), (__m512d)(c)))
#define FNMA(a, b, c) ((NUMBER)_mm512_fnmadd_pd((__m512d)(a), (__m512d)(b), (__m512d)(c)))
#define FMS(a, b, c) ((NUMBER)_mm512_fmsub_pd((__m512d)(a), (__m512d)(b), (__m512d)(c)))
#define FNMS(a, b, c) ((NUMBER)_mm512_fnmsub_pd((__m512d)(a), (__m512d)(b), (__m512d)(c)))
#define HOLDS(t) (_mm512_movepi64_mask((__m512i)(t)) == 255)
)";

constexpr const char* neon_lanes = R"(
#define ALL(x) ((NUMBER)vdupq_n_f64(x))
#define SQRT(x) ((NUMBER)vsqrtq_f64((float64x2_t)(x)))
#define FMA(a, b, c) ((NUMBER)vfmaq_f64((float64x2_t)(c), (float64x2_t)(a), (float64x2_t)(b)))
#define FNMA(a, b, c) ((NUMBER)vfmsq_f64((float64x2_t)(c), (float64x2_t)(a), (float64x2_t)(b)))
#define FMS(a, b, c) FMA(a, b, -(c))
#define FNMS(a, b, c) FNMA(a, b, -(c))
#define HOLDS(t) (((t)[0] & (t)[1]) != 0)
)";

// g++ makes a fused -a b - c of -(a b + c), whose zeros have another sign. Intrinsics are what they
// say.
constexpr const char* exact_fma = R"(
#ifdef __FMA__
#include <immintrin.h>
static inline __attribute__((always_inline)) double exact_fma(double a, double b, double c) {
  return _mm_cvtsd_f64(_mm_fmadd_sd(_mm_set_sd(a), _mm_set_sd(b), _mm_set_sd(c)));
}
#elif defined(__aarch64__)
#include <arm_neon.h>
static inline __attribute__((always_inline)) double exact_fma(double a, double b, double c) {
  return vget_lane_f64(vfma_f64(vdup_n_f64(c), vdup_n_f64(a), vdup_n_f64(b)), 0);
}
#endif
)";

constexpr const char* scalar_lanes = R"(
typedef double NUMBER;
typedef int TRUTH;
INLINE double power_of_two(double n) {
  double shifted = n + (0x1p52 + 1023.0);
  unsigned long bits;
  __builtin_memcpy(&bits, &shifted, 8);
  bits <<= 52;
  __builtin_memcpy(&shifted, &bits, 8);
  return shifted;
}
#define ALL(x) (x)
#define ABS(x) __builtin_fabs(x)
#define SQRT(x) __builtin_sqrt(x)
#define COPYSIGN(x, s) __builtin_copysign(x, s)
#define POWER_OF_TWO(x) power_of_two(x)
#define FMA(a, b, c) exact_fma(a, b, c)
#define FNMA(a, b, c) exact_fma(-(a), b, c)
#define FMS(a, b, c) exact_fma(a, b, -(c))
#define FNMS(a, b, c) exact_fma(-(a), b, -(c))
#define NOT(t) (!(t))
#define EVERYWHERE 1
#define NOWHERE 0
#define AS_NUMBER(t) ((double)(t))
#define AS_TRUTH(x) ((x) != 0)
#define HOLDS(t) (t)
)";

constexpr const char* cuda_prelude = R"(
#define RESTRICT __restrict__
#define INFINITE __longlong_as_double(0x7ff0000000000000ll)
#define UNDEFINED __longlong_as_double(0x7ff8000000000000ll)
#define EVERYWHERE true
#define NOWHERE false
#define HOLDS(t) (t)
#define AS_NUMBER(t) ((t) ? 1.0 : 0.0)
#define AS_TRUTH(x) ((x) != 0.0)
typedef double NUMBER;
typedef bool TRUTH;
static __device__ double power_of_two(double n) {
  return __longlong_as_double(__double_as_longlong(__dadd_rn(n, 4503599627371519.0)) << 52);
}
)";

}  // namespace

int lanes_of(LaneRegisters registers) {
  switch (registers) {
    case LaneRegisters::scalar:
      return 1;
    case LaneRegisters::neon:
      return 2;
    case LaneRegisters::avx2:
    case LaneRegisters::avx512vl:
      return 4;
    case LaneRegisters::avx512:
      return 8;
  }
  return 1;
}

LaneRegisters lane_registers([[maybe_unused]] std::string_view instruction_set, int width) {
  if (width == 1) return LaneRegisters::scalar;
#ifdef __aarch64__
  return LaneRegisters::neon;
#else
  if (instruction_set == "avx512") return LaneRegisters::avx512;
  const bool more = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512vl");
  return more ? LaneRegisters::avx512vl : LaneRegisters::avx2;
#endif
}

EmittedSource emit_lanes(const std::vector<Program>& programs, LaneRegisters registers, int width,
                         const EmitOptions& options) {
  const int native = lanes_of(registers);
  if (width < native || width % native != 0)
    throw std::invalid_argument("batches are whole registers");
  std::string prelude = registers == LaneRegisters::neon     ? "#include <arm_neon.h>\n"
                        : registers == LaneRegisters::scalar ? ""
                                                             : "#include <immintrin.h>\n";
  prelude += fmt::format("#define LANES {}\n#define WIDTH {}\n", native, width);
  prelude += general_lanes;
  if (registers == LaneRegisters::scalar)
    prelude += std::string(exact_fma) + scalar_lanes;
  else
    prelude += vector_lanes;
  if (registers == LaneRegisters::neon) prelude += neon_lanes;
  if (registers == LaneRegisters::avx2 || registers == LaneRegisters::avx512vl)
    prelude += avx2_lanes;
  if (registers == LaneRegisters::avx512) prelude += avx512_lanes;
  return emit(programs, lanes, prelude, options);
}

EmittedSource emit_cuda(const std::vector<Program>& programs, const EmitOptions& options) {
  return emit(programs, cuda, cuda_prelude, options);
}

std::string cuda_host_shim() {
  return std::string(exact_fma) + R"(
#define __device__
#define __noinline__ __attribute__((noinline))
static inline double __dadd_rn(double a, double b) { return a + b; }
static inline double __dsub_rn(double a, double b) { return a - b; }
static inline double __dmul_rn(double a, double b) { return a * b; }
static inline double __ddiv_rn(double a, double b) { return a / b; }
static inline double __dsqrt_rn(double a) { return __builtin_sqrt(a); }
static inline double __fma_rn(double a, double b, double c) { return exact_fma(a, b, c); }
static inline double fabs(double a) { return __builtin_fabs(a); }
static inline double copysign(double a, double b) { return __builtin_copysign(a, b); }
static inline long long __double_as_longlong(double a) {
  long long bits;
  __builtin_memcpy(&bits, &a, 8);
  return bits;
}
static inline double __longlong_as_double(long long bits) {
  double a;
  __builtin_memcpy(&a, &bits, 8);
  return a;
}
)";
}

std::vector<std::string> compile_flags(LaneRegisters registers) {
  std::vector<std::string> flags = {"-std=c++17",      "-O2",   "-ffp-contract=off",
                                    "-fno-math-errno", "-fPIC", "-w"};
#ifndef __aarch64__  // where every CPU has what is needed
  flags.insert(flags.end(), {"-mavx2", "-mfma"});
#endif
  if (registers == LaneRegisters::avx512 || registers == LaneRegisters::avx512vl) {
    flags.insert(flags.end(), {"-mavx512f", "-mavx512dq", "-mavx512vl"});
    flags.push_back(registers == LaneRegisters::avx512 ? "-mprefer-vector-width=512"
                                                       : "-mprefer-vector-width=256");
  }
  return flags;
}

}  // namespace tumble
