#include "tumble/io/netcdf/modal_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "tumble/io/netcdf/netcdf_reader.hpp"
#include "tumble/io/netcdf/netcdf_writer.hpp"

namespace tumble {
namespace {

constexpr const char* layout = "flexible body 1";
constexpr std::size_t most_modes = 200, most_nodes = 100'000;

using Sizes = std::vector<std::size_t>;

/// What is wrong with a file.
struct Unfit : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::string shape_text(const Sizes& sizes) {
  if (sizes.empty()) return "one number";
  std::string text;
  for (const std::size_t n : sizes) text += (text.empty() ? "" : " x ") + std::to_string(n);
  return text + " numbers";
}

class ModalReader {
 public:
  explicit ModalReader(const std::filesystem::path& path) : file_(path) {}

  ModalData read() {
    if (const std::string found = file_.text_attribute("tumble_layout"); found != layout)
      throw Unfit(
          fmt::format("is no file of a flexible body: its attribute tumble_layout is '{}', "
                      "not '{}'; tumble modal-body makes one",
                      found, layout));
    const NetcdfReader::Variable* masses = file_.find("modal_mass");
    const std::size_t m = masses != nullptr && masses->sizes.size() == 1 ? masses->sizes[0] : 0;
    if (m < 1 || m > most_modes)
      throw Unfit(fmt::format("'modal_mass' must have between 1 and {} numbers", most_modes));
    const NetcdfReader::Variable* nodes = file_.find("node");
    const std::size_t n = nodes != nullptr && nodes->sizes.size() == 1 ? nodes->sizes[0] : 0;
    if (n < 1 || n > most_nodes)
      throw Unfit(fmt::format("'node' must have between 1 and {} numbers", most_nodes));

    ModalData data;
    data.modes = static_cast<int>(m);
    data.mass = numbers("mass", {})[0];
    const auto centre = numbers("centre_of_mass", {3}), inertia = numbers("inertia", {6});
    data.centre = {centre[0], centre[1], centre[2]};
    std::copy(inertia.begin(), inertia.end(), data.inertia.begin());
    data.modal_mass = numbers("modal_mass", {m});
    data.modal_stiffness = numbers("modal_stiffness", {m});
    if (file_.find("damping_ratio") != nullptr) data.damping_ratio = numbers("damping_ratio", {m});
    data.moment = vectors("mode_moment", {m});
    data.rotation = vectors("mode_rotation_moment", {m});
    data.coupling = vectors("mode_coupling", {m, m});
    data.inertia_rate = numbers("inertia_rate", {m, 6});
    data.inertia_curve = numbers("inertia_curvature", {m, m, 6});
    for (const double x : numbers("node", {n})) data.node.push_back(whole("node", x));
    data.position = vectors("node_position", {n});
    data.displacement = vectors("node_displacement", {n, m});
    data.turn = vectors("node_rotation", {n, m});
    if (const NetcdfReader::Variable* lines = file_.find("line")) {
      const auto ends = numbers("line", {lines->sizes.empty() ? 0 : lines->sizes[0], 2});
      for (std::size_t i = 0; i + 1 < ends.size(); i += 2) {
        const int a = data.find_node(whole("line", ends[i])),
                  b = data.find_node(whole("line", ends[i + 1]));
        if (a < 0 || b < 0) throw Unfit("'line' must hold numbers that are in 'node'");
        data.lines.push_back({a, b});
      }
    }
    look_at(data);
    return data;
  }

 private:
  std::vector<double> numbers(const char* name, const Sizes& sizes) {
    const NetcdfReader::Variable* variable = file_.find(name);
    if (variable == nullptr) throw Unfit(fmt::format("has no variable '{}'", name));
    if (variable->is_text() || variable->sizes != sizes)
      throw Unfit(fmt::format("'{}' must be {}", name, shape_text(sizes)));
    std::vector<double> values = file_.numbers(*variable);
    for (const double x : values)
      if (!std::isfinite(x)) throw Unfit(fmt::format("'{}' must hold finite numbers", name));
    return values;
  }
  std::vector<Vec3d> vectors(const char* name, Sizes sizes) {
    sizes.push_back(3);
    const std::vector<double> values = numbers(name, sizes);
    std::vector<Vec3d> list;
    for (std::size_t i = 0; i < values.size(); i += 3)
      list.push_back({values[i], values[i + 1], values[i + 2]});
    return list;
  }
  static int whole(const char* name, double x) {
    if (x != std::floor(x) || std::fabs(x) > 2e9)
      throw Unfit(fmt::format("'{}' must hold whole numbers", name));
    return static_cast<int>(x);
  }

