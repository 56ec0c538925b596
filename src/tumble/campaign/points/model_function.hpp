// A model as a function from numbers to numbers, for programs that choose the points themselves.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tumble/campaign/observer.hpp"
#include "tumble/campaign/points/point_runner.hpp"
#include "tumble/io/model_reader.hpp"

namespace tumble {

struct FunctionRequest {
  /// Paths of the numbers that are arguments; empty: those that vary in the model's study or are
  /// uncertain in it, in the order that results files have them.
  std::vector<std::string> inputs;
  /// Each a quantity of interest, or PROBE.QUANTITY at all output times; empty: one output with all
  /// quantities of interest.
  std::vector<std::string> outputs;
  int threads = 0;  ///< 0: all cores
};

/// A vector of values.
struct FunctionOutput {
  std::string name;
  std::vector<std::size_t> quantities;  ///< places among the quantities of interest
  /// A series of a probe instead: its first number and how many, at every output time.
  struct Series {
    std::size_t first = 0, size = 0;
  };
  std::optional<Series> series;
  std::size_t size = 0;
};

class ModelFunction {
 public:
  using Deadline = PointRunner::Deadline;

  /// `path`: of the model file, for messages.
  /// @throws RequestError if an input or output is not there, or the model has random drives, of
  /// which a point would have to say the germs; InputError
  ModelFunction(const ModelFile& file, const std::string& path, const FunctionRequest& request,
                Observer& observer);

  const std::vector<std::string>& inputs() const { return paths_; }
  const std::vector<double>& nominal() const { return nominal_; }  ///< of the inputs
  const std::vector<FunctionOutput>& outputs() const { return outputs_; }
  /// Why there are no derivatives by the inputs; empty if there are.
  const std::string& no_gradient() const { return no_gradient_; }

  /// From any number of threads; points that wait together run together. One vector per output.
  /// @throws PointFailed
  std::vector<std::vector<double>> evaluate(const std::vector<double>& point, Deadline deadline);
  /// Σ_k sens_k ∂y_k/∂x by each input x, y the output. By differentiate(), one run for each input;
  /// what a quantity of interest makes of a curve is differentiated by central differences along
  /// the derivative of the curve. @throws PointFailed, SimulationError, InputError
  std::vector<double> gradient(const std::vector<double>& point, std::size_t output,
                               const std::vector<double>& sens, Deadline deadline);

  PointRunner& runner() { return *runner_; }

 private:
  void find_inputs();
  void choose_outputs(const FunctionRequest& request);
  std::string find_no_gradient() const;
  double slope(const FunctionOutput& output, const std::vector<double>& sens, const PointRun& run,
               const std::vector<double>& slopes) const;

  const ModelFile& file_;
  Model model_;  ///< with its time grid
  Plan plan_;
  std::vector<std::string> paths_;
  std::vector<int> slots_;
  std::vector<double> nominal_;
  std::vector<FunctionOutput> outputs_;
  std::vector<FunctionOutput::Series> series_;  ///< all that are probed
  std::size_t numbers_ = 0;                     ///< of them at each time
  std::vector<double> times_;                   ///< of outputs
  std::string no_gradient_;
  std::unique_ptr<PointRunner> runner_;
};

}  // namespace tumble
