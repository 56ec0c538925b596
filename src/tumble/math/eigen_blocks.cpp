// The blocks in which Eigen multiplies large matrices. By default they follow the first cache of
// the CPU that a program runs on, and with them the order of additions: with 48 KiB, as in Intel's
// since 2019, a product of 300 rows has other last bits than with 32 KiB. Here the sizes are fixed,
// to Eigen's own for an unknown CPU.
#include <Eigen/Core>

/// For the linker, which is told to look for this name and so takes the file.
extern "C" const int tumble_eigen_blocks;
const int tumble_eigen_blocks = (Eigen::setCpuCacheSizes(32 << 10, 256 << 10, 2 << 20), 0);
