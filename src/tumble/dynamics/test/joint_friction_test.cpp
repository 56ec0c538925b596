// Friction by the reaction of a joint: values by hand, and the tangent in all unknowns, multipliers
// included.
#include "tumble/dynamics/test/force_check.hpp"
#include "tumble/dynamics/test/force_models.hpp"
#include "tumble/dynamics/test/jacobian_check.hpp"

namespace tumble {
namespace {

using testing::Instant;

Model with_friction(const char* coordinate) {
  Model m = testing::coupled_model({MarkerRef{"ground"}, MarkerRef{"a"}},
                                   {MarkerRef{"a"}, MarkerRef{"b"}});
  m.forces = {{"it", JointFriction{{coordinate}, 0.4, 0.7, 3.1, 2.4, 0.6, 0.5, 0.3}}};
  return m;
}
constexpr const char* coordinates[] = {"hinge", "slide.z", "slide.rz", "table.x", "table.rx"};

TEST(JointFriction, TangentIsTheDerivativeInAllUnknowns) {
  for (const char* coordinate : coordinates)
    for (const std::uint32_t seed : {1u, 2u, 3u}) {
      SCOPED_TRACE(std::string(coordinate) + ", seed " + std::to_string(seed));
      Instant instant(with_friction(coordinate), seed);
      instant.tangent();
      const int nv = instant.system->nv, nc = instant.system->nc, n = nv + nc;
      testing::expect_columns(instant, instant.w.K, 0, nv, n, "K",
                              [](Instant& i, std::size_t k, double h) {
                                testing::Numbers u(i.v.size());
                                u[k] = h;
                                const testing::Numbers q = i.q;
                                compose(*i.system, q.data(), u.data(), i.q.data());
                              });
      testing::expect_columns(instant, instant.w.C, 0, nv, n, "C",
                              [](Instant& i, std::size_t k, double h) { i.v[k] += h; });
      // Where forces depend on multipliers by friction, C has the rest.
      testing::Numbers by_multipliers = instant.w.K;
      EXPECT_FALSE(instant.system->friction_slots.empty());
      for (const int slot : instant.system->friction_slots)
        by_multipliers[static_cast<std::size_t>(slot)] +=
            instant.w.C[static_cast<std::size_t>(slot)];
      testing::expect_columns(instant, by_multipliers, nv, nc, n, "by multipliers",
                              [](Instant& i, std::size_t k, double h) { i.lambda[k] += h; });
      if (HasFatalFailure()) return;
    }
}

TEST(JointFriction, HasTheSizeOfCoulombsLaw) {
  // Far above both rates friction is μ (N + N₀), of an angle times the lever.
  for (const char* coordinate : coordinates) {
    SCOPED_TRACE(coordinate);
    Model m = with_friction(coordinate);
    auto& friction = std::get<JointFriction>(m.forces[0].kind);
    friction.stribeck_rate = friction.transition_rate = 1e-6;
    Instant instant(m);
    instant.tangent();
    const auto& index = instant.system->all<JointFrictionIndex>()[0];
    double normal = 0;
    for (int i = 0; i < index.rows; ++i)
      normal = std::hypot(
          normal, instant.lambda[static_cast<std::size_t>(index.row[static_cast<std::size_t>(i)])]);
    const bool angle = std::string(coordinate).find("z") == std::string::npos
                           ? std::string(coordinate) != "table.x"
                           : std::string(coordinate) != "slide.z";
    double found = 0;
    measure(*instant.system, index, Quantity::moment, instant.constants.data(), instant.w, &found);
    const auto q = coordinate_value(
        *instant.system, instant.system->coordinates[static_cast<std::size_t>(index.coordinate)],
        instant.constants.data(), instant.w);
    EXPECT_NEAR(found, -std::copysign(0.4 * (normal + 0.5) * (angle ? 0.6 : 1.0) + 0.3, q.rate),
                1e-12);
    EXPECT_EQ(index.rows, angle && std::string(coordinate) == "hinge" ? 3 : 2);
  }
}

TEST(JointFriction, LeavesNoNetWrenchAndListsItsQuantities) {
  for (const char* coordinate : coordinates) {
    SCOPED_TRACE(coordinate);
    testing::expect_action_and_reaction(with_friction(coordinate));
    testing::expect_listed_quantities(with_friction(coordinate));
  }
}

}  // namespace
}  // namespace tumble