  /// What must hold between the numbers; the momentum of the body rests on the symmetries.
  static void look_at(const ModalData& data) {
    const auto m = static_cast<std::size_t>(data.modes);
    if (!(data.mass > 0)) throw Unfit("'mass' must be greater than 0 kg");
    for (std::size_t i = 0; i < m; ++i) {
      if (!(data.modal_mass[i] > 0)) throw Unfit("'modal_mass' must hold positive numbers");
      if (!(data.modal_stiffness[i] > 0))
        throw Unfit(
            "'modal_stiffness' must hold positive numbers: motions of the whole body are "
            "none of its modes");
      for (const double ratio : data.damping_ratio)
        if (!(ratio >= 0)) throw Unfit("'damping_ratio' must not be negative");
    }
    double coupling = 0, curve = 0;
    for (const Vec3d& b : data.coupling) coupling = std::max(coupling, norm(b));
    for (const double x : data.inertia_curve) curve = std::max(curve, std::fabs(x));
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < m; ++j) {
        if (norm(data.coupling[i * m + j] + data.coupling[j * m + i]) > 1e-9 * coupling)
          throw Unfit("'mode_coupling' must change its sign where its modes change places");
        for (std::size_t k = 0; k < 6; ++k)
          if (std::fabs(data.inertia_curve[6 * (i * m + j) + k] -
                        data.inertia_curve[6 * (j * m + i) + k]) > 1e-9 * curve)
            throw Unfit("'inertia_curvature' must be symmetric in its modes");
      }
    if (std::set<int>(data.node.begin(), data.node.end()).size() != data.node.size())
      throw Unfit("'node' must not hold a number twice");
  }

  NetcdfReader file_;
};

std::vector<double> flat(const std::vector<Vec3d>& list) {
  std::vector<double> values;
  for (const Vec3d& x : list) values.insert(values.end(), {x.x, x.y, x.z});
  return values;
}

}  // namespace

ModalData read_modal_file(const std::filesystem::path& path, std::string& error) {
  try {
    return ModalReader(path).read();
  } catch (const Unfit& fault) {
    error = fault.what();
  } catch (const std::runtime_error&) {
    error = "is no netCDF file that can be read";
  }
  return {};
}

std::string modal_file(const ModalData& data, const std::string& history) {
  NetcdfWriter file;
  const int mode = file.dimension("mode", static_cast<std::size_t>(data.modes)),
            other = file.dimension("other_mode", static_cast<std::size_t>(data.modes)),
            node = file.dimension("nodes", data.node.size()), axis = file.dimension("axis", 3),
            component = file.dimension("component", 6),
            lines = file.dimension("lines", std::max<std::size_t>(data.lines.size(), 1)),
            end = file.dimension("end", 2);
  struct Part {
    int variable;
    std::vector<double> values;
  };
  std::vector<Part> parts;
  const auto add = [&](const char* name, const char* unit, const char* what,
                       const std::vector<int>& dimensions, std::vector<double> values) {
    const int variable = file.variable(name, NC_DOUBLE, dimensions);
    file.attribute(variable, "long_name", what);
    if (*unit != '\0') file.attribute(variable, "units", unit);
    parts.push_back({variable, std::move(values)});
  };
  const auto list = [](const std::array<double, 6>& x) {
    return std::vector<double>(x.begin(), x.end());
  };
  add("mass", "kg", "mass", {}, {data.mass});
  add("centre_of_mass", "m", "from the origin of the coordinates", {axis},
      {data.centre.x, data.centre.y, data.centre.z});
  add("inertia", "kg m2", "about the centre of mass: xx, yy, zz, xy, xz, yz", {component},
      list(data.inertia));
  add("modal_mass", "kg", "of each mode", {mode}, data.modal_mass);
  add("modal_stiffness", "N m-1", "of each mode", {mode}, data.modal_stiffness);
  if (!data.damping_ratio.empty())
    add("damping_ratio", "1", "of each mode", {mode}, data.damping_ratio);
  add("mode_moment", "kg", "integral of the shape over the mass", {mode, axis}, flat(data.moment));
  add("mode_rotation_moment", "kg m", "integral of x cross the shape, x from the centre of mass",
      {mode, axis}, flat(data.rotation));
  add("mode_coupling", "kg", "integral of shape i cross shape j", {mode, other, axis},
      flat(data.coupling));
  add("inertia_rate", "kg m", "derivative of the inertia by an amplitude", {mode, component},
      data.inertia_rate);
  add("inertia_curvature", "kg", "second derivative of the inertia by two amplitudes",
      {mode, other, component}, data.inertia_curve);
  add("node_position", "m", "from the origin of the coordinates", {node, axis},
      flat(data.position));
  add("node_displacement", "1", "of a node in a mode of amplitude 1", {node, mode, axis},
      flat(data.displacement));
  add("node_rotation", "rad m-1", "of a node in a mode of amplitude 1", {node, mode, axis},
      flat(data.turn));
  const int number = file.variable("node", NC_INT64, {node});
  file.attribute(number, "long_name", "numbers of the nodes");
  int line = -1;
  if (!data.lines.empty()) {
    line = file.variable("line", NC_INT64, {lines, end});
    file.attribute(line, "long_name", "numbers of two nodes with a line between, for drawing");
  }
  file.attribute("tumble_layout", layout);
  file.attribute("title", "a flexible body: modes of small elastic deformation");
  file.attribute("history", history);
  file.begin_data();
  for (const Part& part : parts) file.put(part.variable, part.values);
  file.put(number, std::vector<long long>(data.node.begin(), data.node.end()));
  if (line >= 0) {
    std::vector<long long> ends;
    for (const auto& [a, b] : data.lines) {
      ends.push_back(data.node[static_cast<std::size_t>(a)]);
      ends.push_back(data.node[static_cast<std::size_t>(b)]);
    }
    file.put(line, ends);
  }
  return file.close();
}

}  // namespace tumble
