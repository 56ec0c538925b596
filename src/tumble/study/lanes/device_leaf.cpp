#include "tumble/study/lanes/device_leaf.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "tumble/integrate/watch/energy_account.hpp"
#include "tumble/study/lanes/lane_kernel.hpp"

namespace tumble {

namespace {

bool shares(const std::vector<int>& indices, const std::vector<double>& shared,
            const std::vector<double>& numbers) {
  return std::ranges::all_of(indices, [&](int i) {
    const auto at = static_cast<std::size_t>(i);
    return std::bit_cast<std::uint64_t>(shared[at]) == std::bit_cast<std::uint64_t>(numbers[at]);
  });
}

std::size_t numbers_of(int size) { return static_cast<std::size_t>(size) * DeviceLeaf::size; }

}  // namespace

DeviceLeaf::DeviceLeaf(DeviceMarch& march, const Plan& plan)
    : march_(march),
      layout_(march.layout()),
      bearable_(EnergyAccount::bearable(*plan.system)),
      heads_(march.memory(numbers_of(layout_.head_size))),
      rows_(march.memory(numbers_of(layout_.row_size))) {}

void DeviceLeaf::clear() {
  std::fill_n(heads_->data(), numbers_of(layout_.head_size), 0.0);
  for (std::size_t k = 0; k < size; ++k) head(k, layout_.fault) = device_fault_absent;
}

bool DeviceLeaf::put(std::size_t k, const std::vector<double>& constants,
                     const std::vector<double>& offsets, const std::vector<double>& departure) {
  const SharedNumbers& shared = march_.shared();
  if (!shares(shared.constants, shared.constant_values, constants) ||
      !shares(shared.offsets, shared.offset_values, offsets))
    return false;
  int place = 0;
  for (const int i : layout_.constants) head(k, place++) = constants[static_cast<std::size_t>(i)];
  for (const int i : layout_.offsets) head(k, place++) = offsets[static_cast<std::size_t>(i)];
  const double* next = departure.data();
  const auto copy = [&](int first, int count) {
    for (int i = 0; i < count; ++i) head(k, first + i) = *next++;
  };
  copy(layout_.q, layout_.nq);
  copy(layout_.v, layout_.nv);
  copy(layout_.vdot, layout_.nv);
  copy(layout_.lambda, layout_.nc);
  copy(layout_.a, layout_.nv);
  copy(layout_.v_start, layout_.nv);
  copy(layout_.euler, layout_.euler_size);
  copy(layout_.acceleration_size, 1);
  copy(layout_.length_scale, 1);
  openings_[k] = {next[0], next[1], next[2]};
  head(k, layout_.record + 1) = 1.0;  // FactorRecord: of no factor yet
  head(k, layout_.fault) = 0;
  return true;
}

bool DeviceLeaf::run() { return march_.run({heads_->data(), rows_->data()}); }

std::optional<double> DeviceLeaf::judge(std::size_t k) const {
  if (row(k, layout_.row_fault) != 0) return std::nullopt;
  BasicEnergyLedger<double> ledger(bearable_);
  ledger.open_account(openings_[k]);
  for (const DeviceLaunch& launch : march_.itinerary().launches) {
    if (launch.kind == DeviceLaunch::Kind::restart && launch.is_break)
      ledger.add_impulses(row(k, layout_.breaks + launch.note));
    if (launch.kind != DeviceLaunch::Kind::look) continue;
    const int at = layout_.looks + launch.note * MarchLayout::numbers_of_look;
    using L = LookRegions;
    ledger.take({row(k, at + L::kinetic), row(k, at + L::potential), row(k, at + L::size),
                 row(k, at + L::violation), 0.0, row(k, at + L::slack)},
                {row(k, at + 5), row(k, at + 6), row(k, at + 7), row(k, at + 8)});
    ledger.enter();
    if (ledger.open() || ledger.hopeless()) return std::nullopt;
  }
  if (ledger.unbalanced()) return std::nullopt;
  return ledger.relative();
}

void DeviceLeaf::copy_values(const std::array<double*, size>& rows) const {
  constexpr int tile = 8;  // numbers of a cache line
  const int first = layout_.numbers, end = layout_.looks;
  for (std::size_t block = 0; block < size; block += device_block) {
    const double* const from = rows_->data() + block * static_cast<std::size_t>(layout_.row_size);
    for (int i = first; i < end; i += tile)
      for (std::size_t lane = 0; lane < device_block; ++lane) {
        double* const to = rows[block + lane];
        if (to == nullptr) continue;
        for (int j = i; j < std::min(i + tile, end); ++j)
          to[j] = from[static_cast<std::size_t>(j) * device_block + lane];
      }
  }
}

}  // namespace tumble
