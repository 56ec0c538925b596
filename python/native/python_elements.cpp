#include "python_elements.hpp"

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstring>

#include "tumble/model/user_element.hpp"

namespace tumble::python {

PythonFailure::PythonFailure(const std::string& message, double time, py::error_already_set raised)
    : UserElementFailure(message, time),
      raised_(std::make_shared<py::error_already_set>(std::move(raised))) {}

void PythonFailure::restore() const {
  py::error_already_set raised(*raised_);
  raised.restore();
}

namespace {

using namespace pybind11::literals;

using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// Shapes begin with the row, one for each state, if the function is vectorised.
py::array_t<double> array(bool vectorised, std::size_t states,
                          std::initializer_list<py::ssize_t> of_one) {
  std::vector<py::ssize_t> shape;
  if (vectorised) shape.push_back(static_cast<py::ssize_t>(states));
  shape.insert(shape.end(), of_one);
  return py::array_t<double>(shape);
}

/// What a function answers: numbers, or vectors (size 3), for each state. One that is the same for
/// all rows may be given once.
void read_rows(const py::handle& from, bool vectorised, std::size_t states, std::size_t size,
               const char* what, const std::function<double*(std::size_t)>& out) {
  const auto spread = [&](const double* x, std::size_t stride) {
    for (std::size_t i = 0; i < states; ++i) std::copy_n(x + i * stride, size, out(i));
  };
  if (!py::isinstance<py::array>(from)) {
    if (size == 1 && PyNumber_Check(from.ptr()) != 0) {
      const auto x = py::cast<double>(from);
      return spread(&x, 0);
    }
    if (size == 3 && py::isinstance<py::sequence>(from) && py::len(from) == 3) {
      try {
        const auto x = py::cast<std::array<double, 3>>(from);
        return spread(x.data(), 0);
      } catch (const py::cast_error&) {  // perhaps three rows
      }
    }
  }
  const std::string wanted =
      !vectorised ? size == 1 ? "a number" : "three numbers"
                  : fmt::format("an array of shape ({}{}), a row for each of {} states", states,
                                size == 1 ? "," : ", 3", states);
  const Array found = Array::ensure(from);
  if (!found)
    throw py::value_error(
        fmt::format("{} must be {}, not {}", what, wanted, py::repr(from).cast<std::string>()));
  const auto ndim = static_cast<std::size_t>(found.ndim()), of_one = size == 1 ? 0ul : 1ul;
  const bool fits = size == 1 || (ndim > 0 && found.shape(static_cast<int>(ndim) - 1) == 3);
  if (fits && ndim == of_one) return spread(found.data(), 0);
  if (fits && vectorised && ndim == of_one + 1 && found.shape(0) == static_cast<long>(states))
    return spread(found.data(), size);
  throw py::value_error(fmt::format("{} must be {}, not of shape {}", what, wanted,
                                    py::repr(found.attr("shape")).cast<std::string>()));
}

py::sequence sequence_of(const py::object& answer, std::size_t size, const char* words) {
  if (!py::isinstance<py::sequence>(answer) || py::len(answer) != size)
    throw py::value_error(words);
  return answer;
}

/// A Python function that may be called, and let go of, by any thread.
class Function {
 public:
  Function(std::string kind, const py::dict& entry)
      : function_(entry["function"].cast<py::function>()),
        body_type_(py::module_::import("tumble.elements").attr("BodyState")),
        context_type_(py::module_::import("tumble.elements").attr("Context")),
        name_(std::move(kind) + " '" + entry["name"].cast<std::string>() + "'"),
        vectorised_(entry["vectorised"].cast<bool>()) {}
  ~Function() {
    const py::gil_scoped_acquire lock;
    function_ = {}, body_type_ = {}, context_type_ = {};
  }
  Function(const Function&) = delete;
  Function& operator=(const Function&) = delete;

  bool vectorised() const { return vectorised_; }

