// Elements as kernels see them: indices only. Where their bodies, constants, matrix entries and
// multipliers are; never what the numbers are, so one element serves every realisation.
#pragma once
#include <array>
#include <string>
#include <tuple>
#include <vector>

#include "tumble/model/constants.hpp"

namespace tumble {

/// First matrix slots of the rows of a 3 x 3 block; the three columns of a row are consecutive.
struct BlockSlots {
  std::array<int, 3> row{-1, -1, -1};
};

/// An element between two bodies sees four triples of coordinates: translation and rotation of
/// the first, translation and rotation of the second.
enum Triple { first_translation, first_rotation, second_translation, second_rotation };

/// Which pairs of triples an element couples in the tangent matrices.
using CouplingMask = std::array<std::array<bool, 4>, 4>;

/// Masks by element; derivations in docs/theory/constraints.md and docs/theory/forces.md.
inline constexpr CouplingMask couples_all{{{true, true, true, true},
                                           {true, true, true, true},
                                           {true, true, true, true},
                                           {true, true, true, true}}};
inline constexpr CouplingMask couples_own_rotations{{{false, false, false, false},
                                                     {false, true, false, false},
                                                     {false, false, false, false},
                                                     {false, false, false, true}}};
inline constexpr CouplingMask couples_rotations{{{false, false, false, false},
                                                 {false, true, false, true},
                                                 {false, false, false, false},
                                                 {false, true, false, true}}};
inline constexpr CouplingMask couples_axis_lock{{{false, true, false, false},
                                                 {true, true, true, true},
                                                 {false, true, false, false},
                                                 {false, true, false, true}}};

struct PairIndex {
  std::array<int, 2> body{};                       ///< 0 is the ground
  std::array<std::array<BlockSlots, 4>, 4> slots;  ///< -1 where absent
  /// By triple: the Prescribed that gives its motion, -1 if it is unknown, or at rest (the ground).
  std::array<int, 4> prescribed{-1, -1, -1, -1};
};

/// One scalar constraint row between two bodies: where its gradient and its transpose are stored.
struct RowIndex {
  int row = 0;                                  ///< among the constraints
  std::array<int, 4> gradient{-1, -1, -1, -1};  ///< slot of the first of three columns, per triple
  std::array<std::array<int, 3>, 4> transpose{};  ///< slots of the transposed entries, -1 if absent
};

// Constraint primitives. Every joint is a list of these.

/// p_B - p_A = 0 in world axes: three rows.
struct PointLock {
  PairIndex pair;
  std::array<RowIndex, 3> rows;
  template <class S>
  using Constants = PairPoints<S>;
  int constants = 0;
};

/// e_A · (p_B - p_A) - u(t) = 0, e_A a unit vector fixed in the first body.
struct AxisLock {
  PairIndex pair;
  RowIndex row;
  template <class S>
  struct Constants {
    Vec3<S> r_A, e_A, r_B;
  };
  int constants = 0;
  int drive = -1;  ///< u(t) [m], or -1
};

/// a · b = 0, a fixed in the first body (or turned in it by drives), b in the second.
struct DotLock {
  PairIndex pair;
  RowIndex row;
  template <class S>
  struct Constants {
    Vec3<S> a_A, b_B;  ///< unit vectors in body axes
  };
  int constants = 0;
  int turned = -1;  ///< index of a TurnedAxes that replaces a_A, or -1
  int axis = 0;     ///< which of the turned axes
};

/// All rows of a joint that are point, axis or dot locks. Their residuals share points and axes, so
/// they are computed together; numbers are those of the locks' own constants.
struct JointLocks {
  struct Axis {
    int row = 0, e = 0, drive = -1;
  };
  struct Dot {
    int row = 0, a = 0, b = 0, turned = -1, axis = 0;
  };
  std::array<int, 2> body{};
  int r_A = -1, r_B = -1;  ///< the points, -1 if no translation is locked
  int point_row = -1;      ///< first of three rows, -1 if the translations are axis locks
  int axis_count = 0, dot_count = 0;
  bool turns = false;  ///< an axis of the dots is turned by a drive
  std::array<Axis, 3> axes;
  std::array<Dot, 3> dots;
};

/// |p_B - p_A| - (length + u(t)) = 0.
struct DistanceLock {
  PairIndex pair;
  RowIndex row;
  template <class S>
  struct Constants {
    PairPoints<S> ends;
    S length;  ///< [m]
  };
  int constants = 0;
  int drive = -1;
};

/// ½ (y_A·x_B - x_A·y_B) = 0: the second frame is not twisted about z against the first, however
/// far it is bent away from it.
struct TwistLock {
  PairIndex pair;
  RowIndex row;
  template <class S>
  struct Constants {
    Vec3<S> x_A, y_A, x_B, y_B;  ///< unit vectors in body axes
  };
  int constants = 0;
};

/// An angle or a displacement of a joint as a number, on which couplers, limits and friction act.
struct JointCoordinate {
  PairIndex pair;
  int joint = 0;     ///< in the model
  int motion = 0;    ///< which of its six
  int tracked = -1;  ///< an angle: its TrackedAngle, which has its constants
  template <class S>
  using Constants = AxisLock::Constants<S>;
  int constants = -1;  ///< of a displacement
  bool is_angle() const { return tracked >= 0; }
};

/// Σ c_i q_i - offset = 0 of coordinates of joints.
struct CouplerLock {
  struct Term {
    int coordinate = 0;
    RowIndex entries;  ///< terms that share a body share slots
  };
  std::string name;
  int row = 0;
  int count = 0;
  std::array<Term, 3> terms;
  bool in_length = false;  ///< the row's unit is m, otherwise rad
  template <class S>
  struct Constants {
    S coefficient[3];
    S offset;
  };
  int constants = 0;
};

/// Axes of a joint frame on the first body, turned by imposed rotations: R_A exp(θ(t)).
struct TurnedAxes {
  template <class S>
  struct Constants {
    Mat3<S> R_BA;  ///< of the joint frame in body axes
  };
  int constants = 0;
  std::array<int, 3> drive{-1, -1, -1};  ///< θ_x, θ_y, θ_z [rad]
};

// Beams.

/// A beam as kernels see it: a chain of nodes with the vectors r, r_x, r_y and, in space, r_z, and
/// an element from each node to the next.
struct BeamIndex {
  std::string name;
  int dimension = 3;              ///< of its vectors: 2 in the plane
  bool structural = true;         ///< formulation
  bool curved = false;            ///< in its undeformed shape
  bool damped = false;            ///< in proportion to stiffness
  bool mass_damped = false;       ///< in proportion to mass
  bool linear_curvature = false;  ///< of the structural formulation
  int nodes = 0;
  int block = 0;         ///< all its coordinates, node by node
  int coordinates = 0;   ///< the first of them among those of all beams
  int constants = 0;     ///< of its elements, one after the other: elastic, then mass
  int elastic_size = 0;  ///< constants of the elastic force of an element
  int element_size = 0;  ///< constants of an element
  int plane = 0;         ///< constant: z of a planar beam [m]
  int mass_damping = 0;  ///< constant: the damping in proportion to mass [1/s]
  /// [element][vector][vector][component]: first slot of a matrix row, the columns of the second
  /// vector's components being consecutive.
  std::vector<int> slots;

