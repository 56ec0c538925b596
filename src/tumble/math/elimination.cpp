#include "tumble/math/elimination.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include "tumble/math/elimination_lines.hpp"
#include "tumble/math/end_to_end_order.hpp"
#include "tumble/math/equilibration.hpp"
#include "tumble/math/substitution_layout.hpp"

namespace tumble {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// How one attempt looks for pivots: through the `lines` shortest rows and columns anywhere, or
/// first through the `front` next rows and columns in the order from end to end.
struct Search {
  int lines = 16;
  int front = 0;
  double threshold = 0.1;
  std::int64_t limit = std::int64_t{1} << 28;  // multiply-adds: a gigabyte of indices
};

/// What the attempts have in common.
struct Problem {
  const SparsePattern& pattern;
  std::span<const std::vector<double>> samples;
  const EliminationOptions& options;
  std::vector<Equilibration> scaling;  // per sample
  std::vector<int> order;              // end to end
};

/// Numbers of matrix entries: pattern slots first, then fill as it appears.
struct Step {
  int pivot = -1;
  std::vector<int> lower, upper;  // below and to the right of the pivot
  std::vector<int> target;        // lower x upper -> the entry updated
};

class Attempt {
 public:
  Attempt(const Problem& problem, const Search& search)
      : n_(problem.pattern.n),
        slots_(problem.pattern.nonzeros()),
        samples_(problem.samples.size()),
        options_(problem.options),
        search_(search),
        scaling_(problem.scaling),
        order_(problem.order),
        skip_(order_.size()),
        relaxed_threshold_(relaxed_thresholds(search.threshold)),
        rows_(n_, samples_, relaxed_threshold_.size()),
        columns_(n_, samples_, relaxed_threshold_.size()),
        zero_(at(n_) * samples_, 0.0),
        entry_in_column_(at(n_), -1) {
    const SparsePattern& pattern = problem.pattern;
    std::iota(skip_.begin(), skip_.end(), std::size_t{1});
    for (int i = 0; i < n_; ++i) {
      for (int slot = pattern.row_start[at(i)]; slot < pattern.row_start[at(i + 1)]; ++slot) {
        const int entry = add_entry(i, pattern.column[at(slot)]);
        for (std::size_t s = 0; s < samples_; ++s) {
          value(entry, s) = std::ldexp(problem.samples[s][at(slot)], exponent(entry, s));
        }
      }
    }
    for (int line = 0; line < n_; ++line) {
      rows_.refresh(line);
      columns_.refresh(line);
      const double* row_peak = peak(rows_, line);
      for (std::size_t s = 0; s < samples_; ++s) {
        zero_[at(line) * samples_ + s] = options_.singular_tolerance * row_peak[s];
      }
    }
  }

  enum class Outcome { complete, too_expensive, failed };

  /// Stops as soon as the schedule is known to be longer than `limit`.
  Outcome run(std::int64_t limit) {
    while (static_cast<int>(steps_.size()) < n_) {
      int pivot = search_front();
      if (pivot < 0) pivot = search_short_lines();
      if (pivot < 0) ++relaxed_;
      // Nothing good enough in every sample: take what there is, the best class first.
      for (std::size_t level = 1; pivot < 0 && level <= relaxed_threshold_.size(); ++level)
        pivot = search_waiting(level);
      if (pivot < 0) return Outcome::failed;
      eliminate(pivot);
      if (cost() > limit) return Outcome::too_expensive;
    }
    return Outcome::complete;
  }

  /// Multiply-adds so far, of one factorisation and one solution.
  std::int64_t cost() const { return multiply_adds_ + static_cast<std::int64_t>(row_.size()) - n_; }
  /// Entries of both factors for each entry of the matrix.
  double fill_ratio() const { return static_cast<double>(row_.size()) / slots_; }
  /// Pivots below the threshold.
  int relaxed() const { return relaxed_; }

  Elimination schedule();        // after Outcome::complete
  EliminationFailure failure();  // after Outcome::failed

