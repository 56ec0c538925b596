// Whole robot descriptions with other numbers in them: the file as it is, but for masses, centres,
// inertias and dampings of a model that came from it.
#pragma once
#include <string>
#include <vector>

#include "tumble/convert/machine.hpp"
#include "tumble/model/model.hpp"

namespace tumble::convert {

class RobotFile {
 public:
  /// @throws InputError if the description cannot be carried over.
  RobotFile(std::string text, const std::string& file, const ImportOptions& options);

  const Machine& machine() const { return machine_; }
  bool is_urdf() const { return machine_.robot.format == "URDF"; }

  /// Parameters out of `paths` that have no place in the file.
  std::vector<std::string> without_place(const std::vector<std::string>& paths) const;

  /// The description with the numbers of `model`, whose bodies and forces are found by the names
  /// that `tumble convert` gives them. Links whose numbers are those of the file already, to twelve
  /// digits, keep their text. @throws InputError if a body of the description is missing in the
  /// model.
  std::string with(const Model& model, const std::string& comment) const;

 private:
  std::string text_;
  Machine machine_;
  std::vector<ModelText::JointForce> joint_forces_;
  std::vector<double> shares_;
};

}  // namespace tumble::convert
