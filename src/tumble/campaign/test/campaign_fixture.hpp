// What tests of campaigns share: a thrown ball, folders of their own, and how to compare results.
#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tumble/campaign/errors.hpp"
#include "tumble/campaign/observer.hpp"
#include "tumble/campaign/study_run.hpp"
#include "tumble/io/netcdf/netcdf_reader.hpp"

namespace tumble {

inline std::string thrown_ball(int seed) {
  return fmt::format(R"(
gravity: [0, 0, -9.81]
bodies:
  ball: {{mass: 1, position: [0, 0, 0], inertia: none, velocity: [0, 0, 5]}}
probes:
  ball: {{body: ball, quantities: [position]}}
simulation: {{duration: 1, step: 1e-2, output_step: 0.1}}
uncertainty:
  bodies.ball.velocity[2]: {{law: normal, mean: 5, std: 0.2}}
study: {{method: monte-carlo, realizations: 300, seed: {}}}
)",
                     seed);
}

class CampaignTest : public testing::Test {
 protected:
  void SetUp() override {
    root_ = std::filesystem::temp_directory_path() /
            fmt::format("tumble-campaign-{}-{}", ::getpid(),
                        testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove_all(root_);
    std::filesystem::create_directories(root_);
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  StudyOptions in(const char* name) const {
    StudyOptions options;
    options.directory = root_ / name;
    options.threads = 2;
    return options;
  }

  StudyResults run(int seed, const StudyOptions& options, Observer& observer) {
    files_.push_back(std::make_unique<ModelFile>(read_model_text(thrown_ball(seed), "ball")));
    return run_study(*files_.back(), options, observer);
  }

  std::filesystem::path root_;
  std::vector<std::unique_ptr<ModelFile>> files_;  ///< which results refer to
};

/// All numbers of a file by their variables.
inline std::map<std::string, std::vector<double>> numbers_of(const std::filesystem::path& file) {
  const NetcdfReader reader(file);
  std::map<std::string, std::vector<double>> all;
  for (const NetcdfReader::Variable& variable : reader.variables())
    if (!variable.is_text()) all[variable.name] = reader.numbers(variable);
  return all;
}

inline bool same_bits(const std::map<std::string, std::vector<double>>& a,
                      const std::map<std::string, std::vector<double>>& b) {
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) {
    return x.first == y.first && x.second.size() == y.second.size() &&
           std::memcmp(x.second.data(), y.second.data(), 8 * x.second.size()) == 0;
  });
}

struct Listener : Observer {
  void say(Message kind, const std::string& sentence) override {
    sentences.emplace_back(kind, sentence);
  }
  void begin(std::uint64_t done, std::uint64_t total, const std::string& part) override {
    begun.push_back(fmt::format("{}{} of {}", part, done, total));
  }
  void advance(std::uint64_t more, std::uint64_t) override { seen += more; }
  void simulated(double time, double) override { times.push_back(time); }
  void end() override { ++ended; }
  bool cancelled() override { return seen >= cancel_after || times.size() >= cancel_after; }

  std::vector<std::pair<Message, std::string>> sentences;
  std::vector<std::string> begun;
  std::vector<double> times;  ///< of a single run
  std::atomic<std::uint64_t> seen = 0;
  std::uint64_t cancel_after = ~std::uint64_t{0};
  int ended = 0;
};

}  // namespace tumble
