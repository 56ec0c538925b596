// Elastic constants of an isotropic material.
#pragma once

namespace tumble::beam {

/// Lamé's constants [Pa]: stress = λ tr(E) I + 2 G E.
struct Lame {
  double lambda, shear;
};

/// λ = E ν / ((1 + ν)(1 - 2ν)), G = E / (2 (1 + ν)); in the plane these are those of plane strain.
/// @throws std::invalid_argument unless Young's modulus [Pa] is positive and -1 < nu < 0.5, without
/// which a deformation would set energy free.
Lame lame(double youngs_modulus, double nu);

}  // namespace tumble::beam
