#include <fmt/format.h>

#include <variant>

#include "tumble/io/schema.hpp"
#include "tumble/model/model.hpp"
#include "tumble/model/study.hpp"

namespace tumble {
namespace {

const char* introduction = R"(# The model file

<!-- Made by reference_page() of src/tumble/io from the declarations of the elements; a test keeps
it equal. Change the declarations, not this page. -->

A model file is one YAML document: a mapping of the sections below. All numbers are in SI units,
angles in radians. Unknown and duplicate keys are mistakes; all mistakes of a file are reported in
one go, with line, element, field, value, unit and what was expected.

## Values

- **number**: a YAML number or an expression of `+ - * / ^`, parentheses, the functions sin, cos,
  tan, asin, acos, atan, atan2, sqrt, exp, log, abs, min, max, the constants pi and deg (= pi/180)
  and the file's own `constants`: `2 * pi * radius`, `30*deg`. A power binds more tightly than a
  sign and groups from the right: `-2^2` is -4, `2^3^2` is 512.
- **vector**: a list of three numbers.
- **name**: letters, digits, `_` and `-`, beginning with a letter or `_`; `ground` is reserved.
- **end**: the name of a body, `ground`, or a marker as `body.marker` or `ground.marker`.
- **rotation**, taking the axes of the thing described to those of the ground:
  - `[w, x, y, z]` or `{quaternion: [w, x, y, z]}`, scaled to unit length;
  - `{rotation_vector: [x, y, z]}`: axis times angle;
  - `{euler: [a, b, c], sequence: "123"}`: angles about moving axes, in the order of the sequence
    (`123`, `313`, `xyz`, ...);
  - `{x: [...], y: [...]}`: the x axis, and a vector in the plane of x and y.
- **inertia**: 3 principal values, 6 values (xx, yy, zz, xy, xz, yz) or 3 rows of 3. It must be the
  inertia of a solid: tr(J)/2 I - J positive definite.
- **matrix**: 6 diagonal values or 6 rows of 6, in the order x, y, z, rx, ry, rz.
- **solid**: `{box: {size: [a, b, c], density: r}}`,
  `{cylinder: {radius: r, length: l, axis: z, density: r}}` or
  `{sphere: {radius: r, density: r}}`, centred at the centre of mass, in body axes. With a density
  [kg/m^3] it gives the mass and, unless it is given, the inertia; without, it is for drawing only.
- **law**: a number k for k x; `{polynomial: [c0, c1, ...]}` for c0 + c1 x + c2 x^2 + ...;
  `{odd_polynomial: [c0, c1, ...]}` for c0 x + c1 |x| x + c2 |x|^2 x + ...; or
  `{table: ..., interpolation: cubic}` (`cubic` or `linear`).
- **table**: the name of a CSV file, relative to the model file, or `{x: [...], y: [...]}`; x must
  increase. A CSV file has two columns, may have a header line, and comments after `#`.
- **motions**: a mapping from some of x, y, z, rx, ry, rz to drives, like `{rz: motor}`.

Points are given in ground axes at t = 0 and are material points of their bodies from then on.

## Overrides

`--set PATH=VALUE` changes a value before the file is read: `--set bodies.rb5.mass=1500`,
`--set bodies.rb5.position[0]=0.55`, `--set simulation.step=1e-4`. VALUE is YAML. Fields may be
new, elements must exist. Every path that `tumble parameters` lists can be set.

## Limits

A file may have 16 MiB, 64 levels of nesting, a million values with aliases expanded, and 10 000
elements or constants a section; an expression 4096 characters and 100 levels; a table a million
rows.

## Sections

| section | holds |
|---|---|
| `title` | a text |
| `constants` | a mapping from names to numbers, which may refer to each other in any order |
| `gravity` | a vector [m/s^2], ground axes; zero if left out |
| `ground` | `{markers: {...}}`: named frames on the ground |
| `bodies` | a mapping from names to bodies; required |
| `joints` | a mapping from names to joints |
| `forces` | a mapping from names to force elements |
| `drives` | a mapping from names to functions of time |
| `probes` | a mapping from names to probes |
| `simulation` | time span and solver settings; required |
| `study` | an ensemble of runs with different numbers |

`$schema` is ignored, so that an editor may be told of `share/model.schema.json`. `beams`
and `uncertainty` are names of the format that this version refuses.
)";

std::string form(const Field&, const double&) { return "number"; }
std::string form(const Field&, const int&) { return "whole number"; }
std::string form(const Field&, const bool&) { return "true or false"; }
std::string form(const Field&, const Vec3d&) { return "vector"; }
std::string form(const Field& f, const std::array<double, 6>&) {
  return f.name == "inertia" ? "inertia" : "6 numbers";
}
std::string form(const Field& f, const std::vector<double>&) {
  return f.unit.find(',') != f.unit.npos ? "matrix" : "list of numbers";
}
std::string form(const Field&, const std::array<Vec3d, 2>&) { return "2 vectors"; }
std::string form(const Field&, const Orientation&) { return "rotation"; }
std::string form(const Field&, const Shape&) { return "solid"; }
std::string form(const Field&, const Table&) { return "table"; }
std::string form(const Field&, const Characteristic&) { return "law"; }
std::string form(const Field&, const Motions&) { return "motions"; }
std::string form(const Field&, const MotionSet&) { return "list of motions"; }
std::string form(const Field&, const BodyRef&) { return "name of a body"; }
std::string form(const Field&, const JointRef&) { return "name of a joint"; }
std::string form(const Field&, const ForceRef&) { return "name of a force element"; }
std::string form(const Field&, const DriveRef&) { return "name of a drive"; }
std::string form(const Field&, const std::array<MarkerRef, 2>&) { return "2 ends"; }
std::string form(const Field&, const std::vector<DriveRef>&) { return "names of drives"; }
std::string form(const Field&, const Axes&) { return "`ground` or `body`"; }
std::string form(const Field&, const std::vector<Quantity>&) { return "list of quantities"; }
std::string form(const Field&, const std::vector<Marker>&) { return "markers by name"; }
std::string form(const Field&, const FileName&) { return "name of a file"; }
std::string form(const Field&, const StudyMethod&) { return "`table`"; }
std::string form(const Field&, const QuantileMethod&) { return "`exact` or `sketch`"; }
std::string form(const Field&, const StoredTrajectories&) {
  return "`none`, `all` or list of whole numbers";
}
template <class T>
std::string form(const Field& f, const std::optional<T>&) {
  return form(f, T{});
}

std::string range_text(Range range) {
  switch (range) {
    case Range::any:
      break;
    case Range::positive:
      return ", > 0";
    case Range::non_negative:
      return ", >= 0";
    case Range::fraction:
      return ", 0 to 1";
  }
  return {};
}

/// What a field is if left out, where that is a plain value.
template <class T>
std::string default_text(const Field&, const T&) {
  return {};
}
std::string default_text(const Field& f, const double& value) {
  return f.range == Range::positive && value <= 0 ? "" : format_number(value);
}
std::string default_text(const Field&, const int& value) { return std::to_string(value); }
std::string default_text(const Field&, const Vec3d&) { return "zero"; }
std::string default_text(const Field&, const QuantileMethod& value) {
  return std::string(quantile_method_names[static_cast<std::size_t>(value)]);
}
std::string default_text(const Field&, const StoredTrajectories&) { return "none"; }

/// Visitor of fields() that writes the rows of a table.
class RowVisitor {
 public:
  explicit RowVisitor(std::string& page) : page_(page) {
    page_ += "\n| field | value | unit | if left out | meaning |\n|---|---|---|---|---|\n";
  }
  template <class T>
  void operator()(const Field& field, const T& value) {
    page_ += fmt::format("| `{}` | {}{} | {} | {} | {} |\n", field.name, form(field, value),
                         range_text(field.range), field.unit,
                         field.required ? "**required**" : default_text(field, value), field.doc);
  }

