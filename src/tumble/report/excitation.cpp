#include "tumble/report/excitation.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "tumble/inputs/excitation_draws.hpp"
#include "tumble/math/fourier.hpp"
#include "tumble/model/compile/drive_program.hpp"
#include "tumble/model/excitation.hpp"
#include "tumble/model/excitation/spectrum.hpp"
#include "tumble/model/parameters.hpp"

namespace tumble::report {
namespace {

constexpr std::size_t most_drives = 12;
constexpr std::uint64_t most_profiles = 64;  ///< behind a spectrum
constexpr std::size_t shown_profiles = 3;
constexpr std::size_t shown_points = 600;
constexpr std::size_t bands = 24;

/// The profiles of one drive over the run, with the nominal numbers of the drive.
class DriveProfiles {
 public:
  DriveProfiles(const Model& model, std::size_t drive, std::uint64_t seed)
      : duration_(model.simulation.duration),
        drive_(drive),
        draws_(excitation_draws(model, seed)),
        realized_(model),
        program_(model.drives, duration_),
        constants_(static_cast<std::size_t>(program_.constants_size())),
        values_(model.drives.size()) {}

  void realize(std::uint64_t realization) {
    std::vector<double> germs(realized_.germs());
    draws_(realization, germs.data());
    realized_.excite(germs);
    program_.write_constants(realized_.model().drives, constants_.data());
  }
  double at(double t) {
    program_.evaluate(constants_.data(), t, t, values_.data());
    return values_[drive_].value;
  }

