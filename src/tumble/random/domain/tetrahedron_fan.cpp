#include "tumble/random/domain/tetrahedron_fan.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "tumble/random/centre/exponential_difference.hpp"
#include "tumble/random/centre/tilted_marginal.hpp"

namespace tumble {
namespace {

/// The vertex where exp(-<lambda, x>) is greatest. Counted from there no exponential exceeds 1, and
/// moments stay accurate when a large lambda leaves mass at this vertex only.
Vec3d heaviest_vertex(const TriangleSurface& surface, const Vec3d& lambda) {
  return *std::min_element(
      surface.vertices.begin(), surface.vertices.end(),
      [&](const Vec3d& a, const Vec3d& b) { return dot(lambda, a) < dot(lambda, b); });
}

struct Tetrahedron {
  std::array<Vec3d, 4> corners;   ///< the barycentre first, relative to some origin
  std::array<double, 4> nodes{};  ///< -<lambda, corner>
  double sixfold_volume = 0;      ///< negative if the triangle faces the barycentre
};

Tetrahedron tetrahedron(const TriangleSurface& surface, std::size_t triangle,
                        const Vec3d& barycentre, const Vec3d& lambda, const Vec3d& origin) {
  const auto& corners = surface.triangles[triangle];
  Tetrahedron t;
  t.corners[0] = barycentre - origin;
  for (std::size_t k = 0; k < 3; ++k) t.corners[k + 1] = surface.vertices[corners[k]] - origin;
  for (std::size_t k = 0; k < 4; ++k) t.nodes[k] = -dot(lambda, t.corners[k]);
  t.sixfold_volume = dot(t.corners[1] - t.corners[0],
                         cross(t.corners[2] - t.corners[0], t.corners[3] - t.corners[0]));
  return t;
}

/// Points of one tetrahedron with density proportional to exp(sum b_i t_i). From the corner with
/// the greatest t, s_i = greatest - t_i >= 0 for the three others, the density is exp(-sum b_i s_i)
/// on b_i >= 0, sum b_i <= 1. Either a uniform point is kept with this probability, or three
/// independent exponential variables, truncated to (0, 1), are kept if their sum is at most 1. The
/// second keeps at least one in six, because greater s_i make for smaller sums.
class TetrahedronSampler {
 public:
  explicit TetrahedronSampler(const Tetrahedron& t) {
    const auto top = static_cast<std::size_t>(std::max_element(t.nodes.begin(), t.nodes.end()) -
                                              t.nodes.begin());
    corner_ = t.corners[top];
    std::array<double, 4> shifted{};
    double product = 1.0;
    for (std::size_t i = 0, k = 0; i < 4; ++i) {
      shifted[i] = t.nodes[i] - t.nodes[top];
      if (i == top) continue;
      slopes_[k] = -shifted[i];
      edges_[k++] = t.corners[i] - corner_;
      product *= exponential_difference(std::array{0.0, shifted[i]});
    }
    const double integral = exponential_difference(shifted);
    weight_ = t.sixfold_volume * integral * std::exp(t.nodes[top]);
    uniform_ = 6.0 * integral > integral / product;
    acceptance_ = std::min(uniform_ ? 6.0 * integral : integral / product, 1.0);
  }

  double weight() const { return weight_; }
  double acceptance() const { return acceptance_; }

  Vec3d draw(Draws& draws) const {
    for (;;) {
      std::array<double, 3> b{draws.uniform(), draws.uniform(), draws.uniform()};
      if (uniform_) {
        std::sort(b.begin(), b.end());  // the spacings of three points are uniform on the simplex
        b = {b[0], b[1] - b[0], b[2] - b[1]};
        const double exponent = b[0] * slopes_[0] + b[1] * slopes_[1] + b[2] * slopes_[2];
        if (!(draws.uniform() < std::exp(-exponent))) continue;
      } else {
        for (std::size_t k = 0; k < 3; ++k) b[k] = truncated_exponential_quantile(slopes_[k], b[k]);
        if (b[0] + b[1] + b[2] > 1.0) continue;
      }
      return corner_ + b[0] * edges_[0] + b[1] * edges_[1] + b[2] * edges_[2];
    }
  }

