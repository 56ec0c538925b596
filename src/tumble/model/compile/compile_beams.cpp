#include "tumble/beam/continuum.hpp"
#include "tumble/beam/inertia.hpp"
#include "tumble/beam/loads.hpp"
#include "tumble/beam/structural.hpp"
#include "tumble/model/compile/beam_shape.hpp"
#include "tumble/model/compile/compiling.hpp"

namespace tumble::compiling {

namespace {

using beam::Curvature;

/// What geometry makes of one element of a beam: turns material into the constants of its kernels.
class ElementRecipe {
 public:
  virtual ~ElementRecipe() = default;
  virtual int elastic_size() const = 0;
  virtual int mass_size() const = 0;
  /// `material(place)` with the place x/L in the element; `damping_time` [s].
  using Material = std::function<BeamMaterial(double place)>;
  virtual void write(const Material& material, double damping_time, double* out) const = 0;
};

template <int D>
beam::Reference<D> reference_of(const BeamShape& shape, int element) {
  beam::Reference<D> reference{shape.element_length, {}};
  double* out = reference.nodes.data();
  for (const int end : {element, element + 1}) {
    const Frame& node = shape.nodes[static_cast<std::size_t>(end)];
    for (int k = 0; k <= D; ++k) {
      const Vec3d vector = k == 0 ? node.p : node.R.column(k - 1);
      for (int c = 0; c < D; ++c) *out++ = vector[c];
    }
  }
  return reference;
}

template <int D, Curvature curvature>
class MassRecipe : public ElementRecipe {
 public:
  MassRecipe(const beam::Reference<D>& reference, const beam::SectionAlong& section)
      : mass_(reference, section) {}
  int mass_size() const override { return mass_.size; }

 protected:
  void write_mass(const Material& material, double* out) const {
    std::vector<double> density;
    for (const double place : mass_.places()) density.push_back(material(place).density);
    mass_.write(density, out);
  }

 private:
  beam::MassInvariants<D, curvature> mass_;
};

template <int D, Curvature curvature>
class ContinuumRecipe final : public MassRecipe<D, curvature> {
 public:
  using Constants = beam::ContinuumConstants<D, curvature>;
  ContinuumRecipe(const beam::Reference<D>& reference, const beam::SectionAlong& section)
      : MassRecipe<D, curvature>(reference, section), invariants_(reference, section) {}
  int elastic_size() const override { return Constants::size; }
  void write(const ElementRecipe::Material& material, double damping_time,
             double* out) const override {
    std::vector<beam::Lame> lame;
    for (const double place : invariants_.places()) {
      const BeamMaterial m = material(place);
      lame.push_back(beam::lame(m.youngs_modulus, m.poisson_ratio));
    }
    invariants_.write_geometry(damping_time, out);
    invariants_.write_stiffness(lame, out + Constants::stiffness);
    this->write_mass(material, out + Constants::size);
  }

 private:
  beam::ContinuumInvariants<D, curvature> invariants_;
};

template <int D, Curvature curvature>
class StructuralRecipe final : public MassRecipe<D, curvature> {
 public:
  using Constants = beam::StructuralConstants<D>;
  StructuralRecipe(const beam::Reference<D>& reference, const beam::SectionAlong& section,
                   const Beam& description)
      : MassRecipe<D, curvature>(reference, section),
        invariants_(reference),
        section_(section),
        linear_(description.curvature == BeamCurvature::linear) {
    if (description.section.stiffness) given_ = given_stiffness(*description.section.stiffness);
  }
  int elastic_size() const override { return Constants::size; }
  void write(const ElementRecipe::Material& material, double damping_time,
             double* out) const override {
    std::vector<beam::SectionStiffness> sections;
    for (const double place : invariants_.places()) {
      const BeamMaterial m = material(place);
      sections.push_back(
          given_ ? *given_
                 : beam::section_stiffness(section_(place), m.youngs_modulus, m.poisson_ratio));
    }
    invariants_.write_geometry(damping_time, out);
    invariants_.write_stiffness(sections, out, linear_);
    this->write_mass(material, out + Constants::size);
  }

