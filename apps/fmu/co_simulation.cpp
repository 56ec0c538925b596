// The functions of FMI 3.0 that the FMUs of this program have an answer to.
#include <exception>
#include <memory>
#include <string>

#include "fmi3.hpp"
#include "tumble/fmu/instance.hpp"
#include "tumble/fmu/model_description.hpp"

namespace {

using tumble::FmuInstance;
using tumble::FmuStatus;

fmi3Status code(FmuStatus status) { return static_cast<fmi3Status>(status); }

FmuInstance& of(fmi3Instance instance) { return *static_cast<FmuInstance*>(instance); }

/// In messages of FMI # begins a reference to a variable; two of them are one.
std::string without_references(const std::string& message) {
  std::string text;
  for (const char c : message) text.append(c == '#' ? 2 : 1, c);
  return text;
}

/// An importer may look at the message only until the callback returns.
tumble::FmuLog log_to(fmi3LogMessageCallback callback, fmi3InstanceEnvironment environment) {
  return
      [callback, environment](FmuStatus status, const char* category, const std::string& message) {
        if (callback != nullptr)
          callback(environment, code(status), category, without_references(message).c_str());
      };
}

template <class T>
std::span<T> list(T* first, std::size_t n) {
  return first == nullptr ? std::span<T>{} : std::span<T>(first, n);
}

}  // namespace

FMI3_FUNCTION const char* fmi3GetVersion() { return "3.0"; }

FMI3_FUNCTION fmi3Instance fmi3InstantiateCoSimulation(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean /*visible*/,
    fmi3Boolean logging, fmi3Boolean event_mode, fmi3Boolean /*early_return*/,
    const fmi3ValueReference /*intermediate*/[], std::size_t intermediates,
    fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
    fmi3IntermediateUpdateCallback /*update*/) {
  const tumble::FmuLog say = logging ? log_to(log, environment) : tumble::FmuLog{};
  const auto fail = [&](const std::string& message) {
    if (say) say(FmuStatus::error, tumble::log_error, message);
    return nullptr;
  };
  try {
    if (name == nullptr || std::string(name).find_first_not_of(" \t") == std::string::npos)
      return fail("instanceName must not be empty");
    if (token == nullptr) return fail("instantiationToken must not be null");
    if (resources == nullptr)
      return fail("resourcePath must not be null: the model lies among the resources");
    if (event_mode) return fail("eventModeUsed must be false: this FMU has no event mode");
    if (intermediates > 0)
      return fail("there are no intermediate variables: this FMU has no intermediate update");
    auto instance = std::make_unique<FmuInstance>(resources, token, log_to(log, environment));
    instance->set_logging(logging, {});
    return instance.release();
  } catch (const std::exception& error) {
    return fail(tumble::failure_text(error));
  } catch (...) {
    return fail("something failed that does not say why");
  }
}

FMI3_FUNCTION void fmi3FreeInstance(fmi3Instance instance) {
  delete static_cast<FmuInstance*>(instance);
}

FMI3_FUNCTION fmi3Status fmi3SetDebugLogging(fmi3Instance instance, fmi3Boolean on, std::size_t n,
                                             const fmi3String categories[]) {
  if (instance == nullptr) return fmi3Error;
  return code(of(instance).set_logging(on, list(categories, n)));
}

FMI3_FUNCTION fmi3Status fmi3EnterInitializationMode(fmi3Instance instance,
                                                     fmi3Boolean /*has_tolerance*/,
                                                     fmi3Float64 /*tolerance*/, fmi3Float64 start,
                                                     fmi3Boolean has_stop, fmi3Float64 stop) {
  if (instance == nullptr) return fmi3Error;
  return code(of(instance).enter_initialization(start, has_stop, stop));
}

FMI3_FUNCTION fmi3Status fmi3ExitInitializationMode(fmi3Instance instance) {
  return instance == nullptr ? fmi3Error : code(of(instance).exit_initialization());
}

FMI3_FUNCTION fmi3Status fmi3Terminate(fmi3Instance instance) {
  return instance == nullptr ? fmi3Error : code(of(instance).terminate());
}

FMI3_FUNCTION fmi3Status fmi3Reset(fmi3Instance instance) {
  return instance == nullptr ? fmi3Error : code(of(instance).reset());
}

FMI3_FUNCTION fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 from, fmi3Float64 size,
                                    fmi3Boolean /*no_earlier_state*/, fmi3Boolean* event,
                                    fmi3Boolean* terminate, fmi3Boolean* early,
                                    fmi3Float64* reached) {
  if (instance == nullptr) return fmi3Error;
  for (fmi3Boolean* flag : {event, terminate, early})
    if (flag != nullptr) *flag = false;
  double time = 0;
  const FmuStatus status = of(instance).do_step(from, size, time);
  if (reached != nullptr) *reached = time;
  return code(status);
}

FMI3_FUNCTION fmi3Status fmi3GetFloat64(fmi3Instance instance, const fmi3ValueReference which[],
                                        std::size_t n, fmi3Float64 values[], std::size_t n_values) {
  if (instance == nullptr) return fmi3Error;
  return code(of(instance).get(list(which, n), list(values, n_values)));
}

FMI3_FUNCTION fmi3Status fmi3SetFloat64(fmi3Instance instance, const fmi3ValueReference which[],
                                        std::size_t n, const fmi3Float64 values[],
                                        std::size_t n_values) {
  if (instance == nullptr) return fmi3Error;
  return code(of(instance).set(list(which, n), list(values, n_values)));
}

FMI3_FUNCTION fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState* state) {
  if (instance == nullptr || state == nullptr) return fmi3Error;
  return code(of(instance).save(*state));
}

FMI3_FUNCTION fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState state) {
  return instance == nullptr ? fmi3Error : code(of(instance).restore(state));
}

FMI3_FUNCTION fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState* state) {
  if (instance == nullptr) return fmi3Error;
  return state == nullptr ? fmi3OK : code(of(instance).free_state(*state));
}
