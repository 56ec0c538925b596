// What probes may ask of forces: the lists of descriptions against what kernels measure.
#include <set>

#include "tumble/dynamics/test/beam_models.hpp"
#include "tumble/dynamics/test/force_check.hpp"
#include "tumble/dynamics/test/force_models.hpp"

namespace tumble {
namespace {

TEST(ForceQuantities, AreThoseThatDescriptionsList) {
  std::set<std::size_t> kinds;
  for (const auto& cases :
       {testing::conservative_cases(), testing::other_force_cases(), testing::beam_cases()})
    for (const auto& c : cases) {
      testing::expect_listed_quantities(c.model);
      for (const Force& force : c.model.forces) kinds.insert(force.kind.index());
    }
  EXPECT_GE(kinds.size(), 6u);
}

}  // namespace
}  // namespace tumble
