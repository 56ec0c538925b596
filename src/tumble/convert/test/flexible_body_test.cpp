// From matrices of finite elements to flexible bodies.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numbers>

#include "tumble/base/diagnostic.hpp"
#include "tumble/convert/matrix_market.hpp"
#include "tumble/convert/test/flexible_bar.hpp"

namespace tumble::convert {
namespace {

using flexible_test::Bar;

// Euler and Bernoulli: ω = β² sqrt(E I / ρ A) / L² with β L = 4.7300407, 7.8532046 for a free bar
// (Blevins 1979, table 8-1), about two axes. The error of cubic elements, below (β l)⁴/720 = 8e-5
// for sixteen, grows with the frequency; forty modes within leave less than that.
TEST(Reduction, KeepsTheFrequenciesOfAFreeBar) {
  const Bar bar;
  const ModalData data = bar.reduced(40);
  EXPECT_EQ(data.modes, 12 + 40 - 6);
  const double unit = std::sqrt(bar.E / (bar.density * bar.area())) / (bar.length * bar.length);
  std::vector<double> expected;
  for (const double beta : {4.7300407, 7.8532046})
    for (const double I : {bar.I_y(), bar.I_z()})
      expected.push_back(beta * beta * unit * std::sqrt(I));
  std::ranges::sort(expected);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(std::sqrt(data.modal_stiffness[i] / data.modal_mass[i]), expected[i],
                1e-4 * expected[i])
        << i;
}

// With all modes within, the reduction is a change of coordinates: its frequencies are those of the
// matrices.
TEST(Reduction, LosesNothingWithAllModes) {
  Bar bar;
  bar.elements = 4;
  const FiniteElements elements = bar.matrices();
  const ModalData data = bar.reduced(18);
  ASSERT_EQ(data.modes, 30 - 6);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> all(
      Eigen::MatrixXd(elements.stiffness), Eigen::MatrixXd(elements.mass));
  for (int i = 0; i < data.modes; ++i) {
    const auto at = static_cast<std::size_t>(i);
    EXPECT_NEAR(data.modal_stiffness[at] / data.modal_mass[at], all.eigenvalues()(6 + i),
                1e-8 * all.eigenvalues()(6 + i));
  }
}

// Mass, centre and inertia of the bar: the elements have the rotary inertia about their axis, and
// none across it.
TEST(Reduction, HasTheMassOfTheBody) {
  const Bar bar;
  const ModalData data = bar.reduced(4);
  EXPECT_NEAR(data.mass, bar.mass(), 1e-12 * bar.mass());
  EXPECT_NEAR(data.centre.x, bar.length / 2, 1e-12);
  EXPECT_NEAR(data.centre.y, 0, 1e-14);
  const double across = bar.mass() * bar.length * bar.length / 12;
  EXPECT_NEAR(data.inertia[0], bar.density * bar.length * (bar.I_y() + bar.I_z()), 1e-12);
  EXPECT_NEAR(data.inertia[1], across, 1e-10 * across);
  EXPECT_NEAR(data.inertia[2], across, 1e-10 * across);
}

// Modes of a free body carry no momentum: the axes are Tisserand's.
TEST(Reduction, LeavesNoMomentumToTheModes) {
  const ModalData data = Bar().reduced(6);
  for (int i = 0; i < data.modes; ++i) {
    EXPECT_LT(norm(data.moment[static_cast<std::size_t>(i)]), 1e-9 * std::sqrt(data.mass));
    EXPECT_LT(norm(data.rotation[static_cast<std::size_t>(i)]), 1e-9);
  }
}

// Of displacements alone the integrals are sums over the mass matrix m ⊗ I: here of points, whose
// sums are taken point by point.
TEST(Reduction, IntegratesShapesOverPointsOfMass) {
  // A tetrahedron of springs with a point within; the interface is the tetrahedron's base.
  const std::vector<Vec3d> x = {
      {0, 0, 0}, {1, 0, 0}, {0.2, 0.9, 0}, {0.4, 0.3, 0.8}, {0.5, 0.4, 0.3}};
  const std::vector<double> m = {1, 2, 1.5, 0.7, 0.9};
  FiniteElements elements;
  std::vector<Eigen::Triplet<double>> mass, stiffness;
  for (int a = 0; a < 5; ++a) {
    elements.nodes.number.push_back(a + 1);
    elements.nodes.position.push_back(x[static_cast<std::size_t>(a)]);
    for (int i = 0; i < 3; ++i)
      mass.emplace_back(3 * a + i, 3 * a + i, m[static_cast<std::size_t>(a)]);
    for (int b = 0; b < a; ++b) {
      const Vec3d d = x[static_cast<std::size_t>(a)] - x[static_cast<std::size_t>(b)];
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          const double k = 100.0 * (1 + a + b) * d[i] * d[j] / dot(d, d);
          stiffness.emplace_back(3 * a + i, 3 * a + j, k);
          stiffness.emplace_back(3 * b + i, 3 * b + j, k);
          stiffness.emplace_back(3 * a + i, 3 * b + j, -k);
          stiffness.emplace_back(3 * b + i, 3 * a + j, -k);
        }
    }
  }
  elements.mass.resize(15, 15);
  elements.stiffness.resize(15, 15);
  elements.mass.setFromTriplets(mass.begin(), mass.end());
  elements.stiffness.setFromTriplets(stiffness.begin(), stiffness.end());
  const ModalData data = reduce(elements, {{{1, 2, 3}}, 3, {{1, 4}, {4, 5}}}).body;
  ASSERT_EQ(data.modes, 3);  // 6 of the spider, 6 within, of which 3 are kept, less 6
  ASSERT_EQ(data.node, (std::vector<int>{1, 4, 5}));
  ASSERT_EQ(data.lines.size(), 2u);
  // Displacements of all points: those of the spider are u + θ × r.
  const auto shape = [&](std::size_t point, std::size_t mode) {
    // Nodes in the file: the middle of the spider, then points 4 and 5.
    if (point >= 3) return data.displacement[(point - 2) * 3 + mode];
    return data.displacement[mode] + cross(data.turn[mode], x[point] - data.position[0]);
  };
  double total = 0;
  Vec3d centre;
  for (std::size_t k = 0; k < 5; ++k) total += m[k], centre += m[k] * x[k];
  centre = (1 / total) * centre;
  EXPECT_NEAR(norm(data.centre - centre), 0, 1e-12);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      double product = 0, rate = 0, curve = 0;
      Vec3d coupling;
      for (std::size_t k = 0; k < 5; ++k) {
        const Vec3d a = shape(k, i), b = shape(k, j), r = x[k] - centre;
        product += m[k] * dot(a, b);
        coupling += m[k] * cross(a, b);
        rate -= m[k] * (r.x * a.y + r.y * a.x);
        curve += 2 * m[k] * (a.y * b.y + a.z * b.z);
      }
      EXPECT_NEAR(product, i == j ? 1 : 0, 1e-10);
      EXPECT_NEAR(norm(data.coupling[3 * i + j] - coupling), 0, 1e-10);
      EXPECT_NEAR(data.inertia_rate[6 * i + 3], rate, 1e-10);
      EXPECT_NEAR(data.inertia_curve[6 * (3 * i + j)], curve, 1e-10);
    }
}

