// Prints a hash of the results of all operations on lanes, and fails where it is not the known one.
// Built for every instruction set (cmake/Tests.cmake): the bits of results must depend neither on
// that nor on the compiler. Who changes a polynomial on purpose puts the new hash here.
#include <cstdio>

#include "lane_inputs.hpp"
#include "tumble/math/batch.hpp"
#include "tumble/math/rotation.hpp"

namespace tumble {
namespace {

constexpr std::uint64_t known = 0xe18c7c179226c937;

/// FNV-1a over the bytes of each result; all NaN count as one.
class Hash {
 public:
  void add(double x) {
    auto bits = std::bit_cast<std::uint64_t>(x == x ? x : 0x1.8p1000);
    for (int i = 0; i < 8; ++i, bits >>= 8) value_ = (value_ ^ (bits & 0xff)) * 0x100000001b3;
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

/// The same for every S: results are hashed in the order of the realisations.
template <class S>
[[gnu::noinline]] std::uint64_t hash_of_lanes(const std::vector<double>& a,
                                              const std::vector<double>& b) {
  constexpr int width = lane_count<S>, results = 22;
  Hash hash;
  for (std::size_t k = 0; k < a.size(); k += width) {
    S x, y;
    load_lanes(x, &a[k]), load_lanes(y, &b[k]);
    // Small, medium and large angles side by side; some lanes are not finite.
    const Vec3<S> u{S(0.01) * x, S(0.001) * y, S(0.02)};
    const Quaternion<S> turn = exp_quaternion(u);
    const auto tangent = rotation_coefficients(dot(u, u));
    const auto inverse = inverse_tangent_coefficients(min(dot(u, u), S(30.0)));
    const S r[results] = {x + y,
                          x - y,
                          x * y,
                          x / y,
                          sqrt(abs(x)),
                          min(x, y),
                          max(x, y),
                          round(x),
                          fma(x, y, -(x * y)),
                          fnma(x, y, x * y),
                          sin(x),
                          cos(y),
                          exp(x),
                          atan2(x, y),
                          copysign(x, y),
                          select(x < y, -x, y),
                          select((x >= y) | !(y == y), x, S(1.0) - y),
                          turn.w,
                          turn.y,
                          rotation_vector(normalized(turn)).z,
                          tangent.sinc_rest + tangent.cosc,
                          inverse.c + inverse.slope};
    double lanes[results][width];
    for (int j = 0; j < results; ++j) store_lanes(r[j], lanes[j]);
    for (int i = 0; i < width; ++i)
      for (int j = 0; j < results; ++j) hash.add(lanes[j][i]);
  }
  return hash.value();
}

[[gnu::noinline]] int run() {
  std::vector<double> a, b;
  for (double x : special_values())
    for (double y : special_values()) a.push_back(x), b.push_back(y);
  RandomBits random;
  for (int i = 0; i < 20000 || a.size() % 16 != 0; ++i) {
    a.push_back(i % 3 == 0 ? random.any() : random.uniform(-40, 40));
    b.push_back(i % 4 == 0 ? random.any() : random.uniform(-40, 40));
  }
  int status = 0;
  const auto check = [&](const char* name, std::uint64_t hash) {
    std::printf("%s %016llx\n", name, static_cast<unsigned long long>(hash));
    if (hash != known) status = 1;
  };
  check("double", hash_of_lanes<double>(a, b));
  check("W=1   ", hash_of_lanes<Batch<1>>(a, b));
  check("W=2   ", hash_of_lanes<Batch<2>>(a, b));
  check("W=4   ", hash_of_lanes<Batch<4>>(a, b));
  check("W=8   ", hash_of_lanes<Batch<8>>(a, b));
  check("W=16  ", hash_of_lanes<Batch<16>>(a, b));
  return status;
}

bool this_cpu_can() {
#if TUMBLE_NATIVE_LANES >= 8
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
#elif TUMBLE_NATIVE_LANES >= 4
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return true;
#endif
}

}  // namespace
}  // namespace tumble

int main() {
  if (!tumble::this_cpu_can()) return 77;  // skipped
  return tumble::run();
}
