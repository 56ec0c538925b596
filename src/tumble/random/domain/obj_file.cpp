#include "tumble/random/domain/obj_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>

#include "tumble/random/domain/stl_file.hpp"

namespace tumble {
namespace {

[[noreturn]] void stop_obj(std::size_t line, const std::string& sentence) {
  throw std::invalid_argument(fmt::format("line {} of the OBJ file: {}", line, sentence));
}

/// Cuts the next word off the front of `rest`; empty at its end.
std::string_view next_obj_word(std::string_view& rest) {
  const auto begin = rest.find_first_not_of(" \t\r");
  if (begin == rest.npos) return rest = {};
  const auto end = std::min(rest.find_first_of(" \t\r", begin), rest.size());
  const std::string_view word = rest.substr(begin, end - begin);
  rest.remove_prefix(end);
  return word;
}

Vec3d obj_vertex(std::string_view rest, std::size_t line) {
  Vec3d x;
  for (int k = 0; k < 3; ++k) {
    const std::string_view word = next_obj_word(rest);
    const std::string_view digits = word.substr(word.starts_with('+') ? 1 : 0);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), x[k]);
    if (digits.empty() || error != std::errc() || end != digits.data() + digits.size() ||
        !std::isfinite(x[k]))
      stop_obj(line, fmt::format("expected three finite numbers after 'v', found '{}'",
                                 word.substr(0, 40)));
  }
  return x;
}

/// "7", "7/1", "7//3" or "-1/2/3": which of the `count` vertices so far, from 0.
std::size_t obj_corner(std::string_view word, std::size_t count, std::size_t line) {
  const std::string_view digits = word.substr(0, word.find('/'));
  long long index = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  const bool is_number = error == std::errc() && end == digits.data() + digits.size();
  const auto all = static_cast<long long>(count);
  if (!is_number || index == 0 || index > all || index < -all)
    stop_obj(line, fmt::format("a face names the vertex '{}', but there are {} so far",
                               word.substr(0, 40), count));
  return static_cast<std::size_t>(index > 0 ? index - 1 : all + index);
}

}  // namespace

TriangleSurface parse_obj(std::string_view text) {
  TriangleSurface surface;
  std::map<std::array<double, 3>, std::size_t> known;
  std::vector<std::size_t> listed;  // of each `v` line, its vertex
  std::size_t line = 0;
  while (!text.empty()) {
    ++line;
    const auto end = std::min(text.find('\n'), text.size());
    std::string_view rest = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    rest = rest.substr(0, rest.find('#'));
    const std::string_view key = next_obj_word(rest);
    if (key == "v") {
      const Vec3d x = obj_vertex(rest, line);
      // + 0.0 turns a negative zero into a positive one.
      const auto [entry, is_new] =
          known.try_emplace({x.x + 0.0, x.y + 0.0, x.z + 0.0}, surface.vertices.size());
      if (is_new) surface.vertices.push_back(x);
      listed.push_back(entry->second);
    } else if (key == "f") {
      std::vector<std::size_t> corners;
      for (std::string_view word = next_obj_word(rest); !word.empty(); word = next_obj_word(rest))
        corners.push_back(listed[obj_corner(word, listed.size(), line)]);
      if (corners.size() < 3) stop_obj(line, "a face has at least three corners");
      for (std::size_t k = 2; k < corners.size(); ++k)
        surface.triangles.push_back({corners[0], corners[k - 1], corners[k]});
    }
  }
  if (surface.triangles.empty()) throw std::invalid_argument("the OBJ file holds no face");
  return surface;
}

TriangleSurface parse_mesh(std::string_view bytes, const std::filesystem::path& name) {
  std::string ending = name.extension().string();
  std::ranges::transform(ending, ending.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
  return ending == ".obj" ? parse_obj(bytes) : parse_stl(bytes);
}

}  // namespace tumble
