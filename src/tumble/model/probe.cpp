#include "tumble/model/probe.hpp"

namespace tumble {

const std::vector<QuantityInfo>& quantity_table() {
  constexpr unsigned b = target_bit(ProbeTarget::body), j = target_bit(ProbeTarget::joint),
                     f = target_bit(ProbeTarget::force), s = target_bit(ProbeTarget::system),
                     m = target_bit(ProbeTarget::beam), c = target_bit(ProbeTarget::coupler),
                     x = target_bit(ProbeTarget::state);
  using Q = Quantity;
  static const std::vector<QuantityInfo> table{
      {Q::position, "position", "m", 3, b | m, "of the point, ground axes"},
      {Q::velocity, "velocity", "m/s", 3, b | m, "of the point, ground axes"},
      {Q::acceleration, "acceleration", "m/s^2", 3, b | m, "of the point, ground axes"},
      {Q::orientation, "orientation", "1", 4, b, "unit quaternion (w, x, y, z) of the body axes"},
      {Q::rotation_vector, "rotation_vector", "rad", 3, b | j,
       "of the body axes; for a joint, of the second frame in the first"},
      {Q::euler_123, "euler_123", "rad", 3, b, "Euler angles about moving axes 1, 2, 3"},
      {Q::angular_velocity, "angular_velocity", "rad/s", 3, b, "ground axes"},
      {Q::angular_acceleration, "angular_acceleration", "rad/s^2", 3, b, "ground axes"},
      {Q::angular_velocity_body, "angular_velocity_body", "rad/s", 3, b, "body axes"},
      {Q::angular_acceleration_body, "angular_acceleration_body", "rad/s^2", 3, b, "body axes"},
      {Q::force, "force", "N", 3, j | f,
       "on the second body or beam (or the only one), ground axes"},
      {Q::torque, "torque", "N m", 3, j | f,
       "on the second body or beam (or the only one) about the element's point on it, ground axes"},
      {Q::displacement, "displacement", "m", 3, j | f,
       "of the second frame's origin from the first's, axes of the first"},
      {Q::displacement_rate, "displacement_rate", "m/s", 3, j | f,
       "rate of the displacement, axes of the first frame"},
      {Q::angle, "angle", "rad", 1, j | f,
       "of the second frame about the first's z axis, right-handed, counted through full turns"},
      {Q::angle_rate, "angle_rate", "rad/s", 1, j | f, "rate of that angle"},
      {Q::length, "length", "m", 1, j | f, "distance between the two points"},
      {Q::length_rate, "length_rate", "m/s", 1, j | f, "rate of that distance"},
      {Q::tension, "tension", "N", 1, f, "of a spring: positive pulls its ends together"},
      {Q::moment, "moment", "N m", 1, f | c,
       "of a torsion spring, limit, friction or coupler, on the second body about the axis: "
       "positive increases the angle"},
      {Q::strain, "strain", "1", 6, m,
       "Green's strain (xx, yy, zz, xy, xz, yz) in the axes of the undeformed section; structural "
       "formulation: the strain of the beam's sections"},
      {Q::stress, "stress", "Pa", 6, m,
       "second Piola-Kirchhoff stress in the same order, the elastic part; structural "
       "formulation: equivalent to the section's forces and moments"},
      {Q::section_force, "section_force", "N", 3, m,
       "of the part beyond the section on the part before it: normal and shear forces along the "
       "section's axes"},
      {Q::section_moment, "section_moment", "N m", 3, m,
       "likewise: torsion and bending moments about the section's axes"},
      {Q::strain_energy, "strain_energy", "J", 1, m, "elastic energy of the whole beam"},
      {Q::kinetic_energy, "kinetic_energy", "J", 1, b | m | s, "kinetic energy"},
      {Q::potential_energy, "potential_energy", "J", 1, s,
       "of gravity, springs and strained beams, zero at the ground's origin and at free length"},
      {Q::total_energy, "total_energy", "J", 1, s, "kinetic and potential energy"},
      {Q::linear_momentum, "linear_momentum", "kg m/s", 3, b | m | s, "ground axes"},
      {Q::angular_momentum, "angular_momentum", "kg m^2/s", 3, b | m | s,
       "about the ground's origin, ground axes"},
      {Q::axial_force, "axial_force", "N", 1, f | c,
       "of a limit, friction or coupler, on the second body of a joint along the direction of its "
       "displacement: positive increases that"},
      {Q::gap, "gap", "m", 1, f,
       "between surface and second body where they are closest; negative: penetration"},
      {Q::normal_force, "normal_force", "N", 1, f, "of a contact, never negative"},
      {Q::friction_force, "friction_force", "N", 3, f,
       "on the second body, along the surface, ground axes"},
      {Q::sliding_velocity, "sliding_velocity", "m/s", 3, f,
       "of the second body over the first where they are closest, along the surface, ground axes"},
      {Q::dissipated_power, "dissipated_power", "W", 1, f,
       "what damping and friction of a contact turn into heat"},
      {Q::slip_ratio, "slip_ratio", "1", 1, f,
       "of a tyre: minus the sliding velocity along over the rolling speed; positive drives"},
      {Q::slip_angle, "slip_angle", "rad", 1, f,
       "of a tyre: arc tangent of the sliding velocity across over the rolling speed"},
      {Q::aligning_moment, "aligning_moment", "N m", 1, f,
       "of a tyre, about the road's normal, on the wheel"},
      {Q::value, "value", "1", 1, f | x,
       "of a state variable, or of the one formula of a force: its tension, or its force or torque "
       "on a joint; in the unit that the formula has"},
      {Q::rate, "rate", "1/s", 1, x, "rate of a state variable, in its unit per second"},
  };
  return table;
}

const QuantityInfo& info(Quantity quantity) {
  return quantity_table()[static_cast<std::size_t>(quantity)];
}

}  // namespace tumble
