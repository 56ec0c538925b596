// Small models with beams, of order one in everything: soft, thick and of few elements.
#pragma once
#include "tumble/dynamics/test/element_models.hpp"

namespace tumble::testing {

inline Beam soft_beam(const std::string& name, BeamDimension dimension,
                      BeamFormulation formulation) {
  Beam beam;
  beam.name = name;
  beam.dimension = dimension;
  beam.formulation = formulation;
  beam.elements = 2;
  beam.section.rectangle = RectangleSection{0.5, 0.4};
  beam.youngs_modulus = 9;
  beam.poisson_ratio = 0.2;
  beam.density = 3;
  return beam;
}
inline Beam straight_beam(const std::string& name, BeamDimension dimension,
                          BeamFormulation formulation, const Vec3d& from, const Vec3d& to) {
  Beam beam = soft_beam(name, dimension, formulation);
  beam.line = std::array<Vec3d, 2>{from, to};
  return beam;
}
inline Beam curved_beam(const std::string& name, BeamDimension dimension,
                        BeamFormulation formulation) {
  Beam beam = soft_beam(name, dimension, formulation);
  const double z = dimension == BeamDimension::planar ? 0 : 0.4;
  beam.arc = Arc{{0, 0, 0}, {1.1, 0.7, z}, {1.2, 1.9, 2 * z}};
  beam.section = {};
  beam.section.circle = CircleSection{0.25};
  return beam;
}

inline Model beam_base() {
  Model model = base_model();
  model.bodies.resize(1);
  return model;
}

/// Every kind of element, with and without damping.
inline std::vector<Case> beam_cases() {
  std::vector<Case> cases;
  for (const auto dimension : {BeamDimension::planar, BeamDimension::spatial})
    for (const auto formulation : {BeamFormulation::structural, BeamFormulation::continuum})
      for (const bool curved : {false, true})
        for (const bool damped : {false, true}) {
          const bool planar = dimension == BeamDimension::planar;
          Case c;
          c.name = std::string(planar ? "Planar" : "Spatial") +
                   (formulation == BeamFormulation::structural ? "Structural" : "Continuum") +
                   (curved ? "Curved" : "Straight") + (damped ? "Damped" : "");
          c.model = beam_base();
          c.model.beams = {curved ? curved_beam("arm", dimension, formulation)
                                  : straight_beam("arm", dimension, formulation, {0.1, 0.2, 0.3},
                                                  {1.3, 1.1, planar ? 0.3 : -0.4})};
          if (damped) c.model.beams[0].damping_time = 0.3;
          c.model.forces = {{"load", PointLoad{{"arm"}, 0.7, {0.3, -0.4, 0.6}, DriveRef{"one"}}},
                            {"wind", LineLoad{{"arm"}, {0.2, 0.5, -0.3}, Vec3d{1, 0, 2}, {}}}};
          cases.push_back(std::move(c));
        }
  // Forces and moments on sections: dead and following, inside an element and at a node.
  for (const auto dimension : {BeamDimension::planar, BeamDimension::spatial})
    for (const bool follower : {false, true}) {
      Case c = cases[dimension == BeamDimension::planar ? 0 : 8];
      c.name += follower ? "Follower" : "Moment";
      SectionLoad inside{{"arm"}, 0.7, {0.3, -0.4, 0.6}, {0.5, -0.7, 0.9}, follower, {}};
      inside.drive = DriveRef{"one"};
      c.model.forces = {
          {"inside", inside},
          {"end", SectionLoad{{"arm"}, 1, {0.2, 0.1, 0}, {-0.3, 0.2, 0.8}, follower, {}}}};
      cases.push_back(std::move(c));
    }
  // Sections by their stiffnesses, with rotary inertia of their own, and by their corners.
  for (const auto dimension : {BeamDimension::planar, BeamDimension::spatial}) {
    const bool planar = dimension == BeamDimension::planar;
    Case c = cases[planar ? 0 : 8];
    c.name += "Stiffness";
    Beam& beam = c.model.beams[0];
    beam.youngs_modulus = beam.poisson_ratio = beam.density = 0;
    StiffnessSection section;
    section.axial = 9, section.shear_y = 4, section.bending_z = 1.5, section.mass_per_length = 2;
    section.rotary_inertia_z = 0.3;
    if (!planar) section.shear_z = 3, section.torsion = 0.7, section.bending_y = 1.1;
    beam.section = {};
    beam.section.stiffness = section;
    cases.push_back(std::move(c));
    c = cases[planar ? 2 : 10];
    c.name += "Polygon";
    c.model.beams[0].section = {};
    c.model.beams[0].section.polygon =
        PolygonSection{{{0, 0}, {0.3, 0.02}, {0.1, 0.1}, {0.02, 0.2}}};
    cases.push_back(std::move(c));
  }
  return cases;
}

/// A joint's ends as a test may name them, and the beams and joints of a model with it.
inline std::vector<Case> beam_joint_cases() {
  const auto structural = BeamFormulation::structural, continuum = BeamFormulation::continuum;
  const auto planar = BeamDimension::planar, spatial = BeamDimension::spatial;
  Model flat = beam_base(), space = beam_base();
  flat.beams = {straight_beam("arm", planar, structural, {0, 0, 0.2}, {1.5, 0.4, 0.2}),
                straight_beam("other", planar, continuum, {1.5, 0.4, 0.7}, {2.2, 1.6, 0.7})};
  flat.beams[1].line = std::array<Vec3d, 2>{Vec3d{1.5, 0.4, 0.2}, Vec3d{2.2, 1.6, 0.2}};
  space.beams = {straight_beam("arm", spatial, structural, {0, 0, 0.2}, {1.5, 0.4, 0.9}),
                 straight_beam("other", spatial, continuum, {1.5, 0.4, 0.9}, {2.2, 1.6, 1.1})};
  Model mixed = space;
  mixed.beams[1] = straight_beam("other", planar, structural, {1.5, 0.4, 0.9}, {2.2, 1.6, 0.9});
  std::vector<Case> cases;
  const auto add = [&](const std::string& name, const Model& base, const JointKind& kind) {
    Case c{name, base, false};
    c.model.joints = {{"joint", kind}};
    cases.push_back(std::move(c));
  };
  const std::pair<std::string, Ends> ends[] = {
      {"GroundStart", {MarkerRef{"ground"}, MarkerRef{"arm.start"}}},
      {"NodeGround", {MarkerRef{"arm.node1"}, MarkerRef{"ground"}}},
      {"BodyEnd", {MarkerRef{"a"}, MarkerRef{"arm.end"}}},
      {"EndMarker", {MarkerRef{"arm.end"}, MarkerRef{"a.m"}}},
      {"BeamBeam", {MarkerRef{"arm.end"}, MarkerRef{"other.start"}}}};
  for (const auto& [word, between] : ends)
    for (const bool is_flat : {true, false}) {
      const Model& base = is_flat ? flat : space;
      const std::string name = (is_flat ? "Planar" : "Spatial") + word;
      SphericalJoint ball;
      ball.between = between;
      add(name + "Spherical", base, ball);
      FixedJoint clamp;
      clamp.between = between;
      add(name + "Fixed", base, clamp);
      RevoluteJoint hinge;
      hinge.between = between;
      if (!is_flat) hinge.axis = Vec3d{0.3, -0.5, 0.8};
      add(name + "Revolute", base, hinge);
    }
  FixedJoint clamp;
  clamp.between = {MarkerRef{"arm.end"}, MarkerRef{"other.start"}};
  add("SpatialToPlanarFixed", mixed, clamp);
  RevoluteJoint hinge;
  hinge.between = {MarkerRef{"arm.end"}, MarkerRef{"a.m"}};
  add("SpatialMarkerAxisRevolute", space, hinge);
  return cases;
}

}  // namespace tumble::testing
