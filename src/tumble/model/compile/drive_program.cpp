#include "tumble/model/compile/drive_program.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "tumble/model/compile/table_curve.hpp"
#include "tumble/model/excitation/spectrum.hpp"
#include "tumble/model/expression/expression_names.hpp"

namespace tumble {
namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

int length(const auto& list) { return static_cast<int>(list.size()); }

/// The names a sum, product or integral refers to; none for other kinds.
std::vector<DriveRef> references(const DriveKind& kind) {
  if (const auto* sum = std::get_if<SumDrive>(&kind)) return sum->of;
  if (const auto* product = std::get_if<ProductDrive>(&kind)) return product->of;
  if (const auto* integral = std::get_if<IntegralDrive>(&kind)) return {integral->of};
  return {};
}

/// For each drive, which drives it refers to.
std::vector<std::vector<int>> resolve(const std::vector<Drive>& drives) {
  std::map<std::string_view, int> index;
  for (int i = 0; i < length(drives); ++i) {
    const std::string& name = drives[static_cast<std::size_t>(i)].name;
    if (!index.emplace(name, i).second) throw std::logic_error("two drives are named " + name);
  }
  std::vector<std::vector<int>> operands;
  for (const Drive& drive : drives) {
    operands.emplace_back();
    for (const DriveRef& ref : references(drive.kind)) {
      const auto found = index.find(ref.name);
      if (found == index.end())
        throw std::logic_error("drive " + drive.name + " refers to no drive: " + ref.name);
      operands.back().push_back(found->second);
    }
  }
  return operands;
}

/// Drives with every operand before its users (Kahn's algorithm; drives in a cycle stay out).
std::vector<int> dependency_order(const std::vector<std::vector<int>>& operands) {
  std::vector<std::vector<int>> users(operands.size());
  std::vector<int> missing, order;
  for (int i = 0; i < length(operands); ++i) {
    const auto& of = operands[static_cast<std::size_t>(i)];
    missing.push_back(length(of));
    for (int j : of) users[static_cast<std::size_t>(j)].push_back(i);
    if (of.empty()) order.push_back(i);
  }
  for (std::size_t next = 0; next < order.size(); ++next)
    for (int user : users[static_cast<std::size_t>(order[next])])
      if (--missing[static_cast<std::size_t>(user)] == 0) order.push_back(user);
  return order;
}

int constants_of(const DriveKind& kind) {
  return std::visit(
      Overloaded{
          [](const ConstantDrive&) { return 1; },
          [](const PiecewiseLinearDrive& d) {
            return CubicSpline(length(d.times)).constants_size();
          },
          [](const PiecewiseConstantDrive& d) {
            return CubicSpline(length(d.times)).constants_size();
          },
          [](const TableDrive& d) { return CubicSpline(length(d.table.x)).constants_size(); },
          [](const HarmonicDrive&) { return 5; },
          [](const PolynomialDrive& d) { return 1 + length(d.coefficients); },
          [](const SmoothStepDrive&) { return 5; },
          [](const InputDrive& d) { return d.frequency ? 6 : 1; },
          // sums and products; processes have those of their grids, integrals of their terms
          [](const auto&) { return 0; }},
      kind);
}

void write_one(const DriveKind& kind, double* out) {
  std::visit(Overloaded{[&](const ConstantDrive& d) { out[0] = d.value; },
                        [&](const PiecewiseLinearDrive& d) {
                          CubicSpline(length(d.times)).write_linear(d.times, d.values, out);
                        },
                        [&](const PiecewiseConstantDrive& d) {
                          CubicSpline(length(d.times)).write_steps(d.times, d.values, out);
                        },
                        [&](const TableDrive& d) { write_table(d, out); },
                        [&](const HarmonicDrive& d) {
                          out[0] = d.amplitude;
                          out[1] = 2.0 * std::numbers::pi * d.frequency;
                          out[2] = d.phase;
                          out[3] = d.offset;
                          out[4] = d.start;
                        },
                        [&](const PolynomialDrive& d) {
                          out[0] = d.origin;
                          std::copy(d.coefficients.begin(), d.coefficients.end(), out + 1);
                        },
                        [&](const SmoothStepDrive& d) {
                          out[0] = d.start;
                          out[1] = d.end;
                          out[2] = d.from;
                          out[3] = d.to;
                          // Without duration it is a jump and the quintic is never evaluated.
                          out[4] = d.end > d.start ? 1.0 / (d.end - d.start) : 0.0;
                        },
                        [&](const InputDrive& d) {
                          out[0] = d.start;
                          if (!d.frequency) return;
                          out[1] = 0;
                          out[2] = d.start;
                          out[3] = 0;
                          out[4] = 2.0 * std::numbers::pi * *d.frequency;
                          out[5] = d.damping_ratio();
                        },
                        [](const auto&) {}},
             kind);
}

void write_expression(const ExpressionProgram& program, const ExpressionDrive& drive, double* out) {
  std::vector<double> numbers;
  for (const auto& number : drive.parameters.numbers) numbers.push_back(number.value);
  program.write_constants(numbers, out);
}

void append_breaks(const DriveKind& kind, std::vector<double>& times) {
  if (const auto* lines = std::get_if<PiecewiseLinearDrive>(&kind)) {
    times.insert(times.end(), lines->times.begin(), lines->times.end());
  } else if (const auto* steps = std::get_if<PiecewiseConstantDrive>(&kind)) {
    times.insert(times.end(), steps->times.begin(), steps->times.end());
  } else if (const auto* table = std::get_if<TableDrive>(&kind)) {
    if (table->interpolation == Interpolation::cubic)
      times.insert(times.end(), {table->table.x.front(), table->table.x.back()});
    else
      times.insert(times.end(), table->table.x.begin(), table->table.x.end());
  } else if (const auto* harmonic = std::get_if<HarmonicDrive>(&kind)) {
    times.push_back(harmonic->start);
  } else if (const auto* step = std::get_if<SmoothStepDrive>(&kind)) {
    // Two derivatives are continuous here, the third is not: a step across would lose order.
    times.insert(times.end(), {step->start, step->end});
  }
}

}  // namespace

