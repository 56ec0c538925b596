// The Python module tumble._native: the library's functions, nearly as they are. What people like
// to type is made of them in Python (python/tumble).
#include <fmt/format.h>
#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <optional>

#include "python_elements.hpp"
#include "python_observer.hpp"
#include "python_quantities.hpp"
#include "tumble/base/atomic_file.hpp"
#include "tumble/campaign/assemble.hpp"
#include "tumble/campaign/evaluate.hpp"
#include "tumble/campaign/identification_run.hpp"
#include "tumble/campaign/laws_json.hpp"
#include "tumble/campaign/linear_model.hpp"
#include "tumble/campaign/replay.hpp"
#include "tumble/campaign/study_inputs.hpp"
#include "tumble/campaign/surrogate.hpp"
#include "tumble/campaign/times/time_grid.hpp"
#include "tumble/integrate/accuracy/time_error.hpp"
#include "tumble/integrate/probe_recorder.hpp"
#include "tumble/integrate/statics/equilibrium.hpp"
#include "tumble/io/model/study_sections.hpp"
#include "tumble/io/schema/parameter_listing.hpp"
#include "tumble/report/payload.hpp"
#include "tumble/tumble.hpp"

namespace tumble::python {
namespace {

using namespace pybind11::literals;

/// An array that owns the numbers: nothing is copied.
py::array_t<double> array_of(std::vector<double>&& values, std::vector<py::ssize_t> shape) {
  auto* const owner = new std::vector<double>(std::move(values));
  const py::capsule guard(owner, [](void* p) { delete static_cast<std::vector<double>*>(p); });
  return py::array_t<double>(std::move(shape), owner->data(), guard);
}

py::array_t<double> array_of(std::vector<double>&& values) {
  const auto size = static_cast<py::ssize_t>(values.size());
  return array_of(std::move(values), {size});
}

/// Runs `work` with an observer, without the interpreter's lock, and with Ctrl-C.
template <class Work>
auto observed(py::object listener, const Work& work) {
  PythonObserver observer(std::move(listener));
  const InterruptWatch watch;
  try {
    auto found = [&] {
      const py::gil_scoped_release unlocked;
      return work(observer);
    }();
    observer.rethrow();
    return found;
  } catch (const Cancelled&) {
    observer.rethrow();
    throw;
  }
}

IfResultsExist policy_of(const std::string& name) {
  if (name == "refuse") return IfResultsExist::refuse;
  if (name == "overwrite") return IfResultsExist::overwrite;
  if (name == "resume") return IfResultsExist::resume;
  throw py::value_error("if_exists is refuse, overwrite or resume, not " + name);
}

py::list series_of(std::vector<ProbeSeries>&& all, std::size_t times) {
  py::list list;
  for (ProbeSeries& s : all) {
    const std::vector<py::ssize_t> shape =
        s.size == 1 ? std::vector<py::ssize_t>{static_cast<py::ssize_t>(times)}
                    : std::vector<py::ssize_t>{static_cast<py::ssize_t>(times), s.size};
    py::dict entry("probe"_a = s.probe, "quantity"_a = std::string(info(s.quantity).name),
                   "unit"_a = std::string(info(s.quantity).unit));
    entry["values"] = array_of(std::move(s.values), shape);
    if (!s.time_error.empty()) entry["time_error"] = array_of(std::move(s.time_error), shape);
    list.append(std::move(entry));
  }
  return list;
}

py::dict run_model(const ModelFile& file, const std::string& name, const py::object& listener) {
  struct Found {
    Trajectory trajectory;
    double step;
  };
  Found found = observed(listener, [&](Observer& observer) {
    std::vector<std::string> warnings;
    Plan plan = assemble(file, name, observer, &warnings);
    Model model = file.model;
    for (std::string& sentence : settle_single_run(model, plan, 0, observer))
      warnings.push_back(std::move(sentence));
    RunOptions options;
    options.progress = [&](double) { stop_if_cancelled(observer); };
    Trajectory trajectory = run(plan, model, options);
    if (model.simulation.estimates_time_error()) add_time_error(plan, model, trajectory, options);
    trajectory.warnings.insert(trajectory.warnings.begin(), warnings.begin(), warnings.end());
    return Found{std::move(trajectory), model.simulation.first_step()};
  });
  Trajectory& t = found.trajectory;
  const std::size_t times = t.times.size();
  const RunStatistics& s = t.statistics;
  py::dict result;
  result["series"] = series_of(std::move(t.series), times);
  result["time"] = array_of(std::move(t.times));
  result["warnings"] = t.warnings;
  result["statistics"] = py::dict(
      "steps"_a = s.steps, "iterations"_a = s.iterations, "halvings"_a = s.halvings,
      "constraint_drift"_a = s.constraint_drift, "energy_mismatch"_a = s.energy.relative_mismatch);
  return result;
}

py::dict run_a_study(const ModelFile& file, const std::string& name,
                     const std::filesystem::path& directory, const std::string& if_exists,
                     int threads, int lanes, bool keep_journal, const std::string& command,
                     const py::object& listener) {
  StudyOptions options;
  options.model = name;
  options.directory = directory;
  options.if_results_exist = policy_of(if_exists);
  options.threads = threads;
  options.lanes = lanes;
  options.keep_journal = keep_journal;
  options.command = command;
  const StudyResults found =
      observed(listener, [&](Observer& observer) { return run_study(file, options, observer); });
  return py::dict("file"_a = found.file, "already_there"_a = found.already_there,
                  "realizations"_a = found.realizations, "computed"_a = found.computed,
                  "failed"_a = found.failed, "first_failures"_a = found.first_failures,
                  "too_many_failed"_a = found.too_many_failed, "wall_time"_a = found.wall_time,
                  "energy_mismatch"_a = found.energy_mismatch, "warnings"_a = found.warnings);
}

py::dict sweep(const std::string& text, const std::string& name,
               const std::vector<std::string>& overrides, const std::vector<std::string>& vary,
               const std::filesystem::path& directory, const std::string& if_exists, int threads,
               bool keep_points, const py::object& listener) {
  SweepOptions options;
  options.model = name;
  options.text = text;
  options.overrides = overrides;
  options.vary = vary;
  options.directory = directory;
  options.if_results_exist = policy_of(if_exists);
  options.threads = threads;
  options.keep_points = keep_points;
  const SweepOutcome found =
      observed(listener, [&](Observer& observer) { return run_sweep(options, observer); });
  return py::dict("file"_a = found.file, "already_there"_a = found.already_there,
                  "points"_a = found.points, "too_many_failed"_a = found.too_many_failed);
}

py::dict identify(const std::string& text, const std::string& name,
                  const std::vector<std::string>& overrides, const std::filesystem::path& data,
                  const std::filesystem::path& directory, const std::string& method,
                  const std::string& if_exists, int threads, const py::object& listener) {
  IdentificationOptions options;
  options.model = name;
  options.text = text;
  options.overrides = overrides;
  options.data = data;
  options.directory = directory;
  if (method != "ml" && method != "bayes")
    throw py::value_error("method is ml or bayes, not " + method);
  options.method =
      method == "ml" ? IdentificationMethod::maximum_likelihood : IdentificationMethod::bayes;
  options.if_results_exist = policy_of(if_exists);
  options.threads = threads;
  const IdentificationOutcome found =
      observed(listener, [&](Observer& observer) { return run_identification(options, observer); });
  return py::dict("file"_a = found.file, "model"_a = found.model,
                  "already_there"_a = found.already_there, "likelihood"_a = found.likelihood,
                  "runs"_a = found.runs, "verdicts"_a = found.verdicts,
                  "warnings"_a = found.warnings);
}

py::list equilibrium(const ModelFile& file, const std::string& name, const std::string& kind,
                     int load_steps, const py::object& listener) {
  EquilibriumOptions options;
  options.load_steps = load_steps;
  if (kind == "rest") options.kind = EquilibriumKind::rest;
  if (kind == "steady") options.kind = EquilibriumKind::steady;
  struct Found {
    Equilibrium equilibrium;
    std::vector<ProbeSeries> series;
  };
  const Found found = observed(listener, [&](Observer& observer) {
    const Plan plan = assemble(file, name, observer);
    Equilibrium equilibrium = find_equilibrium(plan, file.model, options);
    for (const auto* sentences : {&equilibrium.frame, &equilibrium.notes})
      for (const std::string& note : *sentences) observer.say(Message::note, note);
    return Found{std::move(equilibrium), make_series(plan)};
  });
  py::list steps;
  for (const std::vector<double>& measured : found.equilibrium.measured) {
    py::dict step;
    const double* value = measured.data();
    for (const ProbeSeries& s : found.series) {
      step[py::str(s.probe + "." + std::string(info(s.quantity).name))] =
          s.size == 1 ? py::object(py::float_(*value))
                      : py::object(array_of(std::vector<double>(value, value + s.size)));
      value += s.size;
    }
    steps.append(std::move(step));
  }
  return steps;
}

py::list modes(const ModelFile& file, const std::string& name, int count, bool at_start,
               bool undamped, int load_steps, const py::object& listener) {
  struct Mode {
    VibrationMode mode;
    std::vector<ModeDisplacement> shape;
  };
  const std::vector<Mode> found = observed(listener, [&](Observer& observer) {
    const Plan plan = assemble(file, name, observer);
    EquilibriumOptions options;
    options.load_steps = load_steps;
    const Equilibrium about =
        at_start ? described_state(plan, file.model) : find_equilibrium(plan, file.model, options);
    std::vector<Mode> all;
    for (VibrationMode& mode :
         find_vibrations(plan, file.model, about.state, count, &about.motion, undamped).modes) {
      auto shape = mode_displacements(*plan.system, file.model, about.state, mode);
      all.push_back({std::move(mode), std::move(shape)});
    }
    return all;
  });
  py::list list;
  for (const Mode& m : found) {
    py::dict shape;
    for (const ModeDisplacement& d : m.shape)
      shape[py::str(d.probe)] =
          py::make_tuple(std::complex<double>(d.displacement.x, d.imaginary.x),
                         std::complex<double>(d.displacement.y, d.imaginary.y),
                         std::complex<double>(d.displacement.z, d.imaginary.z));
    list.append(py::dict("frequency"_a = m.mode.frequency(),
                         "damping_ratio"_a = m.mode.damping_ratio(),
                         "eigenvalue"_a = m.mode.eigenvalue, "shape"_a = shape));
  }
  return list;
}

LinearRequest linear_request(const std::string& about, int load_steps,
                             std::vector<std::string> inputs, std::vector<std::string> outputs) {
  LinearRequest request;
  const auto found = std::ranges::find(reference_state_names, about);
  if (found == reference_state_names.end())
    throw py::value_error("about: must be equilibrium, rest, steady or start");
  request.about = static_cast<ReferenceState>(found - reference_state_names.begin());
  request.load_steps = load_steps;
  request.inputs = std::move(inputs);
  request.outputs = std::move(outputs);
  return request;
}

/// `use` is called while the plan is there.
template <class Use>
auto with_linear_model(const ModelFile& file, const std::string& name, const LinearRequest& request,
                       const py::object& listener, const Use& use) {
  return observed(listener, [&](Observer& observer) {
    const Plan plan = assemble(file, name, observer);
    const LinearModel model = linear_model(file, plan, request);
    for (const std::string& note : model.notes) observer.say(Message::note, note);
    return use(model);
  });
}

template <class Named>
py::tuple names_of(const std::vector<Named>& list) {
  py::list names, units;
  for (const Named& one : list) {
    names.append(one.name);
    units.append(one.unit);
  }
  return py::make_tuple(names, units);
}

py::dict linearize(const ModelFile& file, const std::string& name, const std::string& about,
                   int load_steps, std::vector<std::string> inputs,
                   std::vector<std::string> outputs, const py::object& listener) {
  StateSpace found = with_linear_model(
      file, name, linear_request(about, load_steps, std::move(inputs), std::move(outputs)),
      listener, [](const LinearModel& model) { return model.equations->state_space(); });
  const auto n = static_cast<py::ssize_t>(found.states.size()),
             m = static_cast<py::ssize_t>(found.inputs.size()),
             p = static_cast<py::ssize_t>(found.outputs.size());
  return py::dict(
      "states"_a = names_of(found.states), "inputs"_a = names_of(found.inputs),
      "outputs"_a = names_of(found.outputs), "A"_a = array_of(std::move(found.A), {n, n}),
      "B"_a = array_of(std::move(found.B), {n, m}), "C"_a = array_of(std::move(found.C), {p, n}),
      "D"_a = array_of(std::move(found.D), {p, m}));
}

py::dict frequency_response(const ModelFile& file, const std::string& name,
                            const std::vector<double>& frequencies, const std::string& about,
                            int load_steps, std::vector<std::string> inputs,
                            std::vector<std::string> outputs, const py::object& listener) {
  struct Found {
    std::vector<LinearInput> inputs;
    std::vector<LinearOutput> outputs;
    std::vector<double> real, imaginary;
  };
  Found found = with_linear_model(
      file, name, linear_request(about, load_steps, std::move(inputs), std::move(outputs)),
      listener, [&](const LinearModel& model) {
        Found all{model.inputs, model.outputs, {}, {}};
        constexpr double turn = 2 * 3.141592653589793;
        for (const double f : frequencies)
          for (const std::complex<double>& z : model.equations->response({0, turn * f})) {
            all.real.push_back(z.real());
            all.imaginary.push_back(z.imag());
          }
        return all;
      });
  const std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(frequencies.size()),
                                       static_cast<py::ssize_t>(found.outputs.size()),
                                       static_cast<py::ssize_t>(found.inputs.size())};
  return py::dict("inputs"_a = names_of(found.inputs), "outputs"_a = names_of(found.outputs),
                  "real"_a = array_of(std::move(found.real), shape),
                  "imaginary"_a = array_of(std::move(found.imaginary), shape));
}

py::tuple sample(const ModelFile& file, std::uint64_t count, std::optional<std::int64_t> seed) {
  if (file.uncertainty->empty())
    throw RequestError("the model has no random inputs: it has no section `uncertainty`");
  DesignParameters sampling = sampling_of(file);
  if (seed) sampling.seed = static_cast<std::uint64_t>(*seed);
  sampling.realizations = count;
  if (file.study) sampling.randomizations = randomizations_of(file.study->study, count);
  const auto inputs = random_inputs(file, sampling);
  const std::size_t columns = inputs->slots().size();
  std::vector<double> values(count * columns);
  {
    const py::gil_scoped_release unlocked;
    for (std::uint64_t i = 0; i < count; ++i) inputs->fill(i, &values[i * columns]);
  }
  return py::make_tuple(inputs->paths(),
                        array_of(std::move(values), {static_cast<py::ssize_t>(count),
                                                     static_cast<py::ssize_t>(columns)}));
}

py::dict derivatives(const ModelFile& file, const std::string& name, const std::string& path,
                     const py::object& listener) {
  Derivatives found = observed(listener, [&](Observer& observer) {
    Plan plan = assemble(file, name, observer);
    Model model = file.model;
    settle_time_grid(model, plan, nullptr, 0, observer);
    return differentiate(plan, model, path);
  });
  py::dict result;
  const std::size_t times = found.times.size();
  result["unit"] = found.unit;
  result["series"] = series_of(std::move(found.series), times);
  result["time"] = array_of(std::move(found.times));
  return result;
}

void make_report(const std::vector<std::filesystem::path>& directories,
                 const std::filesystem::path& file) {
  const py::gil_scoped_release unlocked;
  AtomicFile target(file);
  target.write(report::make_page(directories));
  target.commit();
}

py::tuple evaluate(const Evaluator& evaluator,
                   const py::array_t<double, py::array::c_style | py::array::forcecast>& rows,
                   int threads, int lanes, bool series, const py::object& listener) {
  if (rows.ndim() != 2 || static_cast<std::size_t>(rows.shape(1)) != evaluator.inputs().size())
    throw py::value_error(fmt::format("rows of {} inputs are wanted, an array of shape (n, {})",
                                      evaluator.inputs().size(), evaluator.inputs().size()));
  EvaluationOptions options;
  options.threads = threads;
  options.lanes = lanes;
  options.keep_series = series;
  const std::span<const double> numbers(rows.data(), static_cast<std::size_t>(rows.size()));
  Evaluation found = observed(
      listener, [&](Observer& observer) { return evaluator.evaluate(numbers, options, observer); });
  const auto n = static_cast<py::ssize_t>(found.rows);
  py::array_t<std::uint8_t> status(n);
  for (py::ssize_t i = 0; i < n; ++i)
    status.mutable_at(i) = static_cast<std::uint8_t>(found.status[static_cast<std::size_t>(i)]);
  py::object kept = py::none();
  if (series)
    kept = array_of(std::move(found.series), {n, static_cast<py::ssize_t>(evaluator.times().size()),
                                              static_cast<py::ssize_t>(evaluator.numbers())});
  return py::make_tuple(array_of(std::move(found.quantities),
                                 {n, static_cast<py::ssize_t>(evaluator.quantities().size())}),
                        kept, status, found.reasons);
}

using Rows = py::array_t<double, py::array::c_style | py::array::forcecast>;

std::span<const double> numbers_of(const Rows& rows, std::size_t columns) {
  if (rows.ndim() != 2 || static_cast<std::size_t>(rows.shape(1)) != columns)
    throw py::value_error(fmt::format("an array of shape (n, {}) is wanted", columns));
  return {rows.data(), static_cast<std::size_t>(rows.size())};
}

py::array_t<double> ask(const Surrogate& surrogate, const std::string& output, const Rows& points) {
  std::vector<py::ssize_t> shape{points.ndim() == 2 ? points.shape(0) : 0};
  for (const std::size_t size : surrogate.shape(output))
    shape.push_back(static_cast<py::ssize_t>(size));
  return array_of(surrogate.evaluate(output, numbers_of(points, surrogate.germs().size())), shape);
}

void bind_errors(py::module_& m) {
  static py::exception<InputError> input(m, "InputError", PyExc_ValueError);
  static py::exception<RequestError> request(m, "RequestError", PyExc_RuntimeError);
  static py::exception<SimulationError> simulation(m, "SimulationError", PyExc_RuntimeError);
  static py::exception<TooManyFailed> failed(m, "TooManyFailed", PyExc_RuntimeError);
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const InputError& error) {
      input(error.what());
    } catch (const RequestError& error) {
      request(error.what());
    } catch (const PythonFailure& error) {
      error.restore();
    } catch (const SimulationError& error) {
      simulation(error.what());
    } catch (const TooManyFailed& error) {
      failed(error.what());
    } catch (const Cancelled& error) {
      PyErr_SetString(PyExc_KeyboardInterrupt, error.resumable()
                                                   ? "interrupted; if_exists=\"resume\" goes on"
                                                   : error.what());
    }
  });
}

