// The kernels of all force elements, one file for each in dynamics/force, which holds
//   residual()          adds its force to bodies or beams, and its power to the account of energy
//   tangent()           adds its derivatives to K and C
//   potential_energy()  if its index struct says `stores_energy`
//   acts_at()           between bodies: its point on the second, body axes, or none; the force
//                       and torque that probes ask for follow from residual() there
//   measure()           writes any other quantity that probes ask for; false if it has no such
//                       quantity. The description in model/force.hpp lists those it has
// Who goes through all forces finds these by the list ForceElements (model/elements.hpp).
#pragma once
#include "tumble/dynamics/force/applied_force.hpp"
#include "tumble/dynamics/force/beam_load.hpp"
#include "tumble/dynamics/force/bushing.hpp"
#include "tumble/dynamics/force/cable.hpp"
#include "tumble/dynamics/force/contact.hpp"
#include "tumble/dynamics/force/expression_force.hpp"
#include "tumble/dynamics/force/joint_friction.hpp"
#include "tumble/dynamics/force/joint_limit.hpp"
#include "tumble/dynamics/force/section_load.hpp"
#include "tumble/dynamics/force/spring.hpp"
#include "tumble/dynamics/force/torsion_spring.hpp"
#include "tumble/dynamics/force/tyre.hpp"
