// The distribution function of a density that is known up to a factor, by quadrature.
#pragma once
#include <algorithm>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <functional>
#include <vector>

namespace tumble::samples {

/// Distribution function of a density on (-1, 1), tabulated by quadrature and interpolated by its
/// value and slope.
class Tabulated {
 public:
  explicit Tabulated(const std::function<double(double)>& density) : density_(density) {
    using boost::math::quadrature::gauss_kronrod;
    double sum = 0;
    for (int i = 0; i < kPieces; ++i) {
      starts_.push_back(sum);
      sum += gauss_kronrod<double, 31>::integrate(density, at(i), at(i + 1), 8, 1e-10);
    }
    total_ = sum;
  }
  double operator()(double x) const {
    const int i = std::clamp(static_cast<int>((x + 1) / 2 * kPieces), 0, kPieces - 1);
    const double h = x - at(i);
    // Simpson's rule within the piece.
    const double part = h / 6 * (density_(at(i)) + 4 * density_(at(i) + h / 2) + density_(x));
    return (starts_[static_cast<std::size_t>(i)] + part) / total_;
  }

 private:
  static constexpr int kPieces = 4000;
  static double at(int i) { return -1 + 2.0 * i / kPieces; }

  std::function<double(double)> density_;
  std::vector<double> starts_;
  double total_ = 0;
};

}  // namespace tumble::samples
