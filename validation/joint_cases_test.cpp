// Joints of one body against published cases, re-integrated in long double (reference_case.hpp).
#include "reference_case.hpp"

namespace tumble::validation {
namespace {

const Orientation upright{};

/// A body whose joint with the ground is at L, (-2, 0, 0) in body axes, with its axis along the
/// body's z.
template <class Joint>
Model hung(const Joint& kind, const Vec3d& L, const Orientation& orientation) {
  const Mat3d R = rotation_matrix(orientation);
  Model model = one_body(L + R * Vec3d{2, 0, 0}, rod_inertia, orientation);
  Joint joint = grounded(kind);
  joint.point = L;
  if constexpr (std::is_base_of_v<AxisJoint, Joint>) joint.axis = R.column(2);
  add_joint(model, joint, L);
  return model;
}

Model on_rod(const Vec3d& ground_point, const Vec3d& body_point, const Vec3d& centre,
             const Orientation& orientation) {
  Model model = one_body(centre, rod_inertia, orientation);
  DistanceJoint joint = grounded(DistanceJoint{});
  joint.points = {{ground_point, body_point}};
  add_joint(model, joint, body_point);
  return model;
}

const Orientation x_minus_90 = turned({-pi / 2, 0, 0});
const Orientation x_minus_45 = turned({-pi / 4, 0, 0});

TEST(JointCases, Revolute01) {
  const Trajectory run = expect_agreement({"revolute 01",
                                           hung(RevoluteJoint{}, {0, 0, 0}, x_minus_90),
                                           {-1.999683869, 0, -0.035558748},
                                           {-0.014665710, 0, 0.824741747},
                                           1e-4});
  // The hinge force by hand. With θ the angle fallen from the horizontal, from energy and moment
  // about the hinge: θ̇² = 2 m g l sin θ / J, θ̈ = m g l cos θ / J, J = 0.1 + m l².
  const double g = 9.80665, l = 2, J = 0.1 + l * l;
  for (std::size_t k = 0; k <= last(run); k += 50) {
    const Vec3d p = vector_at(run, "body", Quantity::position, k);
    const double sine = -p.z / l, cosine = p.x / l;
    const double rate2 = 2 * g * l * sine / J, second = g * l * cosine / J;
    const Vec3d force{-l * rate2 * cosine - l * second * sine, 0,
                      g + l * rate2 * sine - l * second * cosine};
    EXPECT_LT(distance(vector_at(run, "joint", Quantity::force, k), force),
              acceleration_noise(1e-4));
  }
}

TEST(JointCases, Revolute02) {
  expect_agreement({"revolute 02",
                    hung(RevoluteJoint{}, {1, 2, 3}, x_minus_45),
                    {1.209960507, 3.406399052, 1.593600948},
                    {-5.158949212, 0.385088284, -0.385088284},
                    1e-4});
}

TEST(JointCases, Spherical01) {
  expect_agreement({"spherical 01",
                    hung(SphericalJoint{}, {0, 0, 0}, upright),
                    {-1.999683869, 0, -0.035558748},
                    {-0.014665710, 0, 0.824741747},
                    1e-4});
}

TEST(JointCases, Spherical02) {
  expect_agreement({"spherical 02",
                    hung(SphericalJoint{}, {1, 2, 3}, x_minus_45),
                    {-0.999683869, 2, 2.964441252},
                    {-0.014665710, 0, 0.824741747},
                    1e-4});
}

TEST(JointCases, Cylindrical03) {
  expect_agreement({"cylindrical 03",
                    hung(CylindricalJoint{}, {1, 2, 3}, x_minus_45),
                    {1.209960507, -57.885163448, -59.697961552},
                    {-5.158949212, -24.131536716, -24.901713284},
                    1e-4});
}

TEST(JointCases, Universal03) {
  const double s = std::sqrt(0.5);
  const Orientation orientation = turned({s * pi / 2, -s * pi / 2, 0});
  const Mat3d R = rotation_matrix(orientation);
  Model model = one_body(R * Vec3d{0, 0, -2}, {0.1, 0.1, 0.04}, orientation);
  UniversalJoint joint = grounded(UniversalJoint{});
  joint.point = Vec3d{};
  joint.axis_first = R.column(0);
  joint.axis_second = R.column(1);
  add_joint(model, joint, {});
  expect_agreement({"universal 03",
                    model,
                    {-1.434954697, -1.392578012, -0.040391816},
                    {-0.013954926, -0.011114764, 0.878961790},
                    1e-4});
}

TEST(JointCases, Distance01) {
  expect_agreement({"distance 01",
                    on_rod({0, 0, 0}, {0, 2, 0}, {0, 2, 0}, upright),
                    {0, -1.999998068, -0.002779575},
                    {0, -0.000324499, 0.233487759},
                    1e-4});
}

// The body snaps taut at the end of its rod several times, within about a millisecond and with up
// to 3000 m/s^2 at t = 3.15 s: hence the fine step and output.
TEST(JointCases, Distance02) {
  expect_agreement({"distance 02",
                    on_rod({1, 2, 3}, {1, 4, 3}, {-1, 4, 3}, upright),
                    {0.365244914, 2.664921637, -0.790966797},
                    {3.343836603, -3.542199029, -6.618731296},
                    2.5e-5,
                    {},
                    2.5e-4});
}

TEST(JointCases, Distance03) {
  const Orientation orientation = turned({0, 0, -pi / 2});
  expect_agreement({"distance 03",
                    on_rod({0, 0, 0}, {0, 2, 0}, {0, 4, 0}, orientation),
                    {0, 3.955759380, -0.301586527},
                    {0, -0.174411977, -2.417634723},
                    4e-5,
                    {},
                    0.004});
}

}  // namespace
}  // namespace tumble::validation