DriveProgram::Instruction DriveProgram::instruction_for(const DriveKind& kind, int drive) {
  const auto [code, count] = std::visit(
      Overloaded{
          [](const ConstantDrive&) { return std::pair(Code::constant, 1); },
          [](const PiecewiseLinearDrive& d) { return std::pair(Code::pieces, length(d.times)); },
          [](const PiecewiseConstantDrive& d) { return std::pair(Code::pieces, length(d.times)); },
          [](const TableDrive& d) {
            return std::pair(d.interpolation == Interpolation::cubic ? Code::spline : Code::pieces,
                             length(d.table.x));
          },
          [](const HarmonicDrive&) { return std::pair(Code::harmonic, 1); },
          [](const PolynomialDrive& d) {
            return std::pair(Code::polynomial, length(d.coefficients));
          },
          [](const SmoothStepDrive&) { return std::pair(Code::smooth_step, 1); },
          [](const SumDrive& d) { return std::pair(Code::sum, length(d.of)); },
          [](const ProductDrive& d) { return std::pair(Code::product, length(d.of)); },
          [](const InputDrive& d) { return std::pair(Code::input, d.frequency ? 1 : 0); },
          [](const IntegralDrive&) { return std::pair(Code::integral, 1); },
          [](const ExpressionDrive&) { return std::pair(Code::expression, 0); },
          [](const auto&) { return std::pair(Code::process, 0); }},
      kind);
  return {code, drive, 0, 0, count};
}

DriveProgram::Process DriveProgram::process_of(const std::vector<Drive>& drives, int drive,
                                               double duration) const {
  int source = drive;
  if (const auto* delayed =
          std::get_if<DelayedDrive>(&drives[static_cast<std::size_t>(drive)].kind)) {
    const auto found = std::ranges::find(drives, delayed->of.name, &Drive::name);
    if (found == drives.end() || !is_random(found->kind))
      throw std::logic_error("a delayed drive follows no random one: " + delayed->of.name);
    source = static_cast<int>(found - drives.begin());
  }
  if (!(duration > 0)) throw std::logic_error("random drives need the duration of the run");
  const ProcessGrid grid = process_grid(drives, drives[static_cast<std::size_t>(source)], duration);
  for (const Process& other : processes_)
    if (other.grid.points == grid.points) return {source, grid, other.sums};
  return {source, grid, std::make_shared<const FourierSums>(grid.points)};
}

