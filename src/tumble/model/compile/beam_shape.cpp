#include "tumble/model/compile/beam_shape.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string>

#include "tumble/beam/polygon_section.hpp"
#include "tumble/model/compile/find_named.hpp"
#include "tumble/model/field/attach_fields.hpp"
#include "tumble/model/field/beam_property.hpp"

namespace tumble {

namespace {

Vec3d unit(const Vec3d& v) { return (1.0 / norm(v)) * v; }

Mat3d turn_about(const Vec3d& axis, double angle) { return matrix(exp_quaternion(angle * axis)); }

/// Section axes at a tangent t: y along `up` as far as it is across the beam.
Mat3d section_axes(const Vec3d& t, const Vec3d& up) {
  const Vec3d across = up - dot(up, t) * t;
  if (!(norm(across) > 1e-9 * norm(up)))
    throw std::invalid_argument("the direction `up` must not be along the beam");
  const Vec3d y = unit(across);
  return Mat3d::from_columns(t, y, cross(t, y));
}

/// y = z_ground x t, so that a level beam has its section's z axis upwards.
Vec3d default_up(const Vec3d& t) {
  const Vec3d up = cross(Vec3d{0, 0, 1}, t);
  return norm(up) > 1e-6 ? up : Vec3d{0, 1, 0};
}

BeamShape straight_shape(const Beam& beam) {
  const auto [start, end] = *beam.line;
  const double length = norm(end - start);
  if (!(length > 0)) throw std::invalid_argument("the two ends of a beam must not coincide");
  const Vec3d t = (1 / length) * (end - start);
  const Mat3d R = section_axes(t, beam.up ? *beam.up : default_up(t));
  BeamShape shape{length / beam.elements, {}};
  for (int i = 0; i <= beam.elements; ++i)
    shape.nodes.push_back({start + (static_cast<double>(i) / beam.elements) * (end - start), R});
  return shape;
}

/// The circle through three points: centre c with (c - a) in their plane and equally far from all.
BeamShape arc_shape(const Beam& beam) {
  const Vec3d& a = beam.arc->start;
  const Vec3d u = beam.arc->through - a, w = beam.arc->end - a, uw = cross(u, w);
  if (!(norm(uw) > 1e-9 * norm(u) * norm(w)))
    throw std::invalid_argument("the three points of an arc must not lie on a line");
  const Vec3d to_centre =
      (1 / (2 * dot(uw, uw))) * (dot(u, u) * cross(w, uw) + dot(w, w) * cross(uw, u));
  const Vec3d n = unit(uw), centre = a + to_centre, radial = -to_centre;
  const double radius = norm(radial);
  // Counterclockwise about n, `through` comes before `end`.
  const Vec3d e1 = unit(radial), e2 = cross(n, e1), last = beam.arc->end - centre;
  double angle = std::atan2(dot(last, e2), dot(last, e1));
  if (angle <= 0) angle += 2 * 3.141592653589793;
  const Vec3d up = beam.up                                   ? *beam.up
                   : beam.dimension == BeamDimension::planar ? cross(Vec3d{0, 0, 1}, e2)
                                                             : cross(n, e2);
  const Mat3d R = section_axes(e2, up);
  BeamShape shape{radius * angle / beam.elements, {}};
  for (int i = 0; i <= beam.elements; ++i) {
    const Mat3d turn = turn_about(n, i * angle / beam.elements);
    shape.nodes.push_back({centre + turn * radial, turn * R});
  }
  return shape;
}

/// Visitor of entries() that collects every number, and a mark for what is left out.
class NumbersOf {
 public:
  template <class T>
  void operator()(const Entry&, const T& value) {
    add(value);
  }
  bool operator==(const NumbersOf&) const = default;
  void add(double x) { numbers_.push_back(x); }
  void add(const Vec3d& v) { numbers_.insert(numbers_.end(), {v.x, v.y, v.z}); }
  void add(const std::array<Vec3d, 2>& v) { add(v[0]), add(v[1]); }
  void add(const std::vector<std::vector<double>>& rows) {
    for (const auto& row : rows) numbers_.insert(numbers_.end(), row.begin(), row.end());
  }
  template <class T>
  void add(const std::optional<T>& part) {
    numbers_.push_back(part.has_value());
    if (part) add(*part);
  }
  template <class T>
  void add(const T& part) {
    T::entries(part, *this);
  }

