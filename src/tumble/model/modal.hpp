// A flexible body of small elastic deformation in a floating frame: what a reduced model of its
// finite elements says of it, and what the user adds.
#pragma once
#include <memory>

#include "tumble/model/entry.hpp"

namespace tumble {

/// A reduced flexible body as its file has it (docs/theory/modal-bodies.md#file). Axes are those of
/// the file, which are the body's; integrals of shapes are about the centre of mass of the
/// undeformed body. A mode's shape is a displacement and a small rotation at each node.
struct ModalData {
  int modes = 0;
  double mass = 0;
  Vec3d centre;                                     ///< from the file's origin
  std::array<double, 6> inertia{};                  ///< about the centre: xx, yy, zz, xy, xz, yz
  std::vector<double> modal_mass, modal_stiffness;  ///< of each mode
  std::vector<double> damping_ratio;                ///< of each mode, or empty
  std::vector<Vec3d> moment;                        ///< [i] ∫ Φ_i dm
  std::vector<Vec3d> rotation;                      ///< [i] ∫ x × Φ_i dm
  std::vector<Vec3d> coupling;                      ///< [i][j] ∫ Φ_i × Φ_j dm
  std::vector<double> inertia_rate;                 ///< [i][6] ∂J/∂q_i of the undeformed body
  std::vector<double> inertia_curve;                ///< [i][j][6] ∂²J/∂q_i∂q_j
  std::vector<int> node;                            ///< their numbers
  std::vector<Vec3d> position;                      ///< of nodes, from the file's origin
  std::vector<Vec3d> displacement;                  ///< [node][mode]
  std::vector<Vec3d> turn;                          ///< [node][mode], rotations
  std::vector<std::array<int, 2>> lines;            ///< between places in `node`: for drawing

  /// The place of a node's number, -1 if there is none.
  int find_node(int number) const {
    for (std::size_t i = 0; i < node.size(); ++i)
      if (node[i] == number) return static_cast<int>(i);
    return -1;
  }
};

/// What makes a body flexible.
struct ModalPart {
  FileName file;
  int modes = 0;  ///< how many of the file's are used, the first ones; 0: all
  Vec3d origin;
  double mass_factor = 1;
  double stiffness_factor = 1;
  std::vector<double> damping;  ///< ratios: one for all modes, or one of each
  std::array<double, 2> rayleigh{};
  std::vector<double> amplitudes, rates;  ///< at t = 0
  std::shared_ptr<const ModalData> data = {};

  int count() const { return !data ? 0 : modes > 0 && modes < data->modes ? modes : data->modes; }

  static constexpr bool is_part_of_body = true;
  static constexpr std::string_view doc =
      "What makes a body flexible: modes of small elastic deformation, relative to the body's own "
      "axes, from a file that `tumble modal-body` makes of matrices of finite elements.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"file", "", "netCDF, relative to the model file", Range::any, true}, s.file);
    v(Entry{"modes", "", "how many of the file's modes are used, from the lowest on; 0: all",
            Range::non_negative},
      s.modes);
    // Once the file is read, the body's position has it.
    if (!s.data)
      v(Entry{"origin", "m", "where the origin of the file's coordinates is, ground axes at t = 0",
              Range::any, true},
        s.origin);
    v(Entry{"mass_factor", "", "times the mass, the inertia and the modal masses of the file",
            Range::positive},
      s.mass_factor);
    v(Entry{"stiffness_factor", "", "times the modal stiffnesses of the file", Range::positive},
      s.stiffness_factor);
    v(Entry{"damping", "",
            "damping ratios: one for all modes, or one of each; those of the file if left out",
            Range::non_negative},
      s.damping);
    v(Entry{"rayleigh", "",
            "two factors a [1/s] and b [s]: a times the modal masses and b times the modal "
            "stiffnesses are added to the damping",
            Range::non_negative},
      s.rayleigh);
    v(Entry{"amplitudes", "", "of the modes at t = 0, zero where left out"}, s.amplitudes);
    v(Entry{"rates", "1/s", "of the amplitudes at t = 0, zero where left out"}, s.rates);
  }
};

/// Where a body without mass is attached to a flexible one.
struct ModalNode {
  std::string of;  ///< the flexible body
  int number = 0;  ///< of the node

  static constexpr bool is_part_of_body = true;
  static constexpr std::string_view doc =
      "A node of a flexible body as a body without mass, for joints, forces and probes.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"of", "", "the flexible body, one with `modal`", Range::any, true}, s.of);
    v(Entry{"number", "", "of the node, as its file counts", Range::any, true}, s.number);
  }
};

}  // namespace tumble
