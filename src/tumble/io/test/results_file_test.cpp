#include "tumble/io/results/results_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netcdf.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include "tumble/base/sha256.hpp"

namespace tumble {
namespace {

namespace fs = std::filesystem;

class ResultsFile : public testing::Test {
 protected:
  ResultsFile() {
    directory_ = fs::path(testing::TempDir()) /
                 ("tumble_" + std::to_string(::getpid()) + "_" +
                  std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(directory_);
    fs::create_directories(directory_);
  }
  ~ResultsFile() override {
    if (file_ >= 0) nc_close(file_);
    fs::remove_all(directory_);
  }

  static Trajectory sample(bool breaks) {
    Trajectory t;
    t.times = {0, 0.1, 0.2};
    t.series = {{"pobs", Quantity::position, 3, {1, 2, 3, 4, 5, 6, 7, 8, 1.0 / 3}, {}},
                {"pobs", Quantity::orientation, 4, std::vector<double>(12, 0.5), {}},
                {"all", Quantity::total_energy, 1, {10, 11, 12}, {}}};
    if (breaks) {
      t.breaks = {0.1, 0.15};
      t.series[0].right_values = {1, 1, 1, 2, 2, 2};
      t.series[1].right_values = std::vector<double>(8, 0.25);
      t.series[2].right_values = {11.5, 11.75};
    }
    t.statistics = {30, 61, 12, 2, 0, 1, 0, 1e-12, {}};
    return t;
  }
  static ResultsMetadata metadata() {
    ResultsMetadata m;
    m.title = "A machine";
    m.effective_yaml = "bodies: {}\n";
    m.referenced_files = {{"drive.csv", sha256("x")}};
    m.wall_time = 0.25;
    m.host = "here";
    return m;
  }

  void open(const Trajectory& trajectory, const ResultsMetadata& about) {
    write_results(path(), trajectory, about);
    ASSERT_EQ(nc_open(path().c_str(), NC_NOWRITE, &file_), NC_NOERR);
  }
  fs::path path() const { return directory_ / "results.nc"; }

  int variable(const std::string& name) const {
    int id = -1;
    EXPECT_EQ(nc_inq_varid(file_, name.c_str(), &id), NC_NOERR) << name;
    return id;
  }
  std::vector<std::string> dimensions(const std::string& name) const {
    int count = 0, ids[NC_MAX_VAR_DIMS];
    EXPECT_EQ(nc_inq_var(file_, variable(name), nullptr, nullptr, &count, ids, nullptr), NC_NOERR);
    std::vector<std::string> names;
    for (int i = 0; i < count; ++i) {
      char text[NC_MAX_NAME + 1];
      nc_inq_dimname(file_, ids[i], text);
      names.emplace_back(text);
    }
    return names;
  }
  std::vector<double> values(const std::string& name, std::size_t count) const {
    std::vector<double> v(count);
    EXPECT_EQ(nc_get_var_double(file_, variable(name), v.data()), NC_NOERR);
    return v;
  }
  std::string text(int id, const char* name) const {
    nc_type type = NC_NAT;
    std::size_t length = 0;
    EXPECT_EQ(nc_inq_att(file_, id, name, &type, &length), NC_NOERR) << name;
    if (type == NC_STRING) {
      char* pointer = nullptr;
      EXPECT_EQ(nc_get_att_string(file_, id, name, &pointer), NC_NOERR) << name;
      const std::string value = pointer == nullptr ? "" : pointer;
      nc_free_string(1, &pointer);
      return value;
    }
    std::string value(length, '\0');
    EXPECT_EQ(nc_get_att_text(file_, id, name, value.data()), NC_NOERR) << name;
    return value;
  }
  double number(const char* name) const {
    double value = std::nan("");
    EXPECT_EQ(nc_get_att_double(file_, NC_GLOBAL, name, &value), NC_NOERR) << name;
    return value;
  }

  fs::path directory_;
  int file_ = -1;
};

using testing::ElementsAre;

TEST_F(ResultsFile, HasTheNamesUsersRelyOn) {
  open(sample(true), metadata());
  EXPECT_THAT(dimensions("time"), ElementsAre("time"));
  EXPECT_THAT(dimensions("break"), ElementsAre("break"));
  EXPECT_THAT(dimensions("pobs_position_nominal"), ElementsAre("time", "axis"));
  EXPECT_THAT(dimensions("pobs_position_nominal_right"), ElementsAre("break", "axis"));
  EXPECT_THAT(dimensions("pobs_orientation_nominal"), ElementsAre("time", "quat"));
  EXPECT_THAT(dimensions("pobs_orientation_nominal_right"), ElementsAre("break", "quat"));
  EXPECT_THAT(dimensions("all_total_energy_nominal"), ElementsAre("time"));
  EXPECT_THAT(dimensions("all_total_energy_nominal_right"), ElementsAre("break"));

  EXPECT_EQ(text(variable("time"), "units"), "s");
  EXPECT_EQ(text(variable("break"), "units"), "s");
  EXPECT_EQ(text(variable("pobs_position_nominal"), "units"), "m");
  EXPECT_EQ(text(variable("pobs_orientation_nominal"), "units"), "1");
  EXPECT_EQ(text(variable("all_total_energy_nominal_right"), "units"), "J");
  EXPECT_EQ(text(variable("pobs_position_nominal"), "long_name"),
            "pobs position: of the point, ground axes (left limit at break points)");

  char* labels[4];
  ASSERT_EQ(nc_get_var_string(file_, variable("axis"), labels), NC_NOERR);
  EXPECT_THAT(std::vector<std::string>(labels, labels + 3), ElementsAre("x", "y", "z"));
  nc_free_string(3, labels);
  ASSERT_EQ(nc_get_var_string(file_, variable("quat"), labels), NC_NOERR);
  EXPECT_THAT(std::vector<std::string>(labels, labels + 4), ElementsAre("w", "x", "y", "z"));
  nc_free_string(4, labels);
}

// Reactions that redundant joints leave open say so, each by its axes; others say nothing.
TEST_F(ResultsFile, MarksWhatIsNotDetermined) {
  Trajectory t = sample(false);
  t.series[0].undetermined = {0, 2};
  t.redundancy = "2 of 7 conditions are redundant: ...";
  open(t, metadata());
  EXPECT_EQ(text(variable("pobs_position_nominal"), "undetermined"), "x z");
  EXPECT_EQ(text(NC_GLOBAL, "redundancy"), t.redundancy);
  std::size_t length = 0;
  EXPECT_NE(nc_inq_attlen(file_, variable("all_total_energy_nominal"), "undetermined", &length),
            NC_NOERR);
}

TEST_F(ResultsFile, KeepsEveryBit) {
  const Trajectory t = sample(true);
  open(t, metadata());
  EXPECT_EQ(values("time", 3), t.times);
  EXPECT_EQ(values("break", 2), t.breaks);
  EXPECT_EQ(values("pobs_position_nominal", 9), t.series[0].values);
  EXPECT_EQ(values("pobs_position_nominal_right", 6), t.series[0].right_values);
  EXPECT_EQ(values("pobs_orientation_nominal_right", 8), t.series[1].right_values);
  EXPECT_EQ(values("all_total_energy_nominal", 3), t.series[2].values);
}

TEST_F(ResultsFile, WithoutBreaksHasNoBreakDimension) {
  open(sample(false), metadata());
  int id = 0;
  EXPECT_EQ(nc_inq_dimid(file_, "break", &id), NC_EBADDIM);
  EXPECT_EQ(nc_inq_varid(file_, "pobs_position_nominal_right", &id), NC_ENOTVAR);
  EXPECT_EQ(text(variable("pobs_position_nominal"), "long_name"),
            "pobs position: of the point, ground axes");
}

TEST_F(ResultsFile, SaysWhatWasRunAndHow) {
  open(sample(false), metadata());
  EXPECT_EQ(text(NC_GLOBAL, "Conventions"), "CF-1.8");
  EXPECT_EQ(text(NC_GLOBAL, "title"), "A machine");
  EXPECT_EQ(text(NC_GLOBAL, "tumble_version"), version());
  EXPECT_EQ(text(NC_GLOBAL, "model"), "bodies: {}\n");
  EXPECT_EQ(text(NC_GLOBAL, "model_sha256"), sha256("bodies: {}\n"));
  EXPECT_EQ(text(NC_GLOBAL, "referenced_files_sha256"), sha256("x") + "  drive.csv");
  EXPECT_EQ(text(NC_GLOBAL, "method"), "nominal");
  EXPECT_EQ(text(NC_GLOBAL, "host"), "here");
  EXPECT_EQ(number("realizations"), 1);
  EXPECT_EQ(number("failed"), 0);
  EXPECT_EQ(number("steps"), 30);
  EXPECT_EQ(number("iterations"), 61);
  EXPECT_EQ(number("factorizations"), 12);
  EXPECT_EQ(number("restarts"), 2);
  EXPECT_EQ(number("constraint_drift"), 1e-12);
  EXPECT_EQ(number("wall_time"), 0.25);
  EXPECT_EQ(number("threads"), 1);
}

// HDF5 keeps a character attribute in a header of 64 KiB; a model may be longer.
TEST_F(ResultsFile, HoldsALongModel) {
  ResultsMetadata about = metadata();
  about.effective_yaml.assign(1 << 20, 'y');
  open(sample(false), about);
  EXPECT_EQ(text(NC_GLOBAL, "model"), about.effective_yaml);
}

TEST_F(ResultsFile, IsCompressed) {
  Trajectory t;
  t.times.resize(100000);
  for (std::size_t i = 0; i < t.times.size(); ++i) t.times[i] = 1e-5 * static_cast<double>(i);
  t.series = {{"p", Quantity::position, 3, std::vector<double>(300000), {}}};
  EXPECT_LT(results_bytes(t, metadata()).size(), 1000000u);
  open(t, metadata());
  int shuffle = 0, deflate = 0, level = 0;
  nc_inq_var_deflate(file_, variable("p_position_nominal"), &shuffle, &deflate, &level);
  EXPECT_THAT((std::vector{shuffle, deflate, level}), ElementsAre(1, 1, 1));
}

TEST_F(ResultsFile, WithoutProbesHasTheTimes) {
  Trajectory t;
  t.times = {0, 1};
  open(t, metadata());
  EXPECT_EQ(values("time", 2), t.times);
}

TEST_F(ResultsFile, SameInputSameBytes) {
  EXPECT_EQ(results_bytes(sample(true), metadata()), results_bytes(sample(true), metadata()));
}

TEST_F(ResultsFile, SeriesOfAnotherLengthIsRefused) {
  Trajectory t = sample(false);
  t.series[2].values.pop_back();
  EXPECT_THROW(results_bytes(t, metadata()), std::invalid_argument);
}

TEST_F(ResultsFile, IdentityReadsBack) {
  ResultsMetadata about = metadata();
  about.csv_files = {"pobs.csv", "all.csv"};
  write_results(path(), sample(false), about);
  const auto identity = read_results_identity(path());
  ASSERT_TRUE(identity);
  const ResultsIdentity expected = identity_of(about);
  EXPECT_EQ(identity->version, version());
  EXPECT_EQ(identity->version, expected.version);
  EXPECT_EQ(identity->model_sha256, sha256(about.effective_yaml));
  EXPECT_EQ(identity->model_sha256, expected.model_sha256);
  EXPECT_EQ(identity->referenced_files, expected.referenced_files);
  EXPECT_EQ(identity->method, expected.method);
  EXPECT_THAT(identity->csv_files, ElementsAre("pobs.csv", "all.csv"));
}

TEST_F(ResultsFile, AnotherFileHasNoIdentity) {
  EXPECT_FALSE(read_results_identity(path()));
  std::ofstream(path()) << "not netCDF";
  EXPECT_FALSE(read_results_identity(path()));
}

TEST_F(ResultsFile, FailureLeavesNothing) {
  EXPECT_THROW(write_results(directory_ / "absent" / "results.nc", sample(false), metadata()),
               std::runtime_error);
  fs::create_directories(path());  // a directory in its place cannot be replaced by a file
  EXPECT_THROW(write_results(path(), sample(false), metadata()), std::runtime_error);
  EXPECT_EQ(std::distance(fs::directory_iterator(directory_), fs::directory_iterator()), 1);
}

}  // namespace
}  // namespace tumble
