#include "tumble/integrate/start/singular_start.hpp"

#include <algorithm>
#include <cmath>

#include "tumble/integrate/start/joints_mistake.hpp"
#include "tumble/integrate/step/kkt_solver.hpp"
#include "tumble/integrate/step/regularized_kkt.hpp"
#include "tumble/model/compile.hpp"

namespace tumble {

bool starts_in_singular_position(const System& system) {
  constexpr int iterations = 60;
  constexpr double displacement = 0.05;  // [rad], and of the machine's own size as good as any [m]
  const std::vector<double> constants = prepare(system, system.nominal);
  InitialState place = initial_state(system, system.nominal);
  const auto nv = static_cast<std::size_t>(system.nv), nc = static_cast<std::size_t>(system.nc);
  std::vector<double> increment(nv), q(place.q), residuals(nv + nc);
  const std::vector<double> zero(std::max(nv, nc), 0.0);
  std::vector<double> matrix(static_cast<std::size_t>(system.pattern.nonzeros()));
  double fraction = 0.25;
  for (double& u : increment) {
    fraction += 0.6180339887498949;  // golden-section steps fill (0, 1) evenly
    fraction -= std::floor(fraction);
    u = displacement * (fraction - 0.5);
  }
  Workspace<double> w(system);
  RegularizedKkt kkt(system);
  update_drives(system, constants.data(), 0.0, 0.0, w);
  for (int iteration = 0; iteration < iterations; ++iteration) {
    compose(system, place.q.data(), increment.data(), q.data());
    place.q = q;
    update_bodies(system, place.q.data(), zero.data(), w);
    residual(system, constants.data(), zero.data(), zero.data(), w, residuals.data());
    double violation = 0;
    for (std::size_t i = nv; i < nv + nc; ++i)
      violation = std::max(violation, std::fabs(residuals[i]));
    tangent(system, constants.data(), zero.data(), zero.data(), w);
    assemble_kkt(system, w, 0.0, 0.0, static_cast<double*>(nullptr), matrix.data());
    if (!std::isfinite(violation) || !kkt.factor(matrix, w.M)) return false;
    // Redundant conditions leave nothing, those of a singular position the square of the distance.
    if (violation < 1e-11) return kkt.smallest_eigenvalue() > 1e-8;
    std::fill_n(residuals.begin(), nv, 0.0);
    for (std::size_t i = nv; i < nv + nc; ++i) residuals[i] = -residuals[i];
    kkt.solve(residuals.data(), residuals.data());
    double largest = 1;
    for (std::size_t i = 0; i < nv; ++i)
      largest = std::max(largest, std::fabs(residuals[i]) / displacement);
    for (std::size_t i = 0; i < nv; ++i) increment[i] = residuals[i] / largest;
  }
  return false;
}

void throw_singular_start(const System& system, const std::string& conditions) {
  throw InputError({joints_mistake(
      system,
      "the mechanism starts in a singular position, from which it can go on in more than one "
      "way: " +
          conditions + "; turn it by a small angle (0.01 rad) to the side it shall move to")});
}

}  // namespace tumble