  int node_size() const { return dimension * (dimension + 1); }
  int elements() const { return nodes - 1; }
  int node(int i) const { return coordinates + i * node_size(); }
};

/// A point of a beam that a probe observes; constants in dynamics/beam_point.hpp.
struct BeamProbeIndex {
  int beam = -1;  ///< -1: the probe observes no beam
  int element = 0;
  int constants = 0;
  int section = 0;         ///< constants of the points of its section
  int section_points = 0;  ///< how many, for section forces of the continuum formulation
};

/// One side of a joint that has a node of a beam on at least one side.
struct JointSide {
  enum class Kind { ground, body, node };
  Kind kind = Kind::ground;
  int body = 0;             ///< as in PairIndex
  int node = 0;             ///< first coordinate of the node among those of all beams
  int dimension = 3;        ///< of the node's vectors
  bool structural = false;  ///< formulation of the node's beam
  int plane = 0;            ///< constant: z of a planar beam
  int point = -1;           ///< constants of the ground or a body: the point in its axes(3)
  /// First velocities of its position, and of the rotation of a body or r_y and r_z of a node; -1
  /// where there are none.
  std::array<int, 3> unknown{-1, -1, -1};
};

/// The rows of such a joint: p_2 - p_1 = 0, and sums of products a·b = 0 of vectors attached to its
/// first and to its second side (dynamics/node_joint.hpp).
struct NodeJoint {
  struct Dot {
    int terms = 1;
    std::array<int, 2> a{}, b{};  ///< constants of each term: coefficients of the vectors(3)
  };
  /// Slots of a row's gradient and its transpose for one vector, -1 if absent.
  struct Entries {
    int gradient = -1;  ///< the first; the others follow
    std::array<int, 3> transpose{-1, -1, -1};
  };
  std::array<JointSide, 2> side;
  int components = 3;  ///< of the first rows: 2 where a side is planar
  int row = 0;
  int dots = 0;  ///< rows that follow
  std::array<Dot, 3> dot;
  /// Axes of the joint that both sides carry and that must stay parallel in the same sense, which
  /// the rows cannot tell: constants of each, coefficients of the first side(3) and the second(3).
  int parallels = 0;
  std::array<int, 3> parallel{};
  std::array<std::array<Entries, 2>, 3> translation;  ///< [component][side]: one entry each
  std::array<std::array<Entries, 2>, 3> rotation;     ///< of point rows: bodies alone have it
  std::array<std::array<Entries, 4>, 3> attached;     ///< [dot][2 side + vector]
  std::array<std::array<BlockSlots, 4>, 4> blocks;    ///< [2 side + vector][2 side + vector]
};

// Flexible bodies in a floating frame.

/// The modes of a flexible body: a linear block of amplitudes beside the block of the body itself,
/// which has the mass, the moment and the inertia of the undeformed state.
struct ModalIndex {
  std::string name;
  int body = 0;  ///< as in PairIndex
  int block = 0;
  int modes = 0;
  int first = 0;  ///< of its amplitudes, among those of all such bodies
  bool damped = false;
  int constants = 0;
  // What they are, by their distance from the first; symbols as in dynamics/modal_body.hpp.
  int S() const { return 0; }                          ///< [mode](3)
  int D() const { return 3 * modes; }                  ///< [mode](3)
  int J() const { return 6 * modes; }                  ///< [mode](6)
  int mass() const { return 12 * modes; }              ///< [mode]
  int K() const { return 13 * modes; }                 ///< [mode][mode]
  int C() const { return (13 + modes) * modes; }       ///< [mode][mode]
  int B() const { return (13 + 2 * modes) * modes; }   ///< [mode][mode](3)
  int JJ() const { return (13 + 5 * modes) * modes; }  ///< [mode][mode](6)
  int size() const { return (13 + 11 * modes) * modes; }
  /// First slots of the columns of the modes in the rows of the body's six coordinates, of the
  /// columns of those in the rows of the modes, and of the modes' own columns in these.
  std::array<int, 6> body_row{};
  std::vector<int> mode_row, own_row;
};

/// A node of a flexible body and the massless body that follows it: three rows
/// p_N - p - R (x + Φ q) = 0 in world axes, three rows axial(Rᵀ R_N) - Ψ q = 0.
struct NodeLock {
  PairIndex pair;  ///< the flexible body, the node's
  int modal = 0;   ///< among System::modal_bodies
  std::array<RowIndex, 6> rows;
  int constants = 0;              ///< x(3), then Φ [mode](3), then Ψ [mode](3)
  std::array<int, 6> gradient{};  ///< by row: first slot of the modes' columns
  std::vector<int> transpose;     ///< [row][mode]
};

/// A body whose rotation, or whole motion, a joint with a known body imposes: a function of time.
struct Prescribed {
  int body = 0;    ///< as in PairIndex; the joint's second body
  int parent = 0;  ///< the joint's first body, the ground or itself prescribed, translation too
  int joint = 0;
  bool translation = false;  ///< not its rotation alone
  bool steady = false;       ///< nothing turns between the ground and this body
  template <class S>
  using Constants = PairFrames<S>;  ///< those of the joint
  int constants = 0;
  int turned = -1;                              ///< TurnedAxes of imposed rotations, -1 if none
  std::array<int, 3> displacement{-1, -1, -1};  ///< drives of x, y, z, -1 where zero
};

/// An angle about the z axes of two frames, counted through full turns.
struct TrackedAngle {
  std::array<int, 2> body{};
  template <class S>
  using Constants = PairAxes<S>;
  int constants = 0;
  int drive = -1;      ///< imposes the angle itself, -1 if none does
  bool hinged = true;  ///< the z axes stay parallel, or a force depends on the angle
  std::string owner;   ///< "joint 'hinge'"
};

/// Euler angles of a body that a probe records, continued in time.
struct TrackedEuler {
  int body = 0;
  std::array<double, 3> start{};  ///< of the nominal body: where realisations begin to count [rad]
  std::string owner;              ///< "body 'top'"
};

struct UserElementIndex {
  int entry = 0;  ///< in the model's list
  std::string name;
  std::vector<std::string> body_names;
  std::vector<int> body;  ///< indices, 0 is the ground
  std::vector<int> drive;
  int constants = 0;  ///< its numbers
  int numbers = 0;
  int row = 0;  ///< constraints: first row
  int rows = 0;
  /// slots[(i * n + j) * 36 + 6 * a + b]: entry (a, b) of the block of bodies i, j; -1 for ground.
  std::vector<int> slots;
  std::vector<int> gradient;   ///< [row][body][6]
  std::vector<int> transpose;  ///< [row][body][6]
};

// Force elements: one struct for each, and their list. `couples` says which blocks of the matrix an
// element between two bodies has, `stores_energy` that its kernel has a potential_energy(); the
// kernels are in dynamics/force.

struct BushingIndex {
  static constexpr CouplingMask couples = couples_all;
  static constexpr bool stores_energy = true;
  template <class S>
  struct Constants {
    PairFrames<S> frames;
    S K[36], C[36];  ///< stiffness and damping, by rows
    S f0[6];         ///< prestress
  };
  PairIndex pair;
  int index = 0;  ///< among the system's bushings
  int constants = 0;
  bool diagonal = false;  ///< K and C, by the way the user gave them
  std::string name;
};

struct SpringIndex {
  static constexpr CouplingMask couples = couples_all;
  static constexpr bool stores_energy = true;
  template <class S>
  struct Constants {
    PairPoints<S> ends;
    S length, preload;  ///< [m], [N]
  };
  PairIndex pair;
  int constants = 0;
  int stiffness = 0;  ///< index of a CharacteristicProgram
  int damping = 0;
  int drive = -1;
  std::string name;
};

struct TorsionSpringIndex {
  static constexpr CouplingMask couples = couples_rotations;
  static constexpr bool stores_energy = true;
  template <class S>
  struct Constants {
    PairAxes<S> axes;  ///< first: those of its TrackedAngle too
    S angle, preload;  ///< [rad], [N m]
  };
  PairIndex pair;
  int constants = 0;
  int stiffness = 0;
  int damping = 0;
  int drive = -1;
  int tracked = 0;  ///< index of its TrackedAngle
  std::string name;
};

struct AppliedForceIndex {
  static constexpr CouplingMask couples = couples_all;
  static constexpr bool stores_energy = false;
  template <class S>
  struct Constants {
    Vec3<S> r_B, force, torque;
  };
  PairIndex pair;  ///< first: unused (ground); second: the body
  int constants = 0;
  bool body_axes = false;
  int drive = -1;
  std::string name;
};

/// A dead load on a beam.
struct BeamLoadIndex {
  static constexpr bool stores_energy = false;
  template <class S>
  struct Constants {
    Vec3<S> resultant;
  };
  int beam = 0;
  int constants = 0;
  int generalized = 0;  ///< constants: the generalized force on each coordinate of the beam
  int drive = -1;
  std::string name;
};

/// A force and a moment on a section of a beam.
struct SectionLoadIndex {
  static constexpr bool stores_energy = false;
  template <class S>
  struct Constants {
    Vec3<S> force, moment;
    S place;     ///< x/L in the element
    S shape[8];  ///< factors of its vectors in the position of the axis
  };
  int beam = 0;
  int element = 0;
  bool follower = false;
  int constants = 0;
  int drive = -1;
  std::string name;
};

/// Stops at the ends of a joint's coordinate.
struct JointLimitIndex {
  static constexpr bool stores_energy = true;
  template <class S>
  struct Constants {
    S lower, upper;               ///< [m] or [rad]; beyond all numbers where there is no stop
    S stiffness, damping, width;  ///< of each stop
  };
  int coordinate = 0;
  int constants = 0;
  std::string name;
};

/// Dry friction on a joint's coordinate, by the joint's own reaction.
struct JointFrictionIndex {
  static constexpr bool stores_energy = false;
  template <class S>
  struct Constants {
    S sliding, excess;  ///< coefficient, and how much the static one is larger, times the lever
    S stribeck, transition;  ///< 1 / rate [s/m] or [s/rad]
    S preload;               ///< [N]
    S constant;              ///< [N] or [N m]
  };
  int coordinate = 0;
  int constants = 0;
  int rows = 0;              ///< how many, of the joint's transmitted force
  std::array<int, 3> row{};  ///< among the constraints
  /// Slots of the derivative by each multiplier: [row][triple][component], -1 where absent.
  std::array<std::array<std::array<int, 3>, 4>, 3> slots{};
  std::string name;
};

// Contacts, tyres and cables: docs/theory/contact.md.

/// The numbers of a contact's law; docs/theory/contact.md.
template <class S>
struct ContactNumbers {
  S stiffness, exponent, damping;      ///< [N/m^e], [1], [s/m]
  S friction, extra;                   ///< of sliding, and what there is more near rest
  S transition_speed, stribeck_speed;  ///< [m/s]
  S rolling, spinning;                 ///< moments over normal force [m]
};

// Surfaces: what is fixed in the first body, in its axes about its reference point.

struct PlaneSurface {
  template <class S>
  struct Numbers {
    Vec3<S> origin, normal;
  };
  static constexpr bool has_rims = true;
};
struct SphereSurface {
  template <class S>
  struct Numbers {
    Vec3<S> origin;
    S radius;
  };
  static constexpr bool has_rims = false;
  bool inside = false;
};
struct CylinderSurface {
  template <class S>
  struct Numbers {
    Vec3<S> origin, axis;
    S radius, half_length;
  };
  static constexpr bool has_rims = false;
  bool inside = false;
  bool finite = false;
};
/// Heights over a grid, by rows.
struct HeightFieldSurface {
  template <class S>
  struct Numbers {
    Vec3<S> origin;
    Mat3<S> axes;  ///< columns: x, y and z of the grid
    S spacing[2];  ///< [m]
  };
  static constexpr bool has_rims = false;
  int rows = 0, columns = 0;
  int heights = 0;  ///< the first among the constants
};

/// Points of the second body, each the centre of a sphere or of a rim, against a surface of the
/// first.
template <class SurfaceKind>
struct ContactIndex {
  using Surface = SurfaceKind;
  static constexpr CouplingMask couples = couples_all;
  static constexpr bool stores_energy = true;
  template <class S>
  struct Constants {
    typename Surface::template Numbers<S> surface;
    ContactNumbers<S> law;
    Vec3<S> r_B;     ///< the second point
    Vec3<S> axis_B;  ///< of rims
    S radius, rim;   ///< of spheres, of rims [m]
  };
  PairIndex pair;
  Surface surface;
  int constants = 0;
  int points = 0;  ///< constants of the first point(3); the others follow
  int count = 1;
  bool rims = false;
  std::string name;
};

struct TyreIndex {
  static constexpr CouplingMask couples = couples_all;
  static constexpr bool stores_energy = true;
  template <class S>
  struct Constants {
    PlaneSurface::Numbers<S> road;
    Vec3<S> r_B, axis_B;  ///< centre and axis of the wheel
    S radius;             ///< [m]
    S stiffness, exponent, damping;
    S friction, along, across;  ///< coefficient, stiffnesses over slip [N]
    S half_length;              ///< of the contact patch [m]
    S low_speed;                ///< [m/s]
  };
  PairIndex pair;
  int constants = 0;
  std::string name;
};

struct CableIndex {
  static constexpr CouplingMask couples = couples_all;
  static constexpr bool stores_energy = true;
  template <class S>
  struct Constants {
    PairPoints<S> ends;
    S length, stiffness, damping, onset;  ///< [m], [N/m], [N s/m], [m]
  };
  PairIndex pair;
  int constants = 0;
  std::string name;
};

// Expressions: what they read, what they act on.

/// The numbers of the relative motion of two frames A and B, in the axes of A: three of each of the
/// first four.
enum MotionComponent {
  motion_displacement = 0,
  motion_rotation = 3,  ///< rotation vector, at most half a turn long
  motion_displacement_rate = 6,
  motion_angular_velocity = 9,
  motion_length = 12,
  motion_length_rate = 13,
  motion_angle = 14  ///< about the z axes, counted through full turns
};

/// A number that an expression reads at every instant.
struct ExpressionInput {
  enum class Kind { motion, time, drive, drive_rate, state };
  Kind kind = Kind::time;
  int pair = 0;           ///< of a motion, among those of its expression
  int component = 0;      ///< of a motion: MotionComponent
  bool negative = false;  ///< of a motion: its opposite
  int index = 0;          ///< of a drive or state variable
  bool operator==(const ExpressionInput&) const = default;
};

/// Two frames whose relative motion an expression reads.
struct MotionPairIndex {
  std::array<int, 2> body{};
  template <class S>
  using Constants = PairFrames<S>;
  int constants = 0;
  int tracked = -1;                     ///< TrackedAngle, if the angle is read
  bool rotation = false, line = false;  ///< whether rotation vector, and length, are needed
  /// Of a force: the blocks of the triples it acts on (rows) by these bodies' triples.
  std::array<std::array<BlockSlots, 4>, 4> slots = {};
  /// Of a state variable: first slots of its row in the columns of these bodies' triples.
  std::array<int, 4> row{-1, -1, -1, -1};
};

struct ExpressionIndex {
  int program = 0;    ///< among System::expressions
  int constants = 0;  ///< those of the program
  std::vector<ExpressionInput> inputs;
  std::vector<MotionPairIndex> pairs;  ///< of a force: first the one it acts between
};

struct ExpressionForceIndex {
  static constexpr CouplingMask couples = couples_all;
  static constexpr bool stores_energy = false;
  template <class S>
  using Constants = PairFrames<S>;
  /// What an output is: a component of the force or torque in the axes of frame A (or B), a
  /// generalized force of the rotation vector, or a tension.
  struct Output {
    enum class Kind { force, torque, moment, tension };
    Kind kind = Kind::force;
    int axis = 0;
  };
  PairIndex pair;
  int constants = 0;
  ExpressionIndex expression;
  std::vector<Output> outputs;
  bool second_axes = false;  ///< force and torque are in the axes of frame B
  bool moments = false;      ///< there is an output of that kind
  /// By input: of a state variable, slots of the rows of each triple in its column.
  std::vector<std::array<std::array<int, 3>, 4>> state_slots;
  std::string name;
};

/// A state variable: the velocity of a linear coordinate with the equation v̇ = f.
struct StateIndex {
  int q = 0, v = 0;
  ExpressionIndex expression;
  int diagonal = 0;              ///< slot of v̇ itself
  std::vector<int> state_slots;  ///< by input: of a state variable, its slot in this row, else -1
  std::string name;
};

/// An event: what it watches is an expression, its level and dead time are constants of its own.
struct EventIndex {
  ExpressionIndex expression;
  int level = 0, dead_time = 0;  ///< its constants
  std::string name;
};

/// All kinds, in the order in which kernels go through them: sums keep their bits.
using ForceElements = std::tuple<
    std::vector<BushingIndex>, std::vector<SpringIndex>, std::vector<TorsionSpringIndex>,
    std::vector<AppliedForceIndex>, std::vector<BeamLoadIndex>, std::vector<JointLimitIndex>,
    std::vector<JointFrictionIndex>, std::vector<ContactIndex<PlaneSurface>>,
    std::vector<ContactIndex<SphereSurface>>, std::vector<ContactIndex<CylinderSurface>>,
    std::vector<ContactIndex<HeightFieldSurface>>, std::vector<TyreIndex>, std::vector<CableIndex>,
    std::vector<ExpressionForceIndex>, std::vector<SectionLoadIndex>>;

/// Calls f with every force element of every kind.
template <class Forces, class F>
void for_each_force(Forces& forces, F&& f) {
  const auto each = [&f](auto& elements) {
    for (auto& element : elements) f(element);
  };
  std::apply([&each](auto&... kinds) { (each(kinds), ...); }, forces);
}

}  // namespace tumble
