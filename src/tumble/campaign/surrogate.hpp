// The polynomials of a finished study as functions that can be asked at new points.
#pragma once
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tumble {

/// Of a study by polynomial chaos, from its results alone. Immutable; may be used by many threads.
class Surrogate {
 public:
  /// `results`: the file. @throws std::runtime_error if it is not of such a study, InputError if
  /// the model in it cannot be read again.
  explicit Surrogate(const std::filesystem::path& results);
  ~Surrogate();
  Surrogate(Surrogate&&) noexcept;

  /// The independent random numbers behind the inputs, as users know them.
  const std::vector<std::string>& germs() const;
  /// What polynomials there are: "tip_position", one for each probe's quantity.
  const std::vector<std::string>& outputs() const;
  /// Of an output, without the first dimension, that of points: times, and components if there are
  /// several.
  const std::vector<std::size_t>& shape(const std::string& output) const;

  /// An output at points of the unit cube, a probability for each germ, one row a point. Between
  /// the points of a study polynomials are only as good as its measured errors say.
  /// @throws std::invalid_argument for an output that is not there, and for no points of the cube.
  std::vector<double> evaluate(const std::string& output, std::span<const double> points) const;

  /// Parameters whose values can take the place of germs, in their order; empty where inputs are
  /// correlated, are fields, or are several of a body at once.
  const std::vector<std::string>& parameters() const;
  /// Points of the cube from values of parameters(), one row a point.
  std::vector<double> points_of(std::span<const double> values) const;

 private:
  struct State;
  std::unique_ptr<const State> state_;
};

}  // namespace tumble
