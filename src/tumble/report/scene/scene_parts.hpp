// The still parts of a report's scene: shapes of bodies, and where joints, forces and
// probes are.
#pragma once
#include "tumble/report/blob.hpp"
#include "tumble/report/results_view.hpp"
#include "tumble/report/scene/scene_motion.hpp"

namespace tumble::report {

/// The shape of the model; without one, the uniform box with the mass and inertia of the body.
Json body_shapes(const Body& body, Blob& blob);

/// The edges [m] of the uniform box of mass m with the principal moments `inertia`,
///   a² = 6 (I_yy + I_zz - I_xx) / m  and so on,
/// none thinner than a fiftieth of the longest.
Vec3d equivalent_box(double mass, const Vec3d& inertia);

Json scene_joints(const SceneModel& scene);
/// Forces with two ends, and joints with two points: drawn between them.
Json scene_springs(const SceneModel& scene);
/// All other forces: drawn where they act.
Json scene_loads(const SceneModel& scene);
/// The points that probes of bodies and beams observe.
Json scene_marks(const SceneModel& scene, const ResultsView& results);

}  // namespace tumble::report