PYBIND11_MODULE(_native, m) {
  m.doc() = "What the package tumble is made of.";
  m.attr("version") = TUMBLE_VERSION;
  bind_errors(m);

  py::class_<ModelFile>(m, "ModelFile")
      .def_property_readonly("title", [](const ModelFile& f) { return f.model.title; })
      .def_readonly("effective_yaml", &ModelFile::effective_yaml)
      .def_property_readonly("has_study", [](const ModelFile& f) { return f.study != nullptr; })
      .def_property_readonly("is_uncertain",
                             [](const ModelFile& f) { return !f.uncertainty->empty(); })
      .def("parameters",
           [](const ModelFile& f) { return parameter_table_json(f.model, *f.uncertainty); })
      .def("laws", [](const ModelFile& f) {
        return laws_json(RandomLaws(f.model, *f.uncertainty)).dump();
      });
  m.def(
      "read_model_file", [](const std::filesystem::path& path) { return read_model_file(path); },
      "path"_a);
  m.def(
      "read_model",
      [](const std::string& text, const std::string& name,
         const std::vector<std::string>& overrides) {
        return read_model_text(text, name, overrides);
      },
      "text"_a, "name"_a, "overrides"_a);
  m.def("add_elements", add_elements, "file"_a, "forces"_a, "constraints"_a);
  m.def("add_quantities", add_quantities, "file"_a, "quantities"_a);
  m.def("probed_numbers", probed_numbers, "file"_a);
  m.def("run", run_model, "file"_a, "name"_a, "listener"_a);
  m.def("run_study", run_a_study, "file"_a, "name"_a, "directory"_a, "if_exists"_a, "threads"_a,
        "lanes"_a, "keep_journal"_a, "command"_a, "listener"_a);
  m.def("run_sweep", sweep, "text"_a, "name"_a, "overrides"_a, "vary"_a, "directory"_a,
        "if_exists"_a, "threads"_a, "keep_points"_a, "listener"_a);
  m.def("run_identification", identify, "text"_a, "name"_a, "overrides"_a, "data"_a, "directory"_a,
        "method"_a, "if_exists"_a, "threads"_a, "listener"_a);
  m.def("equilibrium", equilibrium, "file"_a, "name"_a, "kind"_a, "load_steps"_a, "listener"_a);
  m.def("modes", modes, "file"_a, "name"_a, "count"_a, "at_start"_a, "undamped"_a, "load_steps"_a,
        "listener"_a);
  m.def("linearize", linearize, "file"_a, "name"_a, "about"_a, "load_steps"_a, "inputs"_a,
        "outputs"_a, "listener"_a);
  m.def("frequency_response", frequency_response, "file"_a, "name"_a, "frequencies"_a, "about"_a,
        "load_steps"_a, "inputs"_a, "outputs"_a, "listener"_a);
  m.def("sample", sample, "file"_a, "count"_a, "seed"_a);
  m.def("derivatives", derivatives, "file"_a, "name"_a, "path"_a, "listener"_a);
  m.def(
      "replay",
      [](const std::filesystem::path& directory, long long realization, py::object listener) {
        return observed(
                   std::move(listener),
                   [&](Observer& observer) { return replay(directory, realization, observer); })
            .file;
      },
      "directory"_a, "realization"_a, "listener"_a);
  m.def("make_report", make_report, "directories"_a, "file"_a);

  py::class_<Surrogate>(m, "Surrogate")
      .def(py::init<const std::filesystem::path&>(), "results"_a)
      .def_property_readonly("germs", &Surrogate::germs)
      .def_property_readonly("outputs", &Surrogate::outputs)
      .def_property_readonly("parameters", &Surrogate::parameters)
      .def("evaluate", ask, "output"_a, "points"_a)
      .def(
          "points_of",
          [](const Surrogate& s, const Rows& values) {
            return array_of(
                s.points_of(numbers_of(values, s.parameters().empty() ? 1 : s.parameters().size())),
                {values.shape(0), values.shape(1)});
          },
          "values"_a);

  py::class_<Evaluator>(m, "Evaluator")
      .def(
          py::init([](const ModelFile& file, std::vector<std::string> inputs, py::object listener) {
            return observed(std::move(listener), [&](Observer& observer) {
              return std::make_unique<Evaluator>(file, std::move(inputs), observer);
            });
          }),
          "file"_a, "inputs"_a, "listener"_a)
      .def_property_readonly("inputs", &Evaluator::inputs)
      .def_property_readonly("quantities", &Evaluator::quantities)
      .def_property_readonly("quantity_units", &Evaluator::quantity_units)
      .def_property_readonly("nominal", &Evaluator::nominal)
      .def_property_readonly("times", &Evaluator::times)
      .def_property_readonly(
          "series",
          [](const Evaluator& e) {
            py::list list;
            for (const Evaluator::Series& s : e.series())
              list.append(py::make_tuple(s.probe, s.quantity, s.unit, s.first, s.size));
            return list;
          })
      .def("evaluate", evaluate, "rows"_a, "threads"_a, "lanes"_a, "series"_a, "listener"_a);
}

}  // namespace
}  // namespace tumble::python
