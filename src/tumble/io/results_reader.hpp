// Results as a program reads them: the variables of a results.nc by name. What there is and what it
// is called, docs/guide/ensembles.md says.
#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace tumble {

struct ResultsVariable {
  std::string name;                     ///< "tip_position_mean"
  std::string unit;                     ///< "m", or empty
  std::vector<std::string> dimensions;  ///< time, axis: the first varies slowest
  std::vector<std::size_t> sizes;       ///< one a dimension
  bool is_text = false;
};

/// A results file of a run, a study or a sweep. It is open only while something is read from it, so
/// a reader may be kept and used from any number of threads.
class ResultsReader {
 public:
  /// @throws std::runtime_error naming the file, here and below.
  explicit ResultsReader(std::filesystem::path file);

  const std::vector<ResultsVariable>& variables() const { return variables_; }
  /// Null if there is none of this name.
  const ResultsVariable* find(const std::string& name) const;

  /// All values of a variable, by its dimensions.
  std::vector<double> numbers(const std::string& name) const;
  /// The same of a variable that is text, such as the coordinate `input`.
  std::vector<std::string> text(const std::string& name) const;
  /// An attribute of the file that is text, such as `model` or `warnings`; empty if there is none.
  std::string attribute(const std::string& name) const;

 private:
  const ResultsVariable& require(const std::string& name, bool is_text) const;

  std::filesystem::path file_;
  std::vector<ResultsVariable> variables_;
};

}  // namespace tumble
