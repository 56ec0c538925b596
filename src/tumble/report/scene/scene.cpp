#include "tumble/report/scene/scene.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tumble/beam/polygon_section.hpp"
#include "tumble/inputs/excitation_draws.hpp"
#include "tumble/inputs/random_inputs.hpp"
#include "tumble/model/compile.hpp"
#include "tumble/model/compile/beam_shape.hpp"
#include "tumble/model/compile/compiling.hpp"
#include "tumble/model/excitation.hpp"
#include "tumble/report/energy.hpp"
#include "tumble/report/scene/scene_parts.hpp"

namespace tumble::report {
namespace {

using Runs = std::vector<std::pair<std::size_t, SceneRun>>;

/// The realisations of a study, by their inputs in the results.
struct ChosenInputs {
  std::vector<std::size_t> numbers;
  std::size_t columns = 0;
  std::vector<double> rows;
};

ChosenInputs chosen_inputs(const ResultsView& results, const ShownRealizations& shown,
                           std::size_t most) {
  ChosenInputs chosen;
  for (const std::size_t i : evenly(shown.run_again().size(), most))
    chosen.numbers.push_back(shown.run_again()[i]);
  const NetcdfReader::Variable* inputs = results.file().find("inputs");
  // Random drives may be all that differs.
  if (inputs == nullptr)
    return excitation_germs(results.model()->model) > 0 ? chosen : ChosenInputs{};
  chosen.columns = inputs->sizes.at(1);
  chosen.rows.resize(chosen.numbers.size() * chosen.columns);
  for (std::size_t i = 0; i < chosen.numbers.size(); ++i)
    results.file().read(*inputs, {chosen.numbers[i], 0}, {1, chosen.columns},
                        &chosen.rows[i * chosen.columns]);
  return chosen;
}

class SceneMaker {
 public:
  SceneMaker(const ResultsView& results, const ShownRealizations& shown, Blob& blob)
      : results_(results),
        shown_(shown),
        blob_(blob),
        scene_(results.model()->model),
        plan_(make_plan(compile(scene_.model))),
        motion_(nominal_motion(plan_, scene_)),
        most_runs_(
            affordable_runs(*plan_.system, motion_.statistics, ShownRealizations::most_run_again)) {
    // Two thirds of the room for ghosts: enough frames first, then as many ghosts as fit.
    const std::size_t frame_bytes = sizeof(float) * scene_.pose_size();
    const std::size_t room = results.budget().scene / std::max<std::size_t>(1, frame_bytes);
    times_.shown = results.shown_times();
    times_.frames =
        evenly(results.times().size(), std::clamp<std::size_t>(room / 12, 30, Budget::most_frames));
    const std::size_t in_scene = room / times_.frames.size();
    const std::size_t in_curves =
        results.budget().samples /
        std::max<std::size_t>(1, sizeof(float) * times_.shown.size() * scene_.own_numbers);
    most_samples_ = std::min({in_scene > 2 ? in_scene - 2 : 0, in_curves, Budget::most_samples});
    nominal_ = scene_run(scene_, times_, motion_.values);
  }

  SceneParts make(Json& curves) {
    run_realizations();
    add_samples(curves);
    SceneParts parts;
    parts.degrees_of_freedom = plan_.degrees_of_freedom();
    parts.energy = energy_of(scene_, motion_.values, times_.shown, results_.times(), blob_);
    parts.scene = scene();
    return parts;
  }

 private:
  void run_realizations() {
    if (!results_.is_study()) return;
    // Germs of random drives that a method chose are in no results: the nominal machine alone.
    if (results_.method() == "reliability" && excitation_germs(results_.model()->model) > 0) return;
    if (results_.method() == "chaos")
      run_draws();
    else
      run_chosen();
    // Points that a method chose have no mean; those of polynomial chaos were drawn anew.
    if (!runs_.empty() && (results_.holds_draws() || results_.method() == "chaos"))
      mean_ = mean_poses(scene_, nominal_.poses, runs_);
    for (const std::size_t i : evenly(runs_.size(), most_samples_)) samples_.push_back(i);
  }