TEST(Reduction, RefusesWhatIsNoFreeBody) {
  const Bar bar;
  const auto refuse = [](const FiniteElements& elements, const ReductionRequest& request,
                         const std::string& why) {
    try {
      reduce(elements, request);
      FAIL() << "accepted, although " << why;
    } catch (const std::invalid_argument& fault) {
      EXPECT_NE(std::string(fault.what()).find(why), std::string::npos) << fault.what();
    }
  };
  FiniteElements held = bar.matrices();
  held.stiffness.coeffRef(1, 1) *= 2;
  refuse(held, {{{0}}, 4}, "must be that of the free body");
  refuse(bar.matrices(), {{{99}}, 4}, "there is no node 99");
  refuse(bar.matrices(), {{{0}, {0}}, 4}, "is in two interfaces");
  refuse(bar.matrices(), {{{0}}, 0}, "no mode is left");
  refuse(bar.matrices(), {{}, 4}, "needs an interface");
  FiniteElements few = bar.matrices();
  few.nodes.number.pop_back();
  refuse(few, {{{0}}, 4}, "a node has three rows");
}

Eigen::MatrixXd matrix_of(const std::string& text) {
  return Eigen::MatrixXd(read_symmetric_matrix(text, "m.mtx"));
}

TEST(MatrixMarket, ReadsItsForms) {
  Eigen::MatrixXd A(2, 2);
  A << 1, -2.5, -2.5, 3;
  EXPECT_EQ(matrix_of("%%MatrixMarket matrix coordinate real symmetric\n% words\n2 2 3\n1 1 1\n"
                      "2 1 -2.5\n2 2 3\n"),
            A);
  EXPECT_EQ(matrix_of("%%MatrixMarket MATRIX Coordinate Real General\r\n2 2 4\r\n1 1 1\r\n"
                      "2 1 -2.5\r\n1 2 -2.5\r\n2 2 3\r\n"),
            A);
  EXPECT_EQ(matrix_of("%%MatrixMarket matrix array real symmetric\n2 2\n1\n-2.5\n3\n"), A);
  EXPECT_EQ(matrix_of("%%MatrixMarket matrix array real general\n2 2\n1\n-2.5\n-2.5\n3\n"), A);
}

