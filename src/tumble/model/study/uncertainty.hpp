// What is not exactly known, as the user describes it: distributions of parameters, maximum-entropy
// laws of rigid bodies, and dependence. The laws themselves, with their solved parameters and
// samplers, are made from these descriptions.
#pragma once
#include "tumble/model/field/field_uncertainty.hpp"
#include "tumble/model/study/body_uncertainty.hpp"
#include "tumble/model/study/input_law.hpp"
#include "tumble/model/study/matrix_uncertainty.hpp"

namespace tumble {

struct Diagnostic;
struct Model;

/// One random number and the parameters that take its value.
struct ScalarUncertainty {
  std::string name;                ///< of the variable: a parameter path, or a name of its own
  std::vector<std::string> paths;  ///< parameter slots; the name alone if that is a path
  InputLaw law;
};

enum class CorrelationOf { variables, normal_scores };
inline constexpr std::array<std::string_view, 2> correlation_of_names{"variables", "normal_scores"};

/// Dependence of scalar variables by a Gaussian copula.
struct CorrelationInput {
  std::vector<std::string> variables;
  std::vector<std::vector<double>> matrix;  ///< rows
  CorrelationOf of = CorrelationOf::variables;
  static constexpr std::string_view doc = "Dependence of variables by a Gaussian copula.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"variables", "", "names of variables of this section", Range::any, true}, s.variables);
    v(Entry{"matrix", "", "their correlations: symmetric, 1 on the diagonal", Range::any, true},
      s.matrix);
    v(Entry{"of", "",
            "`variables`: the matrix is the correlation of the variables themselves; "
            "`normal_scores`: of the Gaussian variables they are made of"},
      s.of);
  }
};

struct Uncertainty {
  std::vector<BodyUncertainty> bodies;
  std::vector<ScalarUncertainty> scalars;
  std::vector<CorrelationInput> correlations;
  std::vector<BeamUncertainty> beams = {};
  std::vector<SharedFieldInput> shared_fields = {};
  std::vector<BushingUncertainty> bushings = {};
  /// What to say before draws are made: see attach_fields() and attach_matrices().
  std::vector<std::string> announcements = {};
  bool empty() const {
    return bodies.empty() && scalars.empty() && beams.empty() && shared_fields.empty() &&
           bushings.empty();
  }
};

/// A parameter slot that varies, and the variable it follows: "rb5.mass" for a law of a body.
struct RandomSlot {
  std::string path;
  std::string variable;
};

/// Every slot that varies. A random mass scales the inertia, whose slots therefore follow
/// `<body>.mass` unless the inertia has a law of its own.
std::vector<RandomSlot> random_slots(const BodyUncertainty& body);
std::vector<RandomSlot> random_slots(const Uncertainty& uncertainty);

/// Whether a variable is one of the numbers that random fields and matrices are made of:
/// "fields.<name>.germ[i]", "matrices.<name>.germ[i]".
bool is_germ(const std::string& variable);

/// A law that cannot be, as a mistake at the place in the file where it was asked for. `field` may
/// be empty: then the whole entry is meant.
Diagnostic uncertainty_mistake(const Model& model, const std::string& entry,
                               const std::string& field, const std::string& why);

}  // namespace tumble
