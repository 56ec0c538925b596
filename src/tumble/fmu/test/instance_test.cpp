// An instance through its states, without an importer; with one: tests/python/fmu_test.py.
#include "tumble/fmu/instance.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "tumble/fmu/model_description.hpp"
#include "tumble/io/machine_reader.hpp"

namespace tumble {
namespace {

const char* const machine = R"(bodies:
  mass: {mass: 2, position: [0, 0, 1], inertia: none}
forces:
  push: {type: applied, body: mass, force: [0, 0, 1], drive: push}
drives:
  push: {type: input, start: 4}
probes:
  mass: {body: mass, quantities: [position, velocity]}
simulation: {duration: 1, step: 0.01}
)";

class Instance : public ::testing::Test {
 protected:
  Instance()
      : folder_(std::filesystem::temp_directory_path() /
                ("tumble-fmu-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / fmu_model_file) << machine;
    const ModelFile file = read_machine_text(machine, "machine.yaml");
    token_ = instantiation_token(file);
    const auto list = fmu_variables(file.model);
    for (std::size_t i = 0; i < list.size(); ++i)
      references_[list[i].name] = static_cast<std::uint32_t>(i);
  }
  ~Instance() override { std::filesystem::remove_all(folder_); }

  std::unique_ptr<FmuInstance> make() {
    return std::make_unique<FmuInstance>(
        folder_.string(), token_, [this](FmuStatus, const char*, const std::string& message) {
          messages_.push_back(message);
        });
  }
  double get(FmuInstance& unit, const std::string& name) {
    const std::uint32_t which = references_.at(name);
    double value = 0;
    EXPECT_EQ(unit.get({&which, 1}, {&value, 1}), FmuStatus::ok) << name;
    return value;
  }
  FmuStatus set(FmuInstance& unit, const std::string& name, double value) {
    const std::uint32_t which = references_.at(name);
    return unit.set({&which, 1}, {&value, 1});
  }
  void start(FmuInstance& unit) {
    ASSERT_EQ(unit.enter_initialization(0, false, 0), FmuStatus::ok);
    ASSERT_EQ(unit.exit_initialization(), FmuStatus::ok);
  }
  FmuStatus step(FmuInstance& unit, double time, double size) {
    double reached = 0;
    return unit.do_step(time, size, reached);
  }

  std::filesystem::path folder_;
  std::string token_;
  std::map<std::string, std::uint32_t> references_;
  std::vector<std::string> messages_;
};

TEST_F(Instance, MovesAsItIsPushed) {
  const auto unit = make();
  EXPECT_EQ(set(*unit, "bodies.mass.mass", 4), FmuStatus::ok);
  start(*unit);
  // Constant accelerations are integrated without error: 1 m/s^2, then -0.5 m/s^2.
  ASSERT_EQ(step(*unit, 0, 0.5), FmuStatus::ok);
  EXPECT_NEAR(get(*unit, "mass.position.z"), 1 + 0.125, 1e-12);
  EXPECT_EQ(set(*unit, "push", -2), FmuStatus::ok);
  ASSERT_EQ(step(*unit, 0.5, 0.3), FmuStatus::ok);
  EXPECT_NEAR(get(*unit, "mass.position.z"), 1.125 + 0.5 * 0.3 - 0.25 * 0.09, 1e-12);
  EXPECT_NEAR(get(*unit, "mass.velocity.z"), 0.5 - 0.15, 1e-12);
  EXPECT_EQ(get(*unit, "time"), 0.8);
  EXPECT_EQ(unit->terminate(), FmuStatus::ok);
  EXPECT_TRUE(messages_.empty());
}

TEST_F(Instance, IsOverAfterAnErrorUntilReset) {
  const auto unit = make();
  EXPECT_EQ(step(*unit, 0, 0.1), FmuStatus::error);
  EXPECT_EQ(unit->enter_initialization(0, false, 0), FmuStatus::error);
  EXPECT_EQ(messages_.size(), 2u);
  EXPECT_EQ(unit->reset(), FmuStatus::ok);
  start(*unit);
  EXPECT_EQ(step(*unit, 0, 0.1), FmuStatus::ok);
  EXPECT_EQ(set(*unit, "bodies.mass.mass", 1), FmuStatus::error);
}

TEST_F(Instance, StatesOutliveWhatTheyCameFrom) {
  const auto unit = make();
  start(*unit);
  ASSERT_EQ(step(*unit, 0, 0.1), FmuStatus::ok);
  void* state = nullptr;
  ASSERT_EQ(unit->save(state), FmuStatus::ok);
  void* other = nullptr;
  ASSERT_EQ(unit->save(other), FmuStatus::ok);
  ASSERT_EQ(step(*unit, 0.1, 0.1), FmuStatus::ok);
  const double z = get(*unit, "mass.position.z");
  ASSERT_EQ(unit->reset(), FmuStatus::ok);
  ASSERT_EQ(unit->restore(state), FmuStatus::ok);
  ASSERT_EQ(step(*unit, 0.1, 0.1), FmuStatus::ok);
  EXPECT_EQ(get(*unit, "mass.position.z"), z);
  ASSERT_EQ(unit->restore(other), FmuStatus::ok);
  EXPECT_EQ(get(*unit, "time"), 0.1);
  EXPECT_EQ(unit->free_state(state), FmuStatus::ok);
  EXPECT_EQ(state, nullptr);
  EXPECT_EQ(unit->restore(state), FmuStatus::error);
  // `other` goes with the instance.
}

TEST_F(Instance, MessagesAreChosenByCategory) {
  const auto unit = make();
  const char* const warnings = log_warning;
  EXPECT_EQ(unit->set_logging(true, {&warnings, 1}), FmuStatus::ok);
  EXPECT_EQ(step(*unit, 0, 0.1), FmuStatus::error);
  EXPECT_TRUE(messages_.empty());
  EXPECT_EQ(unit->reset(), FmuStatus::ok);
  EXPECT_EQ(unit->set_logging(true, {}), FmuStatus::ok);
  EXPECT_EQ(step(*unit, 0, 0.1), FmuStatus::error);
  EXPECT_EQ(messages_.size(), 1u);
}

TEST_F(Instance, RefusesAnotherModelsToken) {
  token_ = "{nothing}";
  EXPECT_THROW(make(), std::runtime_error);
}

}  // namespace
}  // namespace tumble
