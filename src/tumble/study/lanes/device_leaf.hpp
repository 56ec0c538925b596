// A leaf's realisations on their way to a device and back: packed as the kernels have them, and
// judged by the account of energy that lanes keep while they run.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "tumble/device/device_march.hpp"
#include "tumble/integrate/watch/energy_ledger.hpp"

namespace tumble {

class DeviceLeaf {
 public:
  static constexpr std::size_t size = DeviceCargo::realizations;

  /// The march outlives it.
  DeviceLeaf(DeviceMarch& march, const Plan& plan);

  /// None of the realisations is there.
  void clear();
  /// Takes one along, as LaneRunner::depart() left it; false if it does not share what the programs
  /// hold, or something of it is followed that they do not follow.
  bool put(std::size_t k, const std::vector<double>& constants, const std::vector<double>& offsets,
           const std::vector<double>& departure);
  /// There and back; false if no device is left.
  bool run();
  /// The account's relative mismatch of a realisation that came back whole; none of one that is
  /// left to the processor.
  std::optional<double> judge(std::size_t k) const;
  /// Values [output][number] from the second output on, of the realisations whose row is given.
  void copy_values(const std::array<double*, size>& rows) const;

 private:
  double& head(std::size_t k, int i) {
    return heads_->data()[MarchLayout::place(layout_.head_size, i, k)];
  }
  double row(std::size_t k, int i) const {
    return rows_->data()[MarchLayout::place(layout_.row_size, i, k)];
  }

  DeviceMarch& march_;
  const MarchLayout& layout_;
  const double bearable_;
  std::unique_ptr<PinnedMemory> heads_, rows_;
  std::array<EnergyOpening<double>, size> openings_;
};

}  // namespace tumble
