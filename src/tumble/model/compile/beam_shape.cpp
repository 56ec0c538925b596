#include "tumble/model/compile/beam_shape.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

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

bool equal(const Vec3d& a, const Vec3d& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
bool equal(const std::array<Vec3d, 2>& a, const std::array<Vec3d, 2>& b) {
  return equal(a[0], b[0]) && equal(a[1], b[1]);
}
bool equal(const Arc& a, const Arc& b) {
  return equal(a.start, b.start) && equal(a.through, b.through) && equal(a.end, b.end);
}
bool equal(const RectangleSection& a, const RectangleSection& b) {
  return a.height == b.height && a.width == b.width;
}
bool equal(const CircleSection& a, const CircleSection& b) { return a.radius == b.radius; }
template <class T>
bool equal(const std::optional<T>& a, const std::optional<T>& b) {
  return a.has_value() == b.has_value() && (!a || equal(*a, *b));
}

beam::Section make_section(const BeamSection& s) {
  return s.rectangle ? beam::Section::rectangular(s.rectangle->height, s.rectangle->width)
                     : beam::Section::circular(s.circle->radius);
}

/// Calls f(field) for the fields of a beam.
template <class F>
void for_each_field(const Model& model, std::size_t beam, F&& f) {
  for (const BeamField& field : model.fields)
    if (std::find(field.beams.begin(), field.beams.end(), beam) != field.beams.end()) f(field);
}

}  // namespace

BeamShape beam_shape(const Beam& beam) {
  return beam.line ? straight_shape(beam) : arc_shape(beam);
}

beam::Section beam_section(const Beam& beam) { return make_section(beam.section); }

bool same_geometry(const Beam& a, const Beam& b) {
  return equal(a.line, b.line) && equal(a.arc, b.arc) && equal(a.up, b.up) &&
         equal(a.section.rectangle, b.section.rectangle) &&
         equal(a.section.circle, b.section.circle);
}

BeamMaterial material_at(const Model& model, std::size_t beam, int element, double place) {
  const Beam& b = model.beams[beam];
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
  return make_section(section_numbers_at(model, beam, element, place));
}

int beam_index(const Model& model, const std::string& reference) {
  return find_named(model.beams, reference.substr(0, reference.find('.')));
}

std::optional<NodeRef> node_of(const Model& model, const MarkerRef& reference) {
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
  return node;
}

}  // namespace tumble
