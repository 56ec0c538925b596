// What check() says of elements written in C++, each of which used to corrupt memory or crash.
#include <gtest/gtest.h>

#include <limits>

#include "tumble/model/compile.hpp"
#include "tumble/model/parameters.hpp"
#include "tumble/model/system.hpp"

namespace tumble {
namespace {

class Push : public UserForce {
 public:
  void evaluate(const UserContext&, std::span<Wrench> wrenches) const override {
    wrenches[0].force.x = 1;
  }
};

class Rows : public UserConstraint {
 public:
  explicit Rows(int rows) : rows_(rows) {}
  int rows() const override { return rows_; }
  void evaluate(const UserContext&, ConstraintAnswer&) const override {}

 private:
  int rows_;
};

Model model() {
  Model m;
  Body rod;
  rod.name = "rod";
  rod.mass = 1;
  rod.inertia = {1, 1, 1, 0, 0, 0};
  m.bodies.push_back(rod);
  m.drives.push_back({"motor", ConstantDrive{1}});
  m.simulation.duration = 1;
  m.simulation.step = 0.01;
  return m;
}

UserEntry<UserForce> push(const std::string& name) {
  return {
      name, std::make_shared<Push>(), {BodyRef{"rod"}}, {DriveRef{"motor"}}, {{"size", "N", 1.0}}};
}

UserEntry<UserConstraint> rows(const std::string& name, int n) {
  return {name, std::make_shared<Rows>(n), {BodyRef{"rod"}}, {}, {}};
}

std::string told(const Model& m) {
  try {
    compile(m);
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(UserElementCheck, AGoodEntryIsAccepted) {
  Model m = model();
  m.user_forces = {push("wind"), push("rain")};
  m.user_constraints = {rows("wire", 1)};
  m.user_forces[1].bodies.push_back(BodyRef{"ground"});
  EXPECT_EQ(told(m), "");
}

TEST(UserElementCheck, AMisspeltBodyIsNamed) {
  Model m = model();
  m.user_forces = {push("wind")};
  m.user_forces[0].bodies[0].name = "rood";
  EXPECT_EQ(told(m),
            "user force 'wind': bodies[0] = 'rood', no body has this name; did you mean 'rod'?");
  m.user_forces.clear();
  m.user_constraints = {rows("wire", 1)};
  m.user_constraints[0].bodies[0].name = "rood";
  EXPECT_EQ(told(m),
            "user constraint 'wire': bodies[0] = 'rood', no body has this name; did you mean "
            "'rod'?");
}

TEST(UserElementCheck, AnElementThatIsNullIsNamed) {
  Model m = model();
  m.user_forces = {push("wind")};
  m.user_forces[0].element = nullptr;
  m.user_constraints = {rows("wire", 1)};
  m.user_constraints[0].element = nullptr;
  EXPECT_EQ(told(m),
            "user force 'wind': element, must not be null\n"
            "user constraint 'wire': element, must not be null");
}

TEST(UserElementCheck, NamesAreGivenOnce) {
  Model m = model();
  m.user_forces = {push("wind"), push("wind")};
  EXPECT_EQ(told(m), "user force 'wind': the name is given twice");
  m.user_forces.pop_back();
  m.user_constraints = {rows("wind", 1)};  // its numbers would have the paths of the force's
  EXPECT_EQ(told(m), "user constraint 'wind': the name is given twice");
  m.user_constraints.clear();
  m.user_forces[0].numbers.push_back(m.user_forces[0].numbers[0]);
  EXPECT_EQ(told(m), "user force 'wind', number 'size': the name is given twice");
  m = model();
  m.user_forces = {push("")};
  EXPECT_NE(told(m).find("the name must consist of"), std::string::npos) << told(m);
}

TEST(UserElementCheck, DrivesNumbersAndRowsAreLookedAt) {
  Model m = model();
  m.user_forces = {push("wind")};
  m.user_forces[0].drives[0].name = "moter";
  m.user_forces[0].numbers[0].value = std::numeric_limits<double>::quiet_NaN();
  m.user_constraints = {rows("wire", 0), rows("minus", -3)};
  m.user_constraints[0].bodies.push_back(BodyRef{"rod"});
  EXPECT_EQ(told(m),
            "user force 'wind': drives[0] = 'moter', no drive has this name; did you mean "
            "'motor'?\n"
            "user force 'wind': size = nan N, must be finite\n"
            "user constraint 'wire': rows = 0, must be between 1 and 10000\n"
            "user constraint 'wire': bodies[1] = 'rod', is given twice\n"
            "user constraint 'minus': rows = -3, must be between 1 and 10000");
  m = model();
  m.user_forces = {push("wind")};
  m.user_forces[0].bodies.clear();
  EXPECT_EQ(told(m), "user force 'wind': bodies, must name at least one body");
}

TEST(Realization, SlotsThatDoNotExistAreRefused) {
  Model m = model();
  m.user_forces = {push("wind")};
  const ParameterTable table(m);
  Realization realization(m);
  const int misspelt = table.find("user.wind.syze");
  EXPECT_EQ(misspelt, -1);
  EXPECT_THROW(realization.set(misspelt, 2), InputError);
  EXPECT_THROW(realization.get(misspelt), InputError);
  EXPECT_THROW(realization.set(static_cast<int>(table.slots().size()), 2), InputError);
  EXPECT_NO_THROW(realization.set(static_cast<int>(table.slots().size()) - 1, 2));
  try {
    realization.set(misspelt, 2);
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("slot = -1, must be between 0 and"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace tumble
