// STL files: both forms of the format, what real ones do, and where reading stops.
#include "tumble/random/domain/stl_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "domain_samples.hpp"

namespace tumble {
namespace {

using testing::HasSubstr;

std::string as_text(const TriangleSurface& surface) {
  std::ostringstream out;
  out << "solid a name with words\n";
  for (const auto& t : surface.triangles) {
    out << "  facet normal 0 0 0\n    outer loop\n";
    for (const std::size_t v : t)
      out << "      vertex " << surface.vertices[v].x << ' ' << surface.vertices[v].y << ' '
          << surface.vertices[v].z << "\n";
    out << "    endloop\n  endfacet\n";
  }
  out << "endsolid a name with words\n";
  return out.str();
}

std::string as_binary(const TriangleSurface& surface, const std::string& header) {
  std::string bytes = header;
  bytes.resize(80, ' ');
  const auto append = [&bytes](auto value) {
    char raw[sizeof(value)];
    std::memcpy(raw, &value, sizeof(value));
    bytes.append(raw, sizeof(value));
  };
  append(static_cast<std::uint32_t>(surface.triangles.size()));
  for (const auto& t : surface.triangles) {
    for (int i = 0; i < 3; ++i) append(0.0f);
    for (const std::size_t v : t)
      for (int i = 0; i < 3; ++i) append(static_cast<float>(surface.vertices[v][i]));
    append(std::uint16_t{0});
  }
  return bytes;
}

void expect_same(const TriangleSurface& read, const TriangleSurface& written) {
  ASSERT_EQ(read.vertices.size(), written.vertices.size());
  ASSERT_EQ(read.triangles.size(), written.triangles.size());
  for (std::size_t t = 0; t < read.triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k)
      for (int i = 0; i < 3; ++i)
        EXPECT_EQ(read.vertices[read.triangles[t][k]][i],
                  written.vertices[written.triangles[t][k]][i]);
}

TEST(Stl, IsReadAsTextAndBinary) {
  // All coordinates are exact in single precision.
  const TriangleSurface l_shape = samples::l_shape_surface();
  expect_same(parse_stl(as_text(l_shape)), l_shape);
  expect_same(parse_stl(as_binary(l_shape, "made by a program")), l_shape);
  expect_same(parse_stl(as_binary(l_shape, "solid is how some binary files begin")), l_shape);
  EXPECT_NO_THROW(require_closed(parse_stl(as_text(l_shape))));
}

TEST(Stl, OfABoxIsTheBox) {
  const auto surface = samples::box_surface({0.25, -0.5, 0}, {0.75, 0.5, 2});
  const MeshDomain mesh(parse_stl(as_binary(surface, "")));
  EXPECT_DOUBLE_EQ(mesh.volume(), 1.0);
  const TiltedMoments m = mesh.tilted_moments({3, 2, 1});
  const TiltedMoments expected = BoxDomain({{0.5, 0, 1}, {0.5, 1, 2}}).tilted_moments({3, 2, 1});
  EXPECT_NEAR(m.log_integral, expected.log_integral, 1e-14);
  EXPECT_LT(norm(m.mean - expected.mean), 1e-14);
}

TEST(Stl, TextMayHoldSeveralSolidsAndAnyNormals) {
  std::string text = as_text(samples::box_surface({0, 0, 0}, {1, 1, 1}));
  text += as_text(samples::box_surface({2, 0, 0}, {3, 1, 1}));
  text.replace(text.find("normal 0 0 0"), 12, "normal nan nan nan");
  text.replace(text.find("vertex 0 0 0"), 12, "vertex -0.0 +0 0e0\r");
  const TriangleSurface surface = parse_stl(text);
  EXPECT_EQ(surface.triangles.size(), 24u);
  EXPECT_EQ(surface.vertices.size(), 16u);
  EXPECT_DOUBLE_EQ(MeshDomain(surface).volume(), 2.0);
}

std::string message_of(const std::string& bytes) {
  try {
    parse_stl(bytes);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Stl, SaysWhereReadingStops) {
  const auto box = samples::box_surface({0, 0, 0}, {1, 1, 1});
  const std::string text = as_text(box), binary = as_binary(box, "");
  EXPECT_THAT(message_of(""), HasSubstr("neither text nor binary STL: too short"));
  EXPECT_THAT(
      message_of(binary.substr(0, binary.size() - 1)),
      HasSubstr("neither text nor binary STL: it does not begin with 'solid', and 683 bytes "
                "are not those of the 12 triangles"));
  EXPECT_THAT(message_of("solid x\nendsolid x\n"), HasSubstr("the STL file holds no triangle"));
  EXPECT_THAT(message_of(as_binary({}, "")), HasSubstr("the STL file holds no triangle"));

  std::string broken = text;
  broken.replace(broken.find("vertex"), 6, "vertox");
  EXPECT_THAT(message_of(broken),
              HasSubstr("line 4 of the STL text: expected 'vertex', found 'vertox'"));
  broken = text;
  broken.replace(broken.find("vertex 0"), 8, "vertex O");
  EXPECT_THAT(message_of(broken), HasSubstr("line 4 of the STL text: expected a finite number, "
                                            "found 'O'"));
  broken = text;
  broken.replace(broken.find("vertex 0"), 8, "vertex inf");
  EXPECT_THAT(message_of(broken), HasSubstr("expected a finite number, found 'inf'"));
  broken = text.substr(0, text.find("endsolid"));
  EXPECT_THAT(message_of(broken), HasSubstr("expected 'facet' or 'endsolid', found the end"));
  EXPECT_THAT(message_of("solids x"), HasSubstr("line 1 of the STL text: expected 'solid', found "
                                                "'solids'"));

  std::string infinite = binary;
  const float value = INFINITY;
  std::memcpy(infinite.data() + 84 + 50 + 12, &value, 4);
  EXPECT_THAT(message_of(infinite),
              HasSubstr("triangle 2 of the binary STL has a corner that is no finite point"));
}

TEST(Stl, NamesTheFile) {
  const auto file = std::filesystem::path(testing::TempDir()) / "tumble_box.stl";
  std::ofstream(file, std::ios::binary) << as_text(samples::box_surface({0, 0, 0}, {1, 1, 1}));
  EXPECT_EQ(read_stl(file).triangles.size(), 12u);
  std::ofstream(file, std::ios::binary) << "nothing";
  const auto message = [](const std::filesystem::path& path) {
    try {
      read_stl(path);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(message(file), HasSubstr("tumble_box.stl: neither text nor binary STL"));
  std::filesystem::remove(file);
  EXPECT_THAT(message(file), HasSubstr("tumble_box.stl: cannot be opened"));
}

}  // namespace
}  // namespace tumble
