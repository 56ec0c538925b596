// Random bodies for other simulators: inertial blocks of URDF and inertial elements of MJCF.
#pragma once
#include "tumble/base/atomic_file.hpp"
#include "tumble/inputs/random_inputs.hpp"

namespace tumble::app {

enum class InertialFormat { urdf, mjcf };

/// One XML file that holds, for every realisation, mass, centre of mass and inertia of each body of
/// which any of them is random. Frames of bodies have the body axes; their origins are where the
/// nominal centre of mass is, or where the user says. Inertias are about the centre of mass of the
/// draw, in body axes, as both formats have them.
class InertialText {
 public:
  /// `origins`: BODY=X,Y,Z in ground axes at t = 0. @throws UsageError for bad ones, and if no body
  /// is random.
  InertialText(const Model& nominal, const RandomInputs& inputs,
               const std::vector<std::string>& origins, InertialFormat format);

  void write(AtomicFile& file, std::uint64_t realizations) const;

 private:
  struct Link {
    std::size_t body;
    Vec3d p_WL;  ///< origin of its frame at t = 0, ground axes
    Mat3d R_WL;
  };
  std::string element(const Link& link, const Body& body) const;

  const Model& nominal_;
  const RandomInputs& inputs_;
  InertialFormat format_;
  std::vector<Link> links_;
};

}  // namespace tumble::app
