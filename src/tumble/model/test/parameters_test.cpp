#include "tumble/model/parameters.hpp"

#include <gtest/gtest.h>

#include <set>

namespace tumble {
namespace {

Model small_model() {
  Model m;
  Body rb5;
  rb5.name = "rb5";
  rb5.mass = 3000;
  rb5.inertia = {1, 2, 2.5, 0, 0, 0.1};
  rb5.markers.push_back({"tip", {7, 8, 9}, {}});
  m.bodies.push_back(rb5);
  Bushing left;
  left.stiffness = {1, 2, 3, 4, 5, 6};
  m.forces.push_back({"left", left});
  Spring spring;
  spring.stiffness.form = Characteristic::Form::polynomial;
  spring.stiffness.coefficients = {0, 5};
  m.forces.push_back({"spring", spring});
  return m;
}

double value(const Model& model, const std::string& path) {
  const int slot = ParameterTable(model).find(path);
  EXPECT_GE(slot, 0) << path;
  return slot < 0 ? 0 : Realization(model).get(slot);
}

TEST(Parameters, PathsUsersMayRelyOn) {
  const Model m = small_model();
  EXPECT_EQ(value(m, "bodies.rb5.mass"), 3000);
  EXPECT_EQ(value(m, "bodies.rb5.position[0]"), 0);
  EXPECT_EQ(value(m, "bodies.rb5.inertia[5]"), 0.1);
  EXPECT_EQ(value(m, "bodies.rb5.markers.tip.position[2]"), 9);
  EXPECT_EQ(value(m, "forces.left.stiffness[2]"), 3);
  EXPECT_EQ(value(m, "forces.spring.stiffness.polynomial[1]"), 5);
  EXPECT_EQ(value(m, "gravity[2]"), 0);
  EXPECT_EQ(ParameterTable(m).find("bodies.rb5"), -1);
}

TEST(Parameters, EverySlotHasItsOwnPath) {
  const ParameterTable table(small_model());
  std::set<std::string> paths;
  for (const auto& slot : table.slots()) EXPECT_TRUE(paths.insert(slot.path).second) << slot.path;
  for (std::size_t i = 0; i < table.slots().size(); ++i)
    EXPECT_EQ(table.find(table.slots()[i].path), static_cast<int>(i));
}

TEST(Parameters, ARealizationIsAModelOfItsOwn) {
  const Model m = small_model();
  Realization r(m);
  r.set(ParameterTable(m).find("bodies.rb5.mass"), 1500);
  EXPECT_EQ(r.model().bodies[0].mass, 1500);
  EXPECT_EQ(m.bodies[0].mass, 3000);
}

}  // namespace
}  // namespace tumble
