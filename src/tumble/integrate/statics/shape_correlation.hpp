// How much the shapes of two modes have in common: the modal assurance criterion, weighed with the
// masses of one machine (Allemang, "The modal assurance criterion - twenty years of use and abuse",
// Sound and Vibration 37, 2003),
//   |φ0ᴴ M φ|² / (φ0ᴴ M φ0 · φᴴ M φ),
// between 0 and 1. Modes of an undamped machine have 0 with each other.
#pragma once
#include "tumble/integrate/statics/equilibrium.hpp"

namespace tumble {

/// The modes of the machine that others are compared with, and its mass matrix.
class ShapeReference {
 public:
  ShapeReference(const Plan& plan, const Model& model, const Equilibrium& about,
                 std::vector<VibrationMode> modes);
  const std::vector<VibrationMode>& modes() const { return modes_; }
  /// Of this machine's mode at `place` and any mode of a machine with the same coordinates.
  double correlation(std::size_t place, const VibrationMode& mode) const;

 private:
  std::vector<double> mass_;  ///< [coordinate][coordinate]
  std::vector<VibrationMode> modes_;
};

}  // namespace tumble
