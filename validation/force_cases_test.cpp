// Springs and dampers on one body against published cases, re-integrated in long double
// (reference_case.hpp).
#include "reference_case.hpp"
#include "tumble/io/model_reader.hpp"

namespace tumble::validation {
namespace {

Characteristic linear(double slope) {
  Characteristic law;
  law.slope = slope;
  return law;
}
/// c0 x + c1 |x| x.
Characteristic odd(double c0, double c1) {
  Characteristic law;
  law.form = Characteristic::Form::odd_polynomial;
  law.coefficients = {c0, c1};
  return law;
}

Model on_spring(const Vec3d& ground_point, const Vec3d& body_point, const Vec3d& centre,
                const Orientation& orientation, const Characteristic& stiffness) {
  Model model = one_body(centre, rod_inertia, orientation);
  Spring spring = grounded(Spring{});
  spring.points = {{ground_point, body_point}};
  spring.stiffness = stiffness;
  spring.damping = linear(5);
  add_force(model, spring, body_point, {Quantity::length_rate});
  return model;
}

/// The pendulum of case revolute 01 with a torsion spring about its axis.
Model on_torsion_spring(const Characteristic& stiffness) {
  const Orientation orientation = turned({-pi / 2, 0, 0});
  const Mat3d R = rotation_matrix(orientation);
  Model model = one_body(R * Vec3d{2, 0, 0}, rod_inertia, orientation);
  RevoluteJoint joint = grounded(RevoluteJoint{});
  joint.point = Vec3d{};
  joint.axis = R.column(2);
  add_joint(model, joint, {});
  TorsionSpring spring = grounded(TorsionSpring{});
  spring.axis = R.column(2);
  spring.stiffness = stiffness;
  spring.damping = linear(10);
  add_force(model, spring, {}, {Quantity::angle_rate});
  return model;
}

const Damper along_line{5, Quantity::length_rate};
const Damper about_axis{10, Quantity::angle_rate};

TEST(ForceCases, Spring01) {
  Model model = one_body({}, rod_inertia, {});
  Bushing bushing = grounded(Bushing{});
  bushing.point = Vec3d{};
  bushing.stiffness = {0, 0, 10, 0, 0, 0};
  bushing.damping = {0, 0, 0.5, 0, 0, 0};
  add_force(model, bushing, {}, {Quantity::displacement_rate});
  expect_agreement({"spring 01",
                    model,
                    {0, 0, -1.262422875},
                    {0, 0, 0.048049645},
                    1e-4,
                    {0.5, Quantity::displacement_rate}});
}

TEST(ForceCases, Spring02) {
  expect_agreement({"spring 02",
                    on_spring({}, {0, 2, 0}, {0, 2, 0}, {}, linear(100)),
                    {0, -1.945197850, -0.767400995},
                    {0, -0.652461995, 2.814500070},
                    1e-4,
                    along_line});
}

TEST(ForceCases, NonlinearSpring03) {
  expect_agreement({"nonlinear spring 03",
                    on_spring({1, 2, 3}, {1, 4, 3}, {-1, 4, 3}, {}, odd(50, 10)),
                    {-1.444916900, 4.419558576, 1.322425552},
                    {0.572971294, -0.501074420, -1.437158195},
                    1e-4,
                    along_line});
}

TEST(ForceCases, NonlinearSpring04) {
  expect_agreement({"nonlinear spring 04",
                    on_spring({}, {0, 2, 0}, {0, 4, 0}, turned({0, 0, -pi / 2}), odd(50, 10)),
                    {0, 3.974238758, -0.585782004},
                    {0, -0.159937969, 0.044633415},
                    1e-4,
                    along_line});
}

TEST(ForceCases, TorsionSpring01) {
  const ReferenceCase c{"torsion spring 01",
                        on_torsion_spring(linear(200)),
                        {1.990439127, 0, -0.195325578},
                        {-1.5e-6, 0, -1.54e-5},
                        1e-4,
                        about_axis};
  expect_agreement(c);
  expect_convergence_throughout(c);
}

TEST(ForceCases, TorsionSpring02) {
  const ReferenceCase c{"torsion spring 02",
                        on_torsion_spring(odd(50, 10)),
                        {1.882431754, 0, -0.675611347},
                        {0.000434402, 0, 0.001210359},
                        1e-4,
                        about_axis};
  expect_agreement(c);
  expect_convergence_throughout(c);
}

/// Model files and C++ describe the same machines: the motions agree to what different roundings of
/// 45 degrees and the like grow into.
void expect_same_motion(const std::string& yaml, Model model) {
  const Model read = read_model_text(yaml, "case.yaml").model;
  model.simulation = read.simulation;
  const Trajectory a = simulate(read), b = simulate(model);
  ASSERT_EQ(a.times.size(), b.times.size());
  for (std::size_t k = 0; k <= last(a); ++k)
    for (const Quantity quantity : {Quantity::position, Quantity::velocity})
      ASSERT_LT(distance(vector_at(a, "body", quantity, k), vector_at(b, "body", quantity, k)),
                1e-9)
          << "t = " << a.times[k];
}

TEST(ForceCases, SpringFromModelFile) {
  expect_same_motion(R"(
gravity: [0, 0, -9.80665]
bodies:
  body:
    mass: 1
    position: [0, 4, 0]
    inertia: [0.04, 0.1, 0.1]
    orientation: {euler: [-90*deg, 0, 0], sequence: "321"}
    markers: {end: {position: [0, 2, 0]}}
ground: {markers: {origin: {position: [0, 0, 0]}}}
forces:
  spring:
    type: spring
    between: [ground.origin, body.end]
    stiffness: {odd_polynomial: [50, 10]}
    damping: 5
probes: {body: {body: body, quantities: [position, velocity]}}
simulation: {duration: 5, step: 1e-3, newton_tolerance: 1e-10}
)",
                     on_spring({}, {0, 2, 0}, {0, 4, 0}, turned({0, 0, -pi / 2}), odd(50, 10)));
}

TEST(ForceCases, TorsionSpringFromModelFile) {
  expect_same_motion(R"(
constants: {arm: 2}
gravity: [0, 0, -9.80665]
bodies:
  body:
    mass: 1
    position: [arm, 0, 0]
    inertia: [0.04, 0.1, 0.1]
    orientation: {x: [1, 0, 0], y: [0, 0, -1]}
joints: {hinge: {type: revolute, between: [ground, body], point: [0, 0, 0], axis: [0, 1, 0]}}
forces:
  spring:
    type: torsion_spring
    between: [ground, body]
    axis: [0, 1, 0]
    stiffness: {odd_polynomial: [50, 10]}
    damping: 10
probes: {body: {body: body, quantities: [position, velocity]}}
simulation: {duration: 5, step: 1e-3, newton_tolerance: 1e-10}
)",
                     on_torsion_spring(odd(50, 10)));
}

}  // namespace
}  // namespace tumble::validation
