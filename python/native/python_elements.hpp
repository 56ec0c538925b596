// Forces and constraints written in Python: slow, each call takes the interpreter's lock, but no
// other way is as short.
#pragma once
#include <pybind11/pybind11.h>

#include "tumble/io/model_reader.hpp"

namespace tumble::python {

namespace py = pybind11;

/// A copy of `file` with elements that Python supplies: each a dict with name, bodies, drives,
/// numbers, the function and its fingerprint, and for a constraint its rows. A copy keeps the
/// functions alive.
ModelFile add_elements(const ModelFile& file, const py::list& forces, const py::list& constraints);

}  // namespace tumble::python
