#include "tumble/io/table/input_table.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <system_error>

#include "source_directory.hpp"
#include "tumble/io/model_reader.hpp"
#include "tumble/io/table/line_reader.hpp"

namespace tumble {
namespace {

const char* model_text = R"(
bodies:
  bob: {mass: 2, position: [0.5, 0, 0], inertia: [0.01, 0.05, 0.05]}
simulation: {duration: 1, step: 0.1}
)";

/// A table in a file of its own.
class InputTableTest : public testing::Test {
 protected:
  ~InputTableTest() override { std::filesystem::remove(path_); }

  void write(const std::string& text) const { std::ofstream(path_, std::ios::binary) << text; }
  InputTableFile read(std::vector<Diagnostic>& errors) const {
    const ModelFile file = read_model_text(model_text, "model.yaml");
    return read_input_table(path_, "rows.csv", ParameterTable(file.model), errors);
  }
  InputTable parse(const std::string& text, std::vector<Diagnostic>& errors) const {
    write(text);
    return read(errors).table;
  }
  static double number(const InputTable& table, std::uint64_t row, std::size_t column) {
    std::vector<double> numbers(table.columns());
    table.read_row(row, numbers.data());
    return numbers.at(column);
  }

  const std::filesystem::path path_ =
      std::filesystem::temp_directory_path() /
      ("tumble_table_" + std::to_string(::getpid()) + "_" +
       testing::UnitTest::GetInstance()->current_test_info()->name() + ".csv");
};

TEST_F(InputTableTest, ReadsPathsAndNumbers) {
  // Comments, empty lines, quotes, blanks, other separators and line ends, a byte order mark.
  for (const char* text : {"bodies.bob.mass,bodies.bob.position[1]\n1,2\n3.5e-1,-4\n",
                           "\xEF\xBB\xBF# notes\n\n\"bodies.bob.mass\" ; bodies.bob.position[1]\r\n"
                           "1;2\r\n# more\r\n0.35; -4",
                           "bodies.bob.mass\tbodies.bob.position[1]\n1\t2\n0.35\t-4\n"}) {
    std::vector<Diagnostic> errors;
    const InputTable table = parse(text, errors);
    ASSERT_TRUE(errors.empty()) << to_string(errors[0]);
    EXPECT_EQ(table.paths, (std::vector<std::string>{"bodies.bob.mass", "bodies.bob.position[1]"}));
    ASSERT_EQ(table.rows(), 2u);
    EXPECT_EQ(number(table, 1, 0), 0.35);
    EXPECT_EQ(number(table, 1, 1), -4);
    EXPECT_EQ(number(table, 0, 0), 1);
    EXPECT_EQ(number(table, 0, 1), 2);
  }
}

TEST_F(InputTableTest, TellsMistakesByLine) {
  const auto mistakes = [this](const std::string& text) {
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
  const std::string all = mistakes(bad);
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 20);
}

/// Rows of very different lengths, comments between them, and no end of line at the end.
std::string long_table(std::uint64_t rows) {
  std::string text = "bodies.bob.mass,bodies.bob.position[1]\n";
  for (std::uint64_t i = 0; i < rows; ++i) {
    if (i % 7 == 3) text += "# a comment\n\n";
    text += fmt::format("{},{}\n", i, i % 3 == 0 ? 0.1 * static_cast<double>(i) : -1.0);
  }
  text.pop_back();
  return text;
}

TEST_F(InputTableTest, FetchesAnyRowOfALongTable) {
  // More than 64 rows for each of the spans there can be, so that spans are joined.
  constexpr std::uint64_t rows = 2'200'003;
  const std::string text = long_table(rows);
  write(text);
  std::vector<Diagnostic> errors;
  const InputTableFile file = read(errors);
  ASSERT_TRUE(errors.empty()) << to_string(errors[0]);
  EXPECT_EQ(file.sha256, sha256(text));
  ASSERT_EQ(file.table.rows(), rows);
  std::uint64_t row = 1;
  for (int i = 0; i < 3000; ++i, row = row * 48271 % 2147483647) {
    const std::uint64_t r = i < 200 ? rows - 1 - static_cast<std::uint64_t>(i) : row % rows;
    ASSERT_EQ(number(file.table, r, 0), static_cast<double>(r));
    ASSERT_EQ(number(file.table, r, 1), r % 3 == 0 ? 0.1 * static_cast<double>(r) : -1.0);
  }
}

TEST_F(InputTableTest, NoticesNumbersThatChange) {
  std::string text = long_table(1000);
  std::vector<Diagnostic> errors;
  const InputTable table = parse(text, errors);
  EXPECT_EQ(number(table, 70, 0), 70);
  // In place, so that the open file has them.
  const std::size_t at = text.find("\n700,");
  text[at + 1] = '8';
  std::fstream(path_, std::ios::in | std::ios::out | std::ios::binary) << text;
  EXPECT_THROW(number(table, 700, 0), std::runtime_error);
  EXPECT_THROW(number(table, 701, 0), std::runtime_error);
  EXPECT_EQ(number(table, 600, 0), 600);
  std::filesystem::resize_file(path_, 100);
  EXPECT_THROW(number(table, 500, 0), std::system_error);
  // A new file under the name is another file; the one that was read is still there.
  write(text);
  const InputTable second = parse(long_table(1000), errors);
  std::filesystem::remove(path_);
  write("nothing of the kind");
  EXPECT_EQ(number(second, 700, 0), 700);
}

TEST_F(InputTableTest, RefusesALineWithoutEnd) {
  std::vector<Diagnostic> errors;
  parse("bodies.bob.mass\n" + std::string(LineReader::longest_line + 1, '1'), errors);
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(to_string(errors[0]), "rows.csv:2: the line has more than 16777216 bytes");
}

TEST(StudySection, IdentityLeavesOutWhatMayGrow) {
  const std::string study = "study: {method: table, file: tests/faulty/study-rows.csv";
  const auto identity = [&](const std::string& rest) {
    std::string text = model_text;
    text.replace(text.find("bob"), 3, "a");
    return read_model_text(text + study + rest + "}\n", std::string(source_directory) + "/m.yaml")
        .study_identity;
  };
  EXPECT_EQ(identity(", realizations: 1"), identity(", realizations: 2, max_failed: 0.5"));
  EXPECT_NE(identity(""), identity(", seed: 2"));
  EXPECT_NE(identity(""), identity(", quantile_method: sketch"));
}

}  // namespace
}  // namespace tumble
