#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "tumble/beam/material.hpp"
#include "tumble/beam/reference.hpp"
#include "tumble/beam/structural.hpp"
#include "tumble/model/compile/beam_point.hpp"
#include "tumble/model/compile/beam_shape.hpp"
#include "tumble/model/compile/compiling.hpp"

namespace tumble::compiling {

namespace {

constexpr int section_order = 3;  ///< of the rule over a section, as for the elements themselves

template <int D>
class PointWriter {
 public:
  using Constants = BeamPointConstants<D>;
  PointWriter(const Model& model, std::size_t beam, int element, double xi)
      : description_(model.beams[beam]),
        shape_(beam_shape(description_)),
        material_(material_at(model, beam, element, xi)),
        section_(section_at(model, beam, element, xi)),
        xi_(xi),
        reference_(make_reference(element)) {}

  void write_point(double y, double z, double* c) const {
    const auto shape = beam::shape_values<D>(reference_.length, {xi_, y, z});
    std::copy(std::begin(shape.s), std::end(shape.s), c + Constants::shape);
    c[Constants::place] = xi_;
    c[Constants::offset] = y;
    c[Constants::offset + 1] = z;
    write_gradients(at(y, z).gradients, c + Constants::gradients);
    const auto& given = description_.section.stiffness;
    const beam::Lame lame =
        given ? beam::Lame{} : beam::lame(material_.youngs_modulus, material_.poisson_ratio);
    c[Constants::lame] = lame.lambda;
    c[Constants::lame + 1] = lame.shear;
    const auto k = given ? given_stiffness(*given)
                         : beam::section_stiffness(section_, material_.youngs_modulus,
                                                   material_.poisson_ratio);
    const double stiffness[6] = {k.axial,   k.shear_y,   k.shear_z,
                                 k.torsion, k.bending_y, k.bending_z};
    for (int i = 0; i < 6; ++i) c[Constants::compliance + i] = 1 / stiffness[i];
    c[Constants::moduli] = material_.youngs_modulus;
    c[Constants::moduli + 1] = k.shear_y / section_.area();
    c[Constants::moduli + 2] = k.shear_z / section_.area();
    c[Constants::moduli + 3] = k.torsion / (section_.I_y() + section_.I_z());
  }

  void write_section(double* c) const {
    for (const auto& p : section_.points(section_order)) {
      const auto point = at(p.y, p.z);
      write_gradients(point.gradients, c);
      for (std::size_t a = 0; a < static_cast<std::size_t>(D); ++a)
        c[Constants::point_area + static_cast<int>(a)] = p.weight * point.area[a];
      c[Constants::point_offset] = p.y;
      c[Constants::point_offset + 1] = p.z;
      c += Constants::point_size;
    }
  }

 private:
  beam::Reference<D> make_reference(int element) const {
    if (!description_.arc) return beam::Reference<D>::straight(shape_.element_length);
    beam::Reference<D> reference{shape_.element_length, {}};
    double* out = reference.nodes.data();
    for (const int end : {element, element + 1})
      for (int k = 0; k <= D; ++k) {
        const Frame& node = shape_.nodes[static_cast<std::size_t>(end)];
        const Vec3d vector = k == 0 ? node.p : node.R.column(k - 1);
        for (int c = 0; c < D; ++c) *out++ = vector[c];
      }
    return reference;
  }
  beam::ReferenceGradients<D> at(double y, double z) const {
    const auto curvature = description_.arc ? beam::Curvature::curved : beam::Curvature::straight;
    return beam::reference_gradients<D>(reference_, curvature, {xi_, y, z});
  }
  static void write_gradients(const beam::ShapeGradients<D>& g, double* c) {
    for (const auto& row : g.b) c = std::copy(std::begin(row), std::end(row), c);
  }

  const Beam& description_;
  BeamShape shape_;
  BeamMaterial material_;
  beam::Section section_;
  double xi_;
  beam::Reference<D> reference_;
};

template <int D>
BeamProbeIndex add_probe(System& system, std::size_t probe, std::size_t beam) {
  const Probe& nominal = system.nominal.probes[probe];
  if (nominal.at && nominal.at->every_node)
    throw std::invalid_argument(fmt::format(
        "probe '{}': at = nodes is short for several probes, which expand_probes() makes",
        nominal.name));
  const int elements = system.beams[beam].elements();
  const double along = (nominal.at ? nominal.at->value : 0) * elements;
  BeamProbeIndex entry;
  entry.beam = static_cast<int>(beam);
  entry.element = std::min(static_cast<int>(along), elements - 1);
  entry.constants = reserve(system, BeamPointConstants<D>::size);
  if (!system.beams[beam].structural) {
    entry.section_points =
        static_cast<int>(beam_section(system.nominal.beams[beam]).points(section_order).size());
    entry.section = reserve(system, entry.section_points * BeamPointConstants<D>::point_size);
  }
  const double xi = along - entry.element;
  system.writers.push_back([entry, probe, beam, xi](const PrepareContext& context, double* c) {
    const PointWriter<D> writer(context.model(), beam, entry.element, xi);
    const auto offset = context.model().probes[probe].offset.value_or(std::array<double, 2>{});
    writer.write_point(offset[0], offset[1], c + entry.constants);
    if (entry.section_points > 0) writer.write_section(c + entry.section);
  });
  return entry;
}

}  // namespace

void add_beam_probes(System& system) {
  for (std::size_t i = 0; i < system.nominal.probes.size(); ++i) {
    const auto& observed = system.nominal.probes[i].beam;
    if (!observed) {
      system.beam_probes.emplace_back();
      continue;
    }
    const auto beam = static_cast<std::size_t>(beam_index(system.nominal, observed->name));
    system.beam_probes.push_back(system.beams[beam].dimension == 2 ? add_probe<2>(system, i, beam)
                                                                   : add_probe<3>(system, i, beam));
  }
}

}  // namespace tumble::compiling
