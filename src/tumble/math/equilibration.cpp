#include "tumble/math/equilibration.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

namespace tumble {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

constexpr int unreached = std::numeric_limits<int>::max();

/// The power of two nearest to x > 0 in the logarithm.
int nearest_exponent(double x) {
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);  // 0.5 <= mantissa < 1
  return mantissa * mantissa >= 0.5 ? exponent : exponent - 1;
}

/// The assignment problem: one entry per row and column with the least sum of costs
/// c_ij = -log₂|a_ij|, by shortest augmenting paths. Its dual variables u_i, v_j satisfy
///     u_i + v_j <= c_ij,   with equality where (i, j) is chosen,
/// so 2^u_i and 2^v_j are the scales wanted: all entries at most 1, the chosen ones 1.
class Assignment {
 public:
  Assignment(const SparsePattern& pattern, const std::vector<double>& values)
      : n_(pattern.n),
        row_start_(at(n_) + 1, 0),
        u_(at(n_), 0),
        v_(at(n_), 0),
        row_of_(at(n_), -1),
        column_of_(at(n_), -1),
        distance_(at(n_), unreached),
        came_from_(at(n_), -1),
        done_(at(n_), 0) {
    for (int i = 0; i < n_; ++i) {
      for (int slot = pattern.row_start[at(i)]; slot < pattern.row_start[at(i + 1)]; ++slot) {
        const double a = std::abs(values[at(slot)]);
        if (a > 0.0) arcs_.push_back({pattern.column[at(slot)], -nearest_exponent(a)});
      }
      row_start_[at(i + 1)] = static_cast<int>(arcs_.size());
    }
  }

  Equilibration solve() {
    tighten_rows();
    tighten_columns();
    std::vector<int> left;
    for (int i = 0; i < n_; ++i) {
      if (!match_cheaply(i)) left.push_back(i);
    }
    // One by one is simplest; but each search may cross the whole matrix, and there are as many as
    // rows left, so that large matrices take time with the square of their size.
    constexpr int large = 2500;
    if (n_ <= large) {
      for (const int i : left) match(i);
    } else {
      while (!left.empty() && match_many(left)) {
      }
    }
    // Lines that found no partner (a singular matrix) may have been scaled down in vain.
    tighten_rows();
    tighten_columns();
    return {u_, v_};
  }

 private:
  struct Arc {
    int column, cost;
  };

  std::pair<const Arc*, const Arc*> row(int i) const {
    return {arcs_.data() + row_start_[at(i)], arcs_.data() + row_start_[at(i + 1)]};
  }

  int slack(int i, const Arc& arc) const { return arc.cost - u_[at(i)] - v_[at(arc.column)]; }

  void tighten_rows() {
    for (int i = 0; i < n_; ++i) {
      const auto [first, last] = row(i);
      int least = unreached;
      for (const Arc* arc = first; arc != last; ++arc) least = std::min(least, slack(i, *arc));
      if (least != unreached) u_[at(i)] += least;
    }
  }

  void tighten_columns() {
    std::vector<int> least(at(n_), unreached);
    for (int i = 0; i < n_; ++i) {
      const auto [first, last] = row(i);
      for (const Arc* arc = first; arc != last; ++arc) {
        least[at(arc->column)] = std::min(least[at(arc->column)], slack(i, *arc));
      }
    }
    for (int j = 0; j < n_; ++j) {
      if (least[at(j)] != unreached) v_[at(j)] += least[at(j)];
    }
  }

  bool match_cheaply(int i) {
    const auto [first, last] = row(i);
    for (const Arc* arc = first; arc != last; ++arc) {
      if (row_of_[at(arc->column)] < 0 && slack(i, *arc) == 0) {
        row_of_[at(arc->column)] = i;
        column_of_[at(i)] = arc->column;
        return true;
      }
    }
    return false;
  }

