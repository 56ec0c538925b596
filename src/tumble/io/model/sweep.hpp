// What a sweep varies: lists of values for fields of a model file, as `--vary` gives them.
//
//   PATH[,PATH2...]=VALUE[,VALUE2...]
//
// PATH is what `--set` reaches; several of them take the same value at each point. VALUE is YAML:
// commas inside brackets, braces and quotes belong to it. FROM:TO:N stands for N equally spaced
// numbers, both ends included.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tumble {

/// Fields that move together, and the values they take.
struct SweepAxis {
  std::vector<std::string> paths;
  std::vector<std::string> values;  ///< YAML
};

/// @throws std::invalid_argument saying what was expected.
SweepAxis parse_sweep_axis(std::string_view text);

/// All combinations of the values of some axes; the first axis varies slowest.
class Sweep {
 public:
  static constexpr std::size_t most_points = 10'000;

  /// @throws std::invalid_argument if there are no axes, too many points or a path occurs twice.
  explicit Sweep(std::vector<SweepAxis> axes);

  const std::vector<SweepAxis>& axes() const { return axes_; }
  std::size_t points() const { return points_; }
  /// The value of an axis at a point.
  const std::string& value(std::size_t axis, std::size_t point) const;
  /// PATH=VALUE for every path.
  std::vector<std::string> overrides(std::size_t point) const;

 private:
  std::vector<SweepAxis> axes_;
  std::size_t points_ = 1;
};

/// The number that a value is: an expression without names, such as 0.5 or 30*deg.
std::optional<double> sweep_number(std::string_view value);

}  // namespace tumble