  void run_chosen() {
    const ChosenInputs chosen = chosen_inputs(results_, shown_, most_runs_);
    EnsembleInputs inputs;
    for (const std::string& path : results_.text("input"))
      inputs.slots.push_back(plan_.system->parameters.find(path));
    if (chosen.numbers.empty() || std::ranges::find(inputs.slots, -1) != inputs.slots.end()) return;
    inputs.fill = [&chosen](std::uint64_t i, double* values) {
      std::copy_n(chosen.rows.data() + i * chosen.columns, chosen.columns, values);
    };
    if (const ExcitationDraws draws = excitation_draws(results_.model()->model, seed()))
      inputs.excite = [&chosen, draws](std::uint64_t i, double* germs) {
        draws(chosen.numbers[i], germs);
      };
    runs_ = realized_motions(plan_, scene_, times_, inputs, chosen.numbers.size());
    for (auto& [place, run] : runs_) place = chosen.numbers[place];
  }

  std::uint64_t seed() const {
    return static_cast<std::uint64_t>(results_.file().integer_attribute("seed").value_or(1));
  }

  /// Points of polynomial chaos have weights and lie where no sample would; so the laws are drawn
  /// from.
  void run_draws() {
    drawn_ = true;
    DesignParameters design;
    design.realizations = most_runs_;
    design.seed = seed();
    const ModelFile& file = *results_.model();
    const RandomInputs draws(file.model, *file.uncertainty, design);
    EnsembleInputs inputs;
    for (const std::string& path : draws.paths())
      inputs.slots.push_back(plan_.system->parameters.find(path));
    inputs.fill = [&draws](std::uint64_t i, double* values) { draws.fill(i, values); };
    runs_ = realized_motions(plan_, scene_, times_, inputs, most_runs_);
  }

  void add_samples(Json& curves) {
    if (samples_.empty()) return;
    std::size_t first = 0;
    for (std::size_t i = 0; i < results_.quantities().size(); ++i) {
      const std::size_t size = results_.quantities()[i].axes.size();
      std::vector<double> values;
      for (const std::size_t s : samples_)
        for (std::size_t t = 0; t < times_.shown.size(); ++t)
          for (std::size_t a = 0; a < size; ++a)
            values.push_back(runs_[s].second.own[t * scene_.own_numbers + first + a]);
      curves[i]["samples"] = blob_.f32(values, {samples_.size(), times_.shown.size(), size});
      first += size;
    }
  }

  /// A part of the poses of all frames.
  std::vector<double> cut(const std::vector<double>& poses, std::size_t first,
                          std::size_t size) const {
    std::vector<double> part;
    part.reserve(times_.frames.size() * size);
    for (std::size_t f = 0; f < times_.frames.size(); ++f) {
      const double* pose = &poses[f * scene_.pose_size() + first];
      part.insert(part.end(), pose, pose + size);
    }
    return part;
  }

  void add_motion(Json& json, std::size_t first, std::size_t size, Shape tail) const {
    Shape shape{times_.frames.size()};
    shape.insert(shape.end(), tail.begin(), tail.end());
    json["nominal"] = blob_.f32(cut(nominal_.poses, first, size), shape);
    if (!mean_.empty()) json["mean"] = blob_.f32(cut(mean_, first, size), shape);
    if (samples_.empty()) return;
    std::vector<double> all;
    for (const std::size_t s : samples_) {
      const std::vector<double> one = cut(runs_[s].second.poses, first, size);
      all.insert(all.end(), one.begin(), one.end());
    }
    shape.insert(shape.begin(), samples_.size());
    json["samples"] = blob_.f32(all, shape);
  }

  bool is_random(const std::string& prefix) const {
    const std::vector<std::string> inputs = results_.text("input");
    return std::ranges::any_of(inputs,
                               [&](const std::string& path) { return path.starts_with(prefix); });
  }

  Json bodies() const {
    Json all = Json::array();
    const Model& model = results_.model()->model;
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
      const Body& body = model.bodies[i];
      Json json{{"name", body.name},
                {"shapes", body_shapes(body, blob_)},
                {"given", body.shape.kind != tumble::Shape::Kind::none || !body.drawing.empty() ||
                              !body.parts.empty()},
                {"random", is_random("bodies." + body.name + ".")}};
      add_motion(json, SceneModel::body_size * i, SceneModel::body_size, {SceneModel::body_size});
      all.push_back(std::move(json));
    }
    return all;
  }

