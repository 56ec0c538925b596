#include "tumble/io/input_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tumble/io/model_reader.hpp"

namespace tumble {
namespace {

const char* model_text = R"(
bodies:
  bob: {mass: 2, position: [0.5, 0, 0], inertia: [0.01, 0.05, 0.05]}
simulation: {duration: 1, step: 0.1}
)";

InputTable parse(const char* text, std::vector<Diagnostic>& errors) {
  const ModelFile file = read_model_text(model_text, "model.yaml");
  return parse_input_table(text, "rows.csv", ParameterTable(file.model), errors);
}

TEST(InputTable, ReadsPathsAndNumbers) {
  // Comments, empty lines, quotes, blanks, other separators and line ends, a byte order mark.
  for (const char* text : {"bodies.bob.mass,bodies.bob.position[1]\n1,2\n3.5e-1,-4\n",
                           "\xEF\xBB\xBF# notes\n\n\"bodies.bob.mass\" ; bodies.bob.position[1]\r\n"
                           "1;2\r\n# more\r\n0.35; -4",
                           "bodies.bob.mass\tbodies.bob.position[1]\n1\t2\n0.35\t-4\n"}) {
    std::vector<Diagnostic> errors;
    const InputTable table = parse(text, errors);
    ASSERT_TRUE(errors.empty()) << to_string(errors[0]);
    EXPECT_EQ(table.paths, (std::vector<std::string>{"bodies.bob.mass", "bodies.bob.position[1]"}));
    EXPECT_EQ(table.values, (std::vector<double>{1, 2, 0.35, -4}));
    EXPECT_EQ(table.rows(), 2u);
    EXPECT_EQ(table.row(1)[1], -4);
  }
}

TEST(InputTable, TellsMistakesByLine) {
  const auto mistakes = [](const char* text) {
    std::vector<Diagnostic> errors;
    parse(text, errors);
    std::string all;
    for (const Diagnostic& d : errors) all += to_string(d) + "\n";
    return all;
  };
  EXPECT_EQ(mistakes("bodies.bob.mass,bodies.bob.mass\n1,2\n"),
            "rows.csv:1: the column 'bodies.bob.mass' is there twice\n");
  EXPECT_EQ(mistakes("bodies.bob.mass\n"),
            "rows.csv:1: must have a header of parameter paths and at least one row of numbers\n");
  EXPECT_EQ(mistakes(""),
            "rows.csv:1: must have a header of parameter paths and at least one row of numbers\n");
  EXPECT_EQ(mistakes("bodies.bob.mass\n1\n1e999\n"),
            "rows.csv:3: '1e999', bodies.bob.mass must be a number\n");
  EXPECT_EQ(mistakes("bodies.bob.mass,bodies.bob.position[0]\n,2\n"),
            "rows.csv:2: '', bodies.bob.mass must be a number\n");
  // However long a bad file is, the messages are not.
  std::string bad = "bodies.bob.mass\n";
  for (int i = 0; i < 1000; ++i) bad += "x\n";
  const std::string all = mistakes(bad.c_str());
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 20);
}

TEST(StudySection, IdentityLeavesOutWhatMayGrow) {
  const std::string study = "study: {method: table, file: tests/faulty/study-rows.csv";
  const auto identity = [&](const std::string& rest) {
    std::string text = model_text;
    text.replace(text.find("bob"), 3, "a");
    return read_model_text(text + study + rest + "}\n", std::string(TUMBLE_SOURCE_DIR) + "/m.yaml")
        .study_identity;
  };
  EXPECT_EQ(identity(", realizations: 1"), identity(", realizations: 2, max_failed: 0.5"));
  EXPECT_NE(identity(""), identity(", seed: 2"));
  EXPECT_NE(identity(""), identity(", quantile_method: sketch"));
}

}  // namespace
}  // namespace tumble
