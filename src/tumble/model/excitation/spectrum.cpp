#include "tumble/model/excitation/spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tumble/random/law/gauss_legendre.hpp"

namespace tumble {
namespace {

constexpr double reference_frequency = 0.1;  ///< n0 of ISO 8608 [1/m]

// Of the squared magnitude of the shaping filter.

double filter_gain(const WhiteNoiseDrive& noise, double f) {
  if (noise.corner) return 1 / (1 + (f / *noise.corner) * (f / *noise.corner));
  if (!noise.resonance) return 1;
  const double r = f / *noise.resonance, z = noise.damping.value_or(0);
  return 1 / ((1 - r * r) * (1 - r * r) + 4 * z * z * r * r);
}

double filter_integral(const WhiteNoiseDrive& noise, double a, double b) {
  if (const auto c = noise.corner) return *c * (std::atan(b / *c) - std::atan(a / *c));
  if (!noise.resonance) return b - a;
  // Panels no wider than the peak, whose half width is damping times resonance.
  constexpr double most_panels = 1e4;
  const double peak = noise.damping.value_or(0) * *noise.resonance;
  const double panels = std::clamp(std::ceil((b - a) / peak), 1.0, most_panels);
  const double width = (b - a) / panels;
  double sum = 0;
  for (int i = 0; i < static_cast<int>(panels); ++i)
    sum += gauss_legendre([&](double f) { return filter_gain(noise, f); }, a + i * width,
                          a + (i + 1) * width);
  return sum;
}

double density_in(const WhiteNoiseDrive& noise, double f) {
  return 2 * noise.intensity * filter_gain(noise, f);
}
double integral_in(const WhiteNoiseDrive& noise, double a, double b) {
  return 2 * noise.intensity * filter_integral(noise, a, b);
}
Band band_in(const WhiteNoiseDrive& noise) { return {0, noise.bandwidth}; }

double sides_of(const SpectrumDrive& drive) { return drive.sides == SpectrumSides::two ? 2 : 1; }
double density_in(const SpectrumDrive& drive, double f) {
  const auto& [file, x, y] = drive.table;
  const auto above = std::upper_bound(x.begin(), x.end(), f);
  const auto i = static_cast<std::size_t>(
      std::clamp<std::ptrdiff_t>(above - x.begin(), 1, static_cast<std::ptrdiff_t>(x.size()) - 1));
  const double part = (f - x[i - 1]) / (x[i] - x[i - 1]);
  return sides_of(drive) * std::lerp(y[i - 1], y[i], part);
}
double integral_in(const SpectrumDrive& drive, double a, double b) {
  const auto& x = drive.table.x;
  double sum = 0;
  for (std::size_t i = 1; i < x.size(); ++i) {
    const double left = std::max(a, x[i - 1]), right = std::min(b, x[i]);
    if (left < right) sum += (right - left) * density_in(drive, 0.5 * (left + right));
  }
  return sum;
}
Band band_in(const SpectrumDrive& drive) { return {drive.table.x.front(), drive.table.x.back()}; }

// n = f / v and G(f) = Gd(n) / v.
double density_in(const RoadDrive& road, double f) {
  return road_roughness(road) / road.speed *
         std::pow(f / (road.speed * reference_frequency), -road.exponent);
}
double integral_in(const RoadDrive& road, double a, double b) {
  const double n0 = reference_frequency, p = 1 - road.exponent;
  const double from = a / (road.speed * n0), to = b / (road.speed * n0);  // n / n0
  const double integral = p == 0 ? std::log(to / from) : (std::pow(to, p) - std::pow(from, p)) / p;
  return road_roughness(road) * n0 * integral;
}
Band band_in(const RoadDrive& road) { return {road.from * road.speed, road.to * road.speed}; }

/// f(description) of a random drive, `otherwise` of others.
template <class T, class F>
T of_random(const DriveKind& kind, T otherwise, const F& f) {
  return std::visit(
      [&](const auto& drive) -> T {
        if constexpr (requires { drive.germs; })
          return f(drive);
        else
          return otherwise;
      },
      kind);
}

}  // namespace

const std::vector<double>* germs_of(const DriveKind& kind) {
  const std::vector<double>* none = nullptr;
  return of_random(kind, none, [](const auto& drive) { return &drive.germs; });
}

std::vector<double>* germs_of(DriveKind& kind) {
  return const_cast<std::vector<double>*>(germs_of(std::as_const(kind)));
}

Band band_of(const DriveKind& kind) {
  return of_random(kind, Band{}, [](const auto& drive) { return band_in(drive); });
}

double spectral_density(const DriveKind& kind, double frequency) {
  const Band band = band_of(kind);
  if (!(frequency >= band.from && frequency <= band.to)) return 0;
  return of_random(kind, 0.0, [&](const auto& drive) { return density_in(drive, frequency); });
}

double variance_between(const DriveKind& kind, double from, double to) {
  const Band band = band_of(kind);
  from = std::max(from, band.from);
  to = std::min(to, band.to);
  if (!(from < to)) return 0;
  return of_random(kind, 0.0, [&](const auto& drive) { return integral_in(drive, from, to); });
}

double road_roughness(const RoadDrive& road) {
  if (road.roughness) return *road.roughness;
  return 16e-6 * std::pow(4.0, static_cast<int>(road.road_class.value_or(RoadClass::A)));
}

double delay_of(const DelayedDrive& delayed, const DriveKind& source) {
  if (delayed.delay) return *delayed.delay;
  const auto* road = std::get_if<RoadDrive>(&source);
  return road == nullptr ? 0.0 : delayed.distance.value_or(0) / road->speed;
}

}  // namespace tumble
