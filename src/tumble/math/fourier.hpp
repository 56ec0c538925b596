// Sums of complex exponentials at evenly spaced points, by the fast Fourier transform.
#pragma once
#include <complex>
#include <vector>

namespace tumble {

/// For sums of 2^m terms at as many points; immutable, for any number of threads.
class FourierSums {
 public:
  /// A power of two, or std::invalid_argument.
  explicit FourierSums(int points);
  int points() const { return points_; }

  /// In place: z_j becomes the sum over k of z_k exp(2 pi i j k / n), j = 0 ... n - 1.
  /// @throws std::invalid_argument unless there are n of them.
  void sum(std::vector<std::complex<double>>& z) const;

 private:
  int points_;
  std::vector<std::complex<double>> roots_;  ///< exp(2 pi i j / n), half a turn
};

}  // namespace tumble
