#include "tumble/chaos/basis/input_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace tumble {

void InputSpace::add_germ(std::string name, Germ germ, std::string label) {
  if (std::find(names_.begin(), names_.end(), name) != names_.end())
    throw std::invalid_argument(fmt::format("polynomial chaos: two inputs are called {}", name));
  germ_groups_.back().germs.push_back(size());
  labels_.push_back(label.empty() ? name : std::move(label));
  names_.push_back(std::move(name));
  germs_.push_back(std::move(germ));
}

void InputSpace::add(const std::string& name, const ScalarLaw& law, GermChoice choice,
                     const std::string& group) {
  if (!(law.variance() > 0))
    throw std::invalid_argument(fmt::format(
        "polynomial chaos: {} has the single value {}: it is a number, not a random one", name,
        law.mean()));
  if (group.empty() || germ_groups_.empty() || germ_groups_.back().name != group)
    germ_groups_.push_back({group.empty() ? name : group, {}});
  add_germ(name, Germ(law, choice));
}

void InputSpace::add(const std::vector<std::string>& names, const GaussianCopula& copula) {
  if (names.size() != copula.size())
    throw std::invalid_argument(fmt::format(
        "polynomial chaos: {} names for {} correlated variables", names.size(), copula.size()));
  groups_.push_back({size(), copula});
  germ_groups_.push_back({fmt::format("{}", fmt::join(names, ", ")), {}});
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::string label = names[i];
    if (i > 0)
      label += fmt::format(
          ", given {}",
          fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), ", "));
    else if (names.size() > 1)
      label += ", and what others share with it";
    add_germ(names[i], Germ::standard_normal(), std::move(label));
  }
}

void InputSpace::add_standard_normals(const std::string& name, std::size_t count) {
  germ_groups_.push_back({name, {}});
  for (std::size_t k = 0; k < count; ++k)
    add_germ(fmt::format("{}[{}]", name, k), Germ::standard_normal());
}

void InputSpace::add_unit_intervals(const std::string& name, std::size_t count) {
  germ_groups_.push_back({name, {}});
  for (std::size_t k = 0; k < count; ++k)
    add_germ(fmt::format("{}[{}]", name, k), Germ::unit_interval());
}

std::vector<OrthonormalPolynomials> InputSpace::polynomials(std::span<const int> degrees) const {
  check(degrees.size(), size());
  std::vector<OrthonormalPolynomials> list;
  for (std::size_t i = 0; i < size(); ++i) {
    if (degrees[i] > germs_[i].most_degree())
      throw std::invalid_argument(
          fmt::format("polynomial chaos: degree {} for {}: its {} end at degree {}", degrees[i],
                      names_[i], germs_[i].description(), germs_[i].most_degree()));
    list.push_back(germs_[i].polynomials(degrees[i]));
  }
  return list;
}

std::vector<int> InputSpace::degrees_up_to(int degree) const {
  std::vector<int> degrees;
  for (const Germ& germ : germs_) degrees.push_back(std::min(degree, germ.most_degree()));
  return degrees;
}

void InputSpace::check(std::size_t in, std::size_t out) const {
  if (in != size() || out != size())
    throw std::invalid_argument(
        fmt::format("polynomial chaos: {} numbers in and {} out for {} germs", in, out, size()));
}

void InputSpace::germs_from_uniforms(std::span<const double> u, std::span<double> germs) const {
  check(u.size(), germs.size());
  for (std::size_t i = 0; i < size(); ++i) germs[i] = germs_[i].from_uniform(u[i]);
}

void InputSpace::uniforms_from_germs(std::span<const double> germs, std::span<double> u) const {
  check(germs.size(), u.size());
  for (std::size_t i = 0; i < size(); ++i) u[i] = germs_[i].to_uniform(germs[i]);
}

void InputSpace::inputs_from_germs(std::span<const double> germs, std::span<double> inputs) const {
  check(germs.size(), inputs.size());
  for (std::size_t i = 0; i < size(); ++i) inputs[i] = germs_[i].input(germs[i]);
  // Within a group these germs are normal scores still, because Germ::standard_normal() is an input
  // itself.
  for (const auto& [first, copula] : groups_) {
    const auto part = inputs.subspan(first, copula.size());
    copula.map_scores(part, part);
  }
}

}  // namespace tumble
