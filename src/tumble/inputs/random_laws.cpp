#include "tumble/inputs/random_laws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tumble/inputs/make_domain.hpp"
#include "tumble/inputs/plausibility.hpp"
#include "tumble/model/compile/frames.hpp"
#include "tumble/model/composite.hpp"

namespace tumble {
namespace {

/// xx, yy, zz, xy, xz, yz
Mat3d symmetric_matrix(const std::array<double, 6>& a) {
  return {{a[0], a[3], a[4], a[3], a[1], a[5], a[4], a[5], a[2]}};
}

/// Of a shape about the origin, in body axes.
BodyExtent extent_of_shape(const Body& body) {
  const Shape& shape = body.shape;
  const Vec3d center;
  if (shape.kind == Shape::Kind::mesh && shape.mesh) {
    // About the centre of mass: of the mesh, or where the body has it.
    const Vec3d origin = shape.origin ? transpose_times(rotation_matrix(body.orientation),
                                                        *shape.origin - body.position)
                                      : -shape.mesh->centre;
    std::vector<Vec3d> points = shape.mesh->vertices;
    for (Vec3d& x : points) x += origin;
    return extent_of_points(points);
  }
  if (shape.kind == Shape::Kind::box) return extent_of_box(center, shape.size);
  if (shape.kind == Shape::Kind::cylinder) {
    Vec3d axis;
    axis[shape.axis] = 1;
    return extent_of_cylinder(center, axis, shape.radius, shape.length);
  }
  const Vec3d reach{shape.radius, shape.radius, shape.radius};
  return {-reach, reach};
}

/// Of what parts fill, in body axes about the nominal centre of mass. Holes take mass away, and add
/// none.
BodyExtent extent_of_parts(const Body& body) {
  const Mat3d R = rotation_matrix(body.orientation);
  std::vector<Vec3d> corners;
  for (const Part& part : body.parts) {
    if (part.hole) continue;
    const Frame place = place_of(part, body);
    const Vec3d at = transpose_times(R, place.p - body.position);
    const Mat3d axes = transpose_times(R, place.R);
    const auto add = [&](const BodyExtent& extent) {
      corners.push_back(extent.lower);
      corners.push_back(extent.upper);
    };
    if (part.box) {
      add(extent_of_box(at, part.box->size, axes));
    } else if (part.cylinder) {
      const auto& c = *part.cylinder;
      add(extent_of_cylinder(at, axes.column(static_cast<int>(c.axis)), c.radius, c.length));
    } else if (part.sphere) {
      const double r = part.sphere->radius;
      add({at - Vec3d{r, r, r}, at + Vec3d{r, r, r}});
    } else if (part.mesh && part.mesh->mesh) {
      for (const Vec3d& x : part.mesh->mesh->vertices)
        corners.push_back(at + axes * (part.mesh->scale * x));
    } else {
      corners.push_back(at);
    }
  }
  return extent_of_points(corners);
}

/// Zmax in body axes about the nominal centre of mass.
Mat3d moment_bound_of(const SecondMomentBound& bound, const Body& body) {
  if (bound.from == SecondMomentBound::From::numbers) return symmetric_matrix(bound.numbers);
  const Frame frame{body.position, rotation_matrix(body.orientation)};
  const BodyExtent extent = bound.from == SecondMomentBound::From::region
                                ? extent_of(bound.region, frame)
                            : body.shape.kind == Shape::Kind::none ? extent_of_parts(body)
                                                                   : extent_of_shape(body);
  return moment_bound(extent, Vec3d{}, MomentBound::safe);
}

InertiaLaw make_inertia_law(const InertiaUncertainty& u, const Body& body) {
  const Mat3d J = symmetric_matrix(body.inertia);
  if (!u.z_max) return InertiaLaw(UnboundedInertia{body.mass, J, u.delta.value()});
  BoundedInertia bounded{body.mass, J, moment_bound_of(*u.z_max, body), {}};
  if (u.delta)
    bounded.spread = InertiaDispersion{*u.delta, u.lambda_u};
  else
    bounded.spread = InertiaExponents{u.lambda_l.value(), u.lambda_u.value()};
  return InertiaLaw(bounded);
}

bool nearly_equal(const Mat3d& a, const Mat3d& b) {
  double scale = 0, difference = 0;
  for (int i = 0; i < 9; ++i) {
    scale = std::max(scale, std::fabs(a.m[i]));
    difference = std::max(difference, std::fabs(a.m[i] - b.m[i]));
  }
  return difference <= 1e-9 * scale;
}

/// Whether G has the same law in both, so that one draw can serve both bodies.
bool same_normalized_law(const InertiaReport& a, const InertiaReport& b) {
  if (a.bound.has_value() != b.bound.has_value() || a.lambda_u != b.lambda_u) return false;
  return a.lambda_l == b.lambda_l && (!a.bound || nearly_equal(*a.bound, *b.bound));
}

class LawMaker {
 public:
  explicit LawMaker(const Model& nominal) : nominal_(nominal) {}

