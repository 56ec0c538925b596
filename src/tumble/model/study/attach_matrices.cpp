#include "tumble/model/study/attach_matrices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "tumble/random/matrix/positive_definite_ensemble.hpp"

namespace tumble {
namespace {

/// 6 diagonal values or 36 by rows.
std::vector<double> full_matrix(const std::vector<double>& values) {
  std::vector<double> matrix(36, 0.0);
  if (values.size() == 36) return values;
  for (std::size_t i = 0; i < values.size(); ++i) matrix[7 * i] = values[i];
  return matrix;
}

/// Rows and columns that are not zero throughout.
std::vector<int> rows_of(const std::vector<double>& A, int n) {
  std::vector<int> rows;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      if (A[static_cast<std::size_t>(i * n + k)] != 0 ||
          A[static_cast<std::size_t>(k * n + i)] != 0) {
        rows.push_back(i);
        break;
      }
  return rows;
}

class Attacher {
 public:
  Attacher(Model& model, Uncertainty& uncertainty) : model_(model), uncertainty_(uncertainty) {}

  std::vector<Diagnostic> attach_all() {
    for (const BushingUncertainty& u : uncertainty_.bushings) {
      const auto force = std::ranges::find(model_.forces, u.bushing, &Force::name);
      const auto element = static_cast<std::size_t>(force - model_.forces.begin());
      const auto& bushing = std::get<Bushing>(force->kind);
      attach(u.bushing, "stiffness", u.stiffness, RandomMatrix::Kind::bushing_stiffness, element,
             bushing.stiffness);
      attach(u.bushing, "damping", u.damping, RandomMatrix::Kind::bushing_damping, element,
             bushing.damping);
    }
    for (const BodyUncertainty& u : uncertainty_.bodies) attach_modal(u);
    for (ScalarUncertainty& number : numbers_) uncertainty_.scalars.push_back(std::move(number));
    return std::move(mistakes_);
  }

 private:
  /// The mean is the diagonal matrix of modal stiffnesses.
  void attach_modal(const BodyUncertainty& u) {
    if (!u.modal_stiffness) return;
    const auto body = std::ranges::find(model_.bodies, u.body, &Body::name);
    if (body == model_.bodies.end() || !body->modal || !body->modal->data) {
      mistakes_.push_back(uncertainty_mistake(model_, u.body, "modal_stiffness",
                                              "the body is not a flexible one: it has no `modal`"));
      return;
    }
    const int modes = body->modal->count();
    const auto n = static_cast<std::size_t>(modes);
    std::vector<double> mean(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i)
      mean[i * n + i] = body->modal->stiffness_factor * body->modal->data->modal_stiffness[i];
    try {
      add(u.body + ".modal_stiffness", *u.modal_stiffness, RandomMatrix::Kind::modal_stiffness,
          static_cast<std::size_t>(body - model_.bodies.begin()), mean, modes);
    } catch (const std::invalid_argument& error) {
      mistakes_.push_back(uncertainty_mistake(model_, u.body, "modal_stiffness", error.what()));
    }
  }

  void attach(const std::string& element, const std::string& field,
              const std::optional<MatrixUncertainty>& law, RandomMatrix::Kind kind,
              std::size_t place, const std::vector<double>& values) {
    if (!law) return;
    try {
      const std::string slots = fmt::format("forces.{}.{}[", element, field);
      for (const ScalarUncertainty& scalar : uncertainty_.scalars)
        for (const std::string& path : scalar.paths)
          if (path.starts_with(slots))
            throw std::invalid_argument(
                fmt::format("{} varies already, with '{}'", path, scalar.name));
      add(element + "." + field, *law, kind, place, full_matrix(values), 6);
    } catch (const std::invalid_argument& error) {
      mistakes_.push_back(uncertainty_mistake(model_, element, field, error.what()));
    }
  }

  void add(const std::string& name, const MatrixUncertainty& law, RandomMatrix::Kind kind,
           std::size_t element, const std::vector<double>& mean, int size) {
    const std::vector<int> rows = rows_of(mean, size);
    require_positive_definite(mean, size, rows);
    const int n = static_cast<int>(rows.size());
    const PositiveDefiniteEnsemble ensemble(n, law.delta);
    const std::string variable = law.variable.empty() ? name : law.variable;
    const auto [known, is_new] =
        variables_.emplace(variable, Variable{n, law.delta, numbers_.size()});
    if (!is_new && (known->second.rows != n || known->second.delta != law.delta))
      throw std::invalid_argument(
          fmt::format("variable '{}' cannot be shared: two matrices can share a draw if both have "
                      "the same delta and as many rows that are not zero",
                      variable));
    RandomMatrix made{name, kind, element, rows, PositiveDefiniteEnsemble::neutral_germ(n)};
    const std::vector<ScalarLawParameters> laws = ensemble.germ_laws();
    for (std::size_t i = 0; i < laws.size(); ++i) {
      const std::string slot = fmt::format("matrices.{}.germ[{}]", name, i);
      if (is_new)
        numbers_.push_back({fmt::format("matrices.{}.germ[{}]", variable, i), {}, laws[i]});
      numbers_[known->second.first + i].paths.push_back(slot);
    }
    uncertainty_.announcements.push_back(
        fmt::format("matrix {}: {} rows, dispersion {}, made of {} independent numbers", name, n,
                    law.delta, laws.size()));
    model_.matrices.push_back(std::move(made));
  }

  static void require_positive_definite(const std::vector<double>& A, int size,
                                        const std::vector<int>& rows) {
    if (rows.empty()) throw std::invalid_argument("the nominal matrix is zero: nothing can vary");
    const std::size_t n = rows.size();
    std::vector<double> own(n * n), root(n * n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < n; ++k)
        own[i * n + k] = A[static_cast<std::size_t>(rows[i] * size + rows[k])];
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < i; ++k) {
        const double a = own[i * n + k], b = own[k * n + i];
        const double scale = std::sqrt(std::fabs(own[i * n + i] * own[k * n + k]));
        if (std::fabs(a - b) > 1e-12 * scale)
          throw std::invalid_argument(fmt::format(
              "the nominal matrix must be symmetric, but [{0}][{1}] = {2} and [{1}][{0}] = {3}",
              rows[i], rows[k], format_number(a), format_number(b)));
      }
    if (!lower_root(static_cast<int>(n), own, root))
      throw std::invalid_argument(
          "the nominal matrix must be positive definite, but for rows and columns of zeros");
  }

  struct Variable {
    int rows;
    double delta;
    std::size_t first;  ///< of its numbers
  };

  Model& model_;
  Uncertainty& uncertainty_;
  std::map<std::string, Variable> variables_;
  std::vector<ScalarUncertainty> numbers_;
  std::vector<Diagnostic> mistakes_;
};

}  // namespace

std::vector<Diagnostic> attach_matrices(Model& model, Uncertainty& uncertainty) {
  return Attacher(model, uncertainty).attach_all();
}

}  // namespace tumble
