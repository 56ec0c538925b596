// Elements of a model by their names, in constant time.
#pragma once
#include <string>
#include <unordered_map>
#include <vector>

namespace tumble {

/// Index of the first element called `name`, -1 if there is none.
///
/// Joints and forces name their bodies, and their constants are written anew for every realisation:
/// a search through the list for each of them makes long models take time with the square of their
/// length. Each thread remembers where it last found every name. What it remembers is a guess and
/// is checked, so the list may change in any way between two calls.
template <class T>
int find_named(const std::vector<T>& elements, const std::string& name) {
  const auto is_at = [&](std::size_t i) { return i < elements.size() && elements[i].name == name; };
  if (elements.size() <= 8) {
    for (std::size_t i = 0; i < elements.size(); ++i)
      if (is_at(i)) return static_cast<int>(i);
    return -1;
  }
  thread_local std::unordered_map<std::string, std::size_t> last_seen;
  if (const auto guess = last_seen.find(name); guess != last_seen.end() && is_at(guess->second))
    return static_cast<int>(guess->second);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (!is_at(i)) continue;
    // The names asked for next are likely to be of the same list.
    last_seen.clear();
    for (std::size_t k = elements.size(); k-- > 0;) last_seen[elements[k].name] = k;
    return static_cast<int>(i);
  }
  return -1;
}

}  // namespace tumble
