// What remains to be eliminated of a sparse matrix, by rows or by columns: the bookkeeping behind
// the search for pivots in elimination.cpp.
#pragma once
#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

namespace tumble {

/// The rows, or the columns, of what remains to be eliminated: which entries each line holds,
/// and the lines sorted by how many.
struct EliminationLines {
  static std::size_t index(int line) { return static_cast<std::size_t>(line); }

  std::vector<std::vector<int>> entries;  // line -> entry numbers, in no particular order
  std::vector<std::set<int>> bucket;      // number of entries -> lines worth searching
  std::vector<int> bucket_of;             // line -> its bucket; 0: waiting or eliminated
  // Lines without an acceptable pivot, by the level of relaxation at which one may be
  // found, as (number of entries, line).
  std::vector<std::set<std::pair<int, int>>> waiting;
  std::vector<std::size_t> level_of;  // line -> its level; 0: not waiting
  std::vector<char> eliminated;
  std::vector<double> peak;  // line x sample -> largest magnitude, valid unless stale
  std::vector<char> stale;

  EliminationLines(int n, std::size_t samples, std::size_t levels)
      : entries(index(n)),
        bucket(index(n) + 1),
        bucket_of(index(n), 0),
        waiting(levels + 2),
        level_of(index(n), 0),
        eliminated(index(n), 0),
        peak(index(n) * samples, 0.0),
        stale(index(n), 1) {}

  int count(int line) const { return static_cast<int>(entries[index(line)].size()); }

  void take_out(int line) {
    if (bucket_of[index(line)] > 0) bucket[index(bucket_of[index(line)])].erase(line);
    bucket_of[index(line)] = 0;
    if (level_of[index(line)] > 0) waiting[level_of[index(line)]].erase({count(line), line});
    level_of[index(line)] = 0;
  }

  /// A line without a pivot that is acceptable below this level leaves the search until it
  /// changes. Whether an entry is acceptable depends on its row and its column only, so it cannot
  /// become so unnoticed.
  void wait(int line, std::size_t level) {
    take_out(line);
    level_of[index(line)] = level;
    waiting[level].insert({count(line), line});
  }

  /// After a change of the line's entries or values.
  void refresh(int line) {
    take_out(line);
    stale[index(line)] = 1;
    if (count(line) == 0) return;
    bucket_of[index(line)] = count(line);
    bucket[index(count(line))].insert(line);
  }

  void eliminate(int line) {
    take_out(line);
    eliminated[index(line)] = 1;
    entries[index(line)].clear();
  }

  void remove(int line, int entry) {
    take_out(line);
    auto& list = entries[index(line)];
    *std::find(list.begin(), list.end(), entry) = list.back();
    list.pop_back();
  }
};

}  // namespace tumble
