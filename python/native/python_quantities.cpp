#include "python_quantities.hpp"

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cctype>

#include "tumble/campaign/errors.hpp"
#include "tumble/integrate/probe_recorder.hpp"
#include "tumble/io/model/study_sections.hpp"
#include "tumble/io/results/quantity_part.hpp"
#include "tumble/model/study/user_quantity.hpp"

namespace tumble::python {
namespace {

class PythonQuantity : public UserQuantity {
 public:
  explicit PythonQuantity(py::object function) : function_(std::move(function)) {}
  ~PythonQuantity() override {
    const py::gil_scoped_acquire lock;
    function_ = {};
  }
  PythonQuantity(const PythonQuantity&) = delete;
  PythonQuantity& operator=(const PythonQuantity&) = delete;

  void try_out(const UserRuns& nominal) const override {
    const py::gil_scoped_acquire lock;
    function_.attr("try_out")(times_of(nominal), values_of(nominal));
  }

  void evaluate(const UserRuns& runs, std::span<double> values) const override {
    const py::gil_scoped_acquire lock;
    try {
      const py::array_t<double, py::array::c_style | py::array::forcecast> found =
          function_(times_of(runs), values_of(runs));
      if (found.ndim() != 1 || static_cast<std::size_t>(found.size()) != values.size())
        throw NoAnswer("one number a realisation is wanted");
      std::copy_n(found.data(), values.size(), values.begin());
    } catch (py::error_already_set& error) {
      // What is no Exception, such as SystemExit, is meant for the whole program.
      if (!error.matches(PyExc_Exception)) throw;
      throw NoAnswer(error.what());
    }
  }

 private:
  // Copies: a function may keep what it was given.
  static py::array_t<double> times_of(const UserRuns& runs) {
    return py::array_t<double>(static_cast<py::ssize_t>(runs.times.size()), runs.times.data());
  }
  static py::array_t<double> values_of(const UserRuns& runs) {
    const std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(runs.count),
                                         static_cast<py::ssize_t>(runs.times.size()),
                                         static_cast<py::ssize_t>(runs.numbers)};
    return py::array_t<double>(shape, runs.values.data());
  }

  py::object function_;
};

bool is_name(const std::string& text) {
  const auto letter = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return !text.empty() && std::ranges::all_of(text, letter) &&
         std::isdigit(static_cast<unsigned char>(text.front())) == 0;
}

/// Variables of results are named by quantities and what is said of them.
void refuse_clash(const std::string& name, const std::vector<QuantityOfInterest>& others) {
  for (const QuantityOfInterest& other : others) {
    bool clash = name == other.name;
    for (const std::string_view ending : quantity_variable_endings())
      clash = clash || name == other.name + std::string(ending) ||
              other.name == name + std::string(ending);
    if (clash)
      throw RequestError(
          fmt::format("the quantity '{}' must have another name: its variables in the results "
                      "would have names of those of '{}'",
                      name, other.name));
  }
}

void refuse_method(const StudyFile* study) {
  if (study == nullptr) return;
  const StudyMethod method = study->study.method;
  for (const StudyMethod other :
       {StudyMethod::multilevel, StudyMethod::reliability, StudyMethod::worst_case})
    if (method == other)
      throw RequestError(fmt::format(
          "quantities that are functions of Python cannot be had with study.method: {}; write "
          "them in the section `quantities` of the model",
          study_method_names[static_cast<std::size_t>(method)]));
}

}  // namespace

ModelFile add_quantities(const ModelFile& file, const py::list& quantities) {
  ModelFile with = file;
  auto all = std::make_shared<std::vector<QuantityOfInterest>>(*file.quantities);
  refuse_method(file.study.get());
  for (const auto& item : quantities) {
    const auto from = item.cast<py::dict>();
    QuantityOfInterest quantity;
    quantity.name = from["name"].cast<std::string>();
    if (!is_name(quantity.name))
      throw RequestError(
          fmt::format("'{}' cannot name a quantity: letters, digits and _ can, a digit not first",
                      quantity.name));
    refuse_clash(quantity.name, *all);
    quantity.of = from["description"].cast<std::string>();
    quantity.kind = QuantityKind::mean;  // every run has one, and it is no time of an event
    quantity.value_unit = from["unit"].cast<std::string>();
    quantity.function = std::make_shared<PythonQuantity>(from["function"].cast<py::object>());
    with.added_functions.emplace_back("quantity " + quantity.name,
                                      from["fingerprint"].cast<std::string>());
    all->push_back(std::move(quantity));
  }
  with.quantities = std::move(all);
  return with;
}

py::list probed_numbers(const ModelFile& file) {
  py::list list;
  int first = 0;
  for (const ProbeSeries& series : make_series(file.model)) {
    list.append(py::make_tuple(series.probe, std::string(info(series.quantity).name),
                               std::string(info(series.quantity).unit), first, series.size));
    first += series.size;
  }
  return list;
}

}  // namespace tumble::python
