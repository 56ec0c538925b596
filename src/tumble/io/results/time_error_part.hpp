// The error of the time integration in the results of an ensemble.
#pragma once
#include "tumble/io/results/results_parts.hpp"
#include "tumble/study/layout.hpp"
#include "tumble/study/statistics/time_errors.hpp"

namespace tumble {

/// Defined first, written once the file takes data.
class TimeErrorPart {
 public:
  /// The arguments outlive this.
  TimeErrorPart(NetcdfWriter& file, const NominalPart& nominal, const Trajectory& trajectory,
                const EnsembleTimeErrors& errors, const StatisticsLayout& layout);
  void put() const;

 private:
  struct Variable {
    int id;
    std::size_t quantity;
    const std::vector<double>* values;  ///< [time][number]
  };
  NetcdfWriter& file_;
  const StatisticsLayout& layout_;
  std::vector<Variable> variables_;
};

}  // namespace tumble
