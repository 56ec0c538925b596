// Every physical number of a model is a parameter slot with a path a user can type.
//
// A slot is a number inside the Model's descriptions, found by the same field declarations that
// the reader uses: there are no second-class springs. A realisation is the Model with some of its
// slots overwritten.
#pragma once
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "tumble/model/model.hpp"

namespace tumble {

struct Slot {
  std::string path;  ///< bodies.rb5.inertia[3]
  std::string unit;
};

class ParameterTable {
 public:
  /// Lists the slots of `model` in a fixed order.
  explicit ParameterTable(const Model& model);

  const std::vector<Slot>& slots() const { return slots_; }
  /// Index of a path, or -1.
  int find(const std::string& path) const;

 private:
  std::vector<Slot> slots_;
  std::unordered_map<std::string, int> index_;
};

/// A Model of its own whose slots can be read and written by index. Not copyable: the addresses
/// of its numbers are part of it.
class Realization {
 public:
  explicit Realization(const Model& nominal);
  Realization(const Realization&) = delete;
  Realization& operator=(const Realization&) = delete;

  const Model& model() const { return model_; }
  /// `slot` comes from ParameterTable::find(). @throws InputError if there is no such slot, as for
  /// the -1 of a path that was not found.
  double get(int slot) const { return *at(slot); }
  void set(int slot, double value) {
    *at(slot) = value;
    if (const int body = composite_[static_cast<std::size_t>(slot)]; body >= 0) settle(body);
  }
  /// Gives its random drives a realisation of their own: excitation_germs() standard normal
  /// numbers, in the order of the drives; none make the drives zero, as in the nominal run.
  /// @throws std::invalid_argument for any other number of germs.
  void excite(std::span<const double> germs);
  /// How many that takes.
  std::size_t germs() const;

 private:
  double* at(int slot) const {
    if (slot < 0 || static_cast<std::size_t>(slot) >= numbers_.size()) throw_no_slot(slot);
    return numbers_[static_cast<std::size_t>(slot)];
  }
  [[noreturn]] void throw_no_slot(int slot) const;

  void settle(int body);

  Model model_;
  std::vector<double*> numbers_;
  /// Of each slot the body whose mass, position and inertia, or nodes, follow from it, or -1.
  std::vector<int> composite_;
  std::vector<std::size_t> germs_;  ///< of each drive; those of the nominal model
};

}  // namespace tumble
