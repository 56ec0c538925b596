// Floating-point operations of one realisation: of its whole run and of the parts of its steps.
#pragma once
#include <map>

#include "parts_kernel.hpp"

namespace tumble::benchmarks {

struct OperationCount {
  long run = 0;
  std::map<Part, long> part;  ///< of one call
};

/// Of the first lane of the batch.
OperationCount count_operations(const Plan& plan, const Schedule& schedule, const LaneBatch& batch);

}  // namespace tumble::benchmarks