 private:
  std::string& page_;
};

template <class T>
void add_fields(std::string& page) {
  const T value{};
  RowVisitor visitor(page);
  T::fields(value, visitor);
}

template <class T>
void add_struct(std::string& page, std::string_view heading) {
  page += fmt::format("\n## {}\n\n{}\n", heading, T::doc);
  add_fields<T>(page);
}

template <class Kind>
void add_kind(std::string& page) {
  page += fmt::format("\n### `type: {}`\n\n{}\n", Kind::type, Kind::doc);
  add_fields<Kind>(page);
}

template <class... Kinds>
void add_kinds(std::string& page, std::string_view heading, const std::variant<Kinds...>*) {
  page += fmt::format("\n## {}\n", heading);
  (add_kind<Kinds>(page), ...);
}

}  // namespace

std::string reference_page() {
  std::string page = introduction;
  add_struct<Body>(page, "Bodies");
  add_struct<Marker>(page, "Markers");
  add_kinds(page, "Joints", static_cast<const JointKind*>(nullptr));
  add_kinds(page, "Forces", static_cast<const ForceKind*>(nullptr));
  add_kinds(page, "Drives", static_cast<const DriveKind*>(nullptr));
  add_struct<Probe>(page, "Probes");
  page += "\n### Quantities\n\n| quantity | unit | of | meaning |\n|---|---|---|---|\n";
  for (const auto& q : quantity_table()) {
    std::string targets;
    const std::pair<ProbeTarget, const char*> all[] = {{ProbeTarget::body, "body"},
                                                       {ProbeTarget::joint, "joint"},
                                                       {ProbeTarget::force, "force"},
                                                       {ProbeTarget::system, "system"}};
    for (const auto& [target, word] : all)
      if ((q.targets & target_bit(target)) != 0)
        targets += (targets.empty() ? "" : ", ") + std::string(word);
    page += fmt::format("| `{}` | {} | {} | {} |\n", q.name, q.unit, targets, q.doc);
  }
  add_struct<Simulation>(page, "Simulation");
  add_struct<Study>(page, "Study");
  return page;
}

}  // namespace tumble
