#include "tumble/inputs/input_density.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

#include "tumble/random/inertia/inertia_geometry.hpp"
#include "tumble/random/law/normal_score.hpp"

namespace tumble {
namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();
constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

std::size_t place_in(const std::vector<std::string>& paths, const std::string& path) {
  const auto found = std::ranges::find(paths, path);
  return found == paths.end() ? nowhere : static_cast<std::size_t>(found - paths.begin());
}

std::size_t require_place(const std::vector<std::string>& paths, const std::string& path) {
  const std::size_t place = place_in(paths, path);
  if (place == nowhere)
    throw std::invalid_argument(fmt::format("the value of {} is not known", path));
  return place;
}

double log_density_of(const ScalarLaw& law, double x) {
  try {
    const double density = law.pdf(x);
    return density > 0 ? std::log(density) : minus_infinity;
  } catch (const std::overflow_error&) {
    return std::numeric_limits<double>::max();  // an end of the support where it is infinite
  }
}

void require_density(const std::string& name, const ScalarLaw& law) {
  if (!law.has_density())
    throw std::invalid_argument(
        fmt::format("{} follows a {} law, which has single values of positive probability and no "
                    "density",
                    name, law.name()));
}

/// The score of x that is accurate in both tails.
double normal_score_of(const ScalarLaw& law, double x) {
  const double below = law.cdf(x);
  if (below <= 0.5) return standard_normal_score(std::max(below, 1e-300));
  return -standard_normal_score(std::max(law.cdf_upper(x), 1e-300));
}

}  // namespace

InputDensity::InputDensity(const RandomLaws& laws, const std::vector<std::string>& paths,
                           const std::set<RandomPart>& parts) {
  std::map<std::string, int> shared;  // how many bodies follow a variable
  for (const BodyLaws& body : laws.bodies()) {
    if (body.mass && !body.correlated_mass) ++shared["mass " + body.mass->variable];
    if (body.centre) ++shared["centre " + body.centre->variable];
    if (body.inertia) ++shared["inertia " + body.inertia->variable];
  }
  for (const BodyLaws& body : laws.bodies()) {
    for (const auto& [part, key] :
         {std::pair{body.body + ".mass", body.mass ? "mass " + body.mass->variable : ""},
          {body.body + ".center_of_mass", body.centre ? "centre " + body.centre->variable : ""},
          {body.body + ".inertia", body.inertia ? "inertia " + body.inertia->variable : ""}})
      if (parts.contains(part) && !key.empty() && shared[key] > 1)
        throw std::invalid_argument(fmt::format(
            "{} shares its draw with another body: their values have no joint density", part));
    add_body(laws, body, parts, paths);
  }
  std::set<std::size_t> dependent;
  for (const CorrelatedVariables& group : laws.correlations()) {
    dependent.insert(group.variables.begin(), group.variables.end());
    const bool meant = std::ranges::any_of(group.variables, [&](std::size_t i) {
      const std::string& name = laws.scalars()[i].name;
      if (parts.contains(name) || parts.contains("correlation")) return true;
      return std::ranges::any_of(laws.bodies(), [&](const BodyLaws& body) {
        return body.correlated_mass == i && parts.contains(body.body + ".mass");
      });
    });
    if (meant) add_correlated(laws, group, paths);
  }
  for (std::size_t i = 0; i < laws.scalars().size(); ++i) {
    const ScalarVariable& scalar = laws.scalars()[i];
    if (dependent.contains(i) || !parts.contains(scalar.name) || scalar.is_mass()) continue;
    require_density(scalar.name, scalar.law);
    scalars_.push_back({scalar.law, require_place(paths, scalar.paths.front())});
  }
}

void InputDensity::add_body(const RandomLaws&, const BodyLaws& body,
                            const std::set<RandomPart>& parts,
                            const std::vector<std::string>& paths) {
  const std::string prefix = "bodies." + body.body + ".";
  if (body.mass && !body.correlated_mass && parts.contains(body.body + ".mass"))
    scalars_.push_back({body.mass->law, require_place(paths, prefix + "mass")});
  if (body.centre && parts.contains(body.body + ".center_of_mass"))
    centres_.push_back({body.centre->law, require_place(paths, prefix + "position[0]")});
  if (body.inertia && parts.contains(body.body + ".inertia"))
    inertias_.push_back({body.inertia->law, require_place(paths, prefix + "inertia[0]"),
                         body.mass ? require_place(paths, prefix + "mass") : nowhere,
                         body.nominal_mass});
}