  BodyLaws body_laws(const BodyUncertainty& u) {
    const auto index = static_cast<std::size_t>(body_index(nominal_, u.body)) - 1;
    const Body& body = nominal_.bodies[index];
    BodyLaws laws;
    laws.body = u.body;
    laws.nominal_mass = body.mass;
    laws.rotates = body.rotates;
    laws.nominal_inertia = body.inertia;
    if (u.mass)
      attempt(u.body, "mass", [&] {
        laws.mass = {random_mass(body.mass, u.mass->cv), variable(u.body, "mass", *u.mass), {}};
        claim(laws.mass->variable, "mass");
      });
    if (u.center_of_mass)
      attempt(u.body, "center_of_mass", [&] { laws.centre = centre_law(u, body); });
    if (u.inertia) attempt(u.body, "inertia", [&] { laws.inertia = inertia_law(u, body); });
    return laws;
  }

  void scalar_law(const ScalarUncertainty& u, std::vector<ScalarVariable>& scalars) {
    attempt(u.name, {}, [&] {
      claim(u.name, "number");
      ScalarLaw law(u.law);
      // The germs of random fields and matrices are numbers that nobody wrote.
      if (!is_germ(u.name))
        for (std::string& doubt : doubts_about(law, u.paths, nominal_))
          law.add_warning(std::move(doubt));
      scalars.push_back({u.name, std::move(law), u.paths});
    });
  }

  void correlation(std::size_t index, std::size_t count, const CorrelationInput& input,
                   std::vector<BodyLaws>& bodies, std::vector<ScalarVariable>& scalars,
                   std::vector<CorrelatedVariables>& correlations) {
    const std::string entry =
        count > 1 ? fmt::format("correlation[{}]", index) : std::string("correlation");
    attempt(entry, {}, [&] {
      std::vector<std::size_t> places;
      std::vector<ScalarLaw> laws;
      for (const std::string& name : input.variables) {
        add_mass(name, bodies, scalars);
        const auto found =
            std::ranges::find_if(scalars, [&](const auto& s) { return s.name == name; });
        if (found == scalars.end()) return;  // its own mistake was reported
        places.push_back(static_cast<std::size_t>(found - scalars.begin()));
        laws.push_back(found->law);
      }
      CorrelationMatrix matrix{input.of == CorrelationOf::variables
                                   ? CorrelationMatrix::Of::variables
                                   : CorrelationMatrix::Of::normal_scores,
                               input.matrix};
      correlations.push_back({std::move(places), GaussianCopula(std::move(laws), matrix)});
    });
  }

  void finish() {
    if (!mistakes_.empty()) throw InputError(std::move(mistakes_));
  }

 private:
  /// If this is the variable of masses: a scalar variable of the same name, which they follow.
  static void add_mass(const std::string& name, std::vector<BodyLaws>& bodies,
                       std::vector<ScalarVariable>& scalars) {
    std::optional<std::size_t> place;
    for (BodyLaws& laws : bodies) {
      if (!laws.mass || laws.mass->variable != name) continue;
      if (!place) {
        place = scalars.size();
        scalars.push_back({name, laws.mass->law, {}});
      }
      laws.correlated_mass = place;
      if (same_law(laws.mass->law, scalars[*place].law)) laws.mass->law = scalars[*place].law;
    }
  }

  template <class Law>
  static std::string variable(const std::string& body, const char* slot, const Law& law) {
    return law.variable.empty() ? "bodies." + body + "." + slot : law.variable;
  }

  template <class Law>
  static std::optional<ChainInput> chain_of(const Law& law) {
    return law.sampler == SamplingMethod::metropolis ? std::optional(law.chain) : std::nullopt;
  }

  BodyLaw<CentreLaw> centre_law(const BodyUncertainty& u, const Body& body) {
    const CentreUncertainty& input = *u.center_of_mass;
    BodyLaw<CentreLaw> made{CentreLaw(make_domain(input.region), body.position),
                            variable(u.body, "position", input), chain_of(input)};
    made.doubts = doubts_about(made.law, body);
    if (!claim(made.variable, "centre of mass")) return made;
    if (made.chain || !made.law.has_cube_map())
      throw std::invalid_argument(
          fmt::format("variable '{}' cannot be shared: centres of mass can share a draw in boxes, "
                      "balls and ellipsoids with exact draws",
                      made.variable));
    return made;
  }

