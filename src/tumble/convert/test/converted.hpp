// A description, converted and read as a model: what tests of the importers begin with.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "source_directory.hpp"
#include "tumble/convert/machine.hpp"
#include "tumble/integrate/run.hpp"
#include "tumble/io/model_reader.hpp"

namespace tumble::convert {

inline std::string example_directory() {
  return std::string(source_directory) + "/examples/robots";
}

inline std::string example_text(const std::string& name) {
  std::ifstream stream(example_directory() + "/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

struct Converted {
  ModelText text;
  Model model;
};

inline Converted converted(const std::string& description,
                           const std::vector<std::string>& overrides = {},
                           ImportOptions options = {}) {
  if (options.directory.empty()) options.directory = example_directory();
  Converted result;
  result.text = write_model(make_machine(read_robot(description, "robot.xml", options)),
                            {options.directory, example_directory()}, options);
  result.model =
      read_model_text(result.text.yaml, example_directory() + "/robot.yaml", overrides).model;
  return result;
}

inline const Body& body_named(const Model& model, const std::string& name) {
  const auto found = std::ranges::find(model.bodies, name, &Body::name);
  if (found == model.bodies.end()) throw std::out_of_range("no body " + name);
  return *found;
}

/// The values of a probe at its last output.
inline std::vector<double> last_values(const Trajectory& trajectory, const std::string& probe,
                                       Quantity quantity) {
  for (const ProbeSeries& series : trajectory.series)
    if (series.probe == probe && series.quantity == quantity)
      return {series.values.end() - series.size, series.values.end()};
  throw std::out_of_range("no probe " + probe);
}

inline bool mentions(const std::vector<Note>& notes, int line, const std::string& words) {
  return std::ranges::any_of(notes, [&](const Note& note) {
    return note.line == line && note.text.find(words) != note.text.npos;
  });
}

}  // namespace tumble::convert
