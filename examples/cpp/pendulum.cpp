// The program of docs/guide/cpp-api.md: a pendulum described in code, a force and a constraint of
// one's own, and the same compiled system run with other numbers.
#include <cmath>
#include <cstdio>

#include "tumble/integrate/run.hpp"
#include "tumble/model/parameters.hpp"

using namespace tumble;

// A rod on a hinge, as examples/classics/pendulum.yaml has it.
Model pendulum() {
  Model model;
  model.title = "Pendulum";
  model.gravity = {0, 0, -9.81};

  Body rod;
  rod.name = "rod";
  rod.position = {0.5, 0, 0};
  rod.mass = 2.466;
  rod.inertia = {0.000123, 0.2056, 0.2056, 0, 0, 0};  // xx, yy, zz, xy, xz, yz
  model.bodies.push_back(rod);

  RevoluteJoint hinge;
  hinge.between = {MarkerRef{"ground"}, MarkerRef{"rod"}};
  hinge.point = Vec3d{0, 0, 0};
  hinge.axis = Vec3d{0, 1, 0};
  model.joints.push_back({"hinge", hinge});

  Probe tip;
  tip.name = "tip";
  tip.body = BodyRef{"rod"};
  tip.point = Vec3d{1, 0, 0};
  tip.quantities = {Quantity::position};
  model.probes.push_back(tip);

  model.simulation.duration = 1;
  model.simulation.step = 1e-3;
  model.simulation.output_step = 0.1;
  return model;
}

// Drag of a ball at the tip of the rod: F = -½ ρ c_d A |v| v.
class BallDrag : public UserForce {
 public:
  void evaluate(const UserContext& context, std::span<Wrench> wrenches) const override {
    const BodyView& rod = context.bodies[0];
    const double factor = context.numbers[0];  // ½ ρ c_d A [kg/m]
    // Offsets are from the reference point, the nominal centre of mass, in body axes.
    const Vec3d to_tip{0.5, 0, 0};
    const Vec3d v = rod.point_velocity(to_tip);
    wrenches[0].force = (-factor * norm(v)) * v;
    wrenches[0].torque = cross(rod.R_WB * to_tip, wrenches[0].force);
  }
};

Model damped_pendulum() {
  Model model = pendulum();
  model.user_forces.push_back({"drag",
                               std::make_shared<BallDrag>(),
                               {BodyRef{"rod"}},
                               {},                           // no drives
                               {{"factor", "kg/m", 0.1}}});  // the slot user.drag.factor
  return model;
}

// A bead on a wire bent to the parabola z = k x² in the plane y = 0: two constraints.
class ParabolicWire : public UserConstraint {
 public:
  int rows() const override { return 2; }
  void evaluate(const UserContext& context, ConstraintAnswer& answer) const override {
    const BodyView& bead = context.bodies[0];
    const double k = context.numbers[0];
    answer.value[0] = bead.p_W.z - k * bead.p_W.x * bead.p_W.x;
    answer.gradient[0].translation = {-2 * k * bead.p_W.x, 0, 1};
    // d²φ/dt² with all accelerations zero; without it accelerations would be inconsistent.
    answer.acceleration_bias[0] = -2 * k * bead.v_W.x * bead.v_W.x;
    answer.value[1] = bead.p_W.y;
    answer.gradient[1].translation = {0, 1, 0};
  }
};

Model bead_on_wire() {
  Model model;
  model.gravity = {0, 0, -9.81};
  Body bead;
  bead.name = "bead";
  bead.position = {1, 0, 1};
  bead.mass = 0.1;
  bead.inertia = {1e-5, 1e-5, 1e-5, 0, 0, 0};
  model.bodies.push_back(bead);
  model.user_constraints.push_back(
      {"wire", std::make_shared<ParabolicWire>(), {BodyRef{"bead"}}, {}, {{"k", "1/m", 1.0}}});
  Probe probe;
  probe.name = "bead";
  probe.body = BodyRef{"bead"};
  probe.quantities = {Quantity::position, Quantity::velocity};
  model.probes.push_back(probe);
  Probe energy;
  energy.name = "energy";
  energy.system = true;
  energy.quantities = {Quantity::total_energy};
  model.probes.push_back(energy);
  model.simulation.duration = 1;
  model.simulation.step = 1e-3;
  return model;
}

/// The last three numbers of a series: its vector at the end of the run.
Vec3d last(const ProbeSeries& series) { return load3(&series.values[series.values.size() - 3]); }

int main() {
  const Vec3d free_tip = last(simulate(pendulum()).series[0]);
  std::printf("free:   tip at (%.6f, %.6f, %.6f) m after 1 s\n", free_tip.x, free_tip.y,
              free_tip.z);

  // Until the rod hangs: its reference point is as far to the left as to the right of the hinge.
  double hanging = 0;
  RunOptions watched;
  watched.after_step = [&](const StepView& step) {
    hanging = step.time;
    return step.bodies[0].p_W.x > 0;
  };
  simulate(pendulum(), watched);
  std::printf("free:   hangs after %.3f s\n", hanging);

  // Compiled and planned once, run with any numbers.
  const Model model = damped_pendulum();
  const Plan plan = make_plan(model);
  const int slot = plan.parameters().find("user.drag.factor");
  Realization realization(model);
  for (const double factor : {0.0, 0.1, 0.2}) {
    realization.set(slot, factor);
    const Vec3d tip = last(run(plan, realization.model()).series[0]);
    std::printf("drag %.1f kg/m: tip at (%.6f, %.6f, %.6f) m\n", factor, tip.x, tip.y, tip.z);
    if (factor == 0 && norm(tip - free_tip) > 1e-9) return 1;
  }

  // A quarter of the period of a rod that falls from the horizontal: K(1/2) √(2 l / 3 g), K
  // = 1.8541.
  if (std::fabs(hanging - 1.8541 * std::sqrt(2.0 / 3 / 9.81)) > 2e-3) return 1;

  const Trajectory bead = simulate(bead_on_wire());
  const Vec3d p = last(bead.series[0]), v = last(bead.series[1]);
  const double change = bead.series[2].values.back() - bead.series[2].values.front();
  std::printf("bead at (%.6f, %.6f, %.6f) m with %.6f m/s; energy changed by %.1e J\n", p.x, p.y,
              p.z, norm(v), change);
  return std::fabs(p.z - p.x * p.x) < 1e-12 && std::fabs(change) < 1e-5 ? 0 : 1;
}
