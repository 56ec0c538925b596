#include "tumble/io/parameter_listing.hpp"

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

TEST(ParameterListing, JsonHasEverySlotAndItsValue) {
  const Model model = one_body();
  const auto list = nlohmann::json::parse(parameter_table_json(model));
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

TEST(ParameterListing, TextAlignsItsColumns) {
  std::istringstream text(parameter_table_text(one_body()));
  std::string header, line;
  std::getline(text, header);
  EXPECT_EQ(header.substr(0, 4), "path");
  const auto unit = header.find("unit"), value = header.find("value");
  int rows = 0;
  for (; std::getline(text, line); ++rows) {
    EXPECT_EQ(line[unit - 1], ' ');
    EXPECT_NE(line[unit], ' ');
    EXPECT_EQ(line[value - 1], ' ');
    EXPECT_NE(line[value], ' ');
  }
  EXPECT_EQ(rows, static_cast<int>(ParameterTable(one_body()).slots().size()));
}

}  // namespace
}  // namespace tumble
