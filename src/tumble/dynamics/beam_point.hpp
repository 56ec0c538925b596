// What happens at a material point of a beam and in the section through it, for probes.
#pragma once
#include "tumble/dynamics/beam_elements.hpp"
#include "tumble/model/compile/beam_point.hpp"

namespace tumble {

/// A symmetric tensor: xx, yy, zz, xy, xz, yz.
template <class S>
struct Tensor6 {
  S v[6]{};
};

/// Force and moment of the part beyond a section on the part before it, along and about the axes of
/// the section.
template <class S>
struct SectionResultant {
  Vec3<S> force, moment;
};

/// Σ s_i x_i over the vectors of the element, x_i being positions, velocities or accelerations of
/// the beam's coordinates.
template <int D, class S>
Vec3<S> beam_point(const BeamIndex& beam, const BeamProbeIndex& probe, const S* c, const S* x) {
  const S* s = c + probe.constants + BeamPointConstants<D>::shape;
  const S* e = x + probe.element * beam.node_size();
  Vec3<S> sum;
  for (int i = 0; i < beam::element_vectors<D>; ++i)
    for (int k = 0; k < D; ++k) sum[k] = fma(s[i], e[D * i + k], sum[k]);
  return sum;
}

namespace beam_points {

/// The gradient vectors of the element observed.
template <int D, class S>
struct GradientVectors {
  GradientVectors(const BeamIndex& beam, const BeamProbeIndex& probe, const S* c,
                  const Workspace<S>& w) {
    const S* q = w.node_q.data() + beam.node(probe.element);
    beam::load_gradient_vectors<D>(q, q + beam.node_size(),
                                   c[beam.constants + probe.element * beam.element_size], u);
  }
  S u[beam::gradient_vectors<D>][D];
};

/// F, and the strain E = ½ (Fᵀ F - I) with its stress, from factors of the gradient vectors.
template <int D, class S>
struct Deformation {
  Deformation(const S* factors, const S (&u)[beam::gradient_vectors<D>][D]) {
    for (int a = 0; a < D; ++a)
      for (int k = 0; k < D; ++k) {
        S sum(0.0);
        for (int i = 0; i < beam::gradient_vectors<D>; ++i)
          sum = fma(factors[a * beam::gradient_vectors<D> + i], u[i][k], sum);
        F[a][k] = sum;
      }
    for (int a = 0; a < D; ++a)
      for (int b = 0; b < D; ++b) {
        S sum(a == b ? -1.0 : 0.0);
        for (int k = 0; k < D; ++k) sum = fma(F[a][k], F[b][k], sum);
        E[a][b] = S(0.5) * sum;
      }
  }
  /// λ tr(E) I + 2 G E, without the out-of-plane stress of plane strain.
  void stress(const S& lambda, const S& shear, S (&out)[D][D]) const {
    const S volume = lambda * trace();
    for (int a = 0; a < D; ++a)
      for (int b = 0; b < D; ++b) {
        out[a][b] = (shear + shear) * E[a][b];
        if (a == b) out[a][b] = out[a][b] + volume;
      }
  }
  S trace() const {
    S sum(0.0);
    for (int a = 0; a < D; ++a) sum = sum + E[a][a];
    return sum;
  }
  S F[D][D];  ///< F[a]: the derivative along axis a
  S E[D][D];
};

template <int D, class S>
Tensor6<S> tensor(const S (&m)[D][D]) {
  Tensor6<S> t;
  t.v[0] = m[0][0], t.v[1] = m[1][1], t.v[3] = m[0][1];
  if constexpr (D == 3) t.v[2] = m[2][2], t.v[4] = m[0][2], t.v[5] = m[1][2];
  return t;
}

/// The section's frame t₁, t₂, t₃ from its vectors, as in beam/structural_strains.hpp.
template <int D, class S>
struct SectionFrame {
  SectionFrame(const S (&u)[beam::gradient_vectors<D>][D], const S& t) {
    const auto between = [&](int i) {
      Vec3<S> x;
      for (int k = 0; k < D; ++k) x[k] = fma(t, u[i + 1][k] - u[i][k], u[i][k]);
      return x;
    };
    d = between(3);
    if constexpr (D == 3)
      e = between(5);
    else
      e = {S(0.0), S(0.0), S(1.0)};
    const Vec3<S> normal = cross(d, e);
    t1 = (S(1.0) / norm(normal)) * normal;
    t3 = (S(1.0) / norm(e)) * e;
    t2 = cross(t3, t1);
  }
  Vec3<S> in_axes(const Vec3<S>& x) const { return {dot(t1, x), dot(t2, x), dot(t3, x)}; }
  Vec3<S> d, e, t1, t2, t3;
};

/// ∫ P n dA and ∫ ρ × P n dA over the section, P = F S.
template <int D, class S>
SectionResultant<S> continuum_resultant(const BeamIndex& beam, const BeamProbeIndex& probe,
                                        const S* c, const Workspace<S>& w) {
  using Constants = BeamPointConstants<D>;
  const GradientVectors<D, S> vectors(beam, probe, c, w);
  const S* k = c + probe.constants;
  const SectionFrame<D, S> frame(vectors.u, k[Constants::place]);
  Vec3<S> force, moment;
  for (int p = 0; p < probe.section_points; ++p) {
    const S* point = c + probe.section + p * Constants::point_size;
    const Deformation<D, S> deformation(point, vectors.u);
    S stress[D][D];
    deformation.stress(k[Constants::lame], k[Constants::lame + 1], stress);
    Vec3<S> f;
    for (int a = 0; a < D; ++a) {
      S along(0.0);
      for (int b = 0; b < D; ++b)
        along = fma(stress[a][b], point[Constants::point_area + b], along);
      for (int i = 0; i < D; ++i) f[i] = fma(along, deformation.F[a][i], f[i]);
    }
    const S* offset = point + Constants::point_offset;
    Vec3<S> arm = offset[0] * frame.d;
    if constexpr (D == 3) arm += offset[1] * frame.e;
    force += f;
    moment += cross(arm, f);
  }
  return {frame.in_axes(force), frame.in_axes(moment)};
}

/// The line through the values at the Gauss points that is nearest to them, at the place observed:
/// between its nodes an element resolves section forces no further.
template <int D, beam::Curvature curvature, class S>
SectionResultant<S> structural_resultant(const BeamIndex& beam, const BeamProbeIndex& probe,
                                         const S* c, const Workspace<S>& w) {
  using Constants = beam::StructuralConstants<D>;
  const auto force = elastic_force<D, curvature, true>(beam, probe.element, c, w, beam.damped);
  const S from_middle = c[probe.constants + BeamPointConstants<D>::place] - S(0.5);
  S value[Constants::strains];
  for (int s = 0; s < Constants::strains; ++s) {
    S mean(0.0), slope(0.0);
    for (int g = 0; g < Constants::gauss; ++g) {
      const S f = S(Constants::weight[g]) * force.section_force(g, s);
      mean = mean + f;
      slope = fma(S(12 * (Constants::place[g] - 0.5)), f, slope);
    }
    value[s] = fma(slope, from_middle, mean);
  }
  if constexpr (D == 2)
    return {{value[0], value[1], S(0.0)}, {S(0.0), S(0.0), value[2]}};
  else
    return {{value[0], value[1], value[2]}, {value[3], value[4], value[5]}};
}

/// Strain of a section that stays plane, from its forces: with ρ = y t₂ + z t₃
///   ε_xx = Γ₁ - y K₃ + z K₂,  2 ε_xy = Γ₂ - z K₁,  2 ε_xz = Γ₃ + y K₁
/// and the stress that has these forces for resultants; torsion is spread as in a disc.
template <int D, class S>
void structural_point(const SectionResultant<S>& r, const S* k, Tensor6<S>& strain,
                      Tensor6<S>& stress) {
  using Constants = BeamPointConstants<D>;
  const S* compliance = k + Constants::compliance;
  const S* moduli = k + Constants::moduli;
  const S y = k[Constants::offset], z = k[Constants::offset + 1];
  const Vec3<S> gamma{compliance[0] * r.force.x, compliance[1] * r.force.y,
                      compliance[2] * r.force.z};
  const Vec3<S> kappa{compliance[3] * r.moment.x, compliance[4] * r.moment.y,
                      compliance[5] * r.moment.z};
  // Fused where the source says so: from a - b c beside d + e c in plain operations g++ 12 makes
  // one fused instruction whatever -ffp-contract says, for scalars and not for lanes.
  const S axial = fma(z, kappa.y, fnma(y, kappa.z, gamma.x)), half(0.5);
  strain.v[0] = axial;
  strain.v[3] = half * fnma(z, kappa.x, gamma.y);
  strain.v[4] = half * fma(y, kappa.x, gamma.z);
  stress.v[0] = moduli[0] * axial;
  stress.v[3] = fnma(moduli[3], z * kappa.x, moduli[1] * gamma.y);
  stress.v[4] = fma(moduli[3], y * kappa.x, moduli[2] * gamma.z);
}

}  // namespace beam_points

/// What a probe of a beam may ask for beside motion.
template <class S>
struct BeamPointState {
  SectionResultant<S> resultant;
  Tensor6<S> strain, stress;
};

template <class S>
__attribute__((noinline)) BeamPointState<S> beam_point_state(const BeamIndex& beam,
                                                             const BeamProbeIndex& probe,
                                                             const S* c, const Workspace<S>& w) {
  using namespace beam_points;
  BeamPointState<S> state;
  dispatch_beam(beam, [&]<int D, beam::Curvature curvature, bool structural>() {
    using Constants = BeamPointConstants<D>;
    const S* k = c + probe.constants;
    if constexpr (structural) {
      state.resultant = structural_resultant<D, curvature>(beam, probe, c, w);
      structural_point<D>(state.resultant, k, state.strain, state.stress);
    } else {
      state.resultant = continuum_resultant<D>(beam, probe, c, w);
      const GradientVectors<D, S> vectors(beam, probe, c, w);
      const Deformation<D, S> deformation(k + Constants::gradients, vectors.u);
      S stress[D][D];
      deformation.stress(k[Constants::lame], k[Constants::lame + 1], stress);
      state.strain = tensor<D>(deformation.E);
      state.stress = tensor<D>(stress);
      if constexpr (D == 2) state.stress.v[2] = k[Constants::lame] * deformation.trace();
    }
  });
  return state;
}

}  // namespace tumble