  BodyLaw<InertiaLaw> inertia_law(const BodyUncertainty& u, const Body& body) {
    BodyLaw<InertiaLaw> made{make_inertia_law(*u.inertia, body),
                             variable(u.body, "inertia", *u.inertia), chain_of(*u.inertia)};
    made.doubts = doubts_about(made.law);
    const bool shared = claim(made.variable, "inertia");
    const auto [first, is_new] = inertia_laws_.emplace(made.variable, made.law.report());
    if (shared && (made.chain || is_new || !same_normalized_law(first->second, made.law.report())))
      throw std::invalid_argument(
          fmt::format("variable '{}' cannot be shared: two inertias can share a draw if both have "
                      "the same exponents, the same bound relative to their nominal inertia, and "
                      "exact draws",
                      made.variable));
    return made;
  }

  /// True if the variable has been named before. One variable must not stand for two things.
  bool claim(const std::string& name, const std::string& what) {
    const auto [first, is_new] = claimed_.emplace(name, what);
    if (!is_new && first->second != what)
      throw std::invalid_argument(
          fmt::format("variable '{}' is a {} elsewhere, here a {}", name, first->second, what));
    return !is_new;
  }

  /// A law that does not exist becomes a mistake at the place where it was asked for.
  template <class Make>
  void attempt(const std::string& entry, const std::string& field, const Make& make) {
    try {
      make();
    } catch (const std::invalid_argument& error) {
      mistakes_.push_back(uncertainty_mistake(nominal_, entry, field, error.what()));
    }
  }

  const Model& nominal_;
  std::vector<Diagnostic> mistakes_;
  std::map<std::string, std::string> claimed_;
  std::map<std::string, InertiaReport> inertia_laws_;
};

}  // namespace

bool same_law(const ScalarLaw& a, const ScalarLaw& b) {
  const LawReport left = a.report(), right = b.report();
  return left.name == right.name &&
         std::ranges::equal(left.parameters, right.parameters, [](const auto& x, const auto& y) {
           return x.name == y.name && x.value == y.value;
         });
}

RandomLaws::RandomLaws(const Model& nominal, const Uncertainty& uncertainty)
    : announcements_(uncertainty.announcements) {
  LawMaker maker(nominal);
  for (const BodyUncertainty& u : uncertainty.bodies) bodies_.push_back(maker.body_laws(u));
  for (const ScalarUncertainty& u : uncertainty.scalars) maker.scalar_law(u, scalars_);
  const auto& correlations = uncertainty.correlations;
  for (std::size_t i = 0; i < correlations.size(); ++i)
    maker.correlation(i, correlations.size(), correlations[i], bodies_, scalars_, correlations_);
  maker.finish();
}

std::vector<std::string> RandomLaws::sample_warnings() const {
  std::vector<std::string> all;
  const auto add = [&](const std::string& variable, const ScalarLaw& law) {
    for (const std::string& sentence : law.report().sample_warnings)
      all.push_back(variable + ": " + sentence);
  };
  for (const BodyLaws& laws : bodies_)
    if (laws.mass) add(laws.mass->variable, laws.mass->law);
  for (const ScalarVariable& scalar : scalars_)
    if (!scalar.is_mass()) add(scalar.name, scalar.law);
  return all;
}

std::vector<std::string> RandomLaws::warnings() const {
  std::vector<std::string> all;
  const auto add = [&](const std::string& variable, const std::vector<std::string>& sentences) {
    for (const std::string& sentence : sentences) all.push_back(variable + ": " + sentence);
  };
  for (const BodyLaws& laws : bodies_) {
    if (laws.mass) add(laws.mass->variable, laws.mass->law.report().warnings);
    if (laws.centre) {
      add(laws.centre->variable, laws.centre->law.report().warnings);
      add(laws.centre->variable, laws.centre->doubts);
    }
    if (laws.inertia) {
      add(laws.inertia->variable, laws.inertia->law.report().warnings);
      add(laws.inertia->variable, laws.inertia->doubts);
    }
  }
  for (const ScalarVariable& scalar : scalars_)
    if (!scalar.is_mass()) add(scalar.name, scalar.law.report().warnings);
  for (const CorrelatedVariables& group : correlations_)
    add("correlation", group.copula.warnings());
  return all;
}

}  // namespace tumble
