// Random drives as studies draw them: that each realisation's germs are its own, and that profiles
// have the spectra that were asked for.
#include "tumble/model/excitation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>

#include "tumble/inputs/excitation_draws.hpp"
#include "tumble/math/fourier.hpp"
#include "tumble/model/compile/drive_program.hpp"
#include "tumble/model/excitation/spectrum.hpp"
#include "tumble/model/parameters.hpp"
#include "tumble/random/law/normal_score.hpp"

namespace tumble {
namespace {

constexpr double duration = 8;

Model with_drive(DriveKind kind, double run = duration) {
  Model model;
  model.simulation.duration = run;
  model.drives = {{"u", std::move(kind)}};
  return model;
}
WhiteNoiseDrive noise(double intensity, double bandwidth) {
  WhiteNoiseDrive drive;
  drive.intensity = intensity;
  drive.bandwidth = bandwidth;
  return drive;
}
RoadDrive iso_road(RoadClass grade, double speed) {
  RoadDrive drive;
  drive.road_class = grade;
  drive.speed = speed;
  return drive;
}

/// u(j h), j = 0 ... n - 1, h = duration / n, of realisations of a model's first drive.
class Profiles {
 public:
  explicit Profiles(const Model& model)
      : duration_(model.simulation.duration),
        realized_(model),
        program_(model.drives, duration_),
        constants_(static_cast<std::size_t>(program_.constants_size())) {}

  std::vector<double> operator()(std::uint64_t seed, std::uint64_t realization, int n) {
    std::vector<double> germs(realized_.germs());
    excitation_draws(realized_.model(), seed)(realization, germs.data());
    realized_.excite(germs);
    program_.write_constants(realized_.model().drives, constants_.data());
    std::vector<double> values;
    for (int j = 0; j < n; ++j) {
      Taylor2<double> u;
      const double t = duration_ * j / n;
      program_.evaluate(constants_.data(), t, t, &u);
      values.push_back(u.value);
    }
    return values;
  }

 private:
  double duration_;
  Realization realized_;
  DriveProgram program_;
  std::vector<double> constants_;
};

/// Periodograms of profiles with Hann's window, at every fourth frequency: there they are
/// independent, and each is exponential with the mean that the spectrum says. The frequencies are
/// not those of which the process is made: its period is twice as long.
class Periodogram {
 public:
  Periodogram(const Model& model, int points) : model_(model), profiles_(model), sums_(points) {
    for (int j = 0; j < points; ++j)
      window_.push_back(1 - std::cos(2 * std::numbers::pi * (j + 0.5) / points));
  }
  double frequency(int k) const { return k / model_.simulation.duration; }

  std::vector<double> of(std::uint64_t seed, std::uint64_t realization,
                         const std::vector<int>& places) {
    const auto u = profiles_(seed, realization, sums_.points());
    std::vector<std::complex<double>> x;
    for (std::size_t j = 0; j < u.size(); ++j) x.emplace_back(window_[j] * u[j], 0.0);
    sums_.sum(x);
    std::vector<double> found;
    for (const int k : places) found.push_back(std::norm(x[static_cast<std::size_t>(k)]));
    return found;
  }
  /// E |sum_j w_j u_j e^(i 2 pi f_k t_j)|^2 = int G(f) / 2 (|V(f_k - f)|^2 + |V(f_k + f)|^2) df, V
  /// being the transform of the window; by the midpoint rule over the band.
  double mean(int k) const {
    const int n = sums_.points();
    const double h = model_.simulation.duration / n;
    const DriveKind& kind = model_.drives[0].kind;
    const Band band = band_of(kind);
    const auto transform = [&](double f) {
      // Of the window in closed form: three Dirichlet kernels.
      const auto kernel = [&](double x) {
        const double s = std::sin(std::numbers::pi * x * h);
        return std::fabs(s) < 1e-12 ? n : std::sin(std::numbers::pi * x * h * n) / s;
      };
      const double spacing = 1 / model_.simulation.duration;
      return kernel(f) + 0.5 * (kernel(f - spacing) + kernel(f + spacing));
    };
    // Hann's side lobes fall with the third power: beyond 40 spacings nothing is left, but for
    // steep spectra from far below.
    const int parts = 8000;
    double sum = 0;
    for (int i = 0; i < parts; ++i) {
      const double ratio = (i + 0.5) / parts;
      const double f = band.from + (band.to - band.from) * ratio * ratio;  // finer at low f
      const double width = (band.to - band.from) * 2 * ratio / parts;
      const double a = transform(frequency(k) - f), b = transform(frequency(k) + f);
      sum += 0.5 * spectral_density(kind, f) * (a * a + b * b) * width;
    }
    return sum;
  }

