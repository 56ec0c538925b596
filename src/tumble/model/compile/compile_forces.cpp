#include <algorithm>

#include "tumble/model/compile/compiling.hpp"

namespace tumble::compiling {

namespace {

template <class F>
const F& kind_of(const Model& model, std::size_t index) {
  return std::get<F>(model.forces[index].kind);
}

int optional_drive(const System& system, const std::optional<DriveRef>& drive) {
  return drive ? drive_index(system, drive->name) : -1;
}

/// Compiles a characteristic; `select` finds it again in a realised model.
int add_characteristic(System& system, const Characteristic& nominal,
                       std::function<const Characteristic&(const Model&)> select) {
  const int index = static_cast<int>(system.characteristics.size());
  system.characteristics.emplace_back(nominal);
  const int at = reserve(system, system.characteristics.back().constants_size());
  system.characteristic_constants.push_back(at);
  system.writers.push_back([&system, index, at, select](const PrepareContext& context, double* c) {
    system.characteristics[static_cast<std::size_t>(index)].write_constants(select(context.model()),
                                                                            c + at);
  });
  return index;
}

/// 6 values are a diagonal, 36 a matrix by rows, none a zero matrix.
void write_matrix6(const std::vector<double>& values, double* out) {
  for (std::size_t i = 0; i < 36; ++i) {
    if (values.size() == 36)
      out[i] = values[i];
    else
      out[i] = values.size() == 6 && i % 7 == 0 ? values[i / 7] : 0.0;
  }
}

bool is_of_bushing(const RandomMatrix& random) {
  return random.kind == RandomMatrix::Kind::bushing_stiffness ||
         random.kind == RandomMatrix::Kind::bushing_damping;
}

/// Those of a bushing that are random as a whole.
void vary_matrices(const Model& model, std::size_t index, double* K, double* C) {
  for (const RandomMatrix& random : model.matrices) {
    if (random.element != index || !is_of_bushing(random)) continue;
    double* matrix = random.kind == RandomMatrix::Kind::bushing_stiffness ? K : C;
    vary(random, 6, {matrix, 36});
  }
}

void add(System& system, std::size_t index, const Bushing&) {
  const auto frames = [index](const Model& model) {
    const auto& b = kind_of<Bushing>(model, index);
    return frame_pair(
        model, b.between, b.point,
        b.orientation ? std::optional(rotation_matrix(*b.orientation)) : std::nullopt);
  };
  BushingIndex entry;
  entry.name = system.nominal.forces[index].name;
  entry.index = static_cast<int>(system.all<BushingIndex>().size());
  entry.pair.body = frames(system.nominal).body;
  const auto& nominal = kind_of<Bushing>(system.nominal, index);
  entry.diagonal = nominal.stiffness.size() != 36 && nominal.damping.size() != 36 &&
                   std::ranges::none_of(system.nominal.matrices, [&](const RandomMatrix& random) {
                     return random.element == index && is_of_bushing(random);
                   });
  entry.constants = reserve<BushingIndex>(system);
  system.writers.push_back(
      [frames, index, at = entry.constants](const PrepareContext& context, double* c) {
        const FramePair pair = frames(context.model());
        const auto& b = kind_of<Bushing>(context.model(), index);
        auto& k = constants_at<BushingIndex>(c + at);
        k.frames = local_frames(context, pair);
        write_matrix6(b.stiffness, k.K);
        write_matrix6(b.damping, k.C);
        vary_matrices(context.model(), index, k.K, k.C);
        for (std::size_t i = 0; i < 6; ++i) k.f0[i] = b.prestress[i];
      });
  system.all<BushingIndex>().push_back(entry);
}

void add(System& system, std::size_t index, const Spring& spring) {
  const auto ends = [index](const Model& model) {
    const auto& s = kind_of<Spring>(model, index);
    return point_pair(model, s.between, s.points);
  };
  SpringIndex entry;
  entry.name = system.nominal.forces[index].name;
  entry.pair.body = ends(system.nominal).body;
  entry.drive = optional_drive(system, spring.actuator);
  entry.stiffness = add_characteristic(system, spring.stiffness,
                                       [index](const Model& model) -> const Characteristic& {
                                         return kind_of<Spring>(model, index).stiffness;
                                       });
  entry.damping = add_characteristic(system, spring.damping,
                                     [index](const Model& model) -> const Characteristic& {
                                       return kind_of<Spring>(model, index).damping;
                                     });
  entry.constants = reserve<SpringIndex>(system);
  system.writers.push_back(
      [ends, index, at = entry.constants](const PrepareContext& context, double* c) {
        const FramePair pair = ends(context.model());
        const auto& s = kind_of<Spring>(context.model(), index);
        constants_at<SpringIndex>(c + at) = {
            local_points(context, pair),
            s.length ? *s.length : norm(pair.frame[1].p - pair.frame[0].p), s.preload};
      });
  system.all<SpringIndex>().push_back(entry);
}

void add(System& system, std::size_t index, const TorsionSpring& spring) {
  const auto frames = [index](const Model& model) {
    const auto& s = kind_of<TorsionSpring>(model, index);
    return frame_pair(model, s.between, s.point,
                      s.axis ? std::optional(axes_along(*s.axis)) : std::nullopt);
  };
  TorsionSpringIndex entry;
  entry.name = system.nominal.forces[index].name;
  entry.pair.body = frames(system.nominal).body;
  entry.drive = optional_drive(system, spring.actuator);
  entry.stiffness = add_characteristic(system, spring.stiffness,
                                       [index](const Model& model) -> const Characteristic& {
                                         return kind_of<TorsionSpring>(model, index).stiffness;
                                       });
  entry.damping = add_characteristic(system, spring.damping,
                                     [index](const Model& model) -> const Characteristic& {
                                       return kind_of<TorsionSpring>(model, index).damping;
                                     });
  entry.constants = reserve<TorsionSpringIndex>(system);
  system.writers.push_back(
      [frames, index, at = entry.constants](const PrepareContext& context, double* c) {
        const FramePair pair = frames(context.model());
        const auto& s = kind_of<TorsionSpring>(context.model(), index);
        constants_at<TorsionSpringIndex>(c + at) = {local_axes(context, pair), s.angle, s.preload};
      });
  // The tracked angle reads the same two matrices, which come first.
  entry.tracked = static_cast<int>(system.tracked_angles.size());
  TrackedAngle angle;
  angle.body = entry.pair.body;
  angle.constants = entry.constants;
  angle.owner = "torsion spring '" + entry.name + "'";
  system.tracked_angles.push_back(angle);
  system.all<TorsionSpringIndex>().push_back(entry);
}

void add(System& system, std::size_t index, const AppliedForce& force) {
  AppliedForceIndex entry;
  entry.name = system.nominal.forces[index].name;
  entry.pair.body = {0, body_index(system.nominal, force.body.name)};
  entry.drive = optional_drive(system, force.drive);
  entry.body_axes = force.axes == Axes::body;
  entry.constants = reserve<AppliedForceIndex>(system);
  system.writers.push_back([index, body = entry.pair.body[1], at = entry.constants](
                               const PrepareContext& context, double* c) {
    const auto& f = kind_of<AppliedForce>(context.model(), index);
    constants_at<AppliedForceIndex>(c + at) = {
        f.point ? context.local(body, {*f.point, Mat3d::identity()}).p : Vec3d{}, f.force,
        f.torque};
  });
  system.all<AppliedForceIndex>().push_back(entry);
}

void add(System& system, std::size_t index, const PointLoad&) { add_beam_load(system, index); }
void add(System& system, std::size_t index, const LineLoad&) { add_beam_load(system, index); }
void add(System& system, std::size_t index, const SectionLoad&) { add_section_load(system, index); }
void add(System& system, std::size_t index, const JointLimit&) { add_joint_limit(system, index); }
void add(System& system, std::size_t index, const JointFriction&) {
  add_joint_friction(system, index);
}
void add(System& system, std::size_t index, const ContactLaw&) { add_contact(system, index); }
void add(System& system, std::size_t index, const Tyre&) { add_contact(system, index); }
void add(System& system, std::size_t index, const Cable&) { add_contact(system, index); }
void add(System& system, std::size_t index, const ExpressionForce&) {
  add_expression_force(system, index);
}

}  // namespace

void add_forces(System& system) {
  for (std::size_t i = 0; i < system.nominal.forces.size(); ++i)
    std::visit([&](const auto& force) { add(system, i, force); }, system.nominal.forces[i].kind);
}

void add_user_elements(System& system) {
  const auto index_of = [&system](const auto& entry, std::size_t i, auto numbers_of) {
    UserElementIndex element;
    element.entry = static_cast<int>(i);
    element.name = entry.name;
    for (const auto& body : entry.bodies) {
      element.body.push_back(body_index(system.nominal, body.name));
      element.body_names.push_back(body.name);
    }
    for (const auto& drive : entry.drives) element.drive.push_back(drive_index(system, drive.name));
    element.numbers = static_cast<int>(entry.numbers.size());
    element.constants = reserve(system, element.numbers);
    system.writers.push_back(
        [i, at = element.constants, numbers_of](const PrepareContext& context, double* c) {
          const auto& numbers = numbers_of(context.model(), i);
          for (std::size_t k = 0; k < numbers.size(); ++k)
            c[at + static_cast<int>(k)] = numbers[k].value;
        });
    return element;
  };
  for (std::size_t i = 0; i < system.nominal.user_forces.size(); ++i)
    system.user_forces.push_back(index_of(
        system.nominal.user_forces[i], i,
        [](const Model& m, std::size_t k) -> const auto& { return m.user_forces[k].numbers; }));
  for (std::size_t i = 0; i < system.nominal.user_constraints.size(); ++i) {
    const auto& entry = system.nominal.user_constraints[i];
    UserElementIndex element = index_of(
        entry, i,
        [](const Model& m, std::size_t k) -> const auto& { return m.user_constraints[k].numbers; });
    element.row = system.nc;
    element.rows = entry.element->rows();
    system.nc += element.rows;
    system.user_constraints.push_back(std::move(element));
  }
}

}  // namespace tumble::compiling
