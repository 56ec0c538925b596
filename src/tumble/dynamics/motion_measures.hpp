// The relative motion of two frames as expressions read it, with exact gradients
// (docs/theory/forces.md#expressions).
//
// Frame A on the first body, B on the second; in the axes of A:
//   e = R_Aᵀ (p_B - p_A),  θ = rotation vector of R_Aᵀ R_B,  ė,  Ω = R_Aᵀ (ω_B - ω_A),
// and |p_B - p_A|, its rate, and the angle about the z axes. The gradient of a function of these is
// made of cross products with its derivatives by them, turned into world axes: motion_row().
#pragma once
#include "tumble/dynamics/relative_motion.hpp"
#include "tumble/dynamics/tracked_angle.hpp"

namespace tumble {

/// A rotation vector that formulas read is not continued through turns: towards half a turn, where
/// it would jump, a run ends [rad].
inline constexpr double farthest_turn = 2.8;

template <class S>
struct MeasuredMotion {
  PointPair<S> p;
  Vec3<S> rho;  ///< from the first body's reference point to p_B
  Mat3<S> R_WA;
  Vec3<S> theta;
  InverseTangentCoefficients<S> tangent;
  Vec3<S> e_rate_W, slip_W;  ///< R_A ė and ω_B - ω_A
  S length;
  Vec3<S> n;  ///< (p_B - p_A)/length
  Vec3<S> d_rate;
  AngleGeometry<S> angle;
  S value[15];  ///< by MotionComponent
};

/// Of a pair, as much as its flags ask for.
template <class S>
TUMBLE_INLINE void measure_motion(const System& system, const MotionPairIndex& pair, const S* c,
                                  const Workspace<S>& w, MeasuredMotion<S>& m) {
  const auto& a = w.body[static_cast<std::size_t>(pair.body[0])];
  const auto& b = w.body[static_cast<std::size_t>(pair.body[1])];
  const auto& k = constants_of(pair, c);
  m.p = point_pair(a, b, k.r_A, k.r_B);
  m.rho = m.p.r_A + m.p.d;
  const Quaternion<S> q_WA = a.q_WB * k.q_A;
  m.R_WA = matrix(q_WA);
  m.e_rate_W = (b.v_W + cross(b.w_W, m.p.r_B)) - (a.v_W + cross(a.w_W, m.rho));
  m.slip_W = b.w_W - a.w_W;
  store3(m.value + motion_displacement, transpose_times(m.R_WA, m.p.d));
  store3(m.value + motion_displacement_rate, transpose_times(m.R_WA, m.e_rate_W));
  store3(m.value + motion_angular_velocity, transpose_times(m.R_WA, m.slip_W));
  if (pair.rotation) {
    m.theta = rotation_vector(conjugate(q_WA) * (b.q_WB * k.q_B));
    const S square = dot(m.theta, m.theta);
    const auto far = square > S(farthest_turn * farthest_turn);
    if (any(far)) {  // in a lane: then it fails, and the scalar engine says why
      const S nothing(__builtin_nan(""));
      for (int i = 0; i < 3; ++i) m.theta[i] = select(far, nothing, m.theta[i]);
    }
    m.tangent = inverse_tangent_coefficients(square);
    store3(m.value + motion_rotation, m.theta);
  }
  if (pair.line) {
    m.length = norm(m.p.d);
    m.n = (S(1.0) / m.length) * m.p.d;
    m.d_rate = difference_rate(a, b, m.p);
    m.value[motion_length] = m.length;
    m.value[motion_length_rate] = dot(m.n, m.d_rate);
  }
  if (pair.tracked >= 0) {
    const auto& tracked = system.tracked_angles[static_cast<std::size_t>(pair.tracked)];
    m.angle = angle_geometry(pair.body, constants_of(tracked, c), w);
    m.value[motion_angle] = followed_angle(system, pair.tracked, m.angle, w).angle;
  }
}

/// Derivatives of a number by the motion of the two bodies, world axes: (δp, δφ) and (v, ω) of
/// each.
template <class S>
struct MotionRow {
  Vec3<S> k[4], c[4];
};

/// The row of a number whose derivatives by the components are given.
template <class S>
TUMBLE_INLINE void motion_row(const MotionPairIndex& pair, const MeasuredMotion<S>& m,
                              const S (&by)[15], const Workspace<S>& w, MotionRow<S>& row) {
  const auto& a = w.body[static_cast<std::size_t>(pair.body[0])];
  const auto& b = w.body[static_cast<std::size_t>(pair.body[1])];
  const Vec3<S> by_e = m.R_WA * load3(by + motion_displacement);
  const Vec3<S> by_rate = m.R_WA * load3(by + motion_displacement_rate);
  const Vec3<S> by_slip = m.R_WA * load3(by + motion_angular_velocity);
  // δe = R_Aᵀ (δp_B - δp_A - r̃_B δφ_B + ρ̃ δφ_A);
  // δė, with ω_A × ρ moving along, and δΩ turn with A.
  const Vec3<S> swept = cross(by_rate, a.w_W);
  row.k[0] = swept - by_e;
  row.k[1] = cross(by_e, m.rho) + cross(by_rate, m.e_rate_W) + cross(by_slip, m.slip_W);
  row.k[2] = by_e - swept;
  row.k[3] = cross(m.p.r_B, by_e + cross(a.w_W - b.w_W, by_rate));
  row.c[0] = -by_rate;
  row.c[1] = cross(by_rate, m.rho) - by_slip;
  row.c[2] = by_rate;
  row.c[3] = cross(m.p.r_B, by_rate) + by_slip;
  if (pair.rotation) {
    // δθ = T⁻¹(θ) R_Aᵀ (δφ_B - δφ_A) with the left tangent's inverse I - ½ θ̃ + c θ̃².
    const Vec3<S> x = load3(by + motion_rotation), once = cross(m.theta, x);
    const Vec3<S> by_theta = m.R_WA * (x + S(0.5) * once + m.tangent.c * cross(m.theta, once));
    row.k[1] -= by_theta;
    row.k[3] += by_theta;
  }
  if (pair.line) {
    // δL = n·δd, δL̇ = (ḋ - n L̇)/L · δd + n·δḋ, d = p_B - p_A.
    const S length = by[motion_length], rate = by[motion_length_rate];
    const Vec3<S> along = rate * m.n;
    const Vec3<S> by_d =
        length * m.n + (rate / m.length) * (m.d_rate - m.value[motion_length_rate] * m.n);
    row.k[0] -= by_d;
    row.k[1] += cross(by_d + cross(along, a.w_W), m.p.r_A);
    row.k[2] += by_d;
    row.k[3] += cross(m.p.r_B, by_d + cross(along, b.w_W));
    row.c[0] -= along;
    row.c[1] += cross(along, m.p.r_A);
    row.c[2] += along;
    row.c[3] += cross(m.p.r_B, along);
  }
  if (pair.tracked >= 0) {
    const Vec3<S> turn = by[motion_angle] * m.angle.gradient;
    row.k[1] -= turn;
    row.k[3] += turn;
  }
}

/// Puts the motions of a pair into the registers of its expression.
template <class S>
TUMBLE_INLINE void load_motions(const ExpressionIndex& expression, int pair,
                                const MeasuredMotion<S>& motion, S* registers) {
  for (std::size_t i = 0; i < expression.inputs.size(); ++i) {
    const ExpressionInput& input = expression.inputs[i];
    if (input.kind != ExpressionInput::Kind::motion || input.pair != pair) continue;
    const S& value = motion.value[input.component];
    registers[i] = input.negative ? -value : value;
  }
}

/// The same for everything else.
template <class S>
TUMBLE_INLINE void load_others(const ExpressionIndex& expression, const Workspace<S>& w,
                               S* registers) {
  for (std::size_t i = 0; i < expression.inputs.size(); ++i) {
    const ExpressionInput& input = expression.inputs[i];
    const auto index = static_cast<std::size_t>(input.index);
    switch (input.kind) {
      case ExpressionInput::Kind::motion:
        break;
      case ExpressionInput::Kind::time:
        registers[i] = S(w.time);
        break;
      case ExpressionInput::Kind::drive:
        registers[i] = w.drive[index].value;
        break;
      case ExpressionInput::Kind::drive_rate:
        registers[i] = w.drive[index].rate;
        break;
      case ExpressionInput::Kind::state:
        registers[i] = w.state[index];
        break;
    }
  }
}

/// An expression was asked for what it cannot answer, by a single realisation: names the element
/// and the part of its formula. Returns if the fault is that of its inputs.
void refuse_fault(const char* kind, const std::string& name, const ExpressionProgram& program,
                  const double* constants, const double* registers, double time);
/// The same for two frames that have turned too far against each other.
[[noreturn]] void refuse_turn(const char* kind, const std::string& name, double time);

/// Fills the registers up to the values of an expression, and measures its first pair.
template <class S>
TUMBLE_INLINE void evaluate_expression(const System& system, const ExpressionIndex& expression,
                                       const char* kind, const std::string& name, const S* c,
                                       const Workspace<S>& w, MeasuredMotion<S>& first) {
  S* registers = w.registers.data();
  for (std::size_t p = expression.pairs.size(); p-- > 0;) {
    measure_motion(system, expression.pairs[p], c, w, first);
    if constexpr (std::is_same_v<S, double>) {
      const bool lost = expression.pairs[p].rotation && first.theta.x != first.theta.x;
      if (lost && first.p.d.x == first.p.d.x) refuse_turn(kind, name, w.time);
    }
    load_motions(expression, static_cast<int>(p), first, registers);
  }
  load_others(expression, w, registers);
  const ExpressionProgram& program =
      system.expressions[static_cast<std::size_t>(expression.program)];
  const S* constants = c + expression.constants;
  program.run_values(constants, registers);
  if constexpr (std::is_same_v<S, double>) {
    for (const int output : program.outputs) {
      const double value = program.operand(output, constants, registers);
      if (!(value - value == 0)) refuse_fault(kind, name, program, constants, registers, w.time);
    }
  }
}

/// Derivatives of an output by the components of a pair; false if it depends on none of them.
template <class S>
TUMBLE_INLINE bool gather_partials(const ExpressionIndex& expression,
                                   const ExpressionProgram& program, int output, int pair,
                                   const S* constants, const S* registers, S (&by)[15]) {
  bool any_here = false;
  for (const auto& partial : program.partials) {
    if (partial.output != output) continue;
    const ExpressionInput& input = expression.inputs[static_cast<std::size_t>(partial.input)];
    if (input.kind != ExpressionInput::Kind::motion || input.pair != pair) continue;
    if (!any_here)
      for (S& x : by) x = S(0.0);
    any_here = true;
    const S slope = program.operand(partial.value, constants, registers);
    S& sum = by[input.component];
    sum = input.negative ? sum - slope : sum + slope;
  }
  return any_here;
}

}  // namespace tumble
