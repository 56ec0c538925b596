// How functions of time are evaluated: drives compiled to a flat list of instructions.
//
// The program holds only structure (kinds, sizes, who refers to whom) and is shared by all
// realisations and threads; numbers are in an array of constants that each realisation writes
// once. Every drive comes with its first two time derivatives, because an imposed motion enters
// velocities and accelerations too.
//
// A drive is smooth between break points, and steps land on those. At a break the left and the
// right limit differ; a step that ends there needs the one, a step that begins there the other.
// So pieces are chosen by a time strictly inside the step, never by t itself, which rounding may
// put on either side.
#pragma once
#include <memory>
#include <vector>

#include "tumble/math/cubic_spline.hpp"
#include "tumble/math/taylor2_functions.hpp"
#include "tumble/model/compile/input_filter.hpp"
#include "tumble/model/compile/integral_drive.hpp"
#include "tumble/model/drive.hpp"
#include "tumble/model/excitation/process.hpp"
#include "tumble/model/expression/expression_program.hpp"

namespace tumble {

class DriveProgram {
 public:
  /// References and cycles are what check() reports to users; here they are std::logic_error.
  /// `duration` [s]: of the run, over which random drives are laid out.
  explicit DriveProgram(const std::vector<Drive>& drives, double duration = 0);

  /// Number of drives; results are in the order of the model.
  int size() const { return static_cast<int>(instructions_.size()); }
  int constants_size() const { return constants_size_; }

  /// Writes constants_size() numbers. The drives may differ from those of the constructor in their
  /// numbers only; otherwise std::logic_error.
  void write_constants(const std::vector<Drive>& drives, double* out) const;

  /// Increasing times at which some drive, or one of its first derivatives, may jump. Times that
  /// differ by rounding only are one: no step could be made between them. Knots of a spline are
  /// not breaks (two derivatives are continuous there) except its ends.
  std::vector<double> break_points(const std::vector<Drive>& drives) const;

  /// Which drives of the model are inputs, in its order.
  std::vector<int> inputs() const;
  /// Among the constants of a single realisation: the value that an input has, and another one that
  /// it is to have from a time on. A filter goes on from where it is then.
  double input(const double* constants, int drive) const;
  void set_input(double* constants, int drive, double value, double time) const;

  /// All drives at time t in the pieces that hold at `inside`, a time strictly inside the current
  /// step. Lanes may differ in every number but break times. Writes size() results.
  template <class S>
  void evaluate(const S* constants, double t, double inside, Taylor2<S>* out) const;

 private:
  enum class Code {
    constant,
    pieces,
    spline,
    harmonic,
    polynomial,
    smooth_step,
    sum,
    product,
    process,
    input,
    integral,
    expression
  };
  struct Instruction {
    Code code;
    int drive;          ///< which drive of the model it computes
    int constants;      ///< where its constants begin
    int operands;       ///< where the operands of a sum or product begin
    int count;          ///< points, coefficients, operands or nodes; of an input 1 with a filter
    int process = -1;   ///< of a random drive: which of processes_
    double step = 0;    ///< of a random drive: between nodes [s]
    int integral = -1;  ///< of an integral: which of integrals_
    int program = -1;   ///< of an expression: which of programs_
  };
  /// The random drive that an instruction evaluates, itself or delayed.
  struct Process {
    int source;  ///< the random drive, in the model
    ProcessGrid grid;
    std::shared_ptr<const FourierSums> sums;
  };
  static Instruction instruction_for(const DriveKind& kind, int drive);
  Process process_of(const std::vector<Drive>& drives, int drive, double duration) const;
  void write_process_of(const Instruction& op, const std::vector<Drive>& drives, double* out) const;
  void check_structure(const std::vector<Drive>& drives) const;

  const Instruction& input_instruction(int drive) const;
  static InputFilter filter_of(const double* c) { return {c[0], c[1], c[2], c[3], c[4], c[5]}; }

  template <class S>
  static Taylor2<S> pieces(const S* c, int n, double t, double inside);
  template <class S>
  static Taylor2<S> spline(const S* c, int n, double t, double inside);
  template <class S>
  static Taylor2<S> harmonic(const S* c, double t, double inside);
  template <class S>
  static Taylor2<S> polynomial(const S* c, int n, double t);
  template <class S>
  static Taylor2<S> smooth_step(const S* c, double t, double inside);
  template <class S>
  static Taylor2<S> held_input(const S* c, bool filtered, double t);
  template <class S>
  static Taylor2<S> expression(const ExpressionProgram& program, const S* c, double t);

