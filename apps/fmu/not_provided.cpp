// Functions of FMI 3.0 for what the FMUs of this program do not claim to have: other types of
// variables, clocks, events, derivatives, serialised states, model exchange and scheduled
// execution. FMI wants them exported, and an error from who calls them.
#include <string>

#include "fmi3.hpp"
#include "tumble/fmu/instance.hpp"
#include "tumble/fmu/model_description.hpp"

namespace {

fmi3Status refuse(fmi3Instance instance, const char* function, const char* why) {
  if (instance != nullptr)
    static_cast<tumble::FmuInstance*>(instance)->refuse(std::string(function) + ": " + why);
  return fmi3Error;
}

fmi3Instance no_instance(const char* function, fmi3Boolean logging,
                         fmi3InstanceEnvironment environment, fmi3LogMessageCallback log) {
  const std::string message = std::string(function) + ": this FMU is for co-simulation alone";
  if (logging && log != nullptr) log(environment, fmi3Error, tumble::log_error, message.c_str());
  return nullptr;
}

constexpr const char* only_float64 = "all variables of this FMU are of type Float64";
constexpr const char* no_clocks = "this FMU has no clocks";
constexpr const char* no_events = "this FMU has no event mode";
constexpr const char* not_claimed = "this FMU does not claim to be able to do so";
constexpr const char* other_interface = "this FMU is for co-simulation alone";

}  // namespace

// Getting or setting nothing is no mistake.
#define TUMBLE_OTHER_TYPE(Type)                                                             \
  FMI3_FUNCTION fmi3Status fmi3Get##Type(fmi3Instance instance, const fmi3ValueReference[], \
                                         std::size_t n, fmi3##Type[], std::size_t) {        \
    return n == 0 ? fmi3OK : refuse(instance, "fmi3Get" #Type, only_float64);               \
  }                                                                                         \
  FMI3_FUNCTION fmi3Status fmi3Set##Type(fmi3Instance instance, const fmi3ValueReference[], \
                                         std::size_t n, const fmi3##Type[], std::size_t) {  \
    return n == 0 ? fmi3OK : refuse(instance, "fmi3Set" #Type, only_float64);               \
  }
TUMBLE_OTHER_TYPE(Float32)
TUMBLE_OTHER_TYPE(Int8)
TUMBLE_OTHER_TYPE(UInt8)
TUMBLE_OTHER_TYPE(Int16)
TUMBLE_OTHER_TYPE(UInt16)
TUMBLE_OTHER_TYPE(Int32)
TUMBLE_OTHER_TYPE(UInt32)
TUMBLE_OTHER_TYPE(Int64)
TUMBLE_OTHER_TYPE(UInt64)
TUMBLE_OTHER_TYPE(Boolean)
TUMBLE_OTHER_TYPE(String)
#undef TUMBLE_OTHER_TYPE

FMI3_FUNCTION fmi3Status fmi3GetBinary(fmi3Instance instance, const fmi3ValueReference[],
                                       std::size_t n, std::size_t[], fmi3Binary[], std::size_t) {
  return n == 0 ? fmi3OK : refuse(instance, "fmi3GetBinary", only_float64);
}
FMI3_FUNCTION fmi3Status fmi3SetBinary(fmi3Instance instance, const fmi3ValueReference[],
                                       std::size_t n, const std::size_t[], const fmi3Binary[],
                                       std::size_t) {
  return n == 0 ? fmi3OK : refuse(instance, "fmi3SetBinary", only_float64);
}