 private:
  Model model_;
  Profiles profiles_;
  FourierSums sums_;
  std::vector<double> window_;
};

/// The point that a chi-square number of n degrees over n passes with the probability of a normal
/// one passing z (E. B. Wilson, M. M. Hilferty, PNAS 17, 1931); good to 1e-4 for the n used here.
double chi_square_ratio(double n, double z) {
  const double root = 1 - 2 / (9 * n) + z * std::sqrt(2 / (9 * n));
  return root * root * root;
}

struct Spectral {
  const char* name;
  DriveKind kind;
  int points;  ///< of a profile
};

std::vector<Spectral> spectra() {
  WhiteNoiseDrive first = noise(0.5, 30), second = noise(0.5, 30);
  first.corner = 3;
  second.resonance = 4;
  second.damping = 0.1;
  const SpectrumDrive one{{"", {0, 2, 6, 10, 16}, {0, 1, 4, 0.5, 0.5}}, SpectrumSides::one, {}};
  SpectrumDrive two = one;
  two.sides = SpectrumSides::two;
  RoadDrive rough = iso_road(RoadClass::A, 10);
  rough.road_class.reset();
  rough.roughness = 5e-6;
  rough.exponent = 2.6;
  return {{"white noise", noise(3, 25), 1024},
          {"first order", first, 1024},
          {"second order", second, 1024},
          {"table, one-sided", one, 512},
          {"table, two-sided", two, 512},
          {"road A at 20 m/s", iso_road(RoadClass::A, 20), 2048},
          {"road C at 10 m/s", iso_road(RoadClass::C, 10), 1024},
          {"road H at 25 m/s", iso_road(RoadClass::H, 25), 2048},
          {"road of another waviness", rough, 1024}};
}

std::vector<int> places_in(const DriveKind& kind) {
  const Band band = band_of(kind);
  std::vector<int> places;
  for (int k = 4; k / duration < band.to - 1; k += 4)
    if (k / duration > band.from + 0.5) places.push_back(k);
  return places;
}

TEST(Excitation, HasTheSpectrumAskedFor) {
  constexpr int realizations = 200;
  for (const auto& [name, kind, points] : spectra()) {
    const Model model = with_drive(kind);
    Periodogram periodogram(model, points);
    const std::vector<int> places = places_in(kind);
    std::vector<double> sums(places.size());
    for (std::uint64_t r = 0; r < realizations; ++r) {
      const auto found = periodogram.of(1, r, places);
      for (std::size_t i = 0; i < places.size(); ++i) sums[i] += found[i] / realizations;
    }
    // All frequencies of all spectra together have a false-alarm rate of 1e-5: 9 spectra of some
    // 50 frequencies, each outside of +-5.5 standard scores with 4e-8, and 2e-7 for their sum.
    double all = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const double ratio = sums[i] / periodogram.mean(places[i]);
      all += ratio / static_cast<double>(places.size());
      EXPECT_GT(ratio, chi_square_ratio(2 * realizations, -5.5)) << name << ", " << places[i];
      EXPECT_LT(ratio, chi_square_ratio(2 * realizations, 5.5)) << name << ", " << places[i];
    }
    const double freedom = 2.0 * realizations * static_cast<double>(places.size());
    EXPECT_GT(all, chi_square_ratio(freedom, -5.2)) << name;
    EXPECT_LT(all, chi_square_ratio(freedom, 5.2)) << name;
  }
}

TEST(Excitation, LeavesTheBandAsOftenAsChanceSays) {
  // Over seeds: how often the mean of 10 periodograms lies outside of its 95 % band. 9 spectra, 20
  // seeds, up to 24 frequencies: +-5 standard deviations of a binomial share.
  const double score = -standard_normal_score(0.025);
  constexpr int realizations = 10, seeds = 20;
  for (const auto& [name, kind, points] : spectra()) {
    const Model model = with_drive(kind);
    Periodogram periodogram(model, points);
    std::vector<int> places = places_in(kind);
    if (places.size() > 24) places.resize(24);
    std::vector<double> mean;
    for (const int k : places) mean.push_back(periodogram.mean(k));
    double outside = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      std::vector<double> sums(places.size());
      for (std::uint64_t r = 0; r < realizations; ++r) {
        const auto found = periodogram.of(seed, r, places);
        for (std::size_t i = 0; i < places.size(); ++i) sums[i] += found[i] / realizations;
      }
      for (std::size_t i = 0; i < places.size(); ++i) {
        const double ratio = sums[i] / mean[i];
        outside += ratio < chi_square_ratio(2 * realizations, -score) ||
                   ratio > chi_square_ratio(2 * realizations, score);
      }
    }
    const double trials = static_cast<double>(places.size()) * seeds;
    EXPECT_NEAR(outside / trials, 0.05, 5 * std::sqrt(0.05 * 0.95 / trials)) << name;
  }
}