 private:
  struct Candidate {
    int entry = -1;
    std::int64_t cost = 0;
    double magnitude = 0.0;
  };

  /// By steps of ten, and in the end anything.
  static std::vector<double> relaxed_thresholds(double threshold) {
    std::vector<double> result;
    for (double u = 0.1 * threshold; u > 1e-9; u *= 0.1) result.push_back(u);
    result.push_back(0.0);
    return result;
  }

  double& value(int entry, std::size_t s) { return value_[at(entry) * samples_ + s]; }

  /// scaled value = value 2^exponent
  int exponent(int entry, std::size_t s) const {
    return scaling_[s].row[at(row_[at(entry)])] + scaling_[s].column[at(column_[at(entry)])];
  }

  int add_entry(int row, int column) {
    const int entry = static_cast<int>(row_.size());
    row_.push_back(row);
    column_.push_back(column);
    value_.resize(value_.size() + samples_, 0.0);
    rows_.entries[at(row)].push_back(entry);
    columns_.entries[at(column)].push_back(entry);
    return entry;
  }

  const double* peak(EliminationLines& lines, int line) {
    double* const result = &lines.peak[at(line) * samples_];
    if (lines.stale[at(line)]) {
      std::fill_n(result, samples_, 0.0);
      for (const int entry : lines.entries[at(line)]) {
        for (std::size_t s = 0; s < samples_; ++s) {
          result[s] = std::max(result[s], std::abs(value(entry, s)));
        }
      }
      lines.stale[at(line)] = 0;
    }
    return result;
  }

  /// Makes `entry` the best candidate if it is; tells whether it is acceptable at all.
  bool consider(int entry, double threshold, Candidate& best) {
    const int row = row_[at(entry)], column = column_[at(entry)];
    const double* const row_peak = peak(rows_, row);
    const double* const column_peak = peak(columns_, column);
    double magnitude = std::numeric_limits<double>::infinity();
    for (std::size_t s = 0; s < samples_; ++s) {
      const double a = std::abs(value(entry, s));
      if (!(a > zero_[at(row) * samples_ + s])) return false;
      if (a < threshold * std::max(row_peak[s], column_peak[s])) return false;
      magnitude = std::min(magnitude, a);
    }
    const auto cost = std::int64_t{rows_.count(row) - 1} * (columns_.count(column) - 1);
    bool better = best.entry < 0 || cost < best.cost;
    if (!better && cost == best.cost) {
      const std::pair here(row, column);
      const std::pair there(row_[at(best.entry)], column_[at(best.entry)]);
      better = magnitude > best.magnitude || (magnitude == best.magnitude && here < there);
    }
    if (better) best = {entry, cost, magnitude};
    return true;
  }

  /// The first place from `k` on in the order from end to end whose row or column remains. What
  /// lies between is never looked at again.
  std::size_t next_remaining(std::size_t k) {
    std::size_t end = k;
    while (end < order_.size() && rows_.eliminated[at(order_[end])] &&
           columns_.eliminated[at(order_[end])])
      end = skip_[end];
    while (k != end) k = std::exchange(skip_[k], end);
    return end;
  }

  int search_front() {
    Candidate best;
    int searched = 0;
    for (std::size_t k = next_remaining(0); k < order_.size() && searched < search_.front;
         k = next_remaining(k + 1)) {
      const int line = order_[k];
      ++searched;
      for (const int e : rows_.entries[at(line)]) consider(e, search_.threshold, best);
      for (const int e : columns_.entries[at(line)]) consider(e, search_.threshold, best);
    }
    return best.entry;
  }

  /// The shortest lines first; no line of `count` entries can cost less than (count - 1)².
  int search_short_lines() {
    Candidate best;
    int searched = 0;
    for (int count = 1; count <= n_; ++count) {
      if (best.entry >= 0 && best.cost <= std::int64_t{count - 1} * (count - 1)) break;
      for (EliminationLines* lines : {&columns_, &rows_}) {
        auto& bucket = lines->bucket[at(count)];
        for (auto next = bucket.begin(); next != bucket.end();) {
          const int line = *next++;
          bool acceptable = false;
          for (const int entry : lines->entries[at(line)]) {
            acceptable |= consider(entry, search_.threshold, best);
          }
          if (!acceptable) {
            lines->wait(line, 1);
          } else if (++searched >= search_.lines) {
            return best.entry;
          }
        }
      }
    }
    return best.entry;
  }

