#include "umbridge.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

namespace tumble::app {
namespace {

using Json = nlohmann::json;

/// What the protocol calls InvalidInput.
struct BadRequest : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::string text(const Json& json) {
  // Names of others may be any bytes.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

const Json& entry(const Json& request, const char* name) {
  const auto found = request.find(name);
  if (found == request.end()) throw BadRequest(fmt::format("the request has no \"{}\"", name));
  return *found;
}

std::vector<double> vector_of(const Json& json, const std::string& name, std::size_t size) {
  if (!json.is_array()) throw BadRequest(fmt::format("\"{}\" must be a list of numbers", name));
  if (json.size() != size)
    throw BadRequest(fmt::format("\"{}\" must have {} number{}, not {}", name, size,
                                 size == 1 ? "" : "s", json.size()));
  std::vector<double> values;
  for (const Json& number : json) {
    if (!number.is_number() || !std::isfinite(number.get<double>()))
      throw BadRequest(fmt::format("\"{}\"[{}] must be a finite number", name, values.size()));
    values.push_back(number.get<double>());
  }
  return values;
}

std::size_t index_of(const Json& request, const char* name, std::size_t end) {
  const Json& json = entry(request, name);
  if (!json.is_number_unsigned() || json.get<std::uint64_t>() >= end)
    throw BadRequest(fmt::format("\"{}\" must be a whole number from 0 to {}", name, end - 1));
  return json.get<std::size_t>();
}

std::vector<double> input_of(const Json& request, std::size_t size) {
  const Json& input = entry(request, "input");
  if (!input.is_array() || input.size() != 1)
    throw BadRequest("\"input\" must be a list of one vector");
  return vector_of(input[0], "input[0]", size);
}

void refuse_config(const Json& request) {
  const auto config = request.find("config");
  if (config != request.end() && !config->empty())
    throw BadRequest("\"config\" must be empty: this model has no options");
}

UmbridgeAnswer failed(const PointFailed& error) {
  using Why = PointFailed::Why;
  switch (error.why()) {
    case Why::inadmissible:
      return umbridge_error(400, "InvalidInput", error.what());
    case Why::no_value:
      return umbridge_error(500, "InvalidOutput", error.what());
    case Why::too_late:
      return umbridge_error(500, "Timeout", error.what());
    case Why::stopped:
      return umbridge_error(503, "Stopped", error.what());
    default:
      return umbridge_error(500, "SimulationFailed", error.what());
  }
}

}  // namespace

UmbridgeAnswer umbridge_error(int status, const std::string& type, const std::string& message) {
  return {status, text({{"error", {{"type", type}, {"message", message}}}})};
}

UmbridgeAnswer UmbridgeModel::info() const {
  return {200, text({{"protocolVersion", 1.0}, {"models", {name_}}})};
}

UmbridgeAnswer UmbridgeModel::answer(std::string_view path, const std::string& body) {
  try {
    const Json request = Json::parse(body, nullptr, false);
    if (!request.is_object()) throw BadRequest("the body of a request must be an object of JSON");
    const auto name = request.find("name");
    if (name == request.end() || *name != name_)
      return umbridge_error(
          400, "ModelNotFound",
          fmt::format("there is no model {}; there is \"{}\"",
                      name == request.end() ? "without a name" : text(*name), name_));
    if (path == "/ModelInfo")
      return {200, text({{"support",
                          {{"Evaluate", true},
                           {"Gradient", function_.no_gradient().empty()},
                           {"ApplyJacobian", false},
                           {"ApplyHessian", false}}}})};
    if (path == "/ApplyJacobian" || path == "/ApplyHessian")
      return umbridge_error(400, "UnsupportedFeature",
                            fmt::format("{} is not supported", path.substr(1)));
    if (path == "/Gradient" && !function_.no_gradient().empty())
      return umbridge_error(400, "UnsupportedFeature",
                            "there is no gradient " + function_.no_gradient());
    refuse_config(request);
    const std::size_t inputs = function_.inputs().size();
    if (path == "/InputSizes") return {200, text({{"inputSizes", Json::array({inputs})}})};
    if (path == "/OutputSizes") {
      Json sizes = Json::array();
      for (const FunctionOutput& output : function_.outputs()) sizes.push_back(output.size);
      return {200, text({{"outputSizes", sizes}})};
    }
    const std::vector<double> point = input_of(request, inputs);
    const auto deadline = std::chrono::steady_clock::now() +
                          std::chrono::duration_cast<std::chrono::steady_clock::duration>(limit_);
    if (path == "/Evaluate") return {200, text({{"output", function_.evaluate(point, deadline)}})};
    index_of(request, "inWrt", 1);
    const std::size_t output = index_of(request, "outWrt", function_.outputs().size());
    const std::vector<double> sens =
        vector_of(entry(request, "sens"), "sens", function_.outputs()[output].size);
    return {200, text({{"output", function_.gradient(point, output, sens, deadline)}})};
  } catch (const BadRequest& error) {
    return umbridge_error(400, "InvalidInput", error.what());
  } catch (const PointFailed& error) {
    return failed(error);
  } catch (const InputError& error) {
    return umbridge_error(400, "InvalidInput", error.what());
  } catch (const SimulationError& error) {
    return umbridge_error(500, "SimulationFailed", error.what());
  } catch (const std::exception& error) {
    return umbridge_error(500, "InternalError", error.what());
  }
}

}  // namespace tumble::app
