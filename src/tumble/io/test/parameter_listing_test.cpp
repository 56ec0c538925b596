#include "tumble/io/schema/parameter_listing.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tumble/model/parameters.hpp"

namespace tumble {
namespace {

Model one_body() {
  Model model;
  model.gravity = {0, 0, -9.81};
  model.bodies.resize(1);
  model.bodies[0].name = "rb5";
  return model;
}

Uncertainty random_mass() {
  Uncertainty uncertainty;
  BodyUncertainty body;
  body.body = "rb5";
  body.mass = MassUncertainty{0.5, {}};
  uncertainty.bodies.push_back(body);
  uncertainty.scalars.push_back({"place", {"gravity[2]"}, NormalLaw{}});
  return uncertainty;
}

TEST(ParameterListing, JsonHasEverySlotAndItsValue) {
  const Model model = one_body();
  const auto list = nlohmann::json::parse(parameter_table_json(model, random_mass()));
  const ParameterTable table(model);
  const Realization nominal(model);
  ASSERT_EQ(list.size(), table.slots().size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    EXPECT_EQ(list[i].at("path"), table.slots()[i].path);
    EXPECT_EQ(list[i].at("unit"), table.slots()[i].unit);
    EXPECT_EQ(list[i].at("value").get<double>(), nominal.get(static_cast<int>(i)));
  }
  EXPECT_EQ(list[static_cast<std::size_t>(table.find("gravity[2]"))].at("value"), -9.81);
}

// A random mass scales the inertia, so these slots vary with it.
TEST(ParameterListing, SaysWhatVariesAndWithWhat) {
  const Model model = one_body();
  const auto list = nlohmann::json::parse(parameter_table_json(model, random_mass()));
  int random = 0;
  for (const auto& slot : list) {
    const std::string path = slot.at("path");
    const bool of_mass = path == "bodies.rb5.mass" || path.starts_with("bodies.rb5.inertia[");
    EXPECT_EQ(slot.at("random"), of_mass || path == "gravity[2]") << path;
    EXPECT_EQ(slot.value("variable", "none"), of_mass                ? "rb5.mass"
                                              : path == "gravity[2]" ? "place"
                                                                     : "none")
        << path;
    random += slot.at("random") ? 1 : 0;
  }
  EXPECT_EQ(random, 8);
  const std::string text = parameter_table_text(model, random_mass());
  EXPECT_NE(text.find(" place\n"), std::string::npos);
  EXPECT_NE(text.find(" -\n"), std::string::npos);
}

TEST(ParameterListing, TextAlignsItsColumns) {
  std::istringstream text(parameter_table_text(one_body(), random_mass()));
  std::string header, line;
  std::getline(text, header);
  EXPECT_EQ(header.substr(0, 4), "path");
  const auto unit = header.find("unit"), value = header.find("value"),
             random = header.find("random");
  int rows = 0;
  for (; std::getline(text, line); ++rows) {
    EXPECT_EQ(line[unit - 1], ' ');
    EXPECT_NE(line[unit], ' ');
    EXPECT_EQ(line[value - 1], ' ');
    EXPECT_NE(line[value], ' ');
    EXPECT_EQ(line[random - 1], ' ');
    EXPECT_NE(line[random], ' ');
  }
  EXPECT_EQ(rows, static_cast<int>(ParameterTable(one_body()).slots().size()));
}

}  // namespace
}  // namespace tumble
