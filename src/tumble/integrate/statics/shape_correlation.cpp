#include "tumble/integrate/statics/shape_correlation.hpp"

#include <Eigen/Core>

#include "tumble/integrate/statics/steady_equations.hpp"
#include "tumble/model/compile.hpp"

namespace tumble {
namespace {

using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXcd;

VectorXcd complex_shape(const VibrationMode& mode) {
  VectorXcd shape(static_cast<Index>(mode.shape.size()));
  for (std::size_t i = 0; i < mode.shape.size(); ++i)
    shape(static_cast<Index>(i)) = {mode.shape[i],
                                    mode.shape_imaginary.empty() ? 0.0 : mode.shape_imaginary[i]};
  return shape;
}

}  // namespace

ShapeReference::ShapeReference(const Plan& plan, const Model& model, const Equilibrium& about,
                               std::vector<VibrationMode> modes)
    : modes_(std::move(modes)) {
  const std::vector<double> constants = prepare(*plan.system, model);
  SteadyEquations equations(*plan.system, constants, about.motion);
  const MatrixXd mass = equations.mass(about.state);
  mass_.assign(mass.data(), mass.data() + mass.size());
}

double ShapeReference::correlation(std::size_t place, const VibrationMode& mode) const {
  const VectorXcd a = complex_shape(modes_[place]), b = complex_shape(mode);
  const MatrixXd M = Eigen::Map<const MatrixXd>(mass_.data(), a.size(), a.size());
  const VectorXcd Ma = M * a, Mb = M * b;
  const double product = std::norm(a.dot(Mb));
  const double sizes = a.dot(Ma).real() * b.dot(Mb).real();
  return sizes > 0 ? product / sizes : 0;
}

}  // namespace tumble
