// Spectra of random drives: one-sided densities per Hz, whatever a drive is described by.
#pragma once
#include "tumble/model/drive.hpp"

namespace tumble {

/// The numbers that the process of a random drive is made of; null for other drives.
const std::vector<double>* germs_of(const DriveKind& kind);
std::vector<double>* germs_of(DriveKind& kind);
inline bool is_random(const DriveKind& kind) { return germs_of(kind) != nullptr; }

struct Band {
  double from = 0, to = 0;  ///< [Hz]
};
/// Outside of it the density of a random drive is zero.
Band band_of(const DriveKind& kind);

/// G(f) of a random drive: the variance is its integral over f > 0.
double spectral_density(const DriveKind& kind, double frequency);

/// The integral of G from one frequency to another.
double variance_between(const DriveKind& kind, double from, double to);

/// Gd(n0) [m^3], n0 = 0.1 1/m: as given, or the geometric mean of the class (ISO 8608:2016, table
/// C.1).
double road_roughness(const RoadDrive& road);

/// Of a delayed drive, [s]; `source` is the drive it follows.
double delay_of(const DelayedDrive& delayed, const DriveKind& source);

}  // namespace tumble
