// The runs of a study of sensitivity: blocks of realisations that share some of their random
// numbers.
//
// Realisation r is member r mod m of block r / m, with m runs in a block. A block has two
// independent draws of all random numbers, A and B, and
//   pick-freeze   A, B, and for each factor i A with factor i of B: m = k + 2
//   shapley       for each subset of the k factors A with those factors of B, on condition of the
//                 others: m = 2^k; member s has the factors whose bits are set in s
//   morris        the d + 1 points of a walk over the unit cube (MorrisDesign)
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "tumble/inputs/random_inputs.hpp"
#include "tumble/model/study/sensitivity_request.hpp"

namespace tumble {

/// Immutable; may be used by many threads.
class SensitivityInputs {
 public:
  /// Intervals from fewer blocks would not hold.
  static constexpr std::uint64_t fewest_blocks = 32, fewest_walks = 4;
  static constexpr std::size_t most_shapley_factors = 8;

  /// @throws InputError for laws that do not exist, std::invalid_argument for factors that there
  /// are not or cannot be.
  SensitivityInputs(const Model& nominal, const Uncertainty& uncertainty,
                    const SensitivityRequest& request, std::uint64_t seed);

  const RandomInputs& random() const { return *random_; }
  const SensitivityRequest& request() const { return request_; }
  /// Names of what indices are of.
  const std::vector<std::string>& factors() const { return factors_; }
  /// That which a variable belongs to; a single germ of it is not meant.
  const std::string& factor_of(const std::string& variable) const;
  /// Runs in a block, and blocks in `realizations` runs.
  std::uint64_t block() const { return block_; }
  std::uint64_t blocks_in(std::uint64_t realizations) const { return realizations / block_; }
  std::uint64_t least_blocks() const {
    return request_.method == SensitivityMethod::morris ? fewest_walks : fewest_blocks;
  }
  /// Writes one value per slot of random(). From any thread.
  void fill(std::uint64_t realization, double* values) const;
  /// Of a walk of Morris: the factor that moves between two points, and by how much, +1/2 or -1/2.
  struct Move {
    std::size_t factor;
    double by;
  };
  Move move(std::uint64_t walk, std::size_t step) const;

 private:
  void find_factors(const SensitivityRequest& request);
  std::string default_factor(const InputUnit& unit) const;

  SensitivityRequest request_;
  std::unique_ptr<const RandomInputs> random_;
  std::vector<std::string> factors_;
  std::vector<std::size_t> factor_of_;  ///< of each unit of random()
  std::uint64_t block_ = 0;
};

}  // namespace tumble