  /// Among lines that wait at a level of relaxation; those that still have nothing wait on. Of a
  /// large matrix only the shortest are compared.
  int search_waiting(std::size_t level) {
    Candidate best;
    int searched = 0;
    for (EliminationLines* lines : {&columns_, &rows_}) {
      auto& waiting = lines->waiting[level];
      for (auto next = waiting.begin(); next != waiting.end();) {
        const int line = (next++)->second;
        bool acceptable = false;
        for (const int entry : lines->entries[at(line)])
          acceptable |= consider(entry, relaxed_threshold_[level - 1], best);
        if (!acceptable)
          lines->wait(line, level + 1);
        else if (n_ > options_.large && ++searched >= search_.lines)
          break;
      }
    }
    return best.entry;
  }

  void eliminate(int pivot) {
    const int pivot_row = row_[at(pivot)], pivot_column = column_[at(pivot)];
    Step step;
    step.pivot = pivot;
    rows_.remove(pivot_row, pivot);
    columns_.remove(pivot_column, pivot);
    step.upper = rows_.entries[at(pivot_row)];
    step.lower = columns_.entries[at(pivot_column)];
    for (const int u : step.upper) columns_.remove(column_[at(u)], u);
    for (const int l : step.lower) rows_.remove(row_[at(l)], l);
    rows_.eliminate(pivot_row);
    columns_.eliminate(pivot_column);

    step.target.reserve(step.lower.size() * step.upper.size());
    for (const int l : step.lower) {
      const int row = row_[at(l)];
      for (std::size_t s = 0; s < samples_; ++s) value(l, s) /= value(pivot, s);
      for (const int entry : rows_.entries[at(row)]) {
        entry_in_column_[at(column_[at(entry)])] = entry;
      }
      for (const int u : step.upper) {
        const int column = column_[at(u)];
        int target = entry_in_column_[at(column)];
        if (target < 0) target = add_entry(row, column);
        for (std::size_t s = 0; s < samples_; ++s) value(target, s) -= value(l, s) * value(u, s);
        step.target.push_back(target);
      }
      for (const int entry : rows_.entries[at(row)]) entry_in_column_[at(column_[at(entry)])] = -1;
      rows_.refresh(row);
    }
    for (const int u : step.upper) columns_.refresh(column_[at(u)]);
    multiply_adds_ += static_cast<std::int64_t>(step.target.size());
    steps_.push_back(std::move(step));
  }

  int panel_steps(int first) const;
  void add_panel(int first, const std::vector<int>& position, Elimination& result) const;
  void add_dependencies(int row, std::size_t sample, std::set<int>& rows);