 private:
  std::vector<double> numbers_;
};

NumbersOf geometry_of(const Beam& beam) {
  NumbersOf numbers;
  numbers.add(beam.line), numbers.add(beam.arc), numbers.add(beam.up), numbers.add(beam.section);
  return numbers;
}

/// Radii of gyration make the rotary inertia of a section without a shape.
beam::Section section_without_shape(const StiffnessSection& s) {
  const double unit_area = 1;
  const auto second_moment = [&](const std::optional<double>& rotary, double bending) {
    return rotary ? *rotary / s.mass_per_length : bending / s.axial;
  };
  const double I_z = second_moment(s.rotary_inertia_z, s.bending_z);
  return beam::Section::of_moments(
      unit_area, second_moment(s.rotary_inertia_y, s.bending_y.value_or(s.bending_z)), I_z);
}

beam::Section make_section(const BeamSection& s, BeamDimension dimension) {
  if (s.rectangle) return beam::Section::rectangular(s.rectangle->height, s.rectangle->width);
  if (s.circle) return beam::Section::circular(s.circle->radius);
  if (s.tube) return beam::Section::tube(s.tube->radius, s.tube->thickness);
  if (s.i_beam)
    return beam::Section::i_beam(s.i_beam->height, s.i_beam->width, s.i_beam->web,
                                 s.i_beam->flange);
  if (s.polygon)
    return beam::Section::polygon(corners_of(*s.polygon), dimension == BeamDimension::spatial);
  return section_without_shape(*s.stiffness);
}

/// From the axes of a polygon's corners to its principal ones, about the beam's axis.
double principal_angle(const Beam& beam) {
  if (!beam.section.polygon || beam.dimension == BeamDimension::planar) return 0;
  return beam_section(beam).polygon_numbers()->angle;
}

/// Calls f(field) for the fields of a beam.
template <class F>
void for_each_field(const Model& model, std::size_t beam, F&& f) {
  for (const BeamField& field : model.fields)
    if (std::find(field.beams.begin(), field.beams.end(), beam) != field.beams.end()) f(field);
}

}  // namespace

BeamShape beam_shape(const Beam& beam) {
  BeamShape shape = beam.line ? straight_shape(beam) : arc_shape(beam);
  if (const double angle = principal_angle(beam); angle != 0) {
    const Mat3d turn = turn_about({1, 0, 0}, angle);
    for (Frame& node : shape.nodes) node.R = node.R * turn;
  }
  return shape;
}

beam::Section beam_section(const Beam& beam) { return make_section(beam.section, beam.dimension); }

beam::SectionStiffness given_stiffness(const StiffnessSection& s) {
  const double shear_z = s.shear_z.value_or(s.shear_y);
  return {s.axial,
          s.shear_y,
          shear_z,
          s.torsion.value_or(s.bending_z),
          s.bending_y.value_or(s.bending_z),
          s.bending_z,
          s.axial,
          std::max(s.shear_y, shear_z)};
}

std::vector<std::array<double, 2>> corners_of(const PolygonSection& polygon) {
  std::vector<std::array<double, 2>> corners;
  for (const auto& row : polygon.corners)
    if (row.size() == 2) corners.push_back({row[0], row[1]});
  return corners;
}

bool same_geometry(const Beam& a, const Beam& b) { return geometry_of(a) == geometry_of(b); }

BeamMaterial material_at(const Model& model, std::size_t beam, int element, double place) {
  const Beam& b = model.beams[beam];
  if (b.section.stiffness) return {0, 0, b.section.stiffness->mass_per_length};
  BeamMaterial material{b.youngs_modulus, b.poisson_ratio, b.density};
  for_each_field(model, beam, [&](const BeamField& field) {
    if (is_dimension(field.property)) return;
    const double value = field_value(model, field, beam, element, place);
    (field.property == BeamProperty::youngs_modulus  ? material.youngs_modulus
     : field.property == BeamProperty::poisson_ratio ? material.poisson_ratio
                                                     : material.density) = value;
  });
  return material;
}

bool section_varies(const Model& model, std::size_t beam) {
  bool varies = false;
  for_each_field(model, beam,
                 [&](const BeamField& field) { varies = varies || is_dimension(field.property); });
  return varies;
}

BeamSection section_numbers_at(const Model& model, std::size_t beam, int element, double place) {
  BeamSection section = model.beams[beam].section;
  for_each_field(model, beam, [&](const BeamField& field) {
    if (is_dimension(field.property))
      *dimension_of(section, field.property) = field_value(model, field, beam, element, place);
  });
  return section;
}

beam::Section section_at(const Model& model, std::size_t beam, int element, double place) {
  return make_section(section_numbers_at(model, beam, element, place), model.beams[beam].dimension);
}

int beam_index(const Model& model, const std::string& reference) {
  return find_named(model.beams, reference.substr(0, reference.find('.')));
}

std::optional<NodeRef> node_of(const Model& model, const MarkerRef& reference) {
  if (reference.frame) return std::nullopt;
  const int beam = beam_index(model, reference.name);
  const auto dot_at = reference.name.find('.');
  if (beam < 0 || dot_at == std::string::npos) return std::nullopt;
  const std::string place = reference.name.substr(dot_at + 1);
  const int last = model.beams[static_cast<std::size_t>(beam)].elements;
  NodeRef node{static_cast<std::size_t>(beam), 0};
  if (place == "start") return node;
  node.node = last;
  if (place == "end") return node;
  if (!place.starts_with("node")) return std::nullopt;
  const char* end = place.data() + place.size();
  const auto [rest, error] = std::from_chars(place.data() + 4, end, node.node);
  if (error != std::errc() || rest != end || node.node < 0 || node.node > last) return std::nullopt;
  if (place != "node" + std::to_string(node.node)) return std::nullopt;  // node04
  return node;
}

Frame node_frame(const Model& model, const NodeRef& node) {
  return beam_shape(model.beams[node.beam]).nodes[static_cast<std::size_t>(node.node)];
}

}  // namespace tumble
