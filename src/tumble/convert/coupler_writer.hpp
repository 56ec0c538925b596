// Joints that follow others, and what restrains them, as elements of the model file that act on
// coordinates of joints.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tumble/convert/machine.hpp"

namespace tumble::convert {

class CouplerWriter {
 public:
  /// Remembers where the freedoms of a joint are coordinates that a coupler can name: along or
  /// about which axis of its frame each is, -1 for none.
  void remember(const MachineBody& body, const Mat3d& axes, const std::vector<int>& motion);
  /// Once all joints are known; what cannot be coupled is noted.
  void add(const Coupling& coupling, Findings& findings);
  const std::string& text() const { return text_; }
  /// Type and fields of the force elements that stand for a restraint, without names; what no
  /// coordinate has is noted.
  std::vector<std::string> forces_of(const Restraint& restraint, const ImportOptions& options,
                                     Findings& findings) const;

 private:
  /// A coordinate as couplers name it, and whether it counts along the axis of the file.
  struct Coordinate {
    std::string name;
    double sign = 1;
  };
  std::map<std::string, Coordinate> coordinates_;  ///< by the freedom of the file
  std::set<std::string> names_;
  std::string text_;
};

}  // namespace tumble::convert
