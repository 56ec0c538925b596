#include "inertial_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "command.hpp"
#include "tumble/model/compile/frames.hpp"
#include "tumble/model/parameters.hpp"

namespace tumble::app {
namespace {

/// Names may hold what XML gives a meaning to.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '"')
      result += "&quot;";
    else
      result += c;
  }
  return result;
}

std::string numbers(std::initializer_list<double> values) {
  std::string text;
  for (const double v : values) text += (text.empty() ? "" : " ") + format_number(v);
  return text;
}

/// BODY=X,Y,Z
std::pair<std::string, Vec3d> parse_origin(const std::string& text) {
  const UsageError bad("--origin " + text + ": expected BODY=X,Y,Z in metres");
  const auto equals = text.find('=');
  if (equals == std::string::npos) throw bad;
  std::array<double, 3> p{};
  const char* next = text.data() + equals + 1;
  const char* const end = text.data() + text.size();
  for (std::size_t k = 0; k < 3; ++k) {
    if (k > 0 && (next == end || *next++ != ',')) throw bad;
    const auto read = std::from_chars(next, end, p[k]);
    if (read.ec != std::errc{} || !std::isfinite(p[k])) throw bad;
    next = read.ptr;
  }
  if (next != end) throw bad;
  return {text.substr(0, equals), {p[0], p[1], p[2]}};
}

}  // namespace

InertialText::InertialText(const Model& nominal, const RandomInputs& inputs,
                           const std::vector<std::string>& origins, InertialFormat format)
    : nominal_(nominal), inputs_(inputs), format_(format) {
  std::set<std::string> random;
  for (const std::string& path : inputs.paths()) {
    if (!path.starts_with("bodies.")) continue;
    const auto end = path.find('.', 7);
    for (const char* field : {".mass", ".position[", ".inertia[", ".parts."})
      if (path.compare(end, std::string_view(field).size(), field) == 0)
        random.insert(path.substr(7, end - 7));
  }
  for (std::size_t i = 0; i < nominal.bodies.size(); ++i)
    if (const Body& body = nominal.bodies[i]; random.contains(body.name))
      links_.push_back({i, body.position, rotation_matrix(body.orientation)});
  if (links_.empty())
    throw UsageError("no body has a random mass, centre of mass or inertia; use --format csv");
  for (const std::string& origin : origins) {
    const auto [name, p] = parse_origin(origin);
    const auto link = std::ranges::find_if(
        links_, [&, &body = name](const Link& l) { return nominal.bodies[l.body].name == body; });
    if (link == links_.end())
      throw UsageError("--origin " + origin + ": no random body has this name");
    link->p_WL = p;
  }
}

std::string InertialText::element(const Link& link, const Body& body) const {
  const Vec3d p = transpose_times(link.R_WL, body.position - link.p_WL);
  const auto& J = body.inertia;
  const std::string name = escaped(body.name);
  if (format_ == InertialFormat::mjcf)
    return fmt::format(
        "    <body name=\"{}\"><inertial pos=\"{}\" mass=\"{}\" fullinertia=\"{}\"/></body>\n",
        name, numbers({p.x, p.y, p.z}), format_number(body.mass),
        numbers({J[0], J[1], J[2], J[3], J[4], J[5]}));
  return fmt::format(
      "    <link name=\"{}\">\n      <inertial>\n        <origin xyz=\"{}\" rpy=\"0 0 0\"/>\n"
      "        <mass value=\"{}\"/>\n        <inertia ixx=\"{}\" ixy=\"{}\" ixz=\"{}\" iyy=\"{}\" "
      "iyz=\"{}\" izz=\"{}\"/>\n      </inertial>\n    </link>\n",
      name, numbers({p.x, p.y, p.z}), format_number(body.mass), format_number(J[0]),
      format_number(J[3]), format_number(J[4]), format_number(J[1]), format_number(J[5]),
      format_number(J[2]));
}

void InertialText::write(AtomicFile& file, std::uint64_t realizations) const {
  file.write(fmt::format("<?xml version=\"1.0\"?>\n<tumble-sample format=\"{}\">\n",
                         format_ == InertialFormat::mjcf ? "mjcf" : "urdf"));
  Realization realization(nominal_);
  std::vector<double> values(inputs_.slots().size());
  for (std::uint64_t i = 0; i < realizations; ++i) {
    inputs_.fill(i, values.data());
    for (std::size_t k = 0; k < values.size(); ++k) realization.set(inputs_.slots()[k], values[k]);
    std::string text = fmt::format("  <realization index=\"{}\">\n", i);
    for (const Link& link : links_) text += element(link, realization.model().bodies[link.body]);
    file.write(text + "  </realization>\n");
  }
  file.write("</tumble-sample>\n");
}

}  // namespace tumble::app
