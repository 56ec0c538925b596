// Principal standard deviations of vector quantities in the results of an ensemble:
//
//   <probe>_<quantity>_principal_std(time, principal)           the largest first
//   <probe>_<quantity>_principal_axes(time, principal, axis)    unit directions
#pragma once
#include <functional>
#include <vector>

#include "tumble/io/results/results_parts.hpp"

namespace tumble {

/// Defined first, written once the file takes data.
class PrincipalPart {
 public:
  /// Covariance of the components a and b of a quantity at a time.
  using Covariance =
      std::function<double(std::size_t time, std::size_t quantity, std::size_t a, std::size_t b)>;

  /// The arguments outlive this, `covariance` is copied. `failed`: some realisations did.
  PrincipalPart(NetcdfWriter& file, const NominalPart& nominal, const Trajectory& trajectory,
                bool failed, Covariance covariance);
  void put() const;

 private:
  struct Variables {
    std::size_t quantity;
    int deviations, directions;
  };

  NetcdfWriter& file_;
  const std::size_t times_;
  const Covariance covariance_;
  std::vector<Variables> variables_;
};

}  // namespace tumble
