// Acceleration of an iteration x ← x - f(x) that contracts slowly (D. G. Anderson, J. ACM 12 (1965)
// 547-560; H. F. Walker, P. Ni, SIAM J. Numer. Anal. 49 (2011) 1715-1735).
//
// Of two iterates s = Δx and y = Δf are known. Where f is linear, the combination of the iterates
// with the least f is that with f - Σ γ y least, at x + Σ γ s - ..., so that the next iterate is
//   x - f - Σ γ_j (s_j - y_j).
// The y are kept orthonormal, and the s combined alike: then γ_j is the product of y_j and f.
#pragma once
#include <cmath>
#include <vector>

namespace tumble {

class AndersonMixing {
 public:
  static constexpr std::size_t most = 5;  ///< pairs that are kept

  /// @param weight of each unknown in products; those without weight follow the others
  explicit AndersonMixing(std::vector<double> weight)
      : weight_(std::move(weight)), f_(weight_.size()), step_(weight_.size()) {
    for (auto* pairs : {&y_, &s_}) pairs->assign(most, std::vector<double>(weight_.size()));
  }
  /// Another f from now on, or another start.
  void forget() {
    pairs_ = 0;
    begun_ = false;
  }
  /// From f at an iterate to what is to be subtracted from that iterate.
  void mix(std::vector<double>& f) {
    const std::size_t n = f.size();
    if (begun_ && pairs_ < most) add_pair(f);
    f_ = f;
    for (std::size_t j = 0; j < pairs_; ++j) {
      const double gamma = product(y_[j], f_);
      for (std::size_t i = 0; i < n; ++i) f[i] += gamma * (s_[j][i] - y_[j][i]);
    }
    step_ = f;
    begun_ = true;
  }

 private:
  double product(const std::vector<double>& a, const std::vector<double>& b) const {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += weight_[i] * a[i] * b[i];
    return sum;
  }
  void add_pair(const std::vector<double>& f) {
    constexpr double independent = 1e-6;
    std::vector<double>&y = y_[pairs_], &s = s_[pairs_];
    for (std::size_t i = 0; i < f.size(); ++i) y[i] = f[i] - f_[i], s[i] = -step_[i];
    const double size = std::sqrt(product(y, y));
    for (std::size_t j = 0; j < pairs_; ++j) {
      const double part = product(y_[j], y);
      for (std::size_t i = 0; i < f.size(); ++i) {
        y[i] -= part * y_[j][i];
        s[i] -= part * s_[j][i];
      }
    }
    const double rest = std::sqrt(product(y, y));
    if (!(rest > independent * size)) return;
    for (std::size_t i = 0; i < f.size(); ++i) y[i] /= rest, s[i] /= rest;
    ++pairs_;
  }

  const std::vector<double> weight_;
  std::vector<double> f_, step_;
  std::vector<std::vector<double>> y_, s_;
  std::size_t pairs_ = 0;
  bool begun_ = false;
};

}  // namespace tumble
