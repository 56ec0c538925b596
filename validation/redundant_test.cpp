// Mechanisms with more conditions than they need, run as one would write them down, against minimal
// coordinates (hinged_loop.hpp): Bricard's mechanism, Bennett's and Sarrus's, a planar four-bar on
// four hinges, and a door on two.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <sstream>

#include "hinged_loop.hpp"
#include "tumble/integrate/run.hpp"
#include "tumble/integrate/watch/redundancy.hpp"
#include "tumble/model/compile.hpp"

namespace tumble::validation {
namespace {

using Vec = HingedLoop::Vec;

/// A thin bar from hinge to hinge.
HingedLoop::Link bar(const Vec& from, const Vec& to, double mass) {
  const Vec d = to - from;
  const HingedLoop::Mat thin =
      mass / 12 * (d.squaredNorm() * HingedLoop::Mat::Identity() - d * d.transpose());
  return {mass, 0.5 * (from + to), thin + 1e-3 * mass * HingedLoop::Mat::Identity()};
}

/// Six hinges at corners of a cube of 1 m, each axis across the two edges that meet there; five
/// bars of 1 kg along edges, the sixth edge is the ground (IFToMM library of benchmark problems,
/// Bricard's mechanism). Grübler counts 0 degrees of freedom; it moves.
HingedLoop bricard() {
  const std::vector<Vec> corner{{0, 0, 0},  {1, 0, 0},  {1, -1, 0},
                                {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
  HingedLoop loop;
  loop.gravity = {0, -9.81, 0};
  for (std::size_t i = 0; i < 6; ++i) {
    const Vec before = corner[i] - corner[(i + 5) % 6], after = corner[(i + 1) % 6] - corner[i];
    loop.hinges.push_back({corner[i], before.cross(after)});
    if (i < 5) loop.links.push_back(bar(corner[i], corner[i + 1], 1.0));
  }
  return loop;
}

/// Crank, coupler and rocker in a plane with the given normal: x and z of the plane as in the xz
/// plane for the normal y.
HingedLoop four_bar(const Vec& normal) {
  const Eigen::Quaterniond turn =
      Eigen::Quaterniond::FromTwoVectors(Vec::UnitY(), normal.normalized());
  const auto at = [&](double x, double z) -> Vec { return turn * Vec(x, 0, z); };
  const std::vector<Vec> pin{at(0, 0), at(0.1, 0.5), at(1.4, 1.1), at(1.5, 0)};
  HingedLoop loop;
  for (const Vec& p : pin) loop.hinges.push_back({p, turn * Vec::UnitY()});
  const std::array<double, 3> mass{1, 3, 2};
  for (std::size_t i = 0; i < 3; ++i) loop.links.push_back(bar(pin[i], pin[i + 1], mass[i]));
  return loop;
}

/// A door that hangs askew.
HingedLoop door() {
  HingedLoop loop;
  const Vec axis = Vec(0.2, -0.1, 1).normalized(), side = axis.unitOrthogonal();
  loop.hinges = {{Vec(0.1, 0.2, 0) + 0.3 * axis, axis}, {Vec(0.1, 0.2, 0) + 1.7 * axis, axis}};
  HingedLoop::Mat J = Vec(6.71, 8.05, 1.36).asDiagonal();
  loop.links = {{20, Vec(0.1, 0.2, 0) + 0.45 * side + axis, J}};
  return loop;
}

/// Bennett's mechanism of four skew hinges: opposite links have the same length and twist, and
/// sin α / a = sin β / b. Links of 1 m and twist α, and of b and twist β; hinge i turned by θᵢ.
struct Bennett {
  static constexpr double alpha = 0.9, beta = 1.4, first = 2.0;
  /// θ₂ of θ₁ (G. T. Bennett 1903): tan(θ₁/2) tan(θ₂/2) = sin((β + α)/2) / sin((β - α)/2).
  static double second(double angle) {
    return 2 * std::atan(std::sin((beta + alpha) / 2) / std::sin((beta - alpha) / 2) /
                         std::tan(angle / 2));
  }
  static HingedLoop loop() {
    const double b = std::sin(beta) / std::sin(alpha);
    Eigen::Isometry3d frame = Eigen::Isometry3d::Identity();
    frame.rotate(Eigen::AngleAxisd(0.7, Vec(0.3, 1, -0.5).normalized()));  // not along any axis
    HingedLoop loop;
    const std::array<double, 4> angle{first, second(first), -first, -second(first)};
    for (std::size_t i = 0; i < 4; ++i) {
      loop.hinges.push_back({frame.translation(), frame.rotation() * Vec::UnitZ()});
      frame.rotate(Eigen::AngleAxisd(angle[i], Vec::UnitZ()));
      frame.translate(Vec((i % 2 == 0 ? 1 : b), 0, 0));
      frame.rotate(Eigen::AngleAxisd(i % 2 == 0 ? alpha : beta, Vec::UnitX()));
    }
    for (std::size_t i = 0; i < 3; ++i)
      loop.links.push_back(
          bar(loop.hinges[i].point, loop.hinges[i + 1].point, 1.0 + 0.5 * static_cast<double>(i)));
    return loop;
  }
};

/// Sarrus's mechanism: a plate on two pairs of legs that bend across each other, which keep it
/// level and move it along a straight line. Legs of 1 m and 1 kg, the plate has 3 kg.
constexpr double sarrus_angle = 1.0;  ///< of the legs from the ground at the start [rad]
HingedLoop sarrus() {
  const double c = std::cos(sarrus_angle), s = std::sin(sarrus_angle), a = 0.5;
  const std::vector<Vec> pin{{a, 0, 0},     {a + c, 0, s}, {a, 0, 2 * s},
                             {0, a, 2 * s}, {0, a + c, s}, {0, a, 0}};
  HingedLoop loop;
  for (std::size_t i = 0; i < 6; ++i)
    loop.hinges.push_back({pin[i], i < 3 ? Vec::UnitY() : Vec::UnitX()});
  for (std::size_t i = 0; i < 5; ++i) loop.links.push_back(bar(pin[i], pin[i + 1], 1));
  loop.links[2] = {3, Vec(0, 0, 2 * s), HingedLoop::Mat(Vec(0.2, 0.2, 0.4).asDiagonal())};
  return loop;
}

struct Errors {
  double position = 0, force = 0, torque = 0;  ///< relative to the largest of all
};

/// Largest differences of positions and reactions from the reference at some times.
Errors compare(const HingedLoop& loop, double speed, double duration, double step) {
  HingedLoop::State state = loop.start(speed);
  Model model = loop.model(state);
  constexpr int outputs = 20;
  model.simulation.duration = duration;
  model.simulation.step = step;
  model.simulation.output_step = duration / outputs;
  const Trajectory run = simulate(model);
  const std::size_t n = loop.links.size();
  Errors error;
  double largest_force = 0, largest_torque = 0, largest_shift = 0;
  const auto value = [&](std::size_t series, int k) {
    const double* x = &run.series[series].values[static_cast<std::size_t>(3 * k)];
    return Vec(x[0], x[1], x[2]);
  };
  for (int k = 0; k <= outputs; ++k) {
    if (k > 0) loop.advance(state, duration / outputs, 100);
    for (std::size_t i = 0; i < n; ++i) {
      const Vec place = loop.place(state, i, loop.links[i].centre);
      largest_shift = std::max(largest_shift, (place - loop.links[i].centre).norm());
      error.position = std::max(error.position, (value(i, k) - place).norm());
    }
    const auto reactions = loop.reactions(state);
    for (std::size_t j = 0; j <= n; ++j) {
      largest_force = std::max(largest_force, reactions[j].force.norm());
      largest_torque = std::max(largest_torque, reactions[j].torque.norm());
      error.force = std::max(error.force, (value(n + 2 * j, k) - reactions[j].force).norm());
      error.torque = std::max(error.torque, (value(n + 2 * j + 1, k) - reactions[j].torque).norm());
    }
  }
  EXPECT_GT(largest_shift, 0.3);  // it moved
  error.position /= largest_shift;
  error.force /= largest_force;
  error.torque /= std::max(largest_torque, 1e-3 * largest_force);
  std::printf("  step %.1e: position %.2e, force %.2e, torque %.2e; drift %.1e\n", step,
              error.position, error.force, error.torque, run.statistics.constraint_drift);
  return error;
}

void expect_agreement(const HingedLoop& loop, double speed, double duration, double step) {
  const Errors coarse = compare(loop, speed, duration, 2 * step),
               fine = compare(loop, speed, duration, step);
  // Reactions that are not determined are the least ones of both, so that all can be compared.
  EXPECT_LT(fine.position, 1e-4);
  EXPECT_LT(fine.force, 1e-4);
  EXPECT_LT(fine.torque, 1e-4);
  EXPECT_LT(fine.position, coarse.position / 3.3);  // of second order
}

std::pair<int, int> freedom_and_redundancy(const HingedLoop& loop) {
  Model model = loop.model(loop.start(0));
  model.simulation.duration = 1;
  model.simulation.step = 1e-3;
  const Plan plan = make_plan(compile(model));
  return {plan.degrees_of_freedom(), plan.redundancy ? plan.redundancy->count : 0};
}

TEST(RedundantMechanisms, HaveOneDegreeOfFreedomEach) {
  EXPECT_EQ(freedom_and_redundancy(bricard()), std::pair(1, 1));
  EXPECT_EQ(freedom_and_redundancy(four_bar(Vec::UnitY())), std::pair(1, 3));
  EXPECT_EQ(freedom_and_redundancy(four_bar({0.3, -0.8, 0.5})), std::pair(1, 3));
  EXPECT_EQ(freedom_and_redundancy(door()), std::pair(1, 5));
  EXPECT_EQ(freedom_and_redundancy(Bennett::loop()), std::pair(1, 3));
  EXPECT_EQ(freedom_and_redundancy(sarrus()), std::pair(1, 1));
}

TEST(RedundantMechanisms, BricardMovesAndReactsAsByMinimalCoordinates) {
  expect_agreement(bricard(), 0, 2, 5e-4);
}

TEST(RedundantMechanisms, FourSpatialHingesMoveAndReactAsByMinimalCoordinates) {
  expect_agreement(four_bar(Vec::UnitY()), 2, 2, 5e-4);
  expect_agreement(four_bar({0.3, -0.8, 0.5}), -3, 2, 2.5e-4);
}

TEST(RedundantMechanisms, ADoorOnTwoHingesMovesAndReactsAsByMinimalCoordinates) {
  expect_agreement(door(), 2, 3, 1e-3);
}

TEST(RedundantMechanisms, BennettsAnglesKeepTheirRelation) {
  const HingedLoop loop = Bennett::loop();
  Model model = loop.model(loop.start(2));
  for (Probe& probe : model.probes)
    if (probe.joint) probe.quantities = {Quantity::angle};
  model.simulation.duration = 2;
  model.simulation.step = 1e-3;
  model.simulation.output_step = 0.05;
  const Trajectory run = simulate(model);
  double least = 1e300, largest = -1e300;
  const std::vector<double>&first = run.series[3].values, &second = run.series[4].values;
  for (std::size_t k = 0; k < first.size(); ++k) {
    const double angle = Bennett::first + first[k];
    least = std::min(least, angle), largest = std::max(largest, angle);
    const double error = Bennett::second(Bennett::first) + second[k] - Bennett::second(angle);
    EXPECT_NEAR(std::remainder(error, 2 * M_PI), 0, 1e-7) << angle;
  }
  EXPECT_GT(largest - least, 1);  // it moved
}

TEST(RedundantMechanisms, SarrusMovesAndReactsAsByMinimalCoordinates) {
  expect_agreement(sarrus(), 0, 0.4, 5e-4);
}

// One angle φ of the legs from the ground: the plate at 2 sin φ, the legs' centres at heights of
// ½ sin φ and 3/2 sin φ. ½ I φ̇² + V is kept, which gives the rate at any height.
TEST(RedundantMechanisms, SarrussPlateFallsStraightAndAsItsEnergySays) {
  const HingedLoop loop = sarrus();
  Model model = loop.model(loop.start(0));
  model.probes[2].quantities = {Quantity::position, Quantity::velocity, Quantity::angular_velocity};
  model.simulation.duration = 0.4;
  model.simulation.step = 2e-4;
  const Trajectory run = simulate(model);
  const std::size_t end = run.series[2].values.size() - 3;
  const double* position = &run.series[2].values[end];
  const double* velocity = &run.series[3].values[end];
  const double sine = position[2] / 2, cosine = std::sqrt(1 - sine * sine);
  const double turning = 1.0 / 12 + 1e-3;  // of a leg about its centre, as bar() makes it
  const double inertia =
      2 * (0.25 + turning + 0.25 * (sine * sine + 9 * cosine * cosine) + turning) +
      3 * 4 * cosine * cosine;
  const double fall = 9.81 * (4 * 1 + 2 * 3) * (std::sin(sarrus_angle) - sine);
  const double rate = -std::sqrt(2 * fall / inertia);
  EXPECT_LT(position[2], 1.4);  // it fell
  EXPECT_NEAR(velocity[2], 2 * cosine * rate, 1e-5);
  for (const double off : {position[0], position[1], velocity[0], velocity[1]})
    EXPECT_NEAR(off, 0, 1e-9);
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(run.series[4].values[end + static_cast<std::size_t>(k)], 0, 1e-9);
}

// In its own plane the reactions of the planar four-bar are determined, across it they are not.
TEST(RedundantMechanisms, OnlyReactionsAcrossThePlaneAreUndetermined) {
  const HingedLoop loop = four_bar(Vec::UnitY());
  Model model = loop.model(loop.start(1));
  model.simulation.duration = 0.01;
  model.simulation.step = 1e-3;
  const Trajectory run = simulate(model);
  for (const ProbeSeries& series : run.series) {
    if (series.quantity == Quantity::position)
      EXPECT_EQ(series.undetermined, std::vector<int>{});
    else if (series.quantity == Quantity::force)
      EXPECT_EQ(series.undetermined, std::vector<int>{1}) << series.probe;
    else
      EXPECT_EQ(series.undetermined, (std::vector<int>{0, 2})) << series.probe;
  }
  EXPECT_NE(run.redundancy.find("3 of 20 conditions are redundant"), std::string::npos);
}

// The hinges of a door share any load; what they carry together follows from its motion: with the
// angle θ about the axis u, J_u θ̈ = u·(r × m g), and m (a - g) is the sum of the forces.
TEST(RedundantMechanisms, TheHingesOfADoorCarryTogetherWhatItsMotionAsks) {
  const HingedLoop loop = door();
  Model model = loop.model(loop.start(0));
  model.simulation.duration = 0.01;
  model.simulation.step = 1e-3;
  const Trajectory run = simulate(model);
  const Vec u = loop.hinges[0].axis.normalized(), c = loop.links[0].centre;
  const Vec arm = c - loop.hinges[0].point;
  const Vec r = arm - u * u.dot(arm);
  const double m = loop.links[0].mass;
  const double J = u.dot(loop.links[0].inertia * u) + m * r.squaredNorm();
  const double turning = u.dot(r.cross(m * loop.gravity)) / J;
  const Vec expected = m * (turning * u.cross(r) - loop.gravity);
  const auto force = [&](std::size_t series) {
    const auto& x = run.series[series].values;
    return Vec(x[0], x[1], x[2]);
  };
  // The second hinge is listed with the ground last, and reports what acts on the ground.
  EXPECT_LT((force(1) - force(3) - expected).norm(), 1e-9 * expected.norm());
}

std::vector<double> numbers(std::string list) {
  std::ranges::replace(list, ',', ' ');
  std::istringstream text(list);
  return {std::istream_iterator<double>(text), std::istream_iterator<double>()};
}

/// The model changed as the message says.
Model follow(Model model, const std::string& message) {
  const auto joint = [&](const std::string& name) {
    return std::ranges::find(model.joints, name, &Joint::name);
  };
  const std::regex change(
      "make joint '([^']+)' one of `type: general, (?:orientation: \\{x: \\[([^\\]]*)\\], y: "
      "\\[([^\\]]*)\\]\\}, )?locked: \\[([^\\]]*)\\]`");
  for (std::sregex_iterator found(message.begin(), message.end(), change), end; found != end;
       ++found) {
    Joint& old = *joint((*found)[1]);
    GeneralJoint general;
    const auto& hinge = std::get<RevoluteJoint>(old.kind);
    general.between = hinge.between;
    general.point = hinge.point;
    if ((*found)[2].matched) {
      Orientation axes;
      axes.form = Orientation::Form::axes;
      axes.numbers = numbers((*found)[2]);
      std::ranges::copy(numbers((*found)[3]), std::back_inserter(axes.numbers));
      general.orientation = axes;
    }
    std::string locked = (*found)[4];
    std::ranges::replace(locked, ',', ' ');
    std::istringstream words(locked);
    for (std::string word; words >> word;)
      general.locked_motions.has[static_cast<std::size_t>(std::ranges::find(motion_names, word) -
                                                          motion_names.begin())] = true;
    old.kind = general;
  }
  const std::regex removal("leave out joint '([^']+)'");
  for (std::sregex_iterator found(message.begin(), message.end(), removal), end; found != end;
       ++found)
    model.joints.erase(joint((*found)[1]));
  std::erase_if(model.probes, [](const Probe& probe) { return probe.joint.has_value(); });
  return model;
}

/// So that no axis of a hinge is one of the ground's.
HingedLoop bricard_turned() {
  HingedLoop loop = bricard();
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(0.6, Vec(1, 2, -0.5).normalized()));
  for (auto& hinge : loop.hinges) hinge = {turn * hinge.point, turn * hinge.axis};
  for (auto& link : loop.links) {
    link.centre = turn * link.centre;
    link.inertia = turn * link.inertia * turn.conjugate();
  }
  return loop;
}

// Refused, the message names a change; the changed model is accepted and moves as the other does.
TEST(RedundantMechanisms, TheRemedyOfTheRefusalWorksAsItIsWritten) {
  std::vector<Model> models;
  for (const HingedLoop& loop : {bricard(), bricard_turned(), four_bar(Vec::UnitY()),
                                 four_bar({0.3, -0.8, 0.5}), door(), Bennett::loop(), sarrus()})
    models.push_back(loop.model(loop.start(0.5)));
  {
    // A parallelogram of four bars with a fifth: a third crank in between.
    HingedLoop loop;
    const std::vector<Vec> pin{{0, 0, 0}, {0.3, 0, 1}, {2.3, 0, 1}, {2, 0, 0}};
    for (const Vec& p : pin) loop.hinges.push_back({p, Vec::UnitY()});
    for (std::size_t i = 0; i < 3; ++i) loop.links.push_back(bar(pin[i], pin[i + 1], 1));
    Model model = loop.model(loop.start(0.5));
    Body extra = model.bodies[0];
    extra.name = "extra";
    extra.position.x += 0.7;
    model.bodies.push_back(extra);
    RevoluteJoint foot = std::get<RevoluteJoint>(model.joints[0].kind);
    foot.between[1] = MarkerRef{"extra"};
    foot.point->x += 0.7;
    RevoluteJoint top = std::get<RevoluteJoint>(model.joints[1].kind);
    top.between[0] = MarkerRef{"extra"};
    top.point->x += 0.7;
    model.joints.push_back({"foot", foot});
    model.joints.push_back({"top", top});
    models.push_back(model);
  }
  for (Model& model : models) {
    model.simulation.duration = 0.3;
    model.simulation.step = 1e-3;
    const Plan plan = make_plan(compile(model));
    Model refused = model;
    refused.simulation.redundancy = RedundancyPolicy::refuse;
    std::string message;
    try {
      make_plan(compile(refused));
    } catch (const InputError& error) {
      message = error.what();
    }
    const Model changed = follow(refused, message);
    SCOPED_TRACE(message);
    const Plan changed_plan = make_plan(compile(changed));
    EXPECT_EQ(changed_plan.redundancy, nullptr);
    EXPECT_EQ(changed_plan.degrees_of_freedom(), plan.degrees_of_freedom());
    EXPECT_EQ(plan.degrees_of_freedom(), 1);
    const Trajectory as_written = run(plan, model), with_fewer = run(changed_plan, changed);
    for (std::size_t i = 0; i < with_fewer.series.size(); ++i)
      for (std::size_t k = 0; k < with_fewer.series[i].values.size(); ++k)
        EXPECT_NEAR(as_written.series[i].values[k], with_fewer.series[i].values[k], 1e-7);
  }
}

}  // namespace
}  // namespace tumble::validation
