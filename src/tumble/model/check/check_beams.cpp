// Beams: a curve with a length, one section, a stable material.
#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "tumble/beam/polygon_section.hpp"
#include "tumble/beam/reference.hpp"
#include "tumble/field/admissible_range.hpp"
#include "tumble/model/check/check_context.hpp"
#include "tumble/model/field/attach_fields.hpp"
#include "tumble/model/field/beam_property.hpp"

namespace tumble {
namespace {

bool finite(const Vec3d& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

/// Of a beam on an arc [m].
double arc_radius(const Beam& beam) {
  const BeamShape shape = beam_shape(beam);
  const double cosine = dot(shape.nodes[0].R.column(0), shape.nodes[1].R.column(0));
  return shape.element_length / std::acos(std::min(1.0, cosine));
}

class BeamCheck {
 public:
  BeamCheck(CheckContext& context, const Beam& beam)
      : context_(context), beam_(beam), element_(name_of(beam)) {}

  void run() {
    const bool curve = check_curve(), section = check_section();
    if (beam_.elements < 1 || beam_.elements > most_beam_elements)
      report("elements", std::to_string(beam_.elements), "",
             fmt::format("must be between 1 and {}", most_beam_elements));
    else if (curve && section)
      check_thickness();
    const double nu = beam_.poisson_ratio;
    if (!beam_.section.stiffness && std::isfinite(nu) && !(nu > -1 && nu < 0.5))
      report("poisson_ratio", format_number(nu), "",
             "must be above -1 and below 0.5, or the material would set energy free");
    if (beam_.dimension == BeamDimension::planar) check_planar();
    if (beam_.damping_ratios) check_damping(*beam_.damping_ratios);
  }

 private:
  void report(const std::string& field, std::string value, std::string_view unit,
              std::string expectation) {
    context_.report(element_, field, std::move(value), unit, std::move(expectation));
  }

  /// Neither part of Rayleigh's damping may feed the beam with energy.
  void check_damping(const DampingRatios& given) {
    const auto left_out = [&](const char* field, const std::optional<double>& value,
                              std::string_view unit) {
      if (value)
        report(field, format_number(*value), unit,
               "must be left out with damping_ratios: the one follows from the other");
    };
    left_out("damping_time", beam_.damping_time, "s");
    left_out("mass_damping", beam_.mass_damping, "1/s");
    const auto& [f, ratio] = given;
    // Their ranges are looked at as those of all slots.
    const bool in_range = std::isfinite(f[0]) && std::isfinite(f[1]) && f[0] > 0 && f[1] > 0 &&
                          std::isfinite(ratio[0]) && std::isfinite(ratio[1]) && ratio[0] >= 0 &&
                          ratio[1] >= 0;
    if (!in_range) return;
    if (!(f[0] < f[1])) {
      report("damping_ratios.frequencies[1]", format_number(f[1]), "Hz",
             fmt::format("must be above the other frequency, {} Hz", format_number(f[0])));
      return;
    }
    const RayleighDamping damping = rayleigh_damping(beam_);
    const double q = f[1] / f[0];
    if (damping.mass < 0 || damping.time < 0)
      report("damping_ratios.ratios[1]", format_number(ratio[1]), "",
             fmt::format("must be between {:.6g} and {:.6g}: a M + t K without a negative part "
                         "changes the ratio by no more between these frequencies",
                         ratio[0] / q, ratio[0] * q));
  }

  bool check_curve() {
    if (beam_.line.has_value() == beam_.arc.has_value()) {
      report(beam_.line ? "arc" : "line", "", "m",
             beam_.line ? "must be left out: a line is given" : "required unless an arc is given");
      return false;
    }
    if (beam_.line) {
      const auto& [start, end] = *beam_.line;
      if (!finite(start) || !finite(end)) return false;
      if (!(norm(end - start) > 1e-12)) {
        report("line", format_vector(start), "m", "the two ends must not coincide");
        return false;
      }
      return check_up(end - start);
    }
    const Arc& arc = *beam_.arc;
    if (!finite(arc.start) || !finite(arc.through) || !finite(arc.end)) return false;
    const Vec3d u = arc.through - arc.start, w = arc.end - arc.start;
    const Vec3d n = cross(u, w);
    if (!(norm(n) > 1e-9 * norm(u) * norm(w)) || !(norm(u) > 0) || !(norm(w) > 0)) {
      report("arc.through", format_vector(arc.through), "m",
             "the three points must not lie on a line; use `line` for a straight beam");
      return false;
    }
    // The tangent at the start is across the radius, in the plane of the circle.
    const Vec3d to_centre = dot(u, u) * cross(w, n) + dot(w, w) * cross(n, u);
    return check_up(cross(to_centre, n));
  }
  bool check_up(const Vec3d& along) {
    if (!beam_.up) return true;
    if (!finite(*beam_.up)) return false;
    if (norm(cross(*beam_.up, along)) > 1e-6 * norm(along) * norm(*beam_.up)) return true;
    report("up", format_vector(*beam_.up), "", "must be a direction across the beam at its start");
    return false;
  }

  bool check_section() {
    const BeamSection& s = beam_.section;
    if (s.count() != 1) {
      report("section", "", "",
             "must be one of rectangle, circle, tube, i_beam, polygon and stiffness");
      return false;
    }
    if (beam_.formulation == BeamFormulation::continuum) check_continuum();
    const auto good = [](double x) { return std::isfinite(x) && x > 0; };
    if (s.rectangle) return good(s.rectangle->height) && good(s.rectangle->width);
    if (s.circle) return good(s.circle->radius);
    if (s.tube) {
      if (!good(s.tube->radius) || !good(s.tube->thickness)) return false;
      if (s.tube->thickness < s.tube->radius) return true;
      report("section.tube.thickness", format_number(s.tube->thickness), "m",
             fmt::format("must be smaller than the radius, {} m; a solid one is a circle",
                         format_number(s.tube->radius)));
      return false;
    }
    if (s.i_beam) return check_i_beam(*s.i_beam);
    if (s.polygon) return check_polygon(*s.polygon);
    return check_stiffness(*s.stiffness);
  }

  void check_continuum() {
    if (!beam_.section.rectangle && !beam_.section.circle)
      report("formulation", "continuum", "",
             "must be structural unless the section is a rectangle or a circle: sections of the "
             "continuum neither warp nor are told their stiffness");
    if (beam_.curvature == BeamCurvature::linear)
      report("curvature", "linear", "", "must be left out of the continuum formulation");
  }

  bool check_i_beam(const ISection& s) {
    const auto good = [](double x) { return std::isfinite(x) && x > 0; };
    if (!good(s.height) || !good(s.width) || !good(s.web) || !good(s.flange)) return false;
    if (!(2 * s.flange < s.height))
      report("section.i_beam.flange", format_number(s.flange), "m",
             fmt::format("must be less than half the height, {} m", format_number(s.height)));
    if (!(s.web < s.width))
      report("section.i_beam.web", format_number(s.web), "m",
             fmt::format("must be less than the width, {} m", format_number(s.width)));
    return 2 * s.flange < s.height && s.web < s.width;
  }

  bool check_polygon(const PolygonSection& polygon) {
    for (std::size_t i = 0; i < polygon.corners.size(); ++i)
      if (polygon.corners[i].size() != 2) {
        report(fmt::format("section.polygon.corners[{}]", i), "", "m",
               fmt::format("must be two numbers, y and z; found {}", polygon.corners[i].size()));
        return false;
      }
    if (const auto fault = beam::polygon_fault(corners_of(polygon))) {
      report("section.polygon.corners", "", "m", *fault);
      return false;
    }
    return true;
  }

  bool check_stiffness(const StiffnessSection& s) {
    const auto left_out = [&](const char* field, double value, std::string_view unit) {
      if (value != 0)
        report(field, format_number(value), unit,
               "must be left out: the section gives stiffnesses and mass");
    };
    left_out("youngs_modulus", beam_.youngs_modulus, "Pa");
    left_out("poisson_ratio", beam_.poisson_ratio, "");
    left_out("density", beam_.density, "kg/m^3");
    bool complete = true;
    const bool planar = beam_.dimension == BeamDimension::planar;
    const auto in_space = [&](const char* field, const std::optional<double>& value,
                              std::string_view unit, bool needed) {
      if (planar ? !value : value || !needed) return;
      complete = false;
      report(std::string("section.stiffness.") + field, value ? format_number(*value) : "", unit,
             planar ? "must be left out: a planar beam does not move that way"
                    : "required but missing: a spatial beam needs it");
    };
    in_space("shear_z", s.shear_z, "N", true);
    in_space("torsion", s.torsion, "N m^2", true);
    in_space("bending_y", s.bending_y, "N m^2", true);
    in_space("rotary_inertia_y", s.rotary_inertia_y, "kg m", false);
    return complete;
  }

  /// A section thicker than the radius of an arc folds the undeformed beam.
  void check_thickness() {
    if (!beam_.arc) return;
    const double radius = arc_radius(beam_), angle = beam_shape(beam_).element_length / radius;
    if (angle > 2.1) {
      report("elements", std::to_string(beam_.elements), "",
             "too few: an element may turn by 120 degrees of its arc at most");
      return;
    }
    const double half = outer_radius(beam_.section);
    if (half >= radius)
      report("section", format_number(half), "m",
             fmt::format("half the section must be smaller than the radius of the arc, {} m",
                         format_number(radius)));
  }

  void check_planar() {
    const auto level = [&](const std::string& field, double z, double other) {
      if (std::isfinite(z) && std::isfinite(other) && std::abs(z - other) > 1e-12)
        report(field, format_number(z), "m",
               fmt::format("a planar beam lies at one height z, that of its start is {} m",
                           format_number(other)));
    };
    if (beam_.line) level("line[1][2]", (*beam_.line)[1].z, (*beam_.line)[0].z);
    if (beam_.arc) {
      level("arc.through[2]", beam_.arc->through.z, beam_.arc->start.z);
      level("arc.end[2]", beam_.arc->end.z, beam_.arc->start.z);
    }
    if (beam_.up)
      report("up", format_vector(*beam_.up), "",
             "must be left out: the section's y axis of a planar beam is in its plane");
    if (beam_.velocity.z != 0)
      report("velocity[2]", format_number(beam_.velocity.z), "m/s",
             "must be zero: a planar beam stays in its plane");
    if (beam_.angular_velocity.x != 0 || beam_.angular_velocity.y != 0)
      report("angular_velocity", format_vector(beam_.angular_velocity), "rad/s",
             "must be along z: a planar beam stays in its plane");
  }

  CheckContext& context_;
  const Beam& beam_;
  ElementName element_;
};

}  // namespace

bool beam_is_sound(const Beam& beam) {
  if (beam.elements < 1 || beam.elements > most_beam_elements) return false;
  if (beam.line.has_value() == beam.arc.has_value()) return false;
  try {
    for (const Frame& node : beam_shape(beam).nodes)
      if (!finite(node.p) || !finite(node.R.column(1))) return false;
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

namespace {

/// A realisation of a field may have values with which no beam can exist.
void check_field(CheckContext& context, const BeamField& field) {
  const AdmissibleRange& range = admissible_range(field.property);
  for (const std::size_t index : field.beams) {
    const Beam& beam = context.model.beams[index];
    for (int e = 0; e < beam.elements; ++e)
      for (const double place : field_places()) {
        const double value = field_value(context.model, field, index, e, place);
        if (value > range.lower && value < range.upper) continue;
        context.report(
            name_of(beam), std::string(name_of(field.property)), format_number(value), range.unit,
            fmt::format("the field '{}' leaves what is possible at {:.4g} of the beam's length",
                        field.name, (e + place) / beam.elements));
        return;
      }
  }
}

/// Nor may a section that varies along an arc be thicker anywhere than the arc's radius.
void check_varying_thickness(CheckContext& context, std::size_t index) {
  const Beam& beam = context.model.beams[index];
  if (!beam.arc || !section_varies(context.model, index) || !beam_is_sound(beam)) return;
  const double radius = arc_radius(beam);
  for (int e = 0; e < beam.elements; ++e)
    for (const double place : field_places()) {
      const double half = outer_radius(section_numbers_at(context.model, index, e, place));
      if (!(half >= radius)) continue;
      context.report(name_of(beam), "section", format_number(half), "m",
                     fmt::format("half the section must be smaller than the radius of the arc, {} "
                                 "m, and is not at {:.4g} of the beam's length",
                                 format_number(radius), (e + place) / beam.elements));
      return;
    }
}

}  // namespace

void check_beams(CheckContext& context) {
  for (const auto& beam : context.model.beams) BeamCheck(context, beam).run();
  for (const BeamField& field : context.model.fields) check_field(context, field);
  for (std::size_t i = 0; i < context.model.beams.size(); ++i) check_varying_thickness(context, i);
}

}  // namespace tumble
