#include "python_elements.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <array>

#include "tumble/model/user_element.hpp"

namespace tumble::python {
namespace {

using namespace pybind11::literals;

py::array_t<double> array_of(const Vec3d& x) {
  py::array_t<double> a(3);
  for (int k = 0; k < 3; ++k) a.mutable_at(k) = k == 0 ? x.x : k == 1 ? x.y : x.z;
  return a;
}

py::array_t<double> array_of(const Mat3d& m) {
  py::array_t<double> a({3, 3});
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) a.mutable_at(i, j) = m(i, j);
  return a;
}

Vec3d vector_of(const py::handle& x) {
  const auto a = py::cast<std::array<double, 3>>(x);
  return {a[0], a[1], a[2]};
}

/// A Python function that may be let go of by any thread.
class Function {
 public:
  explicit Function(py::function f) : function_(std::move(f)) {}
  ~Function() {
    const py::gil_scoped_acquire lock;
    function_ = {};
  }
  Function(const Function&) = delete;
  Function& operator=(const Function&) = delete;

  /// With the interpreter's lock.
  py::object operator()(const UserContext& context) const {
    py::list bodies, drives, numbers;
    for (const BodyView& body : context.bodies)
      bodies.append(body_type()(array_of(body.p_W), array_of(body.R_WB), array_of(body.v_W),
                                array_of(body.w_W)));
    for (const double number : context.numbers) numbers.append(number);
    for (const Taylor2<double>& drive : context.drives)
      drives.append(py::make_tuple(drive.value, drive.rate, drive.second));
    return function_(context_type()(context.time, bodies, numbers, drives));
  }

 private:
  static py::object body_type() { return py::module_::import("tumble.elements").attr("BodyState"); }
  static py::object context_type() {
    return py::module_::import("tumble.elements").attr("Context");
  }

  py::function function_;
};

class PythonForce : public UserForce {
 public:
  explicit PythonForce(py::function f) : function_(std::move(f)) {}

  void evaluate(const UserContext& context, std::span<Wrench> wrenches) const override {
    const py::gil_scoped_acquire lock;
    const py::sequence found = function_(context);
    if (found.size() != wrenches.size())
      throw py::value_error("a force answers with one (force, torque) for each of its bodies");
    for (std::size_t i = 0; i < wrenches.size(); ++i) {
      const py::sequence wrench = found[i];
      wrenches[i] = {vector_of(wrench[0]), vector_of(wrench[1])};
    }
  }

 private:
  Function function_;
};

class PythonConstraint : public UserConstraint {
 public:
  PythonConstraint(py::function f, int rows) : function_(std::move(f)), rows_(rows) {}

  int rows() const override { return rows_; }
  void evaluate(const UserContext& context, ConstraintAnswer& answer) const override {
    const py::gil_scoped_acquire lock;
    const py::sequence found = function_(context);
    if (found.size() != static_cast<std::size_t>(rows_))
      throw py::value_error(
          "a constraint answers with a row (see tumble.elements.Row) for each of its rows");
    for (std::size_t r = 0; r < static_cast<std::size_t>(rows_); ++r) {
      const py::object row = found[r];
      answer.value[r] = row.attr("value").cast<double>();
      answer.time_rate[r] = row.attr("time_rate").cast<double>();
      answer.acceleration_bias[r] = row.attr("acceleration_bias").cast<double>();
      const py::sequence gradient = row.attr("gradient");
      const std::size_t bodies = context.bodies.size();
      for (std::size_t b = 0; b < bodies; ++b) {
        const py::sequence of_body = gradient[b];
        answer.gradient[r * bodies + b] = {vector_of(of_body[0]), vector_of(of_body[1])};
      }
    }
  }

 private:
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
    with.model.user_forces.push_back(entry_of<UserForce>(
        force, std::make_shared<PythonForce>(force["function"].cast<py::function>())));
  }
  for (const auto& item : constraints) {
    const auto constraint = item.cast<py::dict>();
    note("constraint ", constraint);
    with.model.user_constraints.push_back(entry_of<UserConstraint>(
        constraint, std::make_shared<PythonConstraint>(constraint["function"].cast<py::function>(),
                                                       constraint["rows"].cast<int>())));
  }
  return with;
}

}  // namespace tumble::python
