// Triangle meshes from STL files, text or binary.
#pragma once
#include <filesystem>
#include <string_view>

#include "tumble/random/domain/triangle_surface.hpp"

namespace tumble {

/// Reads the bytes of an STL file. The format repeats a corner for every triangle that has it;
/// corners with the same coordinates become one vertex. Normals are not used: the order of the
/// corners says which side is outside. The surface is not checked: see require_closed().
/// @throws std::invalid_argument with the line or the triangle where reading had to stop.
TriangleSurface parse_stl(std::string_view bytes);

/// The same for a file. @throws std::invalid_argument that begins with its path.
TriangleSurface read_stl(const std::filesystem::path& file);

}  // namespace tumble
