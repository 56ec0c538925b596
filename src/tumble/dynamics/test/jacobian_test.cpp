// Every element's tangent matrices and constraint rates against differences.
#include "tumble/dynamics/test/force_models.hpp"
#include "tumble/dynamics/test/jacobian_check.hpp"

namespace tumble {
namespace {

using testing::Case;

class ElementJacobian : public ::testing::TestWithParam<Case> {};

TEST_P(ElementJacobian, IsTheDerivativeOfTheResidual) {
  for (const std::uint32_t seed : {1u, 2u, 3u}) {
    SCOPED_TRACE(seed);
    testing::expect_consistent_tangent(GetParam().model, seed);
    if (HasFatalFailure()) return;
  }
}
INSTANTIATE_TEST_SUITE_P(Joint, ElementJacobian, ::testing::ValuesIn(testing::joint_cases()),
                         testing::case_name);
INSTANTIATE_TEST_SUITE_P(Conservative, ElementJacobian,
                         ::testing::ValuesIn(testing::conservative_cases()), testing::case_name);
INSTANTIATE_TEST_SUITE_P(OtherForce, ElementJacobian,
                         ::testing::ValuesIn(testing::other_force_cases()), testing::case_name);

TEST(ConstraintRates, AreTheTimeDerivativesAlongAPath) {
  for (const auto& joint : testing::joint_cases())
    for (const std::uint32_t seed : {1u, 2u, 3u}) {
      SCOPED_TRACE(joint.name + ", seed " + std::to_string(seed));
      testing::expect_consistent_rates(joint.model, seed);
    }
}

}  // namespace
}  // namespace tumble
