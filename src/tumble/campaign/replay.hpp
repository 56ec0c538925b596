// One realisation of a finished study again, with everything that a single run gives.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tumble/base/diagnostic.hpp"
#include "tumble/campaign/observer.hpp"
#include "tumble/integrate/trajectory.hpp"

namespace tumble {

struct StudyDetails;

struct ReplayResults {
  struct Input {
    std::string path, unit;
    double value = 0;
  };
  std::filesystem::path file;
  std::uint64_t realization = 0;
  std::vector<Input> inputs;
  /// Why the realisation failed, as it did in the study; then there is no file and nothing below.
  std::optional<SimulationError> failure;
  Trajectory trajectory;
  std::shared_ptr<const StudyDetails> details;  ///< for the library's own tables; may be null
};

/// Computes a realisation of the study in `directory`, counted from 0, and writes its results and
/// CSV files to the folder replay-<number> there. They have the bits that the study had; if it was
/// another build of the program that computed it, the observer is told that they may not. May be
/// called as run_study() may.
/// @throws InputError, RequestError, Cancelled, and std::system_error; then nothing was written.
ReplayResults replay(const std::filesystem::path& directory, long long realization,
                     Observer& observer);

}  // namespace tumble
