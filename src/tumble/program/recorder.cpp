#include "tumble/program/recorder.hpp"

#include "tumble/program/optimize.hpp"

namespace tumble {

namespace {

thread_local Recorder* recording = nullptr;

}  // namespace

Recorder::Recorder(std::string name, std::size_t samples) : samples_(samples), outer_(recording) {
  if (samples == 0) throw std::invalid_argument("a recording needs a sample");
  builder_.program.name = std::move(name);
  recording = this;
}

Recorder::~Recorder() { recording = outer_; }

Recorder& Recorder::current() {
  if (recording == nullptr) throw std::logic_error("nothing is being recorded");
  return *recording;
}

int Recorder::add_input(std::string name, int size) {
  builder_.program.inputs.push_back({std::move(name), size});
  return static_cast<int>(builder_.program.inputs.size()) - 1;
}
int Recorder::add_output(std::string name, int size) {
  builder_.program.outputs.push_back({std::move(name), size});
  return static_cast<int>(builder_.program.outputs.size()) - 1;
}

Recorded Recorder::input(int region, int index, std::span<const double> samples) {
  if (samples.size() != samples_) throw std::invalid_argument("an input has a value per sample");
  const int node = builder_.input(region, index);
  if (values_.size() < samples_ * builder_.program.nodes.size())
    values_.insert(values_.end(), samples.begin(), samples.end());
  Recorded number;
  number.node = node;
  return number;
}

void Recorder::output(int region, int index, const Recorded& value) {
  builder_.store(region, index, value.number());
}

double Recorder::sample(int node, std::size_t k) const {
  return values_[static_cast<std::size_t>(node) * samples_ + k];
}

int Recorder::literal(double value) {
  const int node = builder_.literal(value);
  if (values_.size() < samples_ * builder_.program.nodes.size())
    values_.insert(values_.end(), samples_, value);
  return node;
}

// The builder may append several nodes for one operation: each has its value in every sample.
int Recorder::make(Operation operation, int a, int b, int c) {
  const int made = builder_.make(operation, a, b, c);
  const auto& program = builder_.program;
  for (std::size_t i = values_.size() / samples_; i < program.nodes.size(); ++i) {
    const TapeNode& node = program.nodes[i];
    const auto value = [&](int operand, std::size_t k) {
      return operand < 0 ? 0.0 : sample(operand, k);
    };
    for (std::size_t k = 0; k < samples_; ++k) {
      double x = 0;
      if (node.operation == Operation::literal)
        x = program.literals[static_cast<std::size_t>(node.a)];
      else if (node.operation == Operation::truth)
        x = node.a;
      else
        x = evaluate(node.operation, value(node.a, k), value(node.b, k), value(node.c, k));
      values_.push_back(x);
    }
  }
  return made;
}

bool Recorder::all(const RecordedMask& mask) {
  for (std::size_t k = 0; k < samples_; ++k)
    if (sample(mask.node, k) == 0) return false;
  builder_.guard(mask.node);
  return true;
}

bool Recorder::any(const RecordedMask& mask) {
  for (std::size_t k = 0; k < samples_; ++k)
    if (sample(mask.node, k) != 0) return true;
  builder_.guard(make(Operation::negation, mask.node));
  return false;
}

Program Recorder::finish() { return without_dead_code(builder_.program); }

namespace {

RecordedMask mask_of(int node) {
  RecordedMask mask;
  mask.node = node;
  return mask;
}

Recorded number_of(int node) {
  Recorded number;
  number.node = node;
  return number;
}

}  // namespace

RecordedMask operator&(RecordedMask a, RecordedMask b) {
  if (a.node < 0) return a.value ? b : a;
  if (b.node < 0) return b.value ? a : b;
  return mask_of(Recorder::current().make(Operation::both, a.node, b.node));
}
RecordedMask operator|(RecordedMask a, RecordedMask b) {
  if (a.node < 0) return a.value ? a : b;
  if (b.node < 0) return b.value ? b : a;
  return mask_of(Recorder::current().make(Operation::either, a.node, b.node));
}
RecordedMask operator!(RecordedMask a) {
  if (a.node < 0) {
    a.value = !a.value;
    return a;
  }
  return mask_of(Recorder::current().make(Operation::negation, a.node));
}

// Numbers that are known are computed at once: they need no recorder.
Recorded Recorded::make(Operation operation, const Recorded& a) {
  if (a.node < 0) return Recorded(evaluate(operation, a.value, 0, 0));
  return number_of(Recorder::current().make(operation, a.node));
}
Recorded Recorded::make(Operation operation, const Recorded& a, const Recorded& b) {
  if (a.node < 0 && b.node < 0) return Recorded(evaluate(operation, a.value, b.value, 0));
  return number_of(Recorder::current().make(operation, a.number(), b.number()));
}
Recorded Recorded::make(Operation operation, const Recorded& a, const Recorded& b,
                        const Recorded& c) {
  if (a.node < 0 && b.node < 0 && c.node < 0)
    return Recorded(evaluate(operation, a.value, b.value, c.value));
  return number_of(Recorder::current().make(operation, a.number(), b.number(), c.number()));
}
RecordedMask Recorded::compare(Operation operation, const Recorded& a, const Recorded& b) {
  if (a.node < 0 && b.node < 0) {
    RecordedMask mask;
    mask.value = evaluate(operation, a.value, b.value, 0) != 0;
    return mask;
  }
  return mask_of(Recorder::current().make(operation, a.number(), b.number()));
}
Recorded select(const RecordedMask& mask, const Recorded& a, const Recorded& b) {
  if (mask.node < 0) return mask.value ? a : b;
  return number_of(Recorder::current().make(Operation::select, mask.node, a.number(), b.number()));
}

}  // namespace tumble
