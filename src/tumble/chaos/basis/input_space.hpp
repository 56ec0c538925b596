// The random inputs of an expansion as functions of independent germs.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "tumble/chaos/basis/germ.hpp"
#include "tumble/random/law/gaussian_copula.hpp"

namespace tumble {

/// Germs that belong together, because what they make depends on all of them: those of correlated
/// variables, of a random field, of a centre of mass. Others are groups of one.
struct GermGroup {
  std::string name;
  std::vector<std::size_t> germs;
};

/// As many inputs as germs. Inputs that depend on each other share their germs; all others have one
/// of their own. Once filled, may be used by many threads.
class InputSpace {
 public:
  /// `group`, if not empty: the germ joins the last group if that has this name, or begins it.
  void add(const std::string& name, const ScalarLaw& law, GermChoice choice = GermChoice::matching,
           const std::string& group = {});
  /// Correlated through normal scores: as many standard normal germs g, the scores being L g with
  /// the Cholesky factor L. Germ i is what is new in variable i when those before it are known, and
  /// a Sobol' index of it means that.
  void add(const std::vector<std::string>& names, const GaussianCopula& copula);
  /// Standard normal numbers name[0], name[1], ... that are inputs themselves: the coefficients of
  /// a random field, or the germs of a random inertia.
  void add_standard_normals(const std::string& name, std::size_t count);
  /// Numbers name[0], name[1], ..., uniform in (0, 1): those that make a centre of mass.
  void add_unit_intervals(const std::string& name, std::size_t count);

  /// Number of germs, and of inputs.
  std::size_t size() const { return germs_.size(); }
  const Germ& germ(std::size_t i) const { return germs_.at(i); }
  const std::string& name(std::size_t i) const { return names_.at(i); }
  const std::vector<std::string>& names() const { return names_; }
  /// What germ i is, for users: its name, and of correlated variables what is known before it.
  const std::string& label(std::size_t i) const { return labels_.at(i); }
  /// Every germ is in one group. Sobol' indices of groups do not depend on the order of variables.
  const std::vector<GermGroup>& groups() const { return germ_groups_; }
  /// Those of germ k up to degrees[k]. @throws std::invalid_argument where it has no such degree.
  std::vector<OrthonormalPolynomials> polynomials(std::span<const int> degrees) const;
  /// `degree`, or what each germ has where that is less: a discrete law of n values ends at n - 1.
  std::vector<int> degrees_up_to(int degree) const;

  // All spans have size() numbers; input and output may be the same.
  void germs_from_uniforms(std::span<const double> u, std::span<double> germs) const;
  /// For code that makes its inputs from points of the unit cube, like RandomInputs. Upper tails
  /// have the accuracy of a u next to 1.
  void uniforms_from_germs(std::span<const double> germs, std::span<double> u) const;
  /// The random inputs themselves.
  void inputs_from_germs(std::span<const double> germs, std::span<double> inputs) const;

 private:
  struct Group {
    std::size_t first;
    GaussianCopula copula;
  };
  /// A germ of the last group. Its label is its name if none is given.
  void add_germ(std::string name, Germ germ, std::string label = {});
  void check(std::size_t in, std::size_t out) const;

  std::vector<std::string> names_, labels_;
  std::vector<GermGroup> germ_groups_;
  std::vector<Germ> germs_;
  std::vector<Group> groups_;
};

}  // namespace tumble