  std::vector<Instruction> instructions_;  ///< operands before the sums and products of them
  std::vector<int> operands_;
  std::vector<Process> processes_;
  std::vector<IntegralShape> integrals_;
  std::vector<ExpressionProgram> programs_;
  int constants_size_ = 0;
};

// Every knot is a break: the piece follows `inside`.
template <class S>
Taylor2<S> DriveProgram::pieces(const S* c, int n, double t, double inside) {
  const CubicSpline lines(n);
  const S* const y = lines.values(c);
  if (inside < first_lane(c[0])) return {y[0], S(0.0), S(0.0)};
  if (inside >= first_lane(c[n - 1])) return {y[n - 1], S(0.0), S(0.0)};
  return lines.evaluate(c, find_shared_interval(c, n, inside), S(t));
}

// Inner knots are not breaks, so a step may span several of them: within the table the interval
// follows t, and only whether t is within the table follows `inside`.
template <class S>
Taylor2<S> DriveProgram::spline(const S* c, int n, double t, double inside) {
  const CubicSpline curve(n);
  const S* const y = curve.values(c);
  if (inside < first_lane(c[0])) return {y[0], S(0.0), S(0.0)};
  if (inside >= first_lane(c[n - 1])) return {y[n - 1], S(0.0), S(0.0)};
  return curve.evaluate(c, find_shared_interval(c, n, t), S(t));
}

// Constants: amplitude, 2 pi frequency, phase, offset, start. Before the start its clock stands.
template <class S>
Taylor2<S> DriveProgram::harmonic(const S* c, double t, double inside) {
  const Taylor2<S> phase{c[2], S(0.0), S(0.0)}, offset{c[3], S(0.0), S(0.0)};
  Taylor2<S> clock{S(0.0), S(0.0), S(0.0)};
  if (inside >= first_lane(c[4])) clock = {S(t) - c[4], S(1.0), S(0.0)};
  return offset + c[0] * sin(c[1] * clock + phase);
}

// Constants: origin, then n coefficients. Horner's rule for the value and both derivatives.
template <class S>
Taylor2<S> DriveProgram::polynomial(const S* c, int n, double t) {
  const S d = S(t) - c[0];
  Taylor2<S> u{S(0.0), S(0.0), S(0.0)};
  for (int i = n; i > 0; --i) {
    u.second = u.second * d + S(2.0) * u.rate;
    u.rate = u.rate * d + u.value;
    u.value = u.value * d + c[i];
  }
  return u;
}

// Constants: start, end, from, to, 1 / (end - start). With s from 0 to 1 in between,
//   u = from + (to - from) s³ (10 - 15 s + 6 s²),   ds³(...)/ds = 30 s² (1 - s)²,
// the quintic whose first and second derivative vanish at both ends.
template <class S>
Taylor2<S> DriveProgram::smooth_step(const S* c, double t, double inside) {
  if (inside < first_lane(c[0])) return {c[2], S(0.0), S(0.0)};
  if (inside >= first_lane(c[1])) return {c[3], S(0.0), S(0.0)};
  const S rise = c[3] - c[2];
  const S s = (S(t) - c[0]) * c[4];
  const S r = S(1.0) - s;
  const S f = s * s * s * (S(10.0) - s * (S(15.0) - S(6.0) * s));
  const S f1 = S(30.0) * (s * s) * (r * r);
  const S f2 = S(60.0) * (s * r) * (r - s);
  return {c[2] + rise * f, rise * f1 * c[4], rise * f2 * (c[4] * c[4])};
}

// Constants: the value; with a filter also since when, where the filter was then and how fast, its
// angular frequency and its damping. Inputs are set in single realisations alone: in lanes, and
// where derivatives are carried along, a filter rests where it started.
template <class S>
Taylor2<S> DriveProgram::held_input(const S* c, bool filtered, [[maybe_unused]] double t) {
  if constexpr (std::is_same_v<S, double>) {
    if (filtered) return filter_of(c).at(t);
  }
  return {c[0], S(0.0), S(0.0)};
}

// Its outputs are the value and its two derivatives, found when the program was made.
template <class S>
[[gnu::noinline]] Taylor2<S> DriveProgram::expression(const ExpressionProgram& program, const S* c,
                                                      double t) {
  S registers[most_drive_registers];
  registers[0] = S(t);
  program.run_values(c, registers);
  const auto output = [&](std::size_t i) {
    return program.operand(program.outputs[i], c, static_cast<const S*>(registers));
  };
  return {output(0), output(1), output(2)};
}

template <class S>
void DriveProgram::evaluate(const S* constants, double t, double inside, Taylor2<S>* out) const {
  for (const Instruction& op : instructions_) {
    const S* const c = constants + op.constants;
    const int* const operands = operands_.data() + op.operands;
    Taylor2<S> u{S(0.0), S(0.0), S(0.0)};
    switch (op.code) {
      case Code::constant:
        u.value = c[0];
        break;
      case Code::pieces:
        u = pieces(c, op.count, t, inside);
        break;
      case Code::spline:
        u = spline(c, op.count, t, inside);
        break;
      case Code::harmonic:
        u = harmonic(c, t, inside);
        break;
      case Code::polynomial:
        u = polynomial(c, op.count, t);
        break;
      case Code::smooth_step:
        u = smooth_step(c, t, inside);
        break;
      case Code::sum:
        for (int i = 0; i < op.count; ++i) u = u + out[operands[i]];
        break;
      case Code::product:
        u.value = S(1.0);
        for (int i = 0; i < op.count; ++i) u = u * out[operands[i]];
        break;
      case Code::process:
        u = evaluate_process(c, op.count, op.step, t);
        break;
      case Code::input:
        u = held_input(c, op.count == 1, t);
        break;
      case Code::integral:  // what it integrates has its derivatives, and knows about breaks
        u = {integral_value(integrals_[static_cast<std::size_t>(op.integral)], c, t),
             out[operands[0]].value, out[operands[0]].rate};
        break;
      case Code::expression:
        u = expression(programs_[static_cast<std::size_t>(op.program)], c, t);
        break;
    }
    out[op.drive] = u;
  }
}

}  // namespace tumble
