#include "tumble/io/table/csv_table.hpp"

#include <gtest/gtest.h>

namespace tumble {
namespace {

std::string faults(const std::string& text) {
  std::vector<Diagnostic> errors;
  parse_csv_table(text, "t.csv", {}, errors);
  std::string all;
  for (const auto& error : errors) all += to_string(error) + "\n";
  return all;
}

TEST(CsvTable, ReadsColumns) {
  const std::vector<double> x{0, 0.5, 1}, y{1, -2, 3e5};
  for (const char* text :
       {"0,1\n0.5,-2\n1,3e5\n", "time, value\n0, 1\n0.5, -2\n1, 3e5",
        "# comment\n\nt;u\r\n0;1\r\n# more\r\n.5;-2\r\n1;3e5\r\n", "0\t1\n0.5\t-2\n1\t3e5\n",
        "\xEF\xBB\xBF"
        "0,1\n0.5,-2\n1,3e5\n"}) {
    std::vector<Diagnostic> errors;
    const Table table = parse_csv_table(text, "t.csv", {}, errors);
    EXPECT_TRUE(errors.empty()) << text << to_string(errors[0]);
    EXPECT_EQ(table.x, x) << text;
    EXPECT_EQ(table.y, y) << text;
  }
}

TEST(CsvTable, NamesTheLineAndTheColumnOfAMistake) {
  EXPECT_EQ(faults("t,u\n0,1\nx,1\n1\n1,2,3\n1,2,3,4,5\n2,nan\n2,1e31\n"),
            "t.csv:3: column 't' = 'x', must be a number\n"
            "t.csv:4: must have two columns, found 1\n"
            "t.csv:5: must have two columns, found 3\n"
            "t.csv:6: must have two columns, found more than three\n"
            "t.csv:7: column 'u' = 'nan', must be a number\n"
            "t.csv:8: column 'u' = '1e31', must be between -1e30 and 1e30, as every number\n");
  EXPECT_EQ(faults("0,1\n1,x\n"), "t.csv:2: column 2 = 'x', must be a number\n");
}

TEST(CsvTable, NamesTheLineWhereNumbersDoNotIncrease) {
  EXPECT_EQ(faults("# motor\ntime,angle\n0,1\n2,1\n2,1\n1,3\n3,0\n"),
            "t.csv:5: column 'time' = 2, must be greater than the one before, 2\n"
            "t.csv:6: column 'time' = 1, must be greater than the one before, 2\n");
  EXPECT_EQ(faults("time,angle\n0,1\n"),
            "t.csv:2: must have at least 2 rows of numbers, found 1\n");
  EXPECT_EQ(faults(""), "t.csv:1: must have at least 2 rows of numbers, found 0\n");
}

TEST(CsvTable, CountsTheMistakesItDoesNotList) {
  std::string text = "time,angle\n";
  for (int i = 0; i < 480; ++i) text += std::to_string(i) + ",oops\n";
  std::vector<Diagnostic> errors;
  parse_csv_table(text, "t.csv", {}, errors);
  ASSERT_EQ(errors.size(), 21u);
  EXPECT_EQ(to_string(errors[19]), "t.csv:21: column 'angle' = 'oops', must be a number");
  EXPECT_EQ(to_string(errors[20]), "t.csv:481: 460 more mistakes up to this line are not listed");
  EXPECT_EQ(errors[20].stands_for, 460u);
}

TEST(CsvTable, UnreadableFiles) {
  std::vector<Diagnostic> errors;
  read_csv_table("/nonexistent/table.csv", "table.csv", {}, errors);
  read_csv_table("/dev/zero", "zero", {}, errors);
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_EQ(to_string(errors[0]), "table.csv: cannot be read: No such file or directory");
  EXPECT_EQ(to_string(errors[1]), "zero: must be a regular file");
}

}  // namespace
}  // namespace tumble