 private:
  Vec3d corner_;
  std::array<Vec3d, 3> edges_;
  std::array<double, 3> slopes_{};
  double weight_ = 0, acceptance_ = 1;
  bool uniform_ = true;
};

/// One over the proposals that a point takes, averaged over tetrahedra by weight.
double overall_acceptance(const std::vector<TetrahedronSampler>& parts) {
  double weight = 0, proposals = 0;
  for (const auto& part : parts) {
    weight += part.weight();
    proposals += part.weight() / part.acceptance();
  }
  return weight / proposals;
}

class FanSampler final : public TiltedSampler {
 public:
  FanSampler(const Vec3d& origin, std::vector<TetrahedronSampler> parts)
      : TiltedSampler(overall_acceptance(parts)), origin_(origin), parts_(std::move(parts)) {
    cumulative_.reserve(parts_.size());
    double sum = 0;
    for (const auto& part : parts_) cumulative_.push_back(sum += part.weight());
  }

  Vec3d draw(Draws& draws) const override {
    const double level = draws.uniform() * cumulative_.back();
    // The last part is for a product that rounds up to the total.
    const auto found = std::upper_bound(cumulative_.begin(), cumulative_.end() - 1, level);
    return origin_ + parts_[static_cast<std::size_t>(found - cumulative_.begin())].draw(draws);
  }

 private:
  Vec3d origin_;
  std::vector<TetrahedronSampler> parts_;
  std::vector<double> cumulative_;
};

}  // namespace

// With barycentric coordinates b_i and corners p_i of a tetrahedron, x = sum b_i p_i: its integrals
// of 1, x and x x^T times exp are those of 1, b_i and b_i b_j over the simplex, times the sixfold
// volume.
TiltedMoments fan_moments(const TriangleSurface& surface, const Vec3d& barycentre,
                          const Vec3d& lambda) {
  const Vec3d origin = heaviest_vertex(surface, lambda);
  double total = 0, magnitude = 0;
  Vec3d first;
  Mat3d second;
  for (std::size_t triangle = 0; triangle < surface.triangles.size(); ++triangle) {
    const Tetrahedron t = tetrahedron(surface, triangle, barycentre, lambda, origin);
    const auto m = simplex_moments<4>(t.nodes);
    total += t.sixfold_volume * m.value;
    magnitude += std::abs(t.sixfold_volume) * m.value;
    for (std::size_t i = 0; i < 4; ++i) {
      first += (t.sixfold_volume * m.first[i]) * t.corners[i];
      Vec3d row;
      for (std::size_t j = 0; j < 4; ++j) row += m.second[i][j] * t.corners[j];
      second += outer(t.sixfold_volume * t.corners[i], row);
    }
  }
  const Vec3d mean = (1.0 / total) * first;
  return {std::log(total) - dot(lambda, origin - barycentre), (origin - barycentre) + mean,
          (1.0 / total) * second - outer(mean, mean), 1e-15 * magnitude / total};
}

bool is_star_shaped(const TriangleSurface& surface, const Vec3d& barycentre) {
  double positive = 0, negative = 0;
  for (std::size_t triangle = 0; triangle < surface.triangles.size(); ++triangle) {
    const double v = tetrahedron(surface, triangle, barycentre, {}, barycentre).sixfold_volume;
    (v > 0 ? positive : negative) += v;
  }
  return -negative <= 1e-13 * positive;
}

std::unique_ptr<const TiltedSampler> fan_sampler(const TriangleSurface& surface,
                                                 const Vec3d& barycentre, const Vec3d& lambda) {
  const Vec3d origin = heaviest_vertex(surface, lambda);
  std::vector<TetrahedronSampler> parts;
  for (std::size_t triangle = 0; triangle < surface.triangles.size(); ++triangle) {
    const TetrahedronSampler part(tetrahedron(surface, triangle, barycentre, lambda, origin));
    // Tetrahedra without volume, or so light that their weight underflows, are never chosen.
    if (part.weight() > 0) parts.push_back(part);
  }
  return std::make_unique<FanSampler>(origin, std::move(parts));
}

}  // namespace tumble
