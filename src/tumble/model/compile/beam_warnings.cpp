// What Saint-Venant's torsion about the axis leaves out of sections that warp much.
#include <fmt/format.h>

#include <cmath>

#include "tumble/beam/polygon_section.hpp"
#include "tumble/math/special_functions.hpp"
#include "tumble/model/compile/beam_shape.hpp"

namespace tumble {

namespace {

/// Vlasov's theory: with I_ω and λ² = E I_ω/(G J), a bar whose warping is held at one end turns
/// under a torque by 1 - tanh(L/λ)/(L/λ) of what it would without. The excess of its stiffness.
double stiffening(const Beam& beam, const beam::Section& section, double length) {
  const double decay = std::sqrt(2 * (1 + beam.poisson_ratio) * section.warping_constant() /
                                 section.torsion_constant());
  const double ratio = length / decay;
  return 1 / (1 - std::tanh(ratio) / ratio) - 1;
}

}  // namespace

std::vector<std::string> beam_warnings(const Model& model) {
  constexpr double noticeable = 0.05;
  std::vector<std::string> sentences;
  for (const Beam& beam : model.beams) {
    const bool may_warp = beam.section.i_beam || beam.section.polygon;
    if (beam.dimension == BeamDimension::planar || !may_warp) continue;
    const beam::Section section = beam_section(beam);
    const double length = beam_shape(beam).element_length * beam.elements;
    if (section.warping_constant() > 0)
      if (const double more = stiffening(beam, section, length); more > noticeable)
        sentences.push_back(fmt::format(
            "beam '{}': its section warps when it is twisted; torsion is computed as if that were "
            "free everywhere, and with warping held at one end the beam would be {:.0f} % stiffer "
            "in torsion",
            beam.name, 100 * more));
    const beam::PolygonNumbers* polygon = section.polygon_numbers();
    if (polygon == nullptr) continue;
    const double arm = hypotenuse(polygon->shear_centre[0], polygon->shear_centre[1]);
    if (arm > noticeable * std::sqrt((polygon->I_y + polygon->I_z) / polygon->area))
      sentences.push_back(fmt::format(
          "beam '{}': the shear centre of its section is {:.3g} m away from its centroid; forces "
          "across the beam act on its axis without the twist that this would cause",
          beam.name, arm));
  }
  return sentences;
}

}  // namespace tumble
