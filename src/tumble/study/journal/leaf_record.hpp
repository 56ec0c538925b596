// What is kept of single realisations: their numbers, how they ended and, on request, their values.
#pragma once
#include <optional>

#include "tumble/study/quantiles/leaf_values.hpp"
#include "tumble/study/run_quantities.hpp"
#include "tumble/study/statistics/run_summary.hpp"

namespace tumble {

/// As written to results.
enum class RealizationStatus : std::uint8_t {
  ok = 0,
  failed = 1,        ///< the run could not go on
  inadmissible = 2,  ///< its numbers are those of no machine; it was not run
};

struct RealizationOutcome {
  RealizationStatus status = RealizationStatus::ok;
  double failure_time = 0;  ///< [s]; of no meaning if ok
  std::string reason;       ///< empty if ok
  /// As EnergySummary::relative_mismatch, of what was run.
  double energy_mismatch = 0;
  /// How its start differs from its description, most of all; empty if it does not, or if that was
  /// not looked at.
  std::string changed_start = {};
  bool operator==(const RealizationOutcome&) const = default;
};

/// The realisations of one leaf, in the order of their indices.
struct LeafRecord {
  std::uint64_t leaf = 0;
  std::size_t input_count = 0;  ///< of one realisation
  std::vector<double> inputs;   ///< [realisation][input]
  std::vector<RealizationOutcome> outcomes;
  RunSummaries summaries;
  std::vector<QuantityValue> quantities;  ///< [realisation][quantity]
  std::optional<LeafValues> values;

  std::uint64_t first() const { return leaf * realizations_per_leaf; }
  std::size_t realizations() const { return outcomes.size(); }
  std::size_t failures() const;

  /// For the journal and for other processes. Throws std::runtime_error where the bytes are damaged
  /// or of another layout.
  std::string serialize() const;
  static LeafRecord deserialize(std::uint64_t leaf, std::string_view bytes, LayoutPointer layout);
  /// How the realisations of a serialised leaf ended, for who does not know the study's layout.
  static std::vector<RealizationOutcome> outcomes_in(std::string_view bytes);
  /// Keeps the first `count` realisations; stored values may be of more.
  void truncate(std::size_t count);
  /// Adds the realisations of the leaf that comes next, for who looks at several at a time. Values
  /// stay behind.
  void append(const LeafRecord& next);
};

}  // namespace tumble
