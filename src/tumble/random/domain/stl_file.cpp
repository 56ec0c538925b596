#include "tumble/random/domain/stl_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>

namespace tumble {
namespace {

[[noreturn]] void refuse(const std::string& sentence) { throw std::invalid_argument(sentence); }

/// Collects corners, each three of them a triangle.
class SurfaceBuilder {
 public:
  void add_corner(const Vec3d& x) {
    // + 0.0 turns a negative zero into a positive one.
    const std::array<double, 3> key{x.x + 0.0, x.y + 0.0, x.z + 0.0};
    const auto [entry, is_new] = index_.try_emplace(key, surface_.vertices.size());
    if (is_new) surface_.vertices.push_back(x);
    corners_[count_++] = entry->second;
    if (count_ == 3) surface_.triangles.push_back(corners_), count_ = 0;
  }
  std::size_t triangles() const { return surface_.triangles.size(); }
  TriangleSurface take() { return std::move(surface_); }

 private:
  TriangleSurface surface_;
  std::map<std::array<double, 3>, std::size_t> index_;
  std::array<std::size_t, 3> corners_{};
  std::size_t count_ = 0;
};

constexpr std::size_t kHeader = 80, kPrefix = 84, kRecord = 50;

static_assert(std::endian::native == std::endian::little, "binary STL is little-endian");

template <class T>
T number_at(std::string_view bytes, std::size_t position) {
  T value;
  std::memcpy(&value, bytes.data() + position, sizeof(T));
  return value;
}

// 80 bytes of header, the number of triangles, and 50 bytes for each: normal and three corners as
// single-precision numbers, and two bytes that programs use as they like.
TriangleSurface parse_binary(std::string_view bytes) {
  const auto count = number_at<std::uint32_t>(bytes, kHeader);
  SurfaceBuilder builder;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t corner = 1; corner <= 3; ++corner) {
      const std::size_t at = kPrefix + kRecord * i + 12 * corner;
      const Vec3d x{number_at<float>(bytes, at), number_at<float>(bytes, at + 4),
                    number_at<float>(bytes, at + 8)};
      if (!std::isfinite(x.x) || !std::isfinite(x.y) || !std::isfinite(x.z))
        refuse(fmt::format("triangle {} of the binary STL has a corner that is no finite point",
                           i + 1));
      builder.add_corner(x);
    }
  return builder.take();
}

class TextReader {
 public:
  explicit TextReader(std::string_view text) : rest_(text) {}

  /// The next word, empty at the end.
  std::string_view word() {
    while (!rest_.empty() && is_space(rest_.front())) step();
    const auto end = std::find_if(rest_.begin(), rest_.end(), is_space);
    const auto found = rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
    rest_.remove_prefix(found.size());
    return found;
  }
  void skip_line() {
    while (!rest_.empty() && rest_.front() != '\n') step();
  }
  void expect(std::string_view wanted) {
    const std::string_view found = word();
    if (found != wanted) stop(fmt::format("'{}'", wanted), found);
  }
  double number() {
    const std::string_view found = word();
    // from_chars takes no plus sign.
    const std::string_view digits = found.substr(found.starts_with('+') ? 1 : 0);
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value))
      stop("a finite number", found);
    return value;
  }
  [[noreturn]] void stop(const std::string& wanted, std::string_view found) const {
    refuse(fmt::format("line {} of the STL text: expected {}, found {}", line_, wanted,
                       found.empty() ? "the end" : fmt::format("'{}'", found.substr(0, 40))));
  }

 private:
  static bool is_space(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
  }
  void step() {
    if (rest_.front() == '\n') ++line_;
    rest_.remove_prefix(1);
  }

  std::string_view rest_;
  std::size_t line_ = 1;
};

// solid NAME, any number of facets, endsolid NAME; a file may hold several solids.
TriangleSurface parse_text(std::string_view text) {
  TextReader reader(text);
  SurfaceBuilder builder;
  for (std::string_view word = reader.word(); !word.empty(); word = reader.word()) {
    if (word != "solid") reader.stop("'solid'", word);
    reader.skip_line();
    for (word = reader.word(); word == "facet"; word = reader.word()) {
      reader.expect("normal");
      for (int i = 0; i < 3; ++i) reader.word();  // not used, and some programs write nan
      reader.expect("outer");
      reader.expect("loop");
      for (int corner = 0; corner < 3; ++corner) {
        reader.expect("vertex");
        const double x = reader.number(), y = reader.number(), z = reader.number();
        builder.add_corner({x, y, z});
      }
      reader.expect("endloop");
      reader.expect("endfacet");
    }
    if (word != "endsolid") reader.stop("'facet' or 'endsolid'", word);
    reader.skip_line();
  }
  return builder.take();
}

}  // namespace

// Binary headers may begin with `solid` too, so the length decides: it must be that of the number
// of triangles a binary file states.
TriangleSurface parse_stl(std::string_view bytes) {
  const bool has_prefix = bytes.size() >= kPrefix;
  const std::uint64_t stated = has_prefix ? number_at<std::uint32_t>(bytes, kHeader) : 0;
  const bool is_binary = has_prefix && bytes.size() == kPrefix + kRecord * stated;
  if (!is_binary && !TextReader(bytes).word().starts_with("solid")) {
    if (!has_prefix)
      refuse("neither text nor binary STL: too short, and it does not begin with 'solid'");
    refuse(
        fmt::format("neither text nor binary STL: it does not begin with 'solid', and {} bytes are "
                    "not those of "
                    "the {} triangles that a binary file of this beginning has",
                    bytes.size(), stated));
  }
  TriangleSurface surface = is_binary ? parse_binary(bytes) : parse_text(bytes);
  if (surface.triangles.empty()) refuse("the STL file holds no triangle");
  return surface;
}

TriangleSurface read_stl(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) refuse(fmt::format("{}: cannot be opened", file.string()));
  const std::string bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (stream.bad()) refuse(fmt::format("{}: cannot be read", file.string()));
  try {
    return parse_stl(bytes);
  } catch (const std::invalid_argument& error) {
    refuse(fmt::format("{}: {}", file.string(), error.what()));
  }
}

}  // namespace tumble
