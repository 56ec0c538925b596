#include <stdexcept>

#include "tumble/integrate/probe_recorder_impl.hpp"
#include "tumble/integrate/watch/redundancy.hpp"

namespace tumble {

template class BasicProbeRecorder<double>;

std::vector<double> probe_offsets(const System& system, const Model& realized) {
  const PrepareContext context(system.nominal, realized);
  std::vector<double> offsets;
  for (const Probe& probe : realized.probes) {
    Vec3d r_B;
    if (probe.body) {
      const int body = body_index(realized, probe.body->name);
      const Vec3d p_W = probe.point ? *probe.point : body_frame(realized, body).p;
      r_B = context.local(body, {p_W, Mat3d::identity()}).p;
    }
    offsets.insert(offsets.end(), {r_B.x, r_B.y, r_B.z});
  }
  return offsets;
}

std::vector<ProbeSeries> make_series(const Model& model) {
  std::vector<ProbeSeries> series;
  for (const Probe& probe : model.probes)
    for (const Quantity quantity : probe.quantities)
      series.push_back({probe.name, quantity, info(quantity).size, {}, {}, {}, {}});
  return series;
}

std::vector<ProbeSeries> make_series(const Plan& plan) {
  std::vector<ProbeSeries> all = make_series(plan.system->nominal);
  if (!plan.redundancy) return all;
  auto undetermined = plan.redundancy->undetermined.begin();
  for (ProbeSeries& series : all)
    for (int k = 0; k < series.size; ++k)
      if (*undetermined++) series.undetermined.push_back(k);
  return all;
}

void throw_unknown_quantity(Quantity quantity) {
  throw std::logic_error("quantity '" + std::string(info(quantity).name) +
                         "' is not defined for this element");
}

}  // namespace tumble