// Clocks and events.
FMI3_FUNCTION fmi3Status fmi3GetClock(fmi3Instance instance, const fmi3ValueReference[],
                                      std::size_t, fmi3Clock[]) {
  return refuse(instance, "fmi3GetClock", no_clocks);
}
FMI3_FUNCTION fmi3Status fmi3SetClock(fmi3Instance instance, const fmi3ValueReference[],
                                      std::size_t, const fmi3Clock[]) {
  return refuse(instance, "fmi3SetClock", no_clocks);
}
FMI3_FUNCTION fmi3Status fmi3GetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference[],
                                                std::size_t, fmi3Float64[],
                                                fmi3IntervalQualifier[]) {
  return refuse(instance, "fmi3GetIntervalDecimal", no_clocks);
}
FMI3_FUNCTION fmi3Status fmi3GetIntervalFraction(fmi3Instance instance, const fmi3ValueReference[],
                                                 std::size_t, fmi3UInt64[], fmi3UInt64[],
                                                 fmi3IntervalQualifier[]) {
  return refuse(instance, "fmi3GetIntervalFraction", no_clocks);
}
FMI3_FUNCTION fmi3Status fmi3GetShiftDecimal(fmi3Instance instance, const fmi3ValueReference[],
                                             std::size_t, fmi3Float64[]) {
  return refuse(instance, "fmi3GetShiftDecimal", no_clocks);
}
FMI3_FUNCTION fmi3Status fmi3GetShiftFraction(fmi3Instance instance, const fmi3ValueReference[],
                                              std::size_t, fmi3UInt64[], fmi3UInt64[]) {
  return refuse(instance, "fmi3GetShiftFraction", no_clocks);
}
FMI3_FUNCTION fmi3Status fmi3SetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference[],
                                                std::size_t, const fmi3Float64[]) {
  return refuse(instance, "fmi3SetIntervalDecimal", no_clocks);
}
FMI3_FUNCTION fmi3Status fmi3SetIntervalFraction(fmi3Instance instance, const fmi3ValueReference[],
                                                 std::size_t, const fmi3UInt64[],
                                                 const fmi3UInt64[]) {
  return refuse(instance, "fmi3SetIntervalFraction", no_clocks);
}
FMI3_FUNCTION fmi3Status fmi3SetShiftDecimal(fmi3Instance instance, const fmi3ValueReference[],
                                             std::size_t, const fmi3Float64[]) {
  return refuse(instance, "fmi3SetShiftDecimal", no_clocks);
}
FMI3_FUNCTION fmi3Status fmi3SetShiftFraction(fmi3Instance instance, const fmi3ValueReference[],
                                              std::size_t, const fmi3UInt64[], const fmi3UInt64[]) {
  return refuse(instance, "fmi3SetShiftFraction", no_clocks);
}
FMI3_FUNCTION fmi3Status fmi3EnterEventMode(fmi3Instance instance) {
  return refuse(instance, "fmi3EnterEventMode", no_events);
}
FMI3_FUNCTION fmi3Status fmi3EnterStepMode(fmi3Instance instance) {
  return refuse(instance, "fmi3EnterStepMode", no_events);
}
FMI3_FUNCTION fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance instance) {
  return refuse(instance, "fmi3EvaluateDiscreteStates", no_events);
}
FMI3_FUNCTION fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean*, fmi3Boolean*,
                                                  fmi3Boolean*, fmi3Boolean*, fmi3Boolean*,
                                                  fmi3Float64*) {
  return refuse(instance, "fmi3UpdateDiscreteStates", no_events);
}

// Structural parameters.
FMI3_FUNCTION fmi3Status fmi3EnterConfigurationMode(fmi3Instance instance) {
  return refuse(instance, "fmi3EnterConfigurationMode", "this FMU has no structural parameters");
}
FMI3_FUNCTION fmi3Status fmi3ExitConfigurationMode(fmi3Instance instance) {
  return refuse(instance, "fmi3ExitConfigurationMode", "this FMU has no structural parameters");
}

