// Bodies of parts and matrices that are random as a whole, as inputs of a study.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "tumble/inputs/chaos_inputs.hpp"
#include "tumble/inputs/random_inputs.hpp"
#include "tumble/inputs/sensitivity_inputs.hpp"
#include "tumble/model/composite.hpp"
#include "tumble/model/parameters.hpp"
#include "tumble/model/study/attach_matrices.hpp"

namespace tumble {
namespace {

using Matrix6 = Eigen::Matrix<double, 6, 6, Eigen::RowMajor>;

/// A body of a turned box and a ball, with a hole that reaches farther than both, on a mount.
Model machine() {
  Model model;
  Body body;
  body.name = "body";
  body.parts.resize(3);
  for (std::size_t i = 0; i < 3; ++i) body.parts[i].name = "p" + std::to_string(i);
  Orientation turned;
  turned.form = Orientation::Form::rotation_vector;
  turned.numbers = {0, 0, 0.5};
  body.parts[0].box = BoxPart{{2, 1, 0.5}};
  body.parts[0].density = 100;
  body.parts[0].orientation = turned;
  body.parts[1].sphere = SpherePart{0.4};
  body.parts[1].mass = 30;
  body.parts[1].position = {1.5, 0, 0.3};
  body.parts[2].cylinder = CylinderPart{0.05, 8, PartAxis::z};
  body.parts[2].mass = 0.1;
  body.parts[2].hole = true;
  settle_parts(body);
  model.bodies = {body};
  Bushing mount;
  mount.between = {MarkerRef{"ground"}, MarkerRef{"body"}};
  mount.point = Vec3d{};
  mount.stiffness = {2e5, 0, 4e4, 0,   0, 0, 0, 1.5e5, 0,     0, 0,   0, 4e4, 0, 3e5, 0, -1200, 0,
                     0,   0, 0,   250, 0, 0, 0, 0,     -1200, 0, 300, 0, 0,   0, 0,   0, 0,     0};
  model.forces = {{"mount", mount}};
  model.simulation.duration = 1;
  model.simulation.step = 0.1;
  return model;
}

/// max |x_j| of the parts that are no holes, about the centre of mass, three times squared.
TEST(ComposedInputs, ZMaxHoldsAllParts) {
  Model model = machine();
  Body& body = model.bodies[0];
  body.parts_fixed = true;
  Uncertainty uncertainty;
  BodyUncertainty u;
  u.body = "body";
  InertiaUncertainty inertia;
  inertia.delta = 0.1;
  inertia.z_max = SecondMomentBound{SecondMomentBound::From::body_shape, {}, {}};
  u.inertia = inertia;
  uncertainty.bodies = {u};
  const RandomLaws laws(model, uncertainty);
  const InertiaLaw& law = laws.bodies()[0].inertia->law;
  const Mat3d bound = law.scale().moments_of(*law.report().bound);
  const Vec3d c = body.position;
  const double across = std::cos(0.5) + 0.5 * std::sin(0.5),
               along = std::sin(0.5) + 0.5 * std::cos(0.5);
  const Vec3d far{std::max(across + c.x, 1.9 - c.x), std::max(along + std::abs(c.y), 0.4),
                  std::max(0.25 + c.z, 0.7 - c.z)};
  // law.scale() is that of a body of mass m: Z m.
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(bound(k, k), 3 * far[k] * far[k], 1e-9 * bound(k, k)) << k;
}

TEST(ComposedInputs, LawsOfTheBodyHaveThePartsAsMean) {
  Model model = machine();
  model.bodies[0].parts_fixed = true;
  Uncertainty uncertainty;
  BodyUncertainty u;
  u.body = "body";
  u.mass = MassUncertainty{0.2, {}};
  uncertainty.bodies = {u};
  const RandomLaws laws(model, uncertainty);
  EXPECT_NEAR(laws.bodies()[0].mass->law.mean(), 100 + 30 - 0.1, 1e-10);
}

Uncertainty random_mount(double delta) {
  Uncertainty uncertainty;
  BushingUncertainty bushing;
  bushing.bushing = "mount";
  bushing.stiffness = MatrixUncertainty{delta, {}};
  uncertainty.bushings = {bushing};
  return uncertainty;
}

/// The stiffness of a realisation.
Matrix6 stiffness(const Model& model) {
  Matrix6 K = Eigen::Map<const Matrix6>(std::get<Bushing>(model.forces[0].kind).stiffness.data());
  vary(model.matrices[0], 6, {K.data(), 36});
  return K;
}

/// Of the five rows that are not zero: K = R G R^T.
Eigen::MatrixXd normalized(const Model& model, const Matrix6& K) {
  const Matrix6 mean =
      Eigen::Map<const Matrix6>(std::get<Bushing>(model.forces[0].kind).stiffness.data());
  const Eigen::MatrixXd R = Eigen::MatrixXd(mean.topLeftCorner<5, 5>()).llt().matrixL();
  const Eigen::MatrixXd half =
      R.triangularView<Eigen::Lower>().solve(Eigen::MatrixXd(K.topLeftCorner<5, 5>()));
  return R.triangularView<Eigen::Lower>().solve(half.transpose());
}

void expect_the_ensemble(const Model& model, const std::vector<int>& slots, double delta,
                         std::size_t count, double errors, const auto& fill) {
  Eigen::MatrixXd mean = Eigen::MatrixXd::Zero(5, 5);
  double dispersion = 0;
  std::vector<double> values(slots.size());
  Realization realization(model);
  for (std::size_t i = 0; i < count; ++i) {
    fill(i, values.data());
    for (std::size_t k = 0; k < slots.size(); ++k) realization.set(slots[k], values[k]);
    const Matrix6 K = stiffness(realization.model());
    EXPECT_EQ(K, Matrix6(K.transpose()));
    EXPECT_EQ(K.row(5).norm(), 0);  // what is zero stays zero
    const Eigen::MatrixXd G = normalized(model, K);
    ASSERT_EQ(Eigen::LLT<Eigen::MatrixXd>(G).info(), Eigen::Success);
    mean += G / static_cast<double>(count);
    dispersion +=
        (G - Eigen::MatrixXd::Identity(5, 5)).squaredNorm() / 5 / static_cast<double>(count);
  }
  const double n = static_cast<double>(count);
  EXPECT_LT((mean - Eigen::MatrixXd::Identity(5, 5)).cwiseAbs().maxCoeff(),
            errors * std::sqrt(2 * delta * delta / 6 / n));
  EXPECT_NEAR(dispersion, delta * delta, errors * delta * delta * std::sqrt(1 / n));
}

// Five standard errors where draws are independent; a design is closer still.
TEST(ComposedInputs, EveryDesignDrawsTheEnsemble) {
  const double delta = 0.4;
  Model model = machine();
  Uncertainty uncertainty = random_mount(delta);
  ASSERT_TRUE(attach_matrices(model, uncertainty).empty());
  // The nominal matrix is what was written, to the last bit.
  EXPECT_EQ(
      stiffness(model),
      Matrix6(Eigen::Map<const Matrix6>(std::get<Bushing>(model.forces[0].kind).stiffness.data())));
  for (const DesignKind kind :
       {DesignKind::monte_carlo, DesignKind::latin_hypercube, DesignKind::sobol}) {
    DesignParameters design;
    design.kind = kind;
    design.seed = 3;
    design.realizations = 1024;
    const RandomInputs inputs(model, uncertainty, design);
    EXPECT_EQ(inputs.paths().size(), 15u);
    expect_the_ensemble(model, inputs.slots(), delta, 1024, 5,
                        [&](std::size_t i, double* values) { inputs.fill(i, values); });
  }
}

TEST(ComposedInputs, ChaosAndSensitivityKnowTheNumbersOfAMatrix) {
  Model model = machine();
  Uncertainty uncertainty = random_mount(0.3);
  ASSERT_TRUE(attach_matrices(model, uncertainty).empty());
  ChaosRequest request;
  request.points = ChaosPoints::regression;
  request.degree = 2;
  const ChaosInputs chaos(model, uncertainty, request, 1);
  EXPECT_EQ(chaos.plan().space().size(), 15u);
  SensitivityRequest sensitivity;
  const SensitivityInputs factors(model, uncertainty, sensitivity, 1);
  EXPECT_EQ(factors.factor_of("matrices.mount.stiffness.germ[3]"), "matrices.mount.stiffness");
}

TEST(ComposedInputs, MatricesOfOneBatchShareTheirDraw) {
  Model model = machine();
  Bushing other = std::get<Bushing>(model.forces[0].kind);
  other.stiffness = {1, 2, 3, 4, 5, 0};
  model.forces.push_back({"other", other});
  Uncertainty uncertainty = random_mount(0.3);
  uncertainty.bushings[0].stiffness->variable = "batch";
  BushingUncertainty second;
  second.bushing = "other";
  second.stiffness = MatrixUncertainty{0.3, "batch"};
  uncertainty.bushings.push_back(second);
  Model shared = model;
  Uncertainty both = uncertainty;
  ASSERT_TRUE(attach_matrices(shared, both).empty());
  EXPECT_EQ(both.scalars.size(), 15u);
  const RandomInputs inputs(shared, both, {});
  std::vector<double> values(inputs.paths().size());
  inputs.fill(4, values.data());
  Realization realization(shared);
  for (std::size_t k = 0; k < values.size(); ++k) realization.set(inputs.slots()[k], values[k]);
  EXPECT_EQ(realization.model().matrices[0].germ, realization.model().matrices[1].germ);
  EXPECT_NE(realization.model().matrices[0].germ, shared.matrices[0].germ);
  // Another dispersion is another law.
  uncertainty.bushings[1].stiffness->delta = 0.2;
  const auto mistakes = attach_matrices(model, uncertainty);
  ASSERT_EQ(mistakes.size(), 1u);
  EXPECT_THAT(mistakes[0].expectation, testing::HasSubstr("variable 'batch' cannot be shared"));
}

}  // namespace
}  // namespace tumble