  /// Calls read(answer, first, count) with what Python answers to so many of the states, under one
  /// lock: all of them, or if it is not vectorised, one by one.
  template <class Read>
  void ask(std::span<const UserContext> states, Read&& read) const {
    const py::gil_scoped_acquire lock;
    const std::size_t at_once = vectorised_ ? states.size() : 1;
    try {
      for (std::size_t i = 0; i < states.size(); i += at_once)
        read(function_(context(states.subspan(i, at_once))), i, at_once);
    } catch (py::error_already_set& error) {
      fail(error, states.front().time);
    } catch (const py::builtin_exception& error) {
      error.set_error();
      py::error_already_set raised;
      fail(raised, states.front().time);
    }
  }

  /// Is it time to compare what it says of several states with what it says of each alone? The
  /// first time, the second, the fourth, and so on.
  bool due(std::size_t states) const {
    if (!vectorised_ || states < 2) return false;
    const std::uint64_t count = ++calls_;
    return (count & (count - 1)) == 0;
  }

  /// @throws std::invalid_argument, which ends a study and is a ValueError.
  void compare(std::size_t state, std::size_t states, std::span<const double> beside,
               std::span<const double> alone) const {
    double size = 0, off = 0;
    bool same = true;
    for (std::size_t k = 0; k < alone.size(); ++k) {
      if (std::isnan(alone[k]) && std::isnan(beside[k])) continue;
      same = same && std::memcmp(&alone[k], &beside[k], sizeof(double)) == 0;
      size = std::max(size, std::fabs(alone[k]));
      off = std::max(off, std::fabs(alone[k] - beside[k]));
    }
    if (same || off == 0) return;  // -0 and 0 are one number
    if (!(off <= 1e-9 * size))
      throw std::invalid_argument(fmt::format(
          "the {} mixes rows: asked for row {} of {} alone, it has another answer (by {:.3g}, of "
          "{:.3g}) than beside the others. Each row is a state of its own: sum over the last axis, "
          "not over the first",
          name_, state, states, off, size));
    throw std::invalid_argument(fmt::format(
        "the {} rounds differently when it is asked for several rows at once: row {} of {} is off "
        "by {:.3g}, of {:.3g}. Results would depend on how many realisations run side by side. "
        "Arithmetic and functions of NumPy element by element do not, products of matrices "
        "(a @ b, np.dot) do: write them as sums of products",
        name_, state, states, off, size));
  }

 private:
  py::object context(std::span<const UserContext> states) const {
    const std::size_t n = states.size();
    const UserContext& first = states.front();
    py::list bodies(first.bodies.size()), numbers(first.numbers.size()),
        drives(first.drives.size());
    for (std::size_t b = 0; b < first.bodies.size(); ++b) {
      // Arrays of their own: contiguous, and a function may keep what it was given.
      auto p = array(vectorised_, n, {3}), R = array(vectorised_, n, {3, 3}),
           v = array(vectorised_, n, {3}), w = array(vectorised_, n, {3});
      for (std::size_t i = 0; i < n; ++i) {
        const BodyView& body = states[i].bodies[b];
        std::copy_n(&body.p_W.x, 3, p.mutable_data() + 3 * i);
        std::copy_n(body.R_WB.m, 9, R.mutable_data() + 9 * i);
        std::copy_n(&body.v_W.x, 3, v.mutable_data() + 3 * i);
        std::copy_n(&body.w_W.x, 3, w.mutable_data() + 3 * i);
      }
      bodies[b] = body_type_(std::move(p), std::move(R), std::move(v), std::move(w));
    }
    const auto number = [&](auto&& of) -> py::object {
      if (!vectorised_) return py::float_(of(first));
      auto all = array(true, n, {});
      for (std::size_t i = 0; i < n; ++i) all.mutable_data()[i] = of(states[i]);
      return all;
    };
    for (std::size_t k = 0; k < first.numbers.size(); ++k)
      numbers[k] = number([k](const UserContext& c) { return c.numbers[k]; });
    for (std::size_t k = 0; k < first.drives.size(); ++k)
      drives[k] = py::make_tuple(number([k](const UserContext& c) { return c.drives[k].value; }),
                                 number([k](const UserContext& c) { return c.drives[k].rate; }),
                                 number([k](const UserContext& c) { return c.drives[k].second; }));
    return context_type_(first.time, std::move(bodies), std::move(numbers), std::move(drives));
  }