// Capabilities.
FMI3_FUNCTION fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance instance,
                                                             fmi3ValueReference, std::size_t*) {
  return refuse(instance, "fmi3GetNumberOfVariableDependencies", not_claimed);
}
FMI3_FUNCTION fmi3Status fmi3GetVariableDependencies(fmi3Instance instance, fmi3ValueReference,
                                                     std::size_t[], fmi3ValueReference[],
                                                     std::size_t[], fmi3DependencyKind[],
                                                     std::size_t) {
  return refuse(instance, "fmi3GetVariableDependencies", not_claimed);
}
FMI3_FUNCTION fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState,
                                                    std::size_t*) {
  return refuse(instance, "fmi3SerializedFMUStateSize", not_claimed);
}
FMI3_FUNCTION fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState, fmi3Byte[],
                                               std::size_t) {
  return refuse(instance, "fmi3SerializeFMUState", not_claimed);
}
FMI3_FUNCTION fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const fmi3Byte[],
                                                 std::size_t, fmi3FMUState*) {
  return refuse(instance, "fmi3DeserializeFMUState", not_claimed);
}
FMI3_FUNCTION fmi3Status fmi3GetDirectionalDerivative(fmi3Instance instance,
                                                      const fmi3ValueReference[], std::size_t,
                                                      const fmi3ValueReference[], std::size_t,
                                                      const fmi3Float64[], std::size_t,
                                                      fmi3Float64[], std::size_t) {
  return refuse(instance, "fmi3GetDirectionalDerivative", not_claimed);
}
FMI3_FUNCTION fmi3Status fmi3GetAdjointDerivative(fmi3Instance instance, const fmi3ValueReference[],
                                                  std::size_t, const fmi3ValueReference[],
                                                  std::size_t, const fmi3Float64[], std::size_t,
                                                  fmi3Float64[], std::size_t) {
  return refuse(instance, "fmi3GetAdjointDerivative", not_claimed);
}
FMI3_FUNCTION fmi3Status fmi3GetOutputDerivatives(fmi3Instance instance, const fmi3ValueReference[],
                                                  std::size_t, const fmi3Int32[], fmi3Float64[],
                                                  std::size_t) {
  return refuse(instance, "fmi3GetOutputDerivatives", not_claimed);
}

// Model exchange and scheduled execution.
FMI3_FUNCTION fmi3Instance fmi3InstantiateModelExchange(fmi3String, fmi3String, fmi3String,
                                                        fmi3Boolean, fmi3Boolean logging,
                                                        fmi3InstanceEnvironment environment,
                                                        fmi3LogMessageCallback log) {
  return no_instance("fmi3InstantiateModelExchange", logging, environment, log);
}
FMI3_FUNCTION fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean logging,
    fmi3InstanceEnvironment environment, fmi3LogMessageCallback log, fmi3ClockUpdateCallback,
    fmi3LockPreemptionCallback, fmi3UnlockPreemptionCallback) {
  return no_instance("fmi3InstantiateScheduledExecution", logging, environment, log);
}
FMI3_FUNCTION fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance instance) {
  return refuse(instance, "fmi3EnterContinuousTimeMode", other_interface);
}
FMI3_FUNCTION fmi3Status fmi3CompletedIntegratorStep(fmi3Instance instance, fmi3Boolean,
                                                     fmi3Boolean*, fmi3Boolean*) {
  return refuse(instance, "fmi3CompletedIntegratorStep", other_interface);
}
FMI3_FUNCTION fmi3Status fmi3SetTime(fmi3Instance instance, fmi3Float64) {
  return refuse(instance, "fmi3SetTime", other_interface);
}
FMI3_FUNCTION fmi3Status fmi3SetContinuousStates(fmi3Instance instance, const fmi3Float64[],
                                                 std::size_t) {
  return refuse(instance, "fmi3SetContinuousStates", other_interface);
}
FMI3_FUNCTION fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance instance, fmi3Float64[],
                                                           std::size_t) {
  return refuse(instance, "fmi3GetContinuousStateDerivatives", other_interface);
}
FMI3_FUNCTION fmi3Status fmi3GetEventIndicators(fmi3Instance instance, fmi3Float64[], std::size_t) {
  return refuse(instance, "fmi3GetEventIndicators", other_interface);
}
FMI3_FUNCTION fmi3Status fmi3GetContinuousStates(fmi3Instance instance, fmi3Float64[],
                                                 std::size_t) {
  return refuse(instance, "fmi3GetContinuousStates", other_interface);
}
FMI3_FUNCTION fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance instance, fmi3Float64[],
                                                           std::size_t) {
  return refuse(instance, "fmi3GetNominalsOfContinuousStates", other_interface);
}
FMI3_FUNCTION fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance instance, std::size_t*) {
  return refuse(instance, "fmi3GetNumberOfEventIndicators", other_interface);
}
FMI3_FUNCTION fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance instance, std::size_t*) {
  return refuse(instance, "fmi3GetNumberOfContinuousStates", other_interface);
}
FMI3_FUNCTION fmi3Status fmi3ActivateModelPartition(fmi3Instance instance, fmi3ValueReference,
                                                    fmi3Float64) {
  return refuse(instance, "fmi3ActivateModelPartition", other_interface);
}
