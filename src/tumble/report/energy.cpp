#include "tumble/report/energy.hpp"

#include <algorithm>

#include "tumble/model/compile/beam_shape.hpp"

namespace tumble::report {
namespace {

bool keeps_energy(const Force& force) {
  return std::visit([](const auto& kind) { return kind.conserves_energy(); }, force.kind);
}

bool is_driven(const JointKind& joint) {
  return std::visit(
      [](const auto& kind) {
        if constexpr (requires { kind.motion.any(); })
          return kind.motion.any();
        else if constexpr (requires { kind.motion; })
          return kind.motion.has_value();
        else
          return false;
      },
      joint);
}

/// ∫ ρ r dV of a beam. Along an element its axis is a cubic polynomial, which Boole's rule over
/// five stations integrates exactly; across it, r is linear and the axis goes through the
/// centroids.
Vec3d mass_moment(const SceneModel& scene, std::size_t index, const double* numbers) {
  constexpr std::array<double, 5> boole{7.0 / 90, 32.0 / 90, 12.0 / 90, 32.0 / 90, 7.0 / 90};
  const Beam& beam = scene.model.beams[index];
  const Stations& stations = scene.stations[index];
  const double element_volume = beam_shape(beam).element_length * beam_section(beam).area();
  Vec3d sum;
  for (int e = 0; e < beam.elements; ++e)
    for (int k = 0; k < 5; ++k) {
      const double place = static_cast<double>(4 * e + k) / (4 * beam.elements);
      const auto at = static_cast<std::size_t>(
          std::lower_bound(stations.begin(), stations.end(), place) - stations.begin());
      const double* r = numbers + scene.beams[index] + SceneModel::station_size * at;
      const double density = material_at(scene.model, index, e, 0.25 * k).density;
      sum +=
          (element_volume * density * boole[static_cast<std::size_t>(k)]) * Vec3d{r[0], r[1], r[2]};
    }
  return sum;
}

/// Of a flexible body.
bool is_damped(const Body& body) {
  if (!body.modal) return false;
  const ModalPart& part = *body.modal;
  const auto acts = [](double x) { return x != 0; };
  const bool own = std::ranges::any_of(part.damping, acts);
  const bool of_file =
      part.damping.empty() && part.data && std::ranges::any_of(part.data->damping_ratio, acts);
  return own || of_file || std::ranges::any_of(part.rayleigh, acts);
}

/// Zero at the ground's origin, as in the total.
double gravity_energy(const SceneModel& scene, const double* numbers) {
  Vec3d moment;
  for (std::size_t i = 0; i < scene.centres.size(); ++i) {
    const double* p = numbers + scene.centres[i];
    const Body& body = scene.model.bodies[i];
    // Modes of a file of `tumble modal-body` do not move the centre of mass.
    const double factor = body.modal ? body.modal->mass_factor : 1.0;
    moment += factor * body.mass * Vec3d{p[0], p[1], p[2]};
  }
  for (std::size_t i = 0; i < scene.beams.size(); ++i) moment += mass_moment(scene, i, numbers);
  return -dot(scene.model.gravity, moment);
}

}  // namespace

bool is_conservative(const Model& model) {
  return model.user_forces.empty() && model.user_constraints.empty() &&
         std::ranges::all_of(model.forces, keeps_energy) &&
         std::ranges::none_of(model.joints, [](const Joint& j) { return is_driven(j.kind); }) &&
         std::ranges::none_of(model.bodies, is_damped) &&
         std::ranges::all_of(model.beams, [](const Beam& b) {
           const RayleighDamping damping = rayleigh_damping(b);
           return damping.mass == 0 && damping.time == 0;
         });
}

Json energy_of(const SceneModel& scene, const std::vector<double>& values,
               const std::vector<std::size_t>& shown, const std::vector<double>& times,
               Blob& blob) {
  std::vector<double> time, kinetic, potential, elastic;
  for (const std::size_t t : shown) {
    const double* numbers = &values[t * scene.numbers];
    time.push_back(times[t]);
    kinetic.push_back(numbers[scene.energy]);
    potential.push_back(gravity_energy(scene, numbers));
    elastic.push_back(numbers[scene.energy + 1] - potential.back());
  }
  const Shape shape{shown.size()};
  Json json{{"time", blob.f64(time, shape)},
            {"kinetic", blob.f64(kinetic, shape)},
            {"potential", blob.f64(potential, shape)},
            {"elastic", blob.f64(elastic, shape)},
            {"work", nullptr}};
  if (is_conservative(scene.model))
    json["work"] = blob.f64(std::vector<double>(shown.size(), 0.0), shape);
  return json;
}

}  // namespace tumble::report