  [[noreturn]] void fail(py::error_already_set& error, double time) const {
    // What is no Exception, such as KeyboardInterrupt, is meant for the whole program.
    if (!error.matches(PyExc_Exception)) throw std::move(error);
    const auto type = error.type().attr("__name__").cast<std::string>();
    const auto text = py::str(error.value()).cast<std::string>();
    throw PythonFailure(
        fmt::format("{}: {}: {} at t = {} s", name_, type, text, format_number(time)), time,
        std::move(error));
  }

  py::function function_;
  py::object body_type_, context_type_;
  std::string name_;
  bool vectorised_;
  mutable std::atomic<std::uint64_t> calls_ = 0;
};

/// Which rows are compared: all of a few, some of many.
template <class F>
void for_rows_to_compare(std::size_t states, F&& f) {
  const std::size_t step = (states + 7) / 8;
  for (std::size_t i = 0; i < states; i += step) f(i);
  if ((states - 1) % step != 0) f(states - 1);
}

class PythonForce : public UserForce {
 public:
  explicit PythonForce(const py::dict& entry) : function_("user force", entry) {}

  void evaluate(const UserContext& context, std::span<Wrench> wrenches) const override {
    ask({&context, 1}, wrenches);
  }

  void evaluate_states(std::span<const UserContext> states,
                       std::span<Wrench> wrenches) const override {
    ask(states, wrenches);
    if (!function_.due(states.size())) return;
    const std::size_t bodies = wrenches.size() / states.size();
    std::vector<Wrench> alone(bodies);
    for_rows_to_compare(states.size(), [&](std::size_t i) {
      ask(states.subspan(i, 1), alone);
      function_.compare(i, states.size(), numbers_of(wrenches.subspan(i * bodies, bodies)),
                        numbers_of(alone));
    });
  }

 private:
  static std::span<const double> numbers_of(std::span<const Wrench> wrenches) {
    return {&wrenches.front().force.x, 6 * wrenches.size()};
  }

  void ask(std::span<const UserContext> states, std::span<Wrench> wrenches) const {
    const std::size_t bodies = wrenches.size() / states.size();
    function_.ask(states, [&](const py::object& answer, std::size_t first, std::size_t count) {
      const char* const words = "a force answers with one (force, torque) for each of its bodies";
      const py::sequence found = sequence_of(answer, bodies, words);
      for (std::size_t b = 0; b < bodies; ++b) {
        const py::sequence wrench = sequence_of(found[b], 2, words);
        const auto at = [&](std::size_t i) -> Wrench& {
          return wrenches[(first + i) * bodies + b];
        };
        const bool rows = function_.vectorised();
        read_rows(wrench[0], rows, count, 3, "a force", [&](auto i) { return &at(i).force.x; });
        read_rows(wrench[1], rows, count, 3, "a torque", [&](auto i) { return &at(i).torque.x; });
      }
    });
  }

  Function function_;
};

class PythonConstraint : public UserConstraint {
 public:
  explicit PythonConstraint(const py::dict& entry)
      : function_("user constraint", entry), rows_(entry["rows"].cast<int>()) {}

  int rows() const override { return rows_; }

  void evaluate(const UserContext& context, ConstraintAnswer& answer) const override {
    ask({&context, 1}, {&answer, 1});
  }

