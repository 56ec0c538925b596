// Files stay within the room that was reserved for them, and a full disk ends no process.
#include "tumble/io/netcdf/netcdf_writer.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <random>

#include "tumble/base/atomic_file.hpp"
#include "tumble/io/results/results_file.hpp"

namespace tumble {
namespace {

class NetcdfWriterTest : public testing::Test {
 protected:
  ~NetcdfWriterTest() override { std::filesystem::remove(path_); }

  const std::filesystem::path path_ =
      std::filesystem::temp_directory_path() /
      ("tumble_netcdf_" + std::to_string(::getpid()) + "_" +
       std::filesystem::path(testing::UnitTest::GetInstance()->current_test_info()->name())
           .filename()
           .string() +
       ".nc");
};

/// Bits without any pattern, which compression makes longer rather than shorter.
std::vector<double> noise(std::mt19937_64& random, std::size_t n) {
  std::vector<double> values(n);
  for (double& x : values)
    x = std::ldexp(static_cast<double>(random() >> 11), static_cast<int>(random() % 1000));
  return values;
}

TEST_F(NetcdfWriterTest, StaysWithinItsRoom) {
  std::mt19937_64 random(1);
  for (const std::size_t n : {1u, 100u, 20'000u, 300'000u}) {
    std::uint64_t reserved = 0;
    {
      AtomicFile target(path_);
      target.reserve(std::uint64_t{1} << 20);
      NetcdfWriter file(target.temporary());
      const int rows = file.dimension("rows", n), columns = file.dimension("columns", 3);
      const int whole = file.variable("whole", NC_DOUBLE, {rows});
      const int pieces = file.variable("pieces", NC_DOUBLE, {rows, columns});
      file.chunk(pieces, {std::min<std::size_t>(n, 77), 3});
      const int text = file.variable("text", NC_STRING, {columns});
      std::vector<int> small;
      for (int i = 0; i < 40; ++i)
        small.push_back(file.variable("small" + std::to_string(i), NC_DOUBLE, {columns}));
      file.begin_data([&](std::uint64_t bytes) {
        reserved = bytes;
        target.reserve(bytes);
      });
      file.put(whole, noise(random, n));
      for (std::size_t i = 0; i < n; i += 64) {
        const std::size_t count = std::min<std::size_t>(64, n - i);
        file.put(pieces, {i, 0}, {count, 3}, noise(random, 3 * count).data());
      }
      file.put(text, std::vector<const char*>{"one", "two", "three"});
      for (const int variable : small) file.put(variable, noise(random, 3));
      file.close();
      EXPECT_LE(std::filesystem::file_size(target.temporary()), reserved) << n;
      // What was too much is given back.
      if (n == 100) {
        EXPECT_LT(std::filesystem::file_size(target.temporary()), reserved / 4);
      }
      target.commit();
    }
    int file = -1;
    ASSERT_EQ(::nc_open(path_.c_str(), NC_NOWRITE, &file), NC_NOERR);
    ::nc_close(file);
  }
}

// As many rows as the largest study has, of which the last ones are written: pieces of a file that
// nobody writes take no room.
TEST_F(NetcdfWriterTest, CountsToAThousandMillion) {
  constexpr std::size_t n = 1'000'000'000;
  const double last[] = {1.5, -2.5, 3.5};
  std::uint64_t most = 0;
  {
    NetcdfWriter file(path_);
    const int rows = file.dimension("rows", n), columns = file.dimension("columns", 3);
    const int values = file.variable("values", NC_DOUBLE, {rows, columns});
    file.chunk(values, {1 << 16, 3});
    const int index = file.variable("index", NC_INT64, {rows});
    file.chunk(index, {1 << 16});
    file.begin_data([&](std::uint64_t bytes) { most = bytes; });
    file.put(values, {n - 1, 0}, {1, 3}, last);
    file.put(index, n - 1, std::vector<long long>{static_cast<long long>(n - 1)});
    file.close();
  }
  EXPECT_GT(most, 32 * n);  // four numbers of eight bytes in each row, and what holds them together
  EXPECT_LT(most, 34 * n);
  EXPECT_LT(std::filesystem::file_size(path_), std::uintmax_t{1} << 24);
  const NetcdfReader file(path_);
  ASSERT_NE(file.find("values"), nullptr);
  EXPECT_EQ(file.find("values")->entries(), 3 * n);
  double found[3];
  file.read(*file.find("values"), {n - 1, 0}, {1, 3}, found);
  EXPECT_TRUE(std::equal(found, found + 3, last));
  long long number = 0;
  file.read(*file.find("index"), {n - 1}, {1}, &number);
  EXPECT_EQ(number, static_cast<long long>(n - 1));
}

// Before any test, as a program does before anything else.
const bool prepared = [] {
  leave_hdf5_out_of_exit();
  return true;
}();

TEST_F(NetcdfWriterTest, KeepsTheOrderOfVariablesAndCompressesAsAsked) {
  std::mt19937_64 random(1);
  const std::vector<double> values = noise(random, 300'000);
  NetcdfWriter file(path_);
  const int rows = file.dimension("rows", 300'000);
  const int whole = file.variable("whole", NC_DOUBLE, {rows});
  const int plain = file.variable("plain", NC_DOUBLE, {rows});
  const int early = file.variable("a_later_one", NC_DOUBLE, {rows});
  file.chunk(plain, {4096}, NetcdfWriter::Pieces::plain);
  file.chunk(early, {4096});
  file.begin_data();
  for (const int variable : {whole, plain, early}) file.put(variable, values);
  file.close();
  const NetcdfReader reader(path_);
  std::vector<std::string> names;
  for (const auto& variable : reader.variables()) {
    names.push_back(variable.name);
    EXPECT_EQ(reader.numbers(variable), values) << variable.name;
  }
  EXPECT_EQ(names, (std::vector<std::string>{"whole", "plain", "a_later_one"}));
  int id = -1, compressed = -1;
  ASSERT_EQ(::nc_open(path_.c_str(), NC_NOWRITE, &id), NC_NOERR);
  for (const int variable : {whole, plain, early}) {
    ASSERT_EQ(::nc_inq_var_deflate(id, variable, nullptr, &compressed, nullptr), NC_NOERR);
    EXPECT_EQ(compressed, variable == plain ? 0 : 1);
  }
  ::nc_close(id);
}

// A disk that fails in spite of the room reserved: an error, and an orderly end of the process.
TEST_F(NetcdfWriterTest, AFailedWriteIsAnError) {
  ASSERT_TRUE(prepared);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    int status = 1;
    try {
      NetcdfWriter file(path_);
      const int rows = file.dimension("rows", 300'000);
      const int whole = file.variable("whole", NC_DOUBLE, {rows});
      file.begin_data();
      const rlimit limit{100'000, 100'000};
      ::setrlimit(RLIMIT_FSIZE, &limit);
      std::mt19937_64 random(1);
      file.put(whole, noise(random, 300'000));
      file.close();
    } catch (const std::runtime_error&) {
      status = 42;
    }
    std::exit(status);  // with what HDF5 does at the end of a process
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 42);
}

}  // namespace
}  // namespace tumble
