#include "tumble/random/centre/centre_map.hpp"

#include "tumble/random/law/map_error.hpp"

namespace tumble {
namespace {

constexpr std::size_t measured_points = 128;

}  // namespace

CentreMap::CentreMap(const CentreLaw& law) : map_(law.domain().cube_map(law.report().lambda)) {
  const auto point = [&](const std::array<double, 3>& u) {
    const Vec3d x = map_({u[0], u[1], u[2]});
    return std::array{x.x, x.y, x.z};
  };
  const auto log_density = [&](const std::array<double, 3>& x) {
    return law.log_density({x[0], x[1], x[2]});
  };
  error_ = map_error<3>(point, log_density, measured_points, 1e-6);
}

}  // namespace tumble