 private:
  double duration_;
  std::size_t drive_;
  ExcitationDraws draws_;
  Realization realized_;
  DriveProgram program_;
  std::vector<double> constants_;
  std::vector<Taylor2<double>> values_;
};

/// A model with this drive alone: profiles of others need not be made.
Model alone(const Model& model, std::size_t drive) {
  Model one;
  one.simulation = model.simulation;
  one.drives = {model.drives[drive]};
  // Delays lengthen the period, which decides what germs mean.
  for (const Drive& other : model.drives)
    if (const auto* delayed = std::get_if<DelayedDrive>(&other.kind))
      if (delayed->of.name == model.drives[drive].name) one.drives.push_back(other);
  return one;
}

/// Means over bands of frequencies, evenly spaced in their logarithm.
struct BandMeans {
  std::vector<double> frequency, target, sample, lower, upper;
};

/// Of periodograms with Hann's window. `lower`, `upper`: where 95 % of such means lie around the
/// target, by the chi-square law (E. B. Wilson, M. M. Hilferty, PNAS 17, 1931).
BandMeans band_means(const Model& model, DriveProfiles& profiles, std::uint64_t count) {
  const double duration = model.simulation.duration;
  const DriveKind& kind = model.drives[0].kind;
  const Band band = band_of(kind);
  int points = 64;
  while (points < 2.5 * band.to * duration) points *= 2;
  const FourierSums sums(points);
  const auto n = static_cast<std::size_t>(points);
  const double step = duration / points;
  std::vector<double> window(n), mean(n / 2, 0.0);
  double squares = 0;
  for (std::size_t j = 0; j < n; ++j) {
    window[j] = 1 - std::cos(2 * std::numbers::pi * static_cast<double>(j) / points);
    squares += window[j] * window[j];
  }
  for (std::uint64_t r = 0; r < count; ++r) {
    profiles.realize(r);
    std::vector<std::complex<double>> x(n);
    for (std::size_t j = 0; j < n; ++j)
      x[j] = window[j] * profiles.at(static_cast<double>(j) * step);
    sums.sum(x);
    for (std::size_t k = 0; k < n / 2; ++k)
      mean[k] += 2 * step / squares * std::norm(x[k]) / static_cast<double>(count);
  }
  BandMeans found;
  // Below three spacings, and next to the ends of the band, the window sees beyond them.
  const double first = std::max(band.from, 0.0) + 2 / duration, last = band.to - 2 / duration;
  if (!(last > first)) return found;
  std::size_t k = static_cast<std::size_t>(std::ceil(first * duration));
  for (std::size_t b = 0; b < bands; ++b) {
    const double end = first * std::pow(last / first, static_cast<double>(b + 1) / bands);
    double sample = 0, target = 0, logarithms = 0;
    std::size_t lines = 0;
    for (; k < n / 2 && static_cast<double>(k) / duration <= end; ++k, ++lines) {
      const double f = static_cast<double>(k) / duration;
      sample += mean[k];
      target += spectral_density(kind, f);
      logarithms += std::log(f);
    }
    if (lines == 0) continue;
    const auto m = static_cast<double>(lines);
    const double freedom = 2 * static_cast<double>(count) * std::max(1.0, m / 1.5);
    const auto limit = [&](double score) {
      const double root = 1 - 2 / (9 * freedom) + score * std::sqrt(2 / (9 * freedom));
      return root * root * root;
    };
    found.frequency.push_back(std::exp(logarithms / m));
    found.target.push_back(target / m);
    found.sample.push_back(sample / m);
    found.lower.push_back(target / m * limit(-1.96));
    found.upper.push_back(target / m * limit(1.96));
  }
  return found;
}

Json one_drive(const Model& model, std::uint64_t seed, std::uint64_t realizations, Blob& blob) {
  const Drive& drive = model.drives[0];
  DriveProfiles profiles(model, 0, seed);
  const std::uint64_t count = std::min(realizations, most_profiles);
  const std::size_t shown = std::min<std::size_t>(shown_profiles, count);
  std::vector<double> times, values;
  for (std::size_t i = 0; i <= shown_points; ++i)
    times.push_back(model.simulation.duration * static_cast<double>(i) / shown_points);
  for (std::size_t r = 0; r < shown; ++r) {
    profiles.realize(r);
    for (const double t : times) values.push_back(profiles.at(t));
  }
  const BandMeans means = band_means(model, profiles, count);
  const auto array = [&](const std::vector<double>& x) { return blob.f64(x, {x.size()}); };
  const bool road = std::holds_alternative<RoadDrive>(drive.kind);
  return {{"name", drive.name},
          {"type", std::visit([](const auto& kind) { return std::string(kind.type); }, drive.kind)},
          {"unit", road ? "m" : ""},
          {"std", std::sqrt(variance_between(drive.kind, 0, band_of(drive.kind).to))},
          {"band", {band_of(drive.kind).from, band_of(drive.kind).to}},
          {"germs", excitation_germs(model)},
          {"profiles_behind", count},
          {"time", array(times)},
          {"profiles", blob.f32(values, {shown, times.size()})},
          {"frequency", array(means.frequency)},
          {"target", array(means.target)},
          {"sample", array(means.sample)},
          {"lower", array(means.lower)},
          {"upper", array(means.upper)}};
}

}  // namespace

Json excitation(const ResultsView& results, Blob& blob) {
  if (!results.is_study() || !results.model()) return nullptr;
  const Model& model = results.model()->model;
  const auto seed =
      static_cast<std::uint64_t>(results.file().integer_attribute("seed").value_or(1));
  const auto realizations =
      static_cast<std::uint64_t>(results.file().integer_attribute("realizations").value_or(0));
  Json drives = Json::array();
  for (std::size_t i = 0; i < model.drives.size() && drives.size() < most_drives; ++i)
    if (is_random(model.drives[i].kind) && realizations > 0)
      drives.push_back(one_drive(alone(model, i), seed, realizations, blob));
  if (drives.empty()) return nullptr;
  const auto uncertain = [](const std::string& path) { return path.starts_with("drives."); };
  return {{"drives", drives},
          {"numbers_vary", std::ranges::any_of(results.text("input"), uncertain)}};
}

}  // namespace tumble::report
