// From recorded programs to the text that a device's compiler gets, and where a thread's numbers
// lie.
#pragma once
#include <string>
#include <vector>

#include "tumble/device/itinerary.hpp"
#include "tumble/program/march_programs.hpp"

namespace tumble {

/// Realisations of a leaf lie in blocks of 32, number by number.
inline constexpr int device_block = 32;
/// Threads of a block of the device: few, so that a batch of a leaf for each multiprocessor is
/// spread over all of them.
inline constexpr int device_threads = 64;

/// Where numbers of a realisation lie: in its head, which travels to the device, and in the row
/// that comes back.
struct MarchLayout {
  std::vector<int> constants, offsets;  ///< which of a realisation's the head has
  std::vector<int> context;             ///< which numbers of drives a row of contexts has
  int nq = 0, nv = 0, nc = 0, euler_size = 0;
  // Of the head:
  int q = 0, v = 0, vdot = 0, lambda = 0, a = 0, v_start = 0, euler = 0, acceleration_size = 0,
      length_scale = 0, work = 0, dissipated = 0, record = 0, fault = 0, head_size = 0;
  int rest_size = 0;  ///< of what stays on the device
  // Of the row, behind the outputs:
  int numbers = 0;  ///< of an output
  int looks = 0, breaks = 0, row_fault = 0, row_size = 0;

  static constexpr int numbers_of_look = 9;
  /// Where the first of two blocks has its i-th number of realisation k of a leaf, if its blocks
  /// have `size` numbers.
  static std::size_t place(int size, int i, std::size_t k) {
    return (k / device_block * static_cast<std::size_t>(size) + static_cast<std::size_t>(i)) *
               device_block +
           k % device_block;
  }
};

/// Faults as the kernels number them.
inline constexpr double device_fault_absent = 1;

struct MarchSource {
  MarchLayout layout;
  /// To be compiled side by side: steps, looks, and restarts by size of steps.
  std::vector<std::string> texts;
  int operations = 0;  ///< of an iteration
};

/// Renumbers what the programs read, so that the head has nothing else.
MarchSource make_march_source(const System& system, MarchPrograms& programs,
                              const Itinerary& itinerary);

/// Texts of the sources that are compiled for devices too, by cmake/DeviceTexts.cmake.
extern const char* const newton_judge_text;
extern const char* const power_integral_text;
extern const char* const march_kernels_text;

}  // namespace tumble
