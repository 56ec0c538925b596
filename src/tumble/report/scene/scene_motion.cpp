#include "tumble/report/scene/scene_motion.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <thread>

#include "tumble/integrate/run.hpp"
#include "tumble/integrate/run_work.hpp"
#include "tumble/model/compile/beam_shape.hpp"
#include "tumble/study/leaf_runner.hpp"
#include "tumble/study/workers.hpp"

namespace tumble::report {
namespace {

constexpr int stations_per_element = 4;

std::size_t size_of(const Probe& probe) {
  std::size_t size = 0;
  for (const Quantity quantity : probe.quantities)
    size += static_cast<std::size_t>(info(quantity).size);
  return size;
}

Stations stations_of(const Model& model, const Beam& beam) {
  Stations places;
  const int count = stations_per_element * beam.elements;
  for (int i = 0; i <= count; ++i) places.push_back(static_cast<double>(i) / count);
  for (const Probe& probe : model.probes)
    if (probe.beam && probe.beam->name == beam.name && probe.at) places.push_back(probe.at->value);
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

/// A distance along each axis of a section, of the order of its size.
std::array<double, 2> half_section(const Beam& beam) {
  const BeamSection& s = beam.section;
  if (s.circle) return {s.circle->radius, s.circle->radius};
  if (s.rectangle) return {s.rectangle->height / 2, s.rectangle->width / 2};
  const beam::Section made = beam_section(beam);
  return {std::sqrt(made.I_z() / made.area()), std::sqrt(made.I_y() / made.area())};
}

}  // namespace

SceneModel::SceneModel(const Model& original) : model(original) {
  for (const Probe& probe : model.probes) numbers += size_of(probe);
  own_numbers = numbers;
  std::string prefix = "scene";
  const auto is_used = [&](const Probe& probe) { return probe.name.starts_with(prefix); };
  while (std::ranges::any_of(original.probes, is_used)) prefix += "-";
  const auto add = [this, &prefix](Probe probe) {
    probe.name = prefix + std::to_string(model.probes.size());
    const std::size_t first = numbers;
    numbers += size_of(probe);
    model.probes.push_back(std::move(probe));
    return first;
  };
  Probe energies;
  energies.system = true;
  energies.quantities = {Quantity::kinetic_energy, Quantity::potential_energy};
  energy = add(energies);
  for (const Body& body : original.bodies) {
    Probe probe;
    probe.body = BodyRef{body.name};
    probe.quantities = {Quantity::position};
    centres.push_back(add(probe));
    probe.point = body.position;  // the reference point, whatever the centre of a realisation is
    probe.quantities = {Quantity::position};
    if (body.rotates) probe.quantities.push_back(Quantity::orientation);
    bodies.push_back(add(probe));
  }
  for (const Beam& beam : original.beams) {
    stations.push_back(stations_of(original, beam));
    beams.push_back(numbers);
    const auto half = half_section(beam);
    for (const double place : stations.back())
      for (const std::array<double, 2> offset :
           {std::array{0.0, 0.0}, std::array{half[0], 0.0}, std::array{0.0, half[1]}}) {
        Probe probe;
        probe.beam = BeamRef{beam.name};
        probe.at = ArcFraction{place};
        // The section of a planar beam has no points beside its plane.
        if (beam.dimension == BeamDimension::spatial || offset[1] == 0) probe.offset = offset;
        probe.quantities = {Quantity::position};
        add(probe);
      }
  }
}

std::size_t SceneModel::pose_size() const {
  std::size_t size = body_size * bodies.size();
  for (std::size_t i = 0; i < beams.size(); ++i) size += beam_size(i);
  return size;
}

void SceneModel::poses(const double* all, double* out) const {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    out = std::copy_n(all + bodies[i], 3, out);
    constexpr double unturned[] = {1, 0, 0, 0};
    out = std::copy_n(model.bodies[i].rotates ? all + bodies[i] + 3 : unturned, 4, out);
  }
  for (std::size_t i = 0; i < beams.size(); ++i) {
    const Beam& beam = model.beams[i];
    const auto half = half_section(beam);
    const double* r = all + beams[i];
    // r(x, y, z) = r + y r_y + z r_z is linear in y and z, so the difference is the derivative.
    for (std::size_t s = 0; s < stations[i].size(); ++s, r += station_size) {
      out = std::copy_n(r, 3, out);
      for (std::size_t k = 0; k < 3; ++k) *out++ = (r[3 + k] - r[k]) / half[0];
      const bool planar = beam.dimension == BeamDimension::planar;
      for (std::size_t k = 0; k < 3; ++k)
        *out++ = planar ? (k == 2 ? 1.0 : 0.0) : (r[6 + k] - r[k]) / half[1];
    }
  }
}

SceneRun scene_run(const SceneModel& scene, const SceneTimes& times,
                   const std::vector<double>& values) {
  SceneRun run;
  for (const std::size_t t : times.shown) {
    const auto row = values.begin() + static_cast<std::ptrdiff_t>(t * scene.numbers);
    run.own.insert(run.own.end(), row, row + static_cast<std::ptrdiff_t>(scene.own_numbers));
  }
  run.poses.resize(times.frames.size() * scene.pose_size());
  for (std::size_t f = 0; f < times.frames.size(); ++f)
    scene.poses(&values[times.frames[f] * scene.numbers], &run.poses[f * scene.pose_size()]);
  return run;
}

NominalMotion nominal_motion(const Plan& plan, const SceneModel& scene) {
  const Trajectory trajectory = run(plan, scene.model);
  NominalMotion motion{std::vector<double>(trajectory.times.size() * scene.numbers),
                       trajectory.statistics};
  std::size_t first = 0;
  for (const ProbeSeries& series : trajectory.series) {
    const auto size = static_cast<std::size_t>(series.size);
    for (std::size_t t = 0; t < trajectory.times.size(); ++t)
      std::copy_n(&series.values[t * size], size, &motion.values[t * scene.numbers + first]);
    first += size;
  }
  return motion;
}

std::size_t affordable_runs(const System& system, const RunStatistics& nominal, std::size_t most) {
  constexpr double affordable = 1e8;  // some seconds of one core
  constexpr std::size_t fewest = 8;
  const double each = std::max(1.0, run_work(system, nominal));
  return std::clamp(static_cast<std::size_t>(affordable / each), fewest, most);
}

std::vector<std::pair<std::size_t, SceneRun>> realized_motions(const Plan& plan,
                                                               const SceneModel& scene,
                                                               const SceneTimes& times,
                                                               const EnsembleInputs& inputs,
                                                               std::size_t count) {
  const EnsembleOptions options;
  const EnsembleSetup setup(plan, inputs, options);
  const std::size_t group = setup.group(), outputs = setup.layout->times();
  std::vector<SceneRun> runs(count);
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    LeafRunner runner(setup);
    for (std::size_t first; (first = next.fetch_add(group)) < count;) {
      const std::size_t size = std::min(group, count - first);
      std::vector<std::uint64_t> numbers(size);
      std::iota(numbers.begin(), numbers.end(), first);
      runner.run_group(numbers.data(), size);
      for (std::size_t i = 0; i < size; ++i)
        if (const LeafRunner::Ended& ended = runner.ended(i);
            ended.outcome.status == RealizationStatus::ok && ended.valid_times == outputs)
          runs[first + i] = scene_run(scene, times, ended.values);
    }
  };
  {
    const auto groups = static_cast<int>((count + group - 1) / group);
    std::vector<std::jthread> threads;
    for (int i = 1; i < std::min(worker_count(0), groups); ++i) threads.emplace_back(work);
    work();
  }
  std::vector<std::pair<std::size_t, SceneRun>> ended;
  for (std::size_t i = 0; i < count; ++i)
    if (!runs[i].poses.empty()) ended.emplace_back(i, std::move(runs[i]));
  return ended;
}

std::vector<double> mean_poses(const SceneModel& scene, const std::vector<double>& nominal,
                               const std::vector<std::pair<std::size_t, SceneRun>>& runs) {
  std::vector<double> mean(nominal.size(), 0.0);
  const std::size_t size = scene.pose_size();
  for (std::size_t frame = 0; frame < nominal.size(); frame += size) {
    for (const auto& [place, run] : runs) {
      const double* pose = &run.poses[frame];
      for (std::size_t i = 0; i < size; ++i) mean[frame + i] += pose[i];
      for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
        const std::size_t q = SceneModel::body_size * b + 3;
        double side = 0;
        for (std::size_t k = 0; k < 4; ++k) side += pose[q + k] * nominal[frame + q + k];
        if (side < 0)
          for (std::size_t k = 0; k < 4; ++k) mean[frame + q + k] -= 2 * pose[q + k];
      }
    }
    for (std::size_t i = 0; i < size; ++i) mean[frame + i] /= static_cast<double>(runs.size());
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
      double* q = &mean[frame + SceneModel::body_size * b + 3];
      const double norm = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
      for (std::size_t k = 0; k < 4; ++k) q[k] /= norm;
    }
  }
  return mean;
}

}  // namespace tumble::report
