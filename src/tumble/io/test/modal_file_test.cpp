// The file of a flexible body: what is written is read, and what does not belong together is not.
#include "tumble/io/netcdf/modal_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>

namespace tumble {
namespace {

/// Two points of 1 kg at ±1 m on x and two at ±0.5 m on y; modes: the first move along x, and along
/// y.
ModalData sample() {
  ModalData d;
  d.modes = 2;
  d.mass = 4;
  d.centre = {1, 2, 3};
  d.inertia = {0.5, 2, 2.5, 0, 0, 0};
  d.modal_mass = {2, 2};
  d.modal_stiffness = {3, 4};
  d.damping_ratio = {0.01, 0.02};
  d.moment = d.rotation = {Vec3d{}, Vec3d{}};
  // Φ_1 × Φ_2 of both points: ±x × ±y.
  d.coupling = {Vec3d{}, {0, 0, 2}, {0, 0, -2}, Vec3d{}};
  d.inertia_rate = {0, 4, 4, 0, 0, 0, 0, 0, 0, -2, 0, 0};
  d.inertia_curve = {0, 4, 4, 0, 0, 0, 0, 0, 0, -2, 0, 0, 0, 0, 0, -2, 0, 0, 4, 0, 4, 0, 0, 0};
  d.node = {10, 11, 12};
  d.position = {{2, 2, 3}, {0, 2, 3}, {1, 2.5, 3}};
  d.displacement = {{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 0, 0}, {0, 0, 0}};
  d.turn = {{0, 0, 0.1}, {0.2, 0, 0}, {0, 0.3, 0}, {0, 0, 0.4}, {0.5, 0, 0}, {0, 0.6, 0}};
  d.lines = {{0, 2}, {2, 1}};
  return d;
}

class ModalFile : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }

  /// What reading says of a file with these bytes.
  std::string read(const std::string& bytes, ModalData* data = nullptr) {
    std::ofstream(path_, std::ios::binary) << bytes;
    std::string error;
    ModalData found = read_modal_file(path_, error);
    if (data != nullptr) *data = std::move(found);
    return error;
  }

  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() /
      (std::string("modal_file_test_") +
       ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".nc");
};

void expect_same(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    for (int k = 0; k < 3; ++k) EXPECT_EQ(a[i][k], b[i][k]);
}

TEST_F(ModalFile, IsReadAsItWasWritten) {
  const ModalData data = sample();
  ModalData found;
  ASSERT_EQ(read(modal_file(data, "a test"), &found), "");
  EXPECT_EQ(found.modes, data.modes);
  EXPECT_EQ(found.mass, data.mass);
  EXPECT_EQ(found.centre.y, 2);
  EXPECT_EQ(found.inertia, data.inertia);
  EXPECT_EQ(found.modal_mass, data.modal_mass);
  EXPECT_EQ(found.modal_stiffness, data.modal_stiffness);
  EXPECT_EQ(found.damping_ratio, data.damping_ratio);
  EXPECT_EQ(found.inertia_rate, data.inertia_rate);
  EXPECT_EQ(found.inertia_curve, data.inertia_curve);
  EXPECT_EQ(found.node, data.node);
  EXPECT_EQ(found.lines, data.lines);
  expect_same(found.moment, data.moment);
  expect_same(found.rotation, data.rotation);
  expect_same(found.coupling, data.coupling);
  expect_same(found.position, data.position);
  expect_same(found.displacement, data.displacement);
  expect_same(found.turn, data.turn);
  EXPECT_EQ(found.find_node(12), 2);
  EXPECT_EQ(found.find_node(9), -1);
}

TEST_F(ModalFile, IsRefusedWhereItsNumbersDoNotBelongTogether) {
  const ModalData good = sample();
  const auto refuse = [&](const std::string& why, auto change) {
    ModalData data = good;
    change(data);
    const std::string error = read(modal_file(data, "a test"));
    EXPECT_NE(error.find(why), std::string::npos) << error << ", expected: " << why;
  };
  refuse("'mass' must be greater than 0", [](ModalData& d) { d.mass = -1; });
  refuse("'modal_mass' must hold positive", [](ModalData& d) { d.modal_mass[1] = 0; });
  refuse("motions of the whole body", [](ModalData& d) { d.modal_stiffness[0] = 0; });
  refuse("'mode_coupling' must change its sign", [](ModalData& d) { d.coupling[1].x += 0.1; });
  refuse("'inertia_curvature' must be symmetric", [](ModalData& d) { d.inertia_curve[6] += 0.1; });
  refuse("'node' must not hold a number twice", [](ModalData& d) { d.node[1] = d.node[0]; });
  refuse("finite numbers",
         [](ModalData& d) { d.moment[0].x = std::numeric_limits<double>::quiet_NaN(); });
  EXPECT_NE(read("no netCDF").find("is no netCDF file"), std::string::npos);
}

}  // namespace
}  // namespace tumble