DriveProgram::DriveProgram(const std::vector<Drive>& drives, double duration) {
  const auto operands = resolve(drives);
  for (int i : dependency_order(operands)) {
    const DriveKind& kind = drives[static_cast<std::size_t>(i)].kind;
    Instruction op = instruction_for(kind, i);
    if ((op.code == Code::pieces || op.code == Code::spline) && op.count == 0)
      throw std::logic_error("a drive has an empty table");
    op.constants = constants_size_;
    op.operands = length(operands_);
    constants_size_ += constants_of(kind);
    if (op.code == Code::process) {
      op.process = length(processes_);
      processes_.push_back(process_of(drives, i, duration));
      const ProcessGrid& grid = processes_.back().grid;
      op.count = grid.nodes;
      op.step = grid.step();
      constants_size_ += grid.numbers();
    }
    if (op.code == Code::integral) {
      op.integral = length(integrals_);
      integrals_.push_back(integral_shape(drives, i));
      constants_size_ += integrals_.back().numbers();
    }
    if (op.code == Code::expression) {
      ExpressionsResult result = compile_drive(std::get<ExpressionDrive>(kind));
      // check() has seen all mistakes but derivatives that grow too long.
      if (!result.mistakes.empty()) {
        Diagnostic d;
        d.element = "drive '" + drives[static_cast<std::size_t>(i)].name + "'";
        d.field = "value";
        d.expectation = result.mistakes.front().error;
        throw InputError({d});
      }
      op.program = length(programs_);
      constants_size_ += result.compiled.program.constants;
      programs_.push_back(std::move(result.compiled.program));
    }
    const auto& of = operands[static_cast<std::size_t>(i)];
    operands_.insert(operands_.end(), of.begin(), of.end());
    instructions_.push_back(op);
  }
  if (instructions_.size() != drives.size()) throw std::logic_error("drives refer to each other");
}

void DriveProgram::check_structure(const std::vector<Drive>& drives) const {
  bool same = drives.size() == instructions_.size();
  for (std::size_t i = 0; same && i < instructions_.size(); ++i) {
    const Instruction& op = instructions_[i];
    const Instruction now =
        instruction_for(drives[static_cast<std::size_t>(op.drive)].kind, op.drive);
    same = now.code == op.code && (now.count == op.count || op.code == Code::process);
  }
  if (!same) throw std::logic_error("these are not the drives that were compiled");
}

void DriveProgram::write_constants(const std::vector<Drive>& drives, double* out) const {
  check_structure(drives);
  for (const Instruction& op : instructions_) {
    if (op.code == Code::process)
      write_process_of(op, drives, out + op.constants);
    else if (op.code == Code::integral)
      write_integral(drives, op.drive, integrals_[static_cast<std::size_t>(op.integral)],
                     out + op.constants);
    else if (op.code == Code::expression)
      write_expression(programs_[static_cast<std::size_t>(op.program)],
                       std::get<ExpressionDrive>(drives[static_cast<std::size_t>(op.drive)].kind),
                       out + op.constants);
    else
      write_one(drives[static_cast<std::size_t>(op.drive)].kind, out + op.constants);
  }
}

void DriveProgram::write_process_of(const Instruction& op, const std::vector<Drive>& drives,
                                    double* out) const {
  const Process& process = processes_[static_cast<std::size_t>(op.process)];
  const DriveKind& random = drives[static_cast<std::size_t>(process.source)].kind;
  const auto* delayed = std::get_if<DelayedDrive>(&drives[static_cast<std::size_t>(op.drive)].kind);
  write_process(random, process.grid, *process.sums,
                delayed == nullptr ? 0.0 : delay_of(*delayed, random), out);
}

std::vector<int> DriveProgram::inputs() const {
  std::vector<int> drives;
  for (const Instruction& op : instructions_)
    if (op.code == Code::input) drives.push_back(op.drive);
  std::sort(drives.begin(), drives.end());
  return drives;
}

const DriveProgram::Instruction& DriveProgram::input_instruction(int drive) const {
  const auto found = std::ranges::find(instructions_, drive, &Instruction::drive);
  if (found == instructions_.end() || found->code != Code::input)
    throw std::logic_error("this drive is no input");
  return *found;
}

double DriveProgram::input(const double* constants, int drive) const {
  return constants[input_instruction(drive).constants];
}

void DriveProgram::set_input(double* constants, int drive, double value, double time) const {
  const Instruction& op = input_instruction(drive);
  double* const c = constants + op.constants;
  if (op.count == 1) {
    const Taylor2<double> now = filter_of(c).at(time);
    c[1] = time;
    c[2] = now.value;
    c[3] = now.rate;
  }
  c[0] = value;
}

std::vector<double> DriveProgram::break_points(const std::vector<Drive>& drives) const {
  check_structure(drives);
  std::vector<double> times;
  for (const Drive& drive : drives) append_breaks(drive.kind, times);
  std::sort(times.begin(), times.end());
  if (times.empty()) return times;
  // 0.1 + 0.2 and 0.3 are meant to be one time; so are results of longer expressions.
  const double rounding = 64.0 * std::numeric_limits<double>::epsilon() *
                          std::max(std::fabs(times.front()), std::fabs(times.back()));
  std::vector<double> breaks{times.front()};
  for (double time : times)
    if (time - breaks.back() > rounding) breaks.push_back(time);
  return breaks;
}

}  // namespace tumble