TEST(MatrixMarket, SaysTheLineOfAMistake) {
  const auto refuse = [](const std::string& text, int line, const std::string& why) {
    try {
      read_symmetric_matrix(text, "m.mtx");
      FAIL() << "accepted: " << text;
    } catch (const InputError& error) {
      EXPECT_EQ(error.diagnostics().front().where.line, line) << error.what();
      EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    }
  };
  const std::string head = "%%MatrixMarket matrix coordinate real symmetric\n";
  refuse("2 2 1\n", 1, "begins with");
  refuse("%%MatrixMarket matrix coordinate complex symmetric\n", 1, "real numbers");
  refuse(head + "2 3 1\n", 2, "square");
  refuse(head + "2 2 1\n3 1 4\n", 3, "between 1 and 2");
  refuse(head + "2 2 1\n1 2 4\n", 3, "lower triangle");
  refuse(head + "2 2 1\n2 1 four\n", 3, "finite number");
  refuse(head + "2 2 2\n2 1 4\n", 3, "the file ends");
  refuse(head + "2 2 1\n2 1 4\n1 1 2\n", 4, "more than");
  refuse("%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n", 0, "must be symmetric");
}

TEST(NodeTable, SaysTheLineOfAMistake) {
  const NodeTable table = read_nodes("node,x,y,z\n# words\n7,1,2,3\n9, 4, 5, -6e-1\n", "n.csv");
  EXPECT_EQ(table.number, (std::vector<int>{7, 9}));
  EXPECT_EQ(table.position[1].z, -0.6);
  const auto refuse = [](const std::string& text, int line) {
    try {
      read_nodes(text, "n.csv");
      FAIL() << "accepted: " << text;
    } catch (const InputError& error) {
      EXPECT_EQ(error.diagnostics().front().where.line, line) << error.what();
    }
  };
  refuse("x,y,z\n", 1);
  refuse("node,x,y,z\n1,2,3\n", 2);
  refuse("node,x,y,z\n1,2,3,4\n1,2,3,5\n", 3);
  refuse("node,x,y,z\n1,2,3,b\n", 2);
}

}  // namespace
}  // namespace tumble::convert