  /// Dijkstra from row `source` over slacks to the nearest column without a partner; then the
  /// duals move so that the path has no slack, and partners change along it.
  void match(int source) {
    using Reach = std::pair<int, int>;  // distance, column
    std::priority_queue<Reach, std::vector<Reach>, std::greater<>> queue;
    std::vector<int> touched, finished;
    int sink = -1;
    for (int i = source, travelled = 0; sink < 0;) {
      const auto [first, last] = row(i);
      for (const Arc* arc = first; arc != last; ++arc) {
        const int j = arc->column, d = travelled + slack(i, *arc);
        if (done_[at(j)] || d >= distance_[at(j)]) continue;
        if (distance_[at(j)] == unreached) touched.push_back(j);
        distance_[at(j)] = d;
        came_from_[at(j)] = i;
        queue.emplace(d, j);
      }
      while (!queue.empty() && done_[at(queue.top().second)]) queue.pop();
      if (queue.empty()) break;
      const int j = queue.top().second;
      queue.pop();
      done_[at(j)] = 1;
      finished.push_back(j);
      if (row_of_[at(j)] < 0) {
        sink = j;
      } else {
        i = row_of_[at(j)];
        travelled = distance_[at(j)];
      }
    }
    if (sink >= 0) {
      const int length = distance_[at(sink)];
      u_[at(source)] += length;
      for (const int j : finished) {
        v_[at(j)] -= length - distance_[at(j)];
        if (j != sink) u_[at(row_of_[at(j)])] += length - distance_[at(j)];
      }
      for (int j = sink; j >= 0;) {
        const int i = came_from_[at(j)];
        row_of_[at(j)] = i;
        j = std::exchange(column_of_[at(i)], j);  // -1 for the source
      }
    }
    for (const int j : touched) {
      distance_[at(j)] = unreached;
      done_[at(j)] = 0;
    }
  }

  /// Dijkstra from all rows of `left` at once to the nearest column without a partner; the duals
  /// move so that the path to it has no slack; then every path without slack that can be found
  /// beside the others is used (as Hopcroft and Karp 1973 do without costs). Slacks are small
  /// integers, so the queue is a list for each distance. Takes the rows that found a partner from
  /// `left`; false if no column can be reached.
  bool match_many(std::vector<int>& left) {
    std::vector<std::vector<int>> at_distance;
    std::vector<int> finished;
    const auto reach = [&](int i, int travelled) {
      const auto [first, last] = row(i);
      for (const Arc* arc = first; arc != last; ++arc) {
        const int j = arc->column, d = travelled + slack(i, *arc);
        if (d >= distance_[at(j)]) continue;
        distance_[at(j)] = d;
        if (at(d) >= at_distance.size()) at_distance.resize(at(d) + 1);
        at_distance[at(d)].push_back(j);
      }
    };
    std::fill(distance_.begin(), distance_.end(), unreached);
    std::fill(done_.begin(), done_.end(), 0);
    for (const int i : left) reach(i, 0);
    int length = -1;
    for (int d = 0; length < 0 && at(d) < at_distance.size(); ++d) {
      for (std::size_t k = 0; length < 0 && k < at_distance[at(d)].size(); ++k) {
        const int j = at_distance[at(d)][k];
        if (done_[at(j)]) continue;
        done_[at(j)] = 1;
        finished.push_back(j);
        if (row_of_[at(j)] < 0)
          length = d;
        else
          reach(row_of_[at(j)], d);
      }
    }
    if (length < 0) return false;
    for (const int i : left) u_[at(i)] += length;
    for (const int j : finished) {
      v_[at(j)] -= length - distance_[at(j)];
      if (row_of_[at(j)] >= 0) u_[at(row_of_[at(j)])] += length - distance_[at(j)];
    }
    std::fill(done_.begin(), done_.end(), 0);
    std::vector<int> next(row_start_.begin(), row_start_.end() - 1);  // arc to try next of each row
    std::erase_if(left, [&](int i) { return follow_tight_path(i, next); });
    return true;
  }

  /// Depth first from row `source` over arcs without slack; a column once seen is not entered
  /// again.
  bool follow_tight_path(int source, std::vector<int>& next) {
    std::vector<int> path{source};  // rows
    while (!path.empty()) {
      const int i = path.back();
      int& a = next[at(i)];
      while (a < row_start_[at(i + 1)] &&
             (done_[at(arcs_[at(a)].column)] || slack(i, arcs_[at(a)]) != 0))
        ++a;
      if (a == row_start_[at(i + 1)]) {
        path.pop_back();
        continue;
      }
      const int j = arcs_[at(a)].column;
      done_[at(j)] = 1;
      if (row_of_[at(j)] >= 0) {
        path.push_back(row_of_[at(j)]);
        continue;
      }
      for (const int k : path) {
        column_of_[at(k)] = arcs_[at(next[at(k)])].column;
        row_of_[at(column_of_[at(k)])] = k;
      }
      return true;
    }
    return false;
  }

  int n_;
  std::vector<int> row_start_;
  std::vector<Arc> arcs_;
  std::vector<int> u_, v_;      // dual variables of rows and columns
  std::vector<int> row_of_;     // column -> the row it is assigned to, or -1
  std::vector<int> column_of_;  // its inverse
  std::vector<int> distance_, came_from_;
  std::vector<char> done_;
};

}  // namespace

Equilibration equilibrate(const SparsePattern& pattern, const std::vector<double>& values) {
  return Assignment(pattern, values).solve();
}

}  // namespace tumble