TEST(Excitation, IsStationaryAndGaussian) {
  // Second and fourth moments at three times of the run, ends included: variance, and kurtosis 3.
  for (const DriveKind& kind : {DriveKind(noise(3, 5)), DriveKind(iso_road(RoadClass::C, 20))}) {
    const Model model = with_drive(kind, 2);
    const double variance = variance_between(kind, 0, 1e9);
    constexpr int realizations = 4000;
    Profiles profiles(model);
    double second[3] = {}, fourth[3] = {};
    for (std::uint64_t r = 0; r < realizations; ++r) {
      const auto u = profiles(7, r, 3);
      for (std::size_t i = 0; i < 3; ++i) {
        second[i] += u[i] * u[i] / realizations;
        fourth[i] += u[i] * u[i] * u[i] * u[i] / realizations;
      }
    }
    for (int i = 0; i < 3; ++i) {  // 5 standard errors: sqrt(2/n) and sqrt(96/n)
      EXPECT_NEAR(second[i] / variance, 1, 5 * std::sqrt(2.0 / realizations));
      EXPECT_NEAR(fourth[i] / (variance * variance), 3, 5 * std::sqrt(96.0 / realizations));
    }
  }
}

TEST(Excitation, IsItsOwnInEachRealizationAndDrive) {
  Model model = with_drive(noise(1, 10));
  model.drives.push_back({"v", noise(1, 10)});
  const std::size_t n = excitation_germs(model);
  const auto draw = [&](const Model& m, std::uint64_t seed, std::uint64_t realization) {
    std::vector<double> germs(excitation_germs(m));
    excitation_draws(m, seed)(realization, germs.data());
    return germs;
  };
  const auto germs = draw(model, 1, 5);
  EXPECT_EQ(germs, draw(model, 1, 5));
  EXPECT_NE(germs, draw(model, 1, 6));
  EXPECT_NE(germs, draw(model, 2, 5));
  EXPECT_NE(germs[0], germs[n / 2]);
  // Another drive before it leaves it what it is: streams go by name.
  std::swap(model.drives[0], model.drives[1]);
  const auto swapped = draw(model, 1, 5);
  EXPECT_TRUE(std::equal(germs.begin(), germs.begin() + static_cast<std::ptrdiff_t>(n / 2),
                         swapped.begin() + static_cast<std::ptrdiff_t>(n / 2)));
  EXPECT_FALSE(excitation_draws(Model{}, 1));
}

}  // namespace
}  // namespace tumble