  Json beams() const {
    Json all = Json::array();
    const Model& model = results_.model()->model;
    std::size_t first = SceneModel::body_size * model.bodies.size();
    for (std::size_t i = 0; i < model.beams.size(); ++i) {
      const Beam& beam = model.beams[i];
      bool random = is_random("beams." + beam.name + ".");
      for (const BeamField& field : model.fields)
        random |= std::ranges::find(field.beams, i) != field.beams.end();
      Json json{{"name", beam.name}, {"section", section(beam)}, {"random", random}};
      add_motion(json, first, scene_.beam_size(i),
                 {scene_.stations[i].size(), SceneModel::station_size});
      first += scene_.beam_size(i);
      all.push_back(std::move(json));
    }
    return all;
  }

  static Json section(const Beam& beam) {
    const BeamSection& s = beam.section;
    if (s.circle) return {{"type", "circle"}, {"radius", s.circle->radius}};
    if (s.tube) return {{"type", "circle"}, {"radius", s.tube->radius}};
    if (s.rectangle)
      return {
          {"type", "rectangle"}, {"height", s.rectangle->height}, {"width", s.rectangle->width}};
    const beam::Section made = beam_section(beam);
    if (s.polygon) return {{"type", "outline"}, {"points", made.polygon_numbers()->corners}};
    if (s.i_beam) {
      const double h = s.i_beam->height / 2, w = s.i_beam->width / 2, t = s.i_beam->web / 2,
                   inner = h - s.i_beam->flange;
      return {{"type", "outline"},
              {"points", Json::array({{-h, -w},
                                      {-inner, -w},
                                      {-inner, -t},
                                      {inner, -t},
                                      {inner, -w},
                                      {h, -w},
                                      {h, w},
                                      {inner, w},
                                      {inner, t},
                                      {-inner, t},
                                      {-inner, w},
                                      {-h, w}})}};
    }
    // Without a shape: the rectangle that is as thick as its stiffnesses say.
    const beam::SectionStiffness k = given_stiffness(*s.stiffness);
    return {{"type", "rectangle"},
            {"height", std::sqrt(12 * k.bending_z / k.axial)},
            {"width", std::sqrt(12 * k.bending_y / k.axial)}};
  }

  /// The smallest box that holds the reference points of bodies and the axes of beams.
  void add_bounds(Json& scene) const {
    constexpr double inf = std::numeric_limits<double>::infinity();
    std::array<double, 3> low{inf, inf, inf}, high{-inf, -inf, -inf};
    const auto include = [&](const double* point) {
      for (std::size_t k = 0; k < 3; ++k) {
        low[k] = std::min(low[k], point[k]);
        high[k] = std::max(high[k], point[k]);
      }
    };
    const std::size_t bodies = SceneModel::body_size * scene_.bodies.size();
    for (std::size_t f = 0; f < times_.frames.size(); ++f) {
      const double* pose = &nominal_.poses[f * scene_.pose_size()];
      for (std::size_t at = 0; at < bodies; at += SceneModel::body_size) include(pose + at);
      for (std::size_t at = bodies; at < scene_.pose_size(); at += SceneModel::station_size)
        include(pose + at);
    }
    scene["low"] = low;
    scene["high"] = high;
  }

  Json scene() const {
    const Model& model = results_.model()->model;
    std::vector<double> time;
    for (const std::size_t t : times_.frames) time.push_back(results_.times()[t]);
    std::vector<std::size_t> numbers;
    for (const std::size_t s : samples_) numbers.push_back(runs_[s].first);
    Json json{{"time", blob_.f64(time, {time.size()})},
              {"gravity", {model.gravity.x, model.gravity.y, model.gravity.z}},
              {"samples", numbers},
              {"drawn", drawn_},
              {"mean_of", runs_.size()}};
    add_bounds(json);
    json["bodies"] = bodies();
    json["beams"] = beams();
    json["joints"] = scene_joints(scene_);
    json["springs"] = scene_springs(scene_);
    json["loads"] = scene_loads(scene_);
    json["marks"] = scene_marks(scene_, results_);
    return json;
  }

  const ResultsView& results_;
  const ShownRealizations& shown_;
  Blob& blob_;
  const SceneModel scene_;
  const Plan plan_;
  const NominalMotion motion_;
  const std::size_t most_runs_;
  SceneTimes times_;
  std::size_t most_samples_ = 0;
  SceneRun nominal_;
  Runs runs_;
  std::vector<std::size_t> samples_;  ///< places among the runs
  std::vector<double> mean_;
  bool drawn_ = false;
};

}  // namespace

SceneParts make_scene(const ResultsView& results, const ShownRealizations& shown, Json& curves,
                      Blob& blob) {
  return SceneMaker(results, shown, blob).make(curves);
}

}  // namespace tumble::report
