#include <gtest/gtest.h>

#include <Eigen/Core>

namespace tumble {
namespace {

TEST(EigenBlocks, AreThoseOfNoParticularCpu) {
  EXPECT_EQ(Eigen::l1CacheSize(), 32 << 10);
  EXPECT_EQ(Eigen::l2CacheSize(), 256 << 10);
  EXPECT_EQ(Eigen::l3CacheSize(), 2 << 20);
}

}  // namespace
}  // namespace tumble
