// Everything that is random in a model, with its law solved.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "tumble/model/model.hpp"
#include "tumble/model/study/uncertainty.hpp"
#include "tumble/random/centre/centre_law.hpp"
#include "tumble/random/inertia/inertia_law.hpp"
#include "tumble/random/law/gaussian_copula.hpp"
#include "tumble/random/law/random_mass.hpp"

namespace tumble {

/// A law and the variable that is drawn from it. Laws with the same variable have the same draw.
template <class Law>
struct BodyLaw {
  Law law;
  std::string variable;                  ///< "bodies.rb5.mass" unless the user gave it a name
  std::optional<ChainInput> chain;       ///< if draws come from a Markov chain
  std::vector<std::string> doubts = {};  ///< see plausibility.hpp
};

/// The laws of one uncertain body (Batou & Soize 2012).
struct BodyLaws {
  std::string body;
  double nominal_mass = 0;
  bool rotates = true;                      ///< false: a point mass
  std::array<double, 6> nominal_inertia{};  ///< xx, yy, zz, xy, xz, yz
  std::optional<BodyLaw<ScalarLaw>> mass;
  /// Place among the scalar variables, if the mass is correlated with others.
  std::optional<std::size_t> correlated_mass;
  std::optional<BodyLaw<CentreLaw>> centre;
  std::optional<BodyLaw<InertiaLaw>> inertia;

  /// A random mass scales the inertia, Eq. (32).
  bool inertia_varies() const { return (mass && rotates) || inertia; }
};

/// The law of one random number and the parameters that take its value.
struct ScalarVariable {
  std::string name;
  ScalarLaw law;
  std::vector<std::string> paths;

  /// A random mass that is correlated with others: bodies take its value, no parameter does.
  bool is_mass() const { return paths.empty(); }
};

/// Random numbers that depend on each other.
struct CorrelatedVariables {
  std::vector<std::size_t> variables;  ///< places among the scalar variables
  GaussianCopula copula;
};

/// Whether two laws of masses, which are told apart by their parameters, are one law made twice.
/// Masses of one variable are then equal to the last bit, which they would not be through
/// probabilities.
bool same_law(const ScalarLaw& a, const ScalarLaw& b);

class RandomLaws {
 public:
  /// Means are the nominal values of the model's bodies.
  /// @throws InputError with every law that does not exist, and why.
  RandomLaws(const Model& nominal, const Uncertainty& uncertainty);

  const std::vector<BodyLaws>& bodies() const { return bodies_; }
  const std::vector<ScalarVariable>& scalars() const { return scalars_; }
  const std::vector<CorrelatedVariables>& correlations() const { return correlations_; }
  bool empty() const { return bodies_.empty() && scalars_.empty(); }
  /// What users are told before draws are made: how random fields are expanded.
  const std::vector<std::string>& announcements() const { return announcements_; }
  /// What users should know about these laws, each sentence beginning with the variable.
  std::vector<std::string> warnings() const;
  /// The same for what is estimated from random samples of them.
  std::vector<std::string> sample_warnings() const;

 private:
  std::vector<BodyLaws> bodies_;
  std::vector<ScalarVariable> scalars_;
  std::vector<CorrelatedVariables> correlations_;
  std::vector<std::string> announcements_;
};

}  // namespace tumble