  void evaluate_states(std::span<const UserContext> states,
                       std::span<ConstraintAnswer> answers) const override {
    ask(states, answers);
    if (!function_.due(states.size())) return;
    const std::size_t rows = answers[0].value.size(), gradients = answers[0].gradient.size();
    std::vector<double> numbers(3 * rows);
    std::vector<ConstraintGradient> gradient(gradients);
    ConstraintAnswer alone{{numbers.data(), rows},
                           {numbers.data() + rows, rows},
                           {numbers.data() + 2 * rows, rows},
                           gradient};
    for_rows_to_compare(states.size(), [&](std::size_t i) {
      ask(states.subspan(i, 1), {&alone, 1});
      const auto compare = [&](std::span<const double> beside, std::span<const double> by_itself) {
        function_.compare(i, states.size(), beside, by_itself);
      };
      compare(answers[i].value, alone.value);
      compare(answers[i].time_rate, alone.time_rate);
      compare(answers[i].acceleration_bias, alone.acceleration_bias);
      compare({&answers[i].gradient[0].translation.x, 6 * gradients},
              {&gradient[0].translation.x, 6 * gradients});
    });
  }

 private:
  void ask(std::span<const UserContext> states, std::span<ConstraintAnswer> answers) const {
    const std::size_t bodies = states.front().bodies.size(), rows = answers[0].value.size();
    function_.ask(states, [&](const py::object& answer, std::size_t first, std::size_t count) {
      const py::sequence found = sequence_of(
          answer, rows,
          "a constraint answers with a row (see tumble.elements.Row) for each of its rows");
      const bool many = function_.vectorised();
      for (std::size_t r = 0; r < rows; ++r) {
        const py::object row = found[r];
        const auto read = [&](const char* name, std::span<double> ConstraintAnswer::*part) {
          read_rows(row.attr(name), many, count, 1, name,
                    [&](auto i) { return &(answers[first + i].*part)[r]; });
        };
        read("value", &ConstraintAnswer::value);
        read("time_rate", &ConstraintAnswer::time_rate);
        read("acceleration_bias", &ConstraintAnswer::acceleration_bias);
        const char* const words = "a gradient has one (translation, rotation) for each body";
        const py::sequence gradient = sequence_of(row.attr("gradient"), bodies, words);
        for (std::size_t b = 0; b < bodies; ++b) {
          const py::sequence of_body = sequence_of(gradient[b], 2, words);
          const auto at = [&](std::size_t i) -> ConstraintGradient& {
            return answers[first + i].gradient[r * bodies + b];
          };
          read_rows(of_body[0], many, count, 3, "a translation of a gradient",
                    [&](auto i) { return &at(i).translation.x; });
          read_rows(of_body[1], many, count, 3, "a rotation of a gradient",
                    [&](auto i) { return &at(i).rotation.x; });
        }
      }
    });
  }

  Function function_;
  int rows_;
};

template <class Element>
UserEntry<Element> entry_of(const py::dict& from, std::shared_ptr<const Element> element) {
  UserEntry<Element> entry;
  entry.name = from["name"].cast<std::string>();
  entry.element = std::move(element);
  for (const auto& name : from["bodies"]) entry.bodies.push_back(BodyRef{name.cast<std::string>()});
  for (const auto& name : from["drives"])
    entry.drives.push_back(DriveRef{name.cast<std::string>()});
  const auto numbers = from["numbers"].cast<py::dict>();
  for (const std::pair<py::handle, py::handle> item : numbers)
    entry.numbers.push_back({py::cast<std::string>(item.first), "", py::cast<double>(item.second)});
  return entry;
}

}  // namespace

ModelFile add_elements(const ModelFile& file, const py::list& forces, const py::list& constraints) {
  ModelFile with = file;
  const auto note = [&with](const char* kind, const py::dict& entry) {
    with.added_functions.emplace_back(kind + entry["name"].cast<std::string>(),
                                      entry["fingerprint"].cast<std::string>());
  };
  for (const auto& item : forces) {
    const auto force = item.cast<py::dict>();
    note("force ", force);
    with.model.user_forces.push_back(
        entry_of<UserForce>(force, std::make_shared<PythonForce>(force)));
  }
  for (const auto& item : constraints) {
    const auto constraint = item.cast<py::dict>();
    note("constraint ", constraint);
    with.model.user_constraints.push_back(
        entry_of<UserConstraint>(constraint, std::make_shared<PythonConstraint>(constraint)));
  }
  return with;
}

}  // namespace tumble::python