void InputDensity::add_correlated(const RandomLaws& laws, const CorrelatedVariables& group,
                                  const std::vector<std::string>& paths) {
  CorrelatedPart part;
  const std::size_t n = group.variables.size();
  for (const std::size_t i : group.variables) {
    const ScalarVariable& scalar = laws.scalars()[i];
    require_density(scalar.name, scalar.law);
    std::string path;
    if (!scalar.is_mass()) {
      path = scalar.paths.front();
    } else {
      for (const BodyLaws& body : laws.bodies())
        if (body.correlated_mass == i) path = "bodies." + body.body + ".mass";
    }
    part.members.push_back({scalar.law, require_place(paths, path)});
  }
  const auto size = static_cast<Eigen::Index>(n);
  Eigen::MatrixXd correlation(size, size);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      correlation(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
          group.copula.score_correlation(i, j);
  const Eigen::LLT<Eigen::MatrixXd> factor(correlation);
  const Eigen::MatrixXd precision =
      factor.solve(Eigen::MatrixXd::Identity(size, size)) - Eigen::MatrixXd::Identity(size, size);
  part.log_determinant = 0;
  for (Eigen::Index i = 0; i < size; ++i)
    part.log_determinant += 2 * std::log(factor.matrixL()(i, i));
  for (Eigen::Index i = 0; i < size; ++i)
    for (Eigen::Index j = 0; j < size; ++j) part.precision.push_back(precision(i, j));
  correlated_.push_back(std::move(part));
}

double InputDensity::log_density(const double* values) const {
  double sum = 0;
  for (const ScalarPart& part : scalars_) sum += log_density_of(part.law, values[part.place]);
  for (const CentrePart& part : centres_)
    sum +=
        part.law.log_density({values[part.place], values[part.place + 1], values[part.place + 2]});
  for (const InertiaPart& part : inertias_) {
    const double* v = values + part.place;
    const double mass = part.mass_place == nowhere ? part.nominal_mass : values[part.mass_place];
    const Mat3d inertia{{v[0], v[3], v[4], v[3], v[1], v[5], v[4], v[5], v[2]}};
    sum +=
        part.law.log_density(part.law.scale().normalized_from(moments_from_inertia(mass, inertia)));
  }
  // c(x) = det R^-1/2 exp(-z^T (R^-1 - I) z / 2) with the normal scores z of x.
  for (const CorrelatedPart& part : correlated_) {
    const std::size_t n = part.members.size();
    std::vector<double> z(n);
    for (std::size_t i = 0; i < n; ++i) {
      const ScalarPart& member = part.members[i];
      sum += log_density_of(member.law, values[member.place]);
      z[i] = normal_score_of(member.law, values[member.place]);
    }
    double form = 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) form += z[i] * part.precision[i * n + j] * z[j];
    sum -= 0.5 * (part.log_determinant + form);
  }
  return std::isnan(sum) ? minus_infinity : sum;
}

std::vector<double> InputDensity::support() const {
  std::vector<double> ends;
  const auto add = [&](const ScalarLaw& law) {
    ends.push_back(law.support().min);
    ends.push_back(law.support().max);
  };
  for (const ScalarPart& part : scalars_) add(part.law);
  for (const CorrelatedPart& part : correlated_)
    for (const ScalarPart& member : part.members) add(member.law);
  for (const CentrePart& part : centres_) {
    const Vec3d centre = part.law.domain().barycentre();
    for (const double x : {part.law.domain().volume(), centre.x, centre.y, centre.z})
      ends.push_back(x);
  }
  for (const InertiaPart& part : inertias_)
    for (int i = 0; i < 3; ++i) ends.push_back(part.law.bound_eigenvalues()[i]);
  return ends;
}

std::set<RandomPart> parts_known_from(const RandomLaws& laws,
                                      const std::vector<std::string>& paths) {
  std::set<RandomPart> known;
  const auto has = [&](const std::string& path) { return place_in(paths, path) != nowhere; };
  const auto has_all = [&](const std::string& path, int count) {
    for (int i = 0; i < count; ++i)
      if (!has(fmt::format("{}[{}]", path, i))) return false;
    return true;
  };
  for (const BodyLaws& body : laws.bodies()) {
    const std::string prefix = "bodies." + body.body + ".";
    if (body.mass && has(prefix + "mass")) known.insert(body.body + ".mass");
    if (body.centre && has_all(prefix + "position", 3)) known.insert(body.body + ".center_of_mass");
    if (body.inertia && has_all(prefix + "inertia", 6) && (!body.mass || has(prefix + "mass")))
      known.insert(body.body + ".inertia");
  }
  for (const ScalarVariable& scalar : laws.scalars())
    if (!scalar.is_mass() && has(scalar.paths.front())) known.insert(scalar.name);
  return known;
}

}  // namespace tumble
