// Every file of tests/faulty is refused with exactly the messages it announces in its own first
// lines: "# expect: <message>", one for each, after "# set: PATH=VALUE" for overrides.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "source_directory.hpp"
#include "tumble/io/model_reader.hpp"

namespace tumble {
namespace {

std::filesystem::path folder() {
  return std::filesystem::path(source_directory) / "tests" / "faulty";
}

std::vector<std::string> faulty_files() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder()))
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

class FaultyFiles : public testing::TestWithParam<std::string> {};

TEST_P(FaultyFiles, GiveTheMessagesTheyAnnounce) {
  const auto path = folder() / (GetParam() + ".yaml");
  std::string expected, line;
  std::vector<std::string> overrides;
  std::ifstream file(path);
  while (std::getline(file, line) && line.starts_with("#")) {
    if (line.starts_with("# expect: ")) expected += line.substr(10) + "\n";
    if (line.starts_with("# set: ")) overrides.push_back(line.substr(7));
  }
  ASSERT_FALSE(expected.empty()) << path << " announces nothing";
  std::string found;
  try {
    read_model(path, overrides);
  } catch (const InputError& error) {
    for (auto diagnostic : error.diagnostics()) {
      std::string& where = diagnostic.where.file;
      if (where == path.string()) where = path.filename().string();
      // The files announce what the program says, and the library knows no options.
      if (where.starts_with("override ")) where.replace(0, 8, "--set");
      found += to_string(diagnostic) + "\n";
    }
  }
  EXPECT_EQ(found, expected);
}

INSTANTIATE_TEST_SUITE_P(Corpus, FaultyFiles, testing::ValuesIn(faulty_files()),
                         [](const auto& file) {
                           std::string name = file.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace tumble
