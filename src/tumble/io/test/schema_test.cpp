// The schema and the reference page in the repository are what the code makes. To renew them:
//   TUMBLE_RENEW=1 tumble_io_tests --gtest_filter='Generated*'
#include "tumble/io/schema/schema.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "source_directory.hpp"

namespace tumble {
namespace {

void expect_file(const std::string& name, const std::string& content) {
  const std::string path = std::string(source_directory) + "/" + name;
  if (std::getenv("TUMBLE_RENEW") != nullptr) std::ofstream(path, std::ios::binary) << content;
  std::ifstream file(path, std::ios::binary);
  std::stringstream found;
  found << file.rdbuf();
  EXPECT_TRUE(found.str() == content)
      << name << " is out of date; renew it with TUMBLE_RENEW=1, see schema_test.cpp";
}

TEST(Generated, SchemaIsUpToDate) { expect_file("share/model.schema.json", model_schema()); }

TEST(Generated, ReferencePageIsUpToDate) {
  expect_file("docs/reference/model-file.md", reference_page());
}

}  // namespace
}  // namespace tumble
