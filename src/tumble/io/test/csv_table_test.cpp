#include "tumble/io/csv_table.hpp"

#include <gtest/gtest.h>

namespace tumble {
namespace {

std::string faults(const std::string& text) {
  std::vector<Diagnostic> errors;
  parse_csv_table(text, "t.csv", errors);
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
    const Table table = parse_csv_table(text, "t.csv", errors);
    EXPECT_TRUE(errors.empty()) << text << to_string(errors[0]);
    EXPECT_EQ(table.x, x) << text;
    EXPECT_EQ(table.y, y) << text;
  }
}

TEST(CsvTable, NamesTheLineOfAMistake) {
  EXPECT_EQ(faults("t,u\n0,1\nx,1\n1\n1,2,3\n1,2,3,4,5\n2,nan\n"),
            "t.csv:3: 'x', must be a number\n"
            "t.csv:4: must have two columns, found 1\n"
            "t.csv:5: must have two columns, found 3\n"
            "t.csv:6: must have two columns, found more than three\n"
            "t.csv:7: 'nan', must be a number\n");
}

TEST(CsvTable, UnreadableFiles) {
  std::vector<Diagnostic> errors;
  read_csv_table("/nonexistent/table.csv", "table.csv", errors);
  read_csv_table("/dev/zero", "zero", errors);
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_EQ(to_string(errors[0]), "table.csv: cannot be read: No such file or directory");
  EXPECT_EQ(to_string(errors[1]), "zero: must be a regular file");
}

}  // namespace
}  // namespace tumble
