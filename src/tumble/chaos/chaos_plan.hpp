// Polynomial chaos from beginning to end: where to run the model, and what the values say.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tumble/chaos/basis/input_space.hpp"
#include "tumble/chaos/error/error_estimate.hpp"
#include "tumble/chaos/expansion.hpp"
#include "tumble/chaos/fit/collocation_grid.hpp"
#include "tumble/chaos/fit/sparse_regression.hpp"

namespace tumble {

enum class ChaosMethod {
  tensor,         ///< Gauss collocation on a tensor grid (Wu et al. 2016)
  sparse_grid,    ///< Smolyak
  least_squares,  ///< on quasi-random points
  lars            ///< sparse least squares on quasi-random points
};

struct ChaosOptions {
  ChaosMethod method = ChaosMethod::tensor;
  int degree = 3;  ///< tensor: in each variable; least squares: of the set; LARS: the highest tried
  int level = 2;   ///< of a sparse grid
  GridRule rule = GridRule::leja;  ///< of a sparse grid
  double q = 1;                    ///< of the hyperbolic set of a regression; 1: total degree
  std::size_t runs = 0;            ///< of a regression; 0: twice as many as terms (not for LARS)
  std::uint64_t seed = 1;          ///< of quasi-random points
  TermSharing sharing = TermSharing::principal;  ///< of LARS
  /// Whether a grid of which a run failed goes over to regression on the others. If not, the fit is
  /// refused: no point of a grid can be left out.
  bool regression_after_failure = false;
  double error_limit = 0.01;  ///< relative error above which a fit has a warning
};

struct ChaosFit {
  Expansion expansion;
  ChaosErrors errors;
  std::string method;               ///< what was done, for the user
  std::optional<double> condition;  ///< of least squares
  std::vector<std::string> warnings;
};

/// Immutable; may be used by many threads.
class ChaosPlan {
 public:
  /// @throws std::invalid_argument for options that do not fit the inputs, and for more points than
  /// can be run, with guidance.
  ChaosPlan(InputSpace space, const ChaosOptions& options);

  const InputSpace& space() const { return space_; }
  std::size_t runs() const { return points_.rows(); }
  /// Germs of each run, by rows; InputSpace::inputs_from_germs() makes inputs of a row.
  const DenseMatrix& points() const { return points_; }
  const std::optional<CollocationGrid>& grid() const { return grid_; }
  /// Of the grid, and on numbers of runs.
  const std::vector<std::string>& warnings() const { return warnings_; }

  /// One row of values per run, all outputs in it. `failed`, if not empty, has a 1 for every run
  /// without values. @throws std::runtime_error if the runs that are left cannot give the
  /// expansion.
  ChaosFit fit(const DenseMatrix& values, std::span<const std::uint8_t> failed = {}) const;

 private:
  MultiIndexSet regression_terms(int degree) const;
  ChaosFit fit_grid(const DenseMatrix& values) const;
  ChaosFit fit_regression(const DenseMatrix& points, const DenseMatrix& values,
                          const MultiIndexSet& terms) const;
  ChaosFit fit_lars(const DenseMatrix& points, const DenseMatrix& values) const;
  ChaosFit fit_rest_of_grid(const DenseMatrix& points, const DenseMatrix& values) const;

  InputSpace space_;
  ChaosOptions options_;
  DenseMatrix points_;
  std::vector<int> degrees_;  ///< of a tensor grid
  std::optional<CollocationGrid> grid_;
  std::vector<std::string> warnings_;
};

}  // namespace tumble
