// A model at rows of numbers that somebody else has chosen: for samplers, optimisers and surrogates
// of other programs.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tumble/campaign/observer.hpp"
#include "tumble/io/model_reader.hpp"

namespace tumble {

struct EvaluationOptions {
  int threads = 0;              ///< 0: all cores
  int lanes = 0;                ///< realisations in lock step; 0: as the processor likes
  bool keep_series = false;     ///< the probes over the run too, not only quantities of interest
  std::uint64_t first_row = 0;  ///< number of the first row, by which random drives are drawn
};

enum class RowStatus : std::uint8_t { ok = 0, failed = 1, inadmissible = 2 };

/// What the rows gave, in their order. Numbers of rows that failed are NaN, those of probes from
/// the failure on.
struct Evaluation {
  std::size_t rows = 0;
  std::vector<RowStatus> status;
  std::vector<std::string> reasons;  ///< why it failed; empty of others
  std::vector<double> quantities;    ///< [row][quantity of interest]
  std::vector<double> series;        ///< [row][time][number], numbers of one probe after the other
};

/// Immutable and usable by several threads at once. Rows run in lanes and on all cores, each with
/// the bits that it has in a study of method `table`; where the model asks for an accuracy, a study
/// finds its steps from some of its rows too, and this from the nominal run alone.
class Evaluator {
 public:
  /// `inputs`: paths of parameters. Empty: those that are random in the model, in the order of
  /// `tumble sample`. @throws InputError for paths that are not there, and as assembling does.
  Evaluator(const ModelFile& file, std::vector<std::string> inputs, Observer& observer);
  ~Evaluator();
  Evaluator(Evaluator&&) noexcept;

  const std::vector<std::string>& inputs() const;
  const std::vector<std::string>& quantities() const;
  const std::vector<std::string>& quantity_units() const;
  /// One probe's quantity among the numbers of a time.
  struct Series {
    std::string probe, quantity, unit;
    std::size_t first = 0, size = 0;
  };
  const std::vector<Series>& series() const;
  std::size_t numbers() const;
  const std::vector<double>& times() const;
  /// Of the inputs in the nominal model.
  std::vector<double> nominal() const;

  /// `rows` has as many numbers a row as there are inputs. @throws Cancelled if the observer wishes
  /// so; std::invalid_argument for numbers that make no rows.
  Evaluation evaluate(std::span<const double> rows, const EvaluationOptions& options,
                      Observer& observer) const;

 private:
  struct State;
  std::unique_ptr<const State> state_;
};

}  // namespace tumble
