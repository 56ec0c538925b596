// Triangle meshes from OBJ files (Wavefront), of which vertices and faces are read.
#pragma once
#include <filesystem>
#include <string_view>

#include "tumble/random/domain/triangle_surface.hpp"

namespace tumble {

/// Reads the text of an OBJ file: lines `v x y z` and `f a b c ...`, whose corners may be written
/// a/texture/normal and count backwards if negative. A face with more corners is cut into triangles
/// around its first one, as flat and convex ones can be. Vertices with the same coordinates become
/// one, because exporters repeat them along seams of textures. Everything else is for pictures.
/// @throws std::invalid_argument with the line where reading had to stop.
TriangleSurface parse_obj(std::string_view text);

/// STL or OBJ, by the ending of the name: everything but `.obj` is taken for STL.
/// @throws std::invalid_argument
TriangleSurface parse_mesh(std::string_view bytes, const std::filesystem::path& name);

}  // namespace tumble