  int n_, slots_;
  std::size_t samples_;
  const EliminationOptions& options_;
  Search search_;
  const std::vector<Equilibration>& scaling_;  // per sample
  const std::vector<int>& order_;              // end to end
  std::vector<std::size_t> skip_;          // place in order_ -> one before the next that remains
  std::vector<double> relaxed_threshold_;  // what is asked of pivots where nothing reaches more
  EliminationLines rows_, columns_;        // of the remaining matrix
  std::vector<int> row_, column_;          // entry -> original indices
  std::vector<double> value_;              // entry x sample, scaled; a multiplier once eliminated
  std::vector<double> zero_;               // row x sample: magnitudes that count as nothing
  std::vector<int> entry_in_column_;       // scratch for one row: column -> entry
  std::vector<Step> steps_;
  std::int64_t multiply_adds_ = 0;
  int relaxed_ = 0;
};

/// How many steps from `first` on find entries in the same rows and columns, those of the steps
/// themselves aside.
int Attempt::panel_steps(int first) const {
  int steps = 1;
  for (; steps < largest_panel && first + steps < n_; ++steps) {
    const Step &before = steps_[at(first + steps - 1)], &next = steps_[at(first + steps)];
    const auto is_left_of = [&](int e) { return column_[at(e)] == column_[at(next.pivot)]; };
    const auto is_above = [&](int e) { return row_[at(e)] == row_[at(next.pivot)]; };
    // What is in lines of a step is, by its fill, in those of a step that it meets.
    if (before.lower.size() != next.lower.size() + 1 ||
        before.upper.size() != next.upper.size() + 1 ||
        std::none_of(before.lower.begin(), before.lower.end(), is_above) ||
        std::none_of(before.upper.begin(), before.upper.end(), is_left_of))
      break;
  }
  return steps;
}

/// The panel that begins with a step, from the positions of the entries.
void Attempt::add_panel(int first, const std::vector<int>& position, Elimination& result) const {
  const int count = panel_steps(first);
  const Step& last = steps_[at(first + count - 1)];
  // Memory is walked forwards wherever possible.
  const auto by_position = [&](const std::vector<int>& entries) {
    std::vector<std::size_t> places(entries.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    const auto where = [&](std::size_t p) { return position[at(entries[p])]; };
    std::sort(places.begin(), places.end(), [&](auto a, auto b) { return where(a) < where(b); });
    return places;
  };
  const auto lower_order = by_position(last.lower), upper_order = by_position(last.upper);
  const auto steps = at(count), rows = lower_order.size(), columns = upper_order.size();
  std::vector<int> block(steps * steps), right(columns * steps), below(rows * steps), of(at(n_));
  for (std::size_t t = 0; t < steps; ++t) {
    const Step& step = steps_[at(first) + t];
    block[t * steps + t] = position[at(step.pivot)];
    for (const int e : step.lower) of[at(row_[at(e)])] = position[at(e)];
    for (std::size_t r = t + 1; r < steps; ++r)
      block[r * steps + t] = of[at(result.row_of[at(first) + r])];
    for (std::size_t i = 0; i < rows; ++i)
      below[i * steps + t] = of[at(row_[at(last.lower[lower_order[i]])])];
    for (const int e : step.upper) of[at(column_[at(e)])] = position[at(e)];
    for (std::size_t u = t + 1; u < steps; ++u)
      block[t * steps + u] = of[at(result.column_of[at(first) + u])];
    for (std::size_t j = 0; j < columns; ++j)
      right[j * steps + t] = of[at(column_[at(last.upper[upper_order[j]])])];
  }
  for (const auto* part : {&block, &right, &below})
    result.position.insert(result.position.end(), part->begin(), part->end());
  for (const auto l : lower_order)
    for (const auto u : upper_order)
      result.position.push_back(position[at(last.target[l * last.upper.size() + u])]);
  result.panels.push_back({first, count, static_cast<int>(rows), static_cast<int>(columns)});
}

/// Renumbers entries in the order in which the substitutions meet them.
Elimination Attempt::schedule() {
  Elimination result;
  result.n = n_;
  result.multiply_adds = static_cast<int>(multiply_adds_);
  result.solve_multiply_adds = static_cast<int>(row_.size()) - n_;

  std::vector<int> pivots, step_of_row(at(n_)), step_of_column(at(n_));
  for (int k = 0; k < n_; ++k) {
    const int pivot = steps_[at(k)].pivot;
    pivots.push_back(pivot);
    result.row_of.push_back(row_[at(pivot)]);
    result.column_of.push_back(column_[at(pivot)]);
    step_of_row[at(row_[at(pivot)])] = k;
    step_of_column[at(column_[at(pivot)])] = k;
  }

  for (int i = 0; i < n_; ++i) {
    int row_sum = 0, column_sum = 0;
    for (const auto& scaling : scaling_) {
      row_sum += scaling.row[at(i)];
      column_sum += scaling.column[at(i)];
    }
    result.row_scale.push_back(std::ldexp(1.0, row_sum / static_cast<int>(samples_)));
    result.column_scale.push_back(std::ldexp(1.0, column_sum / static_cast<int>(samples_)));
  }

  const auto from_end = [&](int step) { return n_ - 1 - step; };
  TriangleRows lower(at(n_)), upper(at(n_));
  for (int k = 0; k < n_; ++k) {
    for (const int entry : steps_[at(k)].lower) {
      lower[at(step_of_row[at(row_[at(entry)])])].emplace_back(k, entry);
    }
    auto& row = upper[at(from_end(k))];
    for (const int entry : steps_[at(k)].upper) {
      row.emplace_back(from_end(step_of_column[at(column_[at(entry)])]), entry);
    }
    std::sort(row.begin(), row.end());
  }
  std::vector<int> position(row_.size());
  const auto place = [&](int entry) {
    if (entry < 0) {
      result.padding.push_back(result.factor_size++);
    } else {
      position[at(entry)] = result.factor_size++;
    }
  };
  const SubstitutionLayout forward = lay_out_forward(lower);
  const SubstitutionLayout backward = lay_out_backward(upper, {pivots.rbegin(), pivots.rend()});
  for (const auto* layout : {&forward, &backward})
    for (const int entry : layout->entries) place(entry);
  result.forward = forward.substitution;
  result.backward = backward.substitution;

  const double any = std::numeric_limits<double>::infinity();
  result.multiplier_limit.assign(at(result.factor_size), any);
  for (int k = 0; k < n_; ++k) {
    const Step& step = steps_[at(k)];
    const int row = result.row_of[at(k)], column = result.column_of[at(k)];
    double smallest = any;
    for (std::size_t s = 0; s < samples_; ++s) {
      const double scaled = std::abs(value(step.pivot, s));
      smallest = std::min(smallest, std::ldexp(scaled, -exponent(step.pivot, s)));
    }
    result.pivot_reference.push_back(smallest * result.row_scale[at(row)] *
                                     result.column_scale[at(column)]);
    result.pivot_limit.push_back(options_.degraded_pivot * smallest);
    for (const int entry : step.lower) {
      int widest = std::numeric_limits<int>::min();  // scaled l = l 2^(row exponents' difference)
      for (const auto& scaling : scaling_)
        widest = std::max(widest, scaling.row[at(row)] - scaling.row[at(row_[at(entry)])]);
      result.multiplier_limit[at(position[at(entry)])] =
          std::ldexp(options_.degraded_multiplier, widest);
    }
  }
  for (int first = 0; first < n_; first += result.panels.back().steps)
    add_panel(first, position, result);

  result.load.assign(position.begin(), position.begin() + slots_);
  result.fill.assign(position.begin() + slots_, position.end());
  std::sort(result.fill.begin(), result.fill.end());
  return result;
}

EliminationFailure Attempt::failure() {
  EliminationFailure result;
  for (int line = 0; line < n_; ++line) {
    if (!rows_.eliminated[at(line)]) result.rows.push_back(line);
    if (!columns_.eliminated[at(line)]) result.columns.push_back(line);
  }
  for (std::size_t s = 0; s < samples_ && result.singular_sample < 0; ++s) {
    const bool nothing_left = std::all_of(result.rows.begin(), result.rows.end(), [&](int row) {
      return !(peak(rows_, row)[s] > zero_[at(row) * samples_ + s]);
    });
    if (nothing_left) result.singular_sample = static_cast<int>(s);
  }
  std::set<int> dependent(result.rows.begin(), result.rows.end());
  if (result.singular_sample >= 0) {
    for (const int row : result.rows) {
      add_dependencies(row, static_cast<std::size_t>(result.singular_sample), dependent);
    }
  }
  result.dependent_rows.assign(dependent.begin(), dependent.end());
  return result;
}

/// A row r reduced to nothing is a combination of rows already eliminated: a_r = Σ l_rk u_k, and
/// u_k = a_k - Σ l_km u_m. Substituting from the last step backwards gives a_r = Σ w_k a_k.
void Attempt::add_dependencies(int row, std::size_t sample, std::set<int>& rows) {
  std::vector<int> row_of_step;
  std::vector<std::vector<std::pair<int, int>>> lower(at(n_));  // row -> (step, multiplier entry)
  for (std::size_t k = 0; k < steps_.size(); ++k) {
    row_of_step.push_back(row_[at(steps_[k].pivot)]);
    for (const int l : steps_[k].lower) {
      lower[at(row_[at(l)])].emplace_back(static_cast<int>(k), l);
    }
  }
  std::vector<double> weight(steps_.size(), 0.0);
  for (const auto& [k, l] : lower[at(row)]) weight[at(k)] = value(l, sample);
  double largest = 1.0;
  for (std::size_t k = steps_.size(); k-- > 0;) {
    largest = std::max(largest, std::abs(weight[k]));
    for (const auto& [m, l] : lower[at(row_of_step[k])]) {
      weight[at(m)] -= weight[k] * value(l, sample);
    }
  }
  for (std::size_t k = 0; k < steps_.size(); ++k) {
    if (std::abs(weight[k]) > 1e-8 * largest) rows.insert(row_of_step[k]);
  }
}

}  // namespace

std::variant<Elimination, EliminationFailure> analyze(const SparsePattern& pattern,
                                                      std::span<const std::vector<double>> samples,
                                                      const EliminationOptions& options) {
  if (options.search_lines.empty() && options.search_fronts.empty()) {
    throw std::invalid_argument("analyze: no search to try");
  }
  if (samples.empty()) throw std::invalid_argument("analyze: no sample matrix");
  for (const auto& sample : samples) {
    if (sample.size() != pattern.column.size()) {
      throw std::invalid_argument("analyze: a sample needs one value per pattern slot");
    }
    for (const double x : sample) {
      if (!std::isfinite(x)) throw std::invalid_argument("analyze: a sample value is not finite");
    }
  }
  Problem problem{pattern, samples, options, {}, end_to_end_order(pattern)};
  for (const auto& sample : samples) problem.scaling.push_back(equilibrate(pattern, sample));

  std::vector<Search> searches;
  if (pattern.n > options.large) {
    // From end to end a net fills its whole width, many times what it holds; chains and beams fill
    // little. So long as another order may do, that is given up early.
    const std::int64_t much = std::int64_t{64} * pattern.nonzeros();
    searches = {{16, 4, options.large_threshold, much},
                {16, 4, options.threshold, much},
                {16, 0, options.threshold},
                {16, 4, options.large_threshold}};
  } else {
    for (const int lines : options.search_lines) searches.push_back({lines, 0, options.threshold});
    for (const int front : options.search_fronts)
      searches.push_back({16, front, options.threshold});
  }

  std::unique_ptr<Attempt> best;
  std::optional<EliminationFailure> failure;
  for (const Search& search : searches) {
    // An order of a large matrix that fills next to nothing is not worth improving; the last one is
    // for matrices that have none yet.
    if (best && pattern.n > options.large &&
        (&search == &searches.back() || (best->relaxed() == 0 && best->fill_ratio() < 1.05)))
      break;
    auto attempt = std::make_unique<Attempt>(problem, search);
    // A dearer order is of interest only if it needs fewer weak pivots.
    const bool improvable = !best || best->relaxed() > 0;
    const auto outcome =
        attempt->run(improvable ? search.limit : std::min(search.limit, best->cost()));
    if (outcome == Attempt::Outcome::failed) {
      // Singular is singular in any order; samples at odds may agree in another one.
      if (!failure) failure = attempt->failure();
      if (failure->singular_sample >= 0) return *failure;
    } else if (outcome == Attempt::Outcome::complete) {
      const auto merit = [](const Attempt& a) { return std::pair(a.relaxed(), a.cost()); };
      if (!best || merit(*attempt) < merit(*best)) best = std::move(attempt);
    }
  }
  if (best) return best->schedule();
  if (failure) return *failure;
  throw std::length_error("analyze: schedule too long; the matrix is not sparse enough");
}

}  // namespace tumble
