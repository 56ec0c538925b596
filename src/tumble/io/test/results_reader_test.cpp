#include "tumble/io/results_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <stdexcept>
#include <thread>

#include "tumble/io/results/results_file.hpp"

namespace tumble {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class ResultsReaderTest : public testing::Test {
 protected:
  ResultsReaderTest() {
    Trajectory t;
    t.times = {0, 0.1};
    t.series = {{"tip", Quantity::velocity, 3, {1, 2, 3, 4, 5, 6}, {}},
                {"all", Quantity::total_energy, 1, {10, 11}, {}}};
    ResultsMetadata about;
    about.title = "A machine";
    write_results(path_, t, about);
  }
  ~ResultsReaderTest() override { fs::remove(path_); }

  const fs::path path_ = fs::path(testing::TempDir()) /
                         ("tumble_results_reader_" + std::to_string(::getpid()) + ".nc");
};

template <class F>
std::string message_of(const F& f) {
  try {
    f();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST_F(ResultsReaderTest, FindsVariablesByName) {
  const ResultsReader results(path_);
  const ResultsVariable* velocity = results.find("tip_velocity_nominal");
  ASSERT_NE(velocity, nullptr);
  EXPECT_EQ(velocity->unit, "m/s");
  EXPECT_THAT(velocity->dimensions, ElementsAre("time", "axis"));
  EXPECT_THAT(velocity->sizes, ElementsAre(2, 3));
  EXPECT_THAT(results.numbers("tip_velocity_nominal"), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(results.numbers("all_total_energy_nominal"), ElementsAre(10, 11));
  EXPECT_THAT(results.text("axis"), ElementsAre("x", "y", "z"));
  EXPECT_EQ(results.attribute("title"), "A machine");
  EXPECT_EQ(results.attribute("no such"), "");
  EXPECT_EQ(results.find("no_such"), nullptr);
}

TEST_F(ResultsReaderTest, SaysWhatIsNotThere) {
  const ResultsReader results(path_);
  EXPECT_THAT(message_of([&] { results.numbers("tip_velocty_nominal"); }),
              HasSubstr("no variable 'tip_velocty_nominal'; did you mean 'tip_velocity_nominal'?"));
  EXPECT_THAT(message_of([&] { results.numbers("axis"); }), HasSubstr("text, not numbers"));
  EXPECT_THAT(message_of([&] { results.text("time"); }), HasSubstr("numbers, not text"));
  EXPECT_THAT(message_of([] { ResultsReader nowhere("/no/such/results.nc"); }),
              HasSubstr("/no/such/results.nc"));
}

/// netCDF is behind a lock, which nobody may hold while a reader is merely kept.
TEST_F(ResultsReaderTest, IsKeptWhileOthersRead) {
  const ResultsReader kept(path_);
  std::vector<double> numbers;
  std::thread other([&] { numbers = ResultsReader(path_).numbers("time"); });
  other.join();
  EXPECT_EQ(numbers, kept.numbers("time"));
}

}  // namespace
}  // namespace tumble
