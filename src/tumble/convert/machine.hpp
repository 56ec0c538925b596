// The robot as Tumble has it: every body has a mass. Links without one become part of a neighbour
// that they are fixed to, or of the joint between two others.
#pragma once
#include <string>
#include <vector>

#include "tumble/convert/robot.hpp"

namespace tumble::convert {

struct MachineBody {
  std::string name;      ///< in the model file
  std::size_t link = 0;  ///< of Robot::links, whose axes are the body's
  int parent = -1;
  Hold hold = Hold::joints;
  std::vector<Freedom> freedoms;
  Freedom ball;
  std::string joint;                ///< in the model file
  std::vector<NamedFrame> markers;  ///< in ground axes, names as in the model file
  std::vector<Visual> visuals;      ///< in the axes of the link
};

struct MachineLoop {
  std::string name;
  bool welds = false;
  std::array<int, 2> body{-1, -1};
  std::array<Vec3d, 2> point;
};

struct Machine {
  Robot robot;
  std::vector<MachineBody> bodies;
  std::vector<NamedFrame> ground_markers;
  std::vector<MachineLoop> loops;
  std::vector<Note> notes;

  const Link& link_of(const MachineBody& body) const { return robot.links[body.link]; }
};

/// @throws InputError for links that move and have no mass.
Machine make_machine(Import import);

/// Where meshes are looked for, and from where a model file names them.
struct Folders {
  std::string description, model;
};

/// The text of a model file, with what was not carried over in comments.
/// Joints in one place that no joint of Tumble stands for, such as hinges that do not meet, become
/// several, with bodies between them that get a thousandth of the mass each.
struct ModelText {
  /// A force element that stands for damping and stiffness of one joint of the file.
  struct JointForce {
    std::string force;
    std::size_t body = 0;     ///< of Machine::bodies
    std::size_t freedom = 0;  ///< of its freedoms; of a ball joint 0
    int motion = 5;           ///< of a bushing: which of its six values
  };
  std::string yaml;
  std::vector<Note> notes;
  std::vector<JointForce> joint_forces;
  std::vector<double> shares;  ///< of each of Machine::bodies, what part of its mass it keeps
};
ModelText write_model(const Machine& machine, const Folders& folders = {},
                      const ImportOptions& options = {});

/// A name that model files allow, made of any text.
std::string allowed_name(const std::string& text);

}  // namespace tumble::convert
