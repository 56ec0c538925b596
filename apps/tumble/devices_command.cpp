// tumble devices: the graphics processors that studies may run on.
#include <fmt/format.h>

#include "command.hpp"
#include "tumble/device/driver.hpp"
#include "tumble/io/text/json.hpp"

namespace tumble::app {

namespace {

Json as_json(const std::variant<DeviceList, Refusal>& found) {
  Json json = Json::object();
  json["devices"] = Json::array();
  if (const auto* refusal = std::get_if<Refusal>(&found)) {
    json["problem"] = refusal->reason;
    return json;
  }
  const auto& list = std::get<DeviceList>(found);
  json["driver"] = cuda_version_text(list.driver_version);
  if (list.compiler_version > 0)
    json["nvrtc"] = cuda_version_text(list.compiler_version);
  else
    json["problem"] = list.compiler_problem;
  for (const DeviceInfo& device : list.devices)
    json["devices"].push_back(
        {{"name", device.name},
         {"memory", device.memory},
         {"compute_capability", fmt::format("{}.{}", device.major, device.minor)},
         {"multiprocessors", device.multiprocessors}});
  return json;
}

void print(const std::variant<DeviceList, Refusal>& found) {
  if (const auto* refusal = std::get_if<Refusal>(&found)) {
    fmt::print("no graphics processor: {}\n", refusal->reason);
    return;
  }
  const auto& list = std::get<DeviceList>(found);
  for (const DeviceInfo& device : list.devices)
    fmt::print("{}: {}, {:.1f} GiB, compute capability {}.{}, {} multiprocessors\n", device.ordinal,
               device.name, static_cast<double>(device.memory) / (1 << 30), device.major,
               device.minor, device.multiprocessors);
  fmt::print("driver for CUDA {}", cuda_version_text(list.driver_version));
  if (list.compiler_version > 0)
    fmt::print(", NVRTC {}\n", cuda_version_text(list.compiler_version));
  else
    fmt::print("; {}: studies do not run there\n", list.compiler_problem);
}

}  // namespace

void add_devices_command(CLI::App& app, Action& action) {
  const auto json = std::make_shared<bool>(false);
  CLI::App* command =
      app.add_subcommand("devices", "List the graphics processors that studies may run on");
  command->add_flag("--json", *json, "Print a JSON object");
  command->footer(
      "Example:\n"
      "  tumble devices\n"
      "`tumble run --device gpu` uses them.");
  command->callback([&action, json] {
    action = [json] {
      const auto found = list_devices();
      if (*json)
        fmt::print("{}\n", as_json(found).dump(2));
      else
        print(found);
    };
  });
}

}  // namespace tumble::app
