// Forces and constraints written in Python: slow, each call takes the interpreter's lock, but no
// other way is as short. One that takes a row for each of several states is called once for all
// lanes, and once for all displacements that its derivatives need.
#pragma once
#include <pybind11/pybind11.h>

#include <memory>

#include "tumble/io/model_reader.hpp"

namespace tumble::python {

namespace py = pybind11;

/// A function of Python raised an Exception: its run ends. May be copied and dropped by any thread.
class PythonFailure : public UserElementFailure {
 public:
  PythonFailure(const std::string& message, double time, py::error_already_set raised);
  /// Raises it again; with the interpreter's lock.
  void restore() const;

 private:
  std::shared_ptr<py::error_already_set> raised_;
};

/// A copy of `file` with elements that Python supplies: each a dict with name, bodies, drives,
/// numbers, the function, its fingerprint and whether it is vectorised, and for a constraint its
/// rows. A copy keeps the functions alive.
ModelFile add_elements(const ModelFile& file, const py::list& forces, const py::list& constraints);

}  // namespace tumble::python
