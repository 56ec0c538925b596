// Quantities of interest written in Python: called for a block of realisations at a time.
#pragma once
#include <pybind11/pybind11.h>

#include "tumble/io/model_reader.hpp"

namespace tumble::python {

namespace py = pybind11;

/// A copy of `file` with quantities that Python computes: each a dict with name, unit, description,
/// fingerprint and the function, which maps times and an array (runs, times, numbers) to an array
/// (runs). Its method try_out is called with the nominal run. A copy keeps the functions alive.
/// @throws RequestError for names that cannot be had, and methods that run otherwise.
ModelFile add_quantities(const ModelFile& file, const py::list& quantities);

/// Probe, quantity, unit, first number and how many, of what is probed at each time.
py::list probed_numbers(const ModelFile& file);

}  // namespace tumble::python
