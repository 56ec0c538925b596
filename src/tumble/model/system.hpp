// A Model compiled: topology, indices and matrix pattern. Immutable and shared by every
// realisation, thread and lane; all numbers come from outside.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tumble/math/sparse_pattern.hpp"
#include "tumble/model/compile/characteristic_program.hpp"
#include "tumble/model/compile/drive_program.hpp"
#include "tumble/model/compile/frames.hpp"
#include "tumble/model/elements.hpp"
#include "tumble/model/expression/expression_program.hpp"
#include "tumble/model/parameters.hpp"

namespace tumble {

/// A group of coordinates that is updated together. A rigid body has 7 positions (point and
/// quaternion) and 6 velocities (world velocity, body angular velocity); a linear block has as
/// many positions as velocities, for instance all those of a beam.
struct Block {
  enum class Kind { rigid, linear };
  Kind kind = Kind::rigid;
  int q = 0;  ///< first position
  int v = 0;  ///< first velocity
  int nq = 7;
  int nv = 6;
};

/// A rigid body as kernels see it.
struct RigidBodyIndex {
  int block = 0;        ///< -1 if the whole motion is prescribed; linear if the rotation alone is,
                        ///< and for a point mass, which has none
  int prescribed = -1;  ///< index among System::prescribed
  template <class S>
  struct Constants {
    S mass;
    Vec3<S> moment;  ///< mass times the centre of mass from the reference point, body axes
    S inertia[6];    ///< about the reference point: xx, yy, zz, xy, xz, yz
  };
  int constants = 0;
  std::array<std::array<BlockSlots, 2>, 2> slots;  ///< its own 6 x 6 block
  std::vector<int> rotation_columns;  ///< first slots of all rows that hold its rotation columns
  std::string name;
};

/// What a joint offers beside its rows: frames for relative motion and where its reaction is.
struct JointIndex {
  std::string name;
  std::array<int, 2> body{};
  template <class S>
  using Constants = PairFrames<S>;
  int constants = 0;
  int first_row = 0;
  int rows = 0;
  int locks = -1;                      ///< among System::joint_locks
  int node_joint = -1;                 ///< among System::node_joints; then it has no frames
  int prescribed = -1;                 ///< the Prescribed that took the place of rows, -1 if none
  int tracked = -1;                    ///< its TrackedAngle, -1 if no probe asks for the angle
  int twist = -1;                      ///< among System::twist_locks
  std::vector<std::string> row_names;  ///< the motion each row locks
  /// Of a joint with frames: which motions it locks, imposed ones included, and the drives of
  /// those, -1 where there is none.
  MotionSet locked;
  std::array<int, 6> drive{-1, -1, -1, -1, -1, -1};
};

/// What a writer of constants may look at: the realised numbers and the bodies' places at t = 0.
class PrepareContext {
 public:
  PrepareContext(const Model& nominal, const Model& realized);
  const Model& model() const { return model_; }
  /// A frame given in ground axes at t = 0, in the axes of a body (0: the ground) about its
  /// reference point, which is the nominal centre of mass.
  Frame local(int body, const Frame& frame) const;
  const Frame& start(int body) const { return start_[static_cast<std::size_t>(body)]; }

 private:
  const Model& model_;
  std::vector<Frame> start_;
};
using ConstantsWriter = std::function<void(const PrepareContext&, double* constants)>;

struct System {
  Model nominal;
  ParameterTable parameters;

  std::vector<Block> blocks;
  int nq = 0, nv = 0, nc = 0;  ///< positions, velocities, constraints
  std::vector<RigidBodyIndex> bodies;
  std::vector<Prescribed> prescribed;    ///< parents before children
  std::vector<BeamIndex> beams;          ///< their blocks follow those of the bodies
  int beam_q = 0, beam_v = 0;            ///< first position and velocity of all beams
  int beam_size = 0;                     ///< coordinates of all beams
  std::vector<ModalIndex> modal_bodies;  ///< the blocks of their modes follow those of the beams
  int modal_q = 0, modal_v = 0;          ///< first position and velocity of all modes
  int modal_size = 0;                    ///< modes of all flexible bodies

  std::vector<PointLock> point_locks;
  std::vector<AxisLock> axis_locks;
  std::vector<DotLock> dot_locks;
  std::vector<JointLocks> joint_locks;  ///< the three kinds above, joint by joint
  std::vector<DistanceLock> distance_locks;
  std::vector<TwistLock> twist_locks;
  std::vector<NodeJoint> node_joints;
  std::vector<NodeLock> node_locks;
  std::vector<JointCoordinate> coordinates;
  std::vector<CouplerLock> couplers;
  std::vector<TurnedAxes> turned_axes;
  std::vector<UserElementIndex> user_constraints;
  ForceElements forces;
  std::vector<BeamProbeIndex> beam_probes;  ///< one a probe
  std::vector<UserElementIndex> user_forces;
  std::vector<ExpressionProgram> expressions;  ///< of forces and state variables
  std::vector<StateIndex> states;              ///< their coordinates follow those of the beams
  std::vector<EventIndex> events;
  std::vector<TrackedAngle> tracked_angles;
  std::vector<TrackedEuler> tracked_eulers;
  std::vector<JointIndex> joints;

  DriveProgram drives;
  int drive_constants = 0;
  std::vector<CharacteristicProgram> characteristics;
  std::vector<int> characteristic_constants;
  int gravity_constants = 0;
  int weight_constants = 0;  ///< one length per velocity: turns accelerations into m/s^2
  int constants_size = 0;
  std::vector<ConstantsWriter> writers;  ///< one per element: fills its part of the constants

  SparsePattern pattern;              ///< of the (nv + nc)-square iteration matrix
  std::vector<int> dynamic_slots;     ///< slots of its first nv rows and columns
  std::vector<int> constraint_slots;  ///< slots of the gradients and their transposes
  /// Slots at which forces depend on multipliers by friction: derivatives are in C (assemble_kkt).
  std::vector<int> friction_slots;

  explicit System(const Model& model)
      : nominal(model), parameters(model), drives(model.drives, model.simulation.duration) {}
  System(const System&) = delete;  // the writers refer to this object
  System& operator=(const System&) = delete;

  /// The force elements of a kind.
  template <class Element>
  const std::vector<Element>& all() const {
    return std::get<std::vector<Element>>(forces);
  }
  template <class Element>
  std::vector<Element>& all() {
    return std::get<std::vector<Element>>(forces);
  }

  /// "joint 'hinge' (rx)" or "body 'rb5' (y)": whose equation row i of the matrix is.
  std::string describe_row(int row) const;
  /// Does an event switch something, or end runs?
  bool events_act() const {
    for (const Event& event : nominal.events)
      if (event.acts()) return true;
    return false;
  }
  /// What is counted through turns, as InitialState holds it, before anything has turned.
  std::vector<double> described_turns() const;
  /// "the angle of joint 'hinge'": what is followed through turns, counting tracked angles, tracked
  /// Euler angles and bushings; empty for a negative number.
  std::string describe_turn(int number) const;
};

/// Positions and velocities at t = 0 as described, before assembly.
template <class S>
struct BasicInitialState {
  std::vector<S> q;
  std::vector<S> v;
  /// What is counted through turns, to within half a turn: tracked angles, then three numbers of
  /// each tracked Euler angles, then of each bushing's rotation vector (turns_of()). Empty if
  /// nothing has turned.
  std::vector<S> turns = {};
};
using InitialState = BasicInitialState<double>;

}  // namespace tumble