 private:
  beam::StructuralInvariants<D> invariants_;
  beam::SectionAlong section_;
  bool linear_;
  std::optional<beam::SectionStiffness> given_;
};

using Recipes = std::vector<std::shared_ptr<const ElementRecipe>>;

/// A recipe per element; elements of a straight beam with the same section everywhere are all alike
/// and share one.
template <int D, Curvature curvature>
Recipes make_recipes(const Model& model, std::size_t index) {
  const Beam& description = model.beams[index];
  const BeamShape shape = beam_shape(description);
  const bool varies = section_varies(model, index);
  const auto make = [&](const beam::Reference<D>& reference, int i) -> Recipes::value_type {
    // The recipes of a section that varies are those of one realisation and do not outlive it.
    const auto section = varies ? beam::SectionAlong([&model, index, i](double xi) {
      return section_at(model, index, i, xi);
    })
                                : beam::SectionAlong(beam_section(description));
    if (description.formulation == BeamFormulation::structural)
      return std::make_shared<StructuralRecipe<D, curvature>>(reference, section, description);
    return std::make_shared<ContinuumRecipe<D, curvature>>(reference, section);
  };
  Recipes recipes;
  for (int i = 0; i < description.elements; ++i) {
    if (curvature == Curvature::curved)
      recipes.push_back(make(reference_of<D>(shape, i), i));
    else if (i == 0 || varies)
      recipes.push_back(make(beam::Reference<D>::straight(shape.element_length), i));
    else
      recipes.push_back(recipes.front());
  }
  return recipes;
}

Recipes make_recipes(const Model& model, std::size_t index) {
  const Beam& description = model.beams[index];
  if (description.dimension == BeamDimension::planar)
    return description.arc ? make_recipes<2, Curvature::curved>(model, index)
                           : make_recipes<2, Curvature::straight>(model, index);
  return description.arc ? make_recipes<3, Curvature::curved>(model, index)
                         : make_recipes<3, Curvature::straight>(model, index);
}

BeamIndex add_beam(System& system, std::size_t index) {
  const Beam& nominal = system.nominal.beams[index];
  BeamIndex entry;
  entry.name = nominal.name;
  entry.dimension = nominal.dimension == BeamDimension::planar ? 2 : 3;
  entry.structural = nominal.formulation == BeamFormulation::structural;
  entry.curved = nominal.arc.has_value();
  entry.damped = nominal.damping_time || nominal.damping_ratios;
  entry.mass_damped = nominal.mass_damping || nominal.damping_ratios;
  entry.linear_curvature = nominal.curvature == BeamCurvature::linear;
  entry.nodes = nominal.elements + 1;
  const int size = entry.nodes * entry.node_size();
  entry.coordinates = system.beam_size;
  system.beam_size += size;
  entry.block = static_cast<int>(system.blocks.size());
  system.blocks.push_back({Block::Kind::linear, system.nq, system.nv, size, size});
  system.nq += size;
  system.nv += size;

  const Recipes recipes = make_recipes(system.nominal, index);
  entry.elastic_size = recipes.front()->elastic_size();
  entry.element_size = entry.elastic_size + recipes.front()->mass_size();
  entry.constants = reserve(system, entry.element_size * nominal.elements);
  entry.plane = reserve(system, 1);
  entry.mass_damping = reserve(system, 1);
  system.writers.push_back([recipes, &nominal, index, at = entry.constants,
                            element_size = entry.element_size, plane = entry.plane,
                            mass_damping = entry.mass_damping](const PrepareContext& context,
                                                               double* c) {
    const Beam& realized = context.model().beams[index];
    // Other geometry needs invariants of its own, which costs more than all else; material does
    // not.
    const bool same = same_geometry(nominal, realized) && !section_varies(context.model(), index);
    const RayleighDamping damping = rayleigh_damping(realized);
    const Recipes own = same ? recipes : make_recipes(context.model(), index);
    for (int i = 0; i < realized.elements; ++i)
      own[static_cast<std::size_t>(i)]->write(
          [&](double place) { return material_at(context.model(), index, i, place); }, damping.time,
          c + at + i * element_size);
    c[mass_damping] = damping.mass;
    c[plane] = beam_shape(realized).nodes.front().p.z;
  });
  return entry;
}

/// Adds the generalized force of a force at the place `at` of a beam's axis.
template <int D>
void add_point_load(const BeamShape& shape, double at, const Vec3d& force, double* out) {
  const int elements = static_cast<int>(shape.nodes.size()) - 1;
  const int element = std::min(static_cast<int>(at * elements), elements - 1);
  const auto factors = beam::point_load<D>(shape.element_length, {at * elements - element});
  double* first = out + element * beam::node_coordinates<D>;
  for (int i = 0; i < beam::element_vectors<D>; ++i)
    for (int c = 0; c < D; ++c) first[D * i + c] += factors.s[i] * force[c];
}

template <int D>
void add_line_load(const BeamShape& shape, const Vec3d& start, const Vec3d& end, double* out) {
  const int elements = static_cast<int>(shape.nodes.size()) - 1;
  const auto load = beam::line_load<D>(shape.element_length);
  const auto at = [&](int node) {
    return start + (static_cast<double>(node) / elements) * (end - start);
  };
  for (int element = 0; element < elements; ++element) {
    double* first = out + element * beam::node_coordinates<D>;
    const Vec3d f = at(element), g = at(element + 1);
    for (int i = 0; i < beam::element_vectors<D>; ++i)
      for (int c = 0; c < D; ++c)
        first[D * i + c] += load.first.s[i] * f[c] + load.second.s[i] * g[c];
  }
}

Vec3d resultant(const BeamShape&, const PointLoad& load) { return load.force; }
Vec3d resultant(const BeamShape& shape, const LineLoad& load) {
  const Vec3d end = load.force_end.value_or(load.force);
  const double length = shape.element_length * static_cast<double>(shape.nodes.size() - 1);
  return (0.5 * length) * (load.force + end);
}

/// Adds the generalized forces of a load.
template <int D>
void add_load(const BeamShape& shape, const PointLoad& load, double* out) {
  add_point_load<D>(shape, load.at, load.force, out);
}
template <int D>
void add_load(const BeamShape& shape, const LineLoad& load, double* out) {
  add_line_load<D>(shape, load.force, load.force_end.value_or(load.force), out);
}

}  // namespace

void add_beams(System& system) {
  system.beam_q = system.nq;
  system.beam_v = system.nv;
  for (std::size_t i = 0; i < system.nominal.beams.size(); ++i)
    system.beams.push_back(add_beam(system, i));
}

void add_beam_load(System& system, std::size_t index) {
  const auto add = [&]<class Load>(const Load& nominal) {
    BeamLoadIndex entry;
    entry.name = system.nominal.forces[index].name;
    entry.beam = beam_index(system.nominal, nominal.beam.name);
    entry.drive = nominal.drive ? drive_index(system, nominal.drive->name) : -1;
    const BeamIndex& beam = system.beams[static_cast<std::size_t>(entry.beam)];
    entry.constants = reserve<BeamLoadIndex>(system);
    entry.generalized = reserve(system, beam.nodes * beam.node_size());
    system.writers.push_back(
        [index, entry, dimension = beam.dimension](const PrepareContext& context, double* c) {
          const auto& load = std::get<Load>(context.model().forces[index].kind);
          const BeamShape shape =
              beam_shape(context.model().beams[static_cast<std::size_t>(entry.beam)]);
          constants_at<BeamLoadIndex>(c + entry.constants).resultant = resultant(shape, load);
          if (dimension == 2)
            add_load<2>(shape, load, c + entry.generalized);
          else
            add_load<3>(shape, load, c + entry.generalized);
        });
    system.all<BeamLoadIndex>().push_back(entry);
  };
  const ForceKind& kind = system.nominal.forces[index].kind;
  if (const auto* load = std::get_if<PointLoad>(&kind))
    add(*load);
  else
    add(std::get<LineLoad>(kind));
}

}  // namespace tumble::compiling
