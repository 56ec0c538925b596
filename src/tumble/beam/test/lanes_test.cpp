// A lane of a batch has the bits of its own scalar run, in both formulations.
#include <gtest/gtest.h>

#include "tumble/beam/test/element.hpp"
#include "tumble/math/batch.hpp"

namespace tumble::beam::testing {
namespace {

constexpr int W = 4;
using Lanes = Batch<W>;

/// Force and tangents, one after another.
template <int D, class S, class Force>
std::vector<S> results(const Force& force) {
  constexpr int half = node_coordinates<D>, size = 2 * half;
  std::vector<S> out(static_cast<std::size_t>(size + 2 * size * size), S(0.0));
  S* f = out.data();
  force.add_force(f, f + half);
  const auto into = [](S* matrix) {
    return [matrix](int i, int j, const S(&block)[D][D]) {
      for (int a = 0; a < D; ++a)
        for (int b = 0; b < D; ++b) {
          S& entry = matrix[(D * i + a) * size + D * j + b];
          entry = entry + block[a][b];
        }
    };
  };
  force.tangent(into(f + size), into(f + size + size * size));
  out.push_back(force.energy());
  return out;
}

/// Force<double> and Force<Lanes> on the same numbers; `constants` differ from lane to lane.
template <int D, template <class> class Force>
void compare(const std::vector<std::vector<double>>& constants, bool damped) {
  constexpr int half = node_coordinates<D>;
  std::mt19937 generator(17);
  const auto reference = Reference<D>::straight(0.2);
  std::vector<Eigen::VectorXd> e, v;
  for (int lane = 0; lane < W; ++lane) {
    e.push_back(some_configuration(reference, 0.2, generator));
    v.push_back(some_configuration(reference, 2, generator));
  }
  const auto packed = [](const auto& rows) {
    std::vector<Lanes> out(static_cast<std::size_t>(rows[0].size()));
    for (std::size_t i = 0; i < out.size(); ++i)
      for (int lane = 0; lane < W; ++lane)
        out[i].set_lane(lane, rows[static_cast<std::size_t>(lane)].data()[i]);
    return out;
  };
  const auto c = packed(constants), q = packed(e), r = packed(v);
  const auto wide = results<D, Lanes>(
      Force<Lanes>(c.data(), q.data(), q.data() + half, r.data(), r.data() + half, damped));
  for (int lane = 0; lane < W; ++lane) {
    const auto l = static_cast<std::size_t>(lane);
    const auto scalar =
        results<D, double>(Force<double>(constants[l].data(), e[l].data(), e[l].data() + half,
                                         v[l].data(), v[l].data() + half, damped));
    for (std::size_t i = 0; i < scalar.size(); ++i)
      ASSERT_EQ(scalar[i], wide[i].lane(lane)) << "entry " << i << " of lane " << lane;
  }
}

template <class S>
using Planar = ContinuumForce<2, Curvature::straight, S>;
template <class S>
using Spatial = ContinuumForce<3, Curvature::straight, S>;
template <class S>
using PlanarStructural = StructuralForce<2, S>;
template <class S>
using SpatialStructural = StructuralForce<3, S>;

template <int D>
std::vector<std::vector<double>> continuum_constants() {
  using Constants = ContinuumConstants<D, Curvature::straight>;
  const ContinuumInvariants<D, Curvature::straight> invariants(Reference<D>::straight(0.2),
                                                               Section::rectangular(0.05, 0.01));
  std::vector<std::vector<double>> out;
  for (int lane = 0; lane < W; ++lane) {
    out.emplace_back(Constants::size);
    invariants.write_geometry(0.01, out.back().data());
    invariants.write_stiffness(std::vector<Lame>(5, lame(2e7 * (1 + 0.1 * lane), 0.3)),
                               out.back().data() + Constants::stiffness);
  }
  return out;
}
template <int D>
std::vector<std::vector<double>> structural_constants() {
  const StructuralInvariants<D> invariants(Reference<D>::straight(0.2));
  std::vector<std::vector<double>> out;
  for (int lane = 0; lane < W; ++lane) {
    out.emplace_back(StructuralConstants<D>::size);
    invariants.write_geometry(0.01, out.back().data());
    const auto stiffness =
        section_stiffness(Section::rectangular(0.05, 0.01), 2e7 * (1 + 0.1 * lane), 0.3);
    invariants.write_stiffness(std::vector<SectionStiffness>(5, stiffness), out.back().data());
  }
  return out;
}

TEST(Lanes, HaveTheBitsOfScalarRunsInTheContinuumFormulation) {
  for (const bool damped : {false, true}) {
    compare<2, Planar>(continuum_constants<2>(), damped);
    compare<3, Spatial>(continuum_constants<3>(), damped);
  }
}
TEST(Lanes, HaveTheBitsOfScalarRunsInTheStructuralFormulation) {
  for (const bool damped : {false, true}) {
    compare<2, PlanarStructural>(structural_constants<2>(), damped);
    compare<3, SpatialStructural>(structural_constants<3>(), damped);
  }
}

}  // namespace
}  // namespace tumble::beam::testing
