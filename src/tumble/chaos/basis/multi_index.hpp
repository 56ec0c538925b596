// Which products of polynomials an expansion consists of.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tumble {

/// The degrees (i_1 ... i_m) of the factors of each term. The order is always the same: by total
/// degree, then by the degree in the first variable, the highest first, then in the second, and so
/// on; the constant is the first. Sets that are larger than `most_terms` are refused.
class MultiIndexSet {
 public:
  using Degree = std::uint8_t;
  static constexpr std::size_t most_terms = 200'000;

  /// i_k <= degree_k: (n + 1)^m terms if all are n. The set of Wu et al. (2016), Eq. (32).
  static MultiIndexSet tensor(std::span<const int> degrees);
  /// i_1 + ... + i_m <= degree: (m + degree)! / (m! degree!) terms.
  static MultiIndexSet total_degree(std::size_t variables, int degree);
  /// (i_1^q + ... + i_m^q)^(1/q) <= degree with 0 < q <= 1: few interactions for small q, the total
  /// degree for q = 1 (G. Blatman, B. Sudret, J. Comput. Phys. 230, 2011, section 3.2).
  static MultiIndexSet hyperbolic(std::size_t variables, int degree, double q);
  /// Any indices, one per row of `variables` numbers; repeated ones count once, and the constant is
  /// added.
  static MultiIndexSet of(std::size_t variables, std::vector<std::vector<Degree>> indices);

  std::size_t size() const { return variables_ == 0 ? 1 : degrees_.size() / variables_; }
  std::size_t variables() const { return variables_; }
  std::span<const Degree> operator[](std::size_t term) const {
    return {degrees_.data() + term * variables_, variables_};
  }
  int total(std::size_t term) const;
  /// In each variable, of any term.
  std::vector<int> highest_degrees() const;
  /// Without the terms that have a higher degree than `degrees` in some variable.
  MultiIndexSet within(std::span<const int> degrees) const;
  /// The terms with these numbers, which are kept in their order; the constant is added.
  MultiIndexSet subset(std::span<const std::size_t> terms) const;
  /// Place of an index, or size() if it is not there. The search takes time log(size()).
  std::size_t find(std::span<const Degree> index) const;

 private:
  explicit MultiIndexSet(std::size_t variables) : variables_(variables) {}

  std::size_t variables_;
  std::vector<Degree> degrees_;  ///< by rows
};

/// Number of terms of a set without making it; infinite beyond what a double holds.
double tensor_terms(std::size_t variables, int degree);
double total_degree_terms(std::size_t variables, int degree);
/// Counting ends at `most`.
std::size_t hyperbolic_terms(std::size_t variables, int degree, double q, std::size_t most);

}  // namespace tumble
