// Expressions of probed numbers: `tip.position.z - 0.5 * length`, `norm(tip.velocity)`.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tumble/io/model/read_context.hpp"
#include "tumble/model/model.hpp"
#include "tumble/model/study/formula.hpp"

namespace tumble {

/// What the probes of a model record, by the names that expressions call it.
class ProbedNames {
 public:
  explicit ProbedNames(const Model& model);

  struct Entry {
    std::size_t place;  ///< of the first number among those of an instant
    std::size_t size;   ///< 1 of a component
    std::string unit;
  };
  /// `probe.quantity.x`, of a scalar `probe.quantity`; of a vector that names all of it. Null if
  /// there is no such thing.
  const Entry* find(const std::string& name) const;
  /// Those of single numbers.
  std::vector<std::string> components() const;

 private:
  std::map<std::string, Entry> entries_;
};

struct ReadFormula {
  Formula formula;
  /// Of the value, where sums, multiples and the like of one unit tell.
  std::optional<std::string> unit;
};

/// Names are first those of probed numbers, then of constants, then `time`. None after a report.
std::optional<ReadFormula> read_formula(ReadContext& context, const Place& place, const Node& node,
                                        const ProbedNames& names);

}  // namespace tumble
