#include "tumble/fmu/instance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "tumble/fmu/model_description.hpp"
#include "tumble/io/machine_reader.hpp"
#include "tumble/model/excitation.hpp"

namespace tumble {
namespace {

using Causality = FmuVariable::Causality;

constexpr const char* mode_names[] = {"instantiated", "in initialization mode", "in step mode",
                                      "terminated"};

}  // namespace

struct FmuInstance::Saved {
  Mode mode;
  bool has_stop;
  double stop, time;
  std::vector<double> numbers;  ///< of all slots
  std::shared_ptr<SteppedRun> run;
  std::shared_ptr<const SteppedRun::State> state;
  std::vector<double> measured;
};

std::string failure_text(const std::exception& error) {
  if (const auto* input = dynamic_cast<const InputError*>(&error)) {
    std::string text;
    for (const Diagnostic& d : input->diagnostics()) {
      if (!text.empty()) text += '\n';
      text += to_string(d);
    }
    return text;
  }
  if (dynamic_cast<const SimulationError*>(&error) != nullptr)
    return fmt::format("the simulation failed: {}", error.what());
  return error.what();
}

FmuInstance::FmuInstance(const std::string& resources, const std::string& token, FmuLog log)
    : log_(std::move(log)) {
  const auto path = std::filesystem::path(resources) / fmu_model_file;
  const ModelFile file = read_machine_text(read_model_file(path), path.string());
  if (token != instantiation_token(file))
    throw std::runtime_error(
        fmt::format("the instantiation token is not that of {}: modelDescription.xml and the "
                    "model beside it do not belong together, or one of them was changed",
                    path.string()));
  require_step(file.model, path.string());
  plan_ = make_plan(file.model);
  variables_ = fmu_variables(file.model);
  numbers_ = std::make_unique<Realization>(file.model);
}

FmuInstance::~FmuInstance() {
  for (const Saved* state : saved_) delete state;
}

void FmuInstance::say(FmuStatus status, const char* category, const std::string& message) const {
  const bool wanted =
      categories_.empty() || categories_.contains(category) || categories_.contains(log_all);
  if (logs_ && wanted && log_) log_(status, category, message);
}

FmuStatus FmuInstance::refuse(const std::string& message) {
  mode_ = Mode::terminated;
  say(FmuStatus::error, log_error, message);
  return FmuStatus::error;
}

FmuStatus FmuInstance::set_logging(bool on, std::span<const char* const> categories) {
  std::set<std::string> wanted;
  for (const char* name : categories) {
    const std::string text = name == nullptr ? "" : name;
    if (text != log_all && text != log_warning && text != log_error)
      return refuse(
          fmt::format("there is no category of messages '{}': modelDescription.xml lists "
                      "{}, {} and {}",
                      text, log_all, log_warning, log_error));
    wanted.insert(text);
  }
  logs_ = on;
  categories_ = std::move(wanted);
  return FmuStatus::ok;
}

template <class Action>
FmuStatus FmuInstance::guarded(const Action& action) {
  try {
    return action();
  } catch (const std::exception& error) {
    return refuse(failure_text(error));
  } catch (...) {
    return refuse("something failed that does not say why");
  }
}

bool FmuInstance::require(bool allowed, const char* function) {
  if (allowed) return true;
  refuse(fmt::format("{} is not allowed here: the FMU is {}", function,
                     mode_names[static_cast<std::size_t>(mode_)]));
  return false;
}

const FmuVariable* FmuInstance::variable(ValueReference reference) const {
  return reference < variables_.size() ? &variables_[reference] : nullptr;
}

// A run with the numbers set so far, at t = 0.
void FmuInstance::start_run() {
  if (run_) return;
  if (auto mistakes = check(numbers_->model()); !mistakes.empty())
    throw InputError(std::move(mistakes));
  auto run = std::make_shared<SteppedRun>(plan_, numbers_->model());
  run->start();
  run_ = std::move(run);
  measure();
}

void FmuInstance::measure() {
  measured_.resize(run_->size());
  run_->measure(measured_);
}

void FmuInstance::pass_warnings() {
  for (const std::string& sentence : run_->take_warnings())
    say(FmuStatus::warning, log_warning, sentence);
}

FmuStatus FmuInstance::enter_initialization(double start, bool has_stop, double stop) {
  if (!require(mode_ == Mode::instantiated, "fmi3EnterInitializationMode")) return FmuStatus::error;
  return guarded([&] {
    if (start != 0)
      return refuse(
          fmt::format("the start time must be 0 s, found {} s: the machine starts as its file "
                      "describes it for t = 0",
                      format_number(start)));
    if (has_stop && !(stop > start))
      return refuse(fmt::format("the stop time must be later than the start, found {} s",
                                format_number(stop)));
    has_stop_ = has_stop;
    stop_ = stop;
    time_ = 0;
    start_run();  // what cannot be initialised is said here already
    mode_ = Mode::initialization;
    return FmuStatus::ok;
  });
}

FmuStatus FmuInstance::exit_initialization() {
  if (!require(mode_ == Mode::initialization, "fmi3ExitInitializationMode"))
    return FmuStatus::error;
  return guarded([&] {
    start_run();
    mode_ = Mode::step;
    pass_warnings();
    return FmuStatus::ok;
  });
}

FmuStatus FmuInstance::do_step(double from, double size, double& reached) {
  reached = time_;
  if (!require(mode_ == Mode::step, "fmi3DoStep")) return FmuStatus::error;
  return guarded([&] {
    const double step = *plan_.model().simulation.step,
                 duration = plan_.model().simulation.duration;
    constexpr double shortest = 1e-6, slack = 1e-6;
    if (!(size >= shortest * step) || !std::isfinite(size))
      return refuse(
          fmt::format("communicationStepSize must be at least a millionth of "
                      "simulation.step, {} s, found {} s",
                      format_number(step), format_number(size)));
    if (!(std::fabs(from - time_) <= slack * size))
      return refuse(
          fmt::format("currentCommunicationPoint must be {} s, where the last step "
                      "ended, found {} s",
                      format_number(time_), format_number(from)));
    const double to = from + size;
    if (has_stop_ && to > stop_ + slack * size)
      return refuse(fmt::format("a step to {} s would pass the stop time, {} s", format_number(to),
                                format_number(stop_)));
    if (excitation_germs(plan_.model()) > 0 && to > duration + slack * size)
      return refuse(
          fmt::format("a step to {} s would pass simulation.duration, {} s, and random "
                      "drives end there",
                      format_number(to), format_number(duration)));
    run_->advance(to);
    time_ = reached = to;
    measure();
    pass_warnings();
    return FmuStatus::ok;
  });
}

FmuStatus FmuInstance::terminate() {
  if (!require(mode_ == Mode::step, "fmi3Terminate")) return FmuStatus::error;
  return guarded([&] {
    mode_ = Mode::terminated;
    run_->close();
    pass_warnings();
    return FmuStatus::ok;
  });
}

FmuStatus FmuInstance::reset() {
  return guarded([&] {
    mode_ = Mode::instantiated;
    numbers_ = std::make_unique<Realization>(plan_.model());
    run_.reset();
    measured_.clear();
    has_stop_ = false;
    time_ = 0;
    return FmuStatus::ok;
  });
}

double FmuInstance::value_of(const FmuVariable& v) const {
  switch (v.causality) {
    case Causality::independent:
      return time_;
    case Causality::output:
      return measured_[static_cast<std::size_t>(v.number)];
    case Causality::input:
      if (run_) return run_->input(v.drive);
      break;
    case Causality::parameter:
      break;
  }
  return numbers_->get(v.slot);
}

FmuStatus FmuInstance::get(std::span<const ValueReference> which, std::span<double> values) {
  return guarded([&] {
    if (values.size() != which.size())
      return refuse(
          fmt::format("fmi3GetFloat64: {} variables have as many values, found room for "
                      "{}",
                      which.size(), values.size()));
    for (std::size_t i = 0; i < which.size(); ++i) {
      const FmuVariable* v = variable(which[i]);
      if (v == nullptr)
        return refuse(fmt::format("fmi3GetFloat64: no Float64 variable has the value reference {}",
                                  which[i]));
      if (v->causality == Causality::output) {
        if (mode_ == Mode::initialization) start_run();
        if (mode_ == Mode::instantiated || measured_.empty())
          return refuse(
              fmt::format("fmi3GetFloat64: {} has no value yet: it is calculated from "
                          "initialization mode on",
                          v->name));
      }
      values[i] = value_of(*v);
    }
    return FmuStatus::ok;
  });
}

bool FmuInstance::may_set(const FmuVariable& v) const {
  const bool before = mode_ == Mode::instantiated || mode_ == Mode::initialization;
  if (v.causality == Causality::parameter) return before;
  return v.causality == Causality::input && (before || mode_ == Mode::step);
}

FmuStatus FmuInstance::set(std::span<const ValueReference> which, std::span<const double> values) {
  return guarded([&] {
    if (values.size() != which.size())
      return refuse(fmt::format("fmi3SetFloat64: {} variables have as many values, found {}",
                                which.size(), values.size()));
    for (std::size_t i = 0; i < which.size(); ++i) {
      const FmuVariable* v = variable(which[i]);
      if (v == nullptr)
        return refuse(fmt::format("fmi3SetFloat64: no Float64 variable has the value reference {}",
                                  which[i]));
      if (!may_set(*v))
        return refuse(fmt::format(
            "fmi3SetFloat64: {} cannot be set: {}", v->name,
            v->causality == Causality::parameter ? "parameters are fixed when initialization ends"
            : v->causality == Causality::input
                ? fmt::format("the FMU is {}", mode_names[static_cast<std::size_t>(mode_)])
                : "it is neither an input nor a parameter"));
      if (!std::isfinite(values[i]))
        return refuse(fmt::format("fmi3SetFloat64: {} = {}, must be finite", v->name, values[i]));
    }
    for (std::size_t i = 0; i < which.size(); ++i) {
      const FmuVariable& v = variables_[which[i]];
      if (mode_ == Mode::step) {
        run_->set_input(v.drive, values[i]);
        continue;
      }
      numbers_->set(v.slot, values[i]);
      run_.reset();
    }
    return FmuStatus::ok;
  });
}

FmuStatus FmuInstance::save(void*& state) {
  return guarded([&] {
    // An old one that is given back may be used again; a new one is as good.
    if (state != nullptr)
      if (const FmuStatus freed = free_state(state); freed != FmuStatus::ok) return freed;
    auto saved = std::make_unique<Saved>();
    saved->mode = mode_;
    saved->has_stop = has_stop_;
    saved->stop = stop_;
    saved->time = time_;
    for (std::size_t i = 0; i < plan_.parameters().slots().size(); ++i)
      saved->numbers.push_back(numbers_->get(static_cast<int>(i)));
    saved->run = run_;
    if (run_) saved->state = run_->save();
    saved->measured = measured_;
    saved_.insert(saved.get());
    state = saved.release();
    return FmuStatus::ok;
  });
}

FmuStatus FmuInstance::restore(void* state) {
  return guarded([&] {
    auto* const saved = static_cast<Saved*>(state);
    if (!saved_.contains(saved))
      return refuse("fmi3SetFMUState: this is no state of this instance");
    mode_ = saved->mode;
    has_stop_ = saved->has_stop;
    stop_ = saved->stop;
    time_ = saved->time;
    for (std::size_t i = 0; i < saved->numbers.size(); ++i)
      numbers_->set(static_cast<int>(i), saved->numbers[i]);
    run_ = saved->run;
    if (run_) run_->restore(*saved->state);
    measured_ = saved->measured;
    return FmuStatus::ok;
  });
}

FmuStatus FmuInstance::free_state(void*& state) {
  if (state == nullptr) return FmuStatus::ok;
  auto* const saved = static_cast<Saved*>(state);
  if (saved_.erase(saved) == 0)
    return refuse("fmi3FreeFMUState: this is no state of this instance");
  delete saved;
  state = nullptr;
  return FmuStatus::ok;
}

}  // namespace tumble
