#include "operation_count.hpp"

#include "counting_scalar.hpp"
#include "parts_runner.hpp"

namespace tumble::benchmarks {

OperationCount count_operations(const Plan& plan, const Schedule& schedule,
                                const LaneBatch& batch) {
  PartsRunner<Counting> runner(plan, schedule, batch);
  const auto counted = [](const auto& work) {
    counted_operations = 0;
    work();
    return counted_operations;
  };
  OperationCount count;
  count.run = counted([&] { runner.run_whole(); });
  runner.stop_halfway();
  for (const Part part : all_parts) count.part[part] = counted([&] { runner.run(part, 1); });
  return count;
}

}  // namespace tumble::benchmarks
