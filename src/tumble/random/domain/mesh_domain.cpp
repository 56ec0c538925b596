#include "tumble/random/domain/mesh_domain.hpp"

#include <cmath>
#include <utility>

#include "tumble/random/centre/tilted_slices.hpp"
#include "tumble/random/domain/tetrahedron_fan.hpp"

namespace tumble {
namespace {

EnclosedVolume checked_volume(const TriangleSurface& surface) {
  require_closed(surface);
  return enclosed_volume(surface);
}

class RejectionFromHull final : public TiltedSampler {
 public:
  RejectionFromHull(const MeshDomain& mesh, std::unique_ptr<const TiltedSampler> hull,
                    double fraction)
      : TiltedSampler(hull->acceptance() * fraction), mesh_(mesh), hull_(std::move(hull)) {}

  Vec3d draw(Draws& draws) const override {
    for (;;)
      if (const Vec3d x = hull_->draw(draws); mesh_.contains(x)) return x;
  }

 private:
  const MeshDomain& mesh_;
  std::unique_ptr<const TiltedSampler> hull_;
};

}  // namespace

MeshDomain::MeshDomain(const TriangleSurface& surface)
    : MeshDomain(surface, checked_volume(surface)) {}

MeshDomain::MeshDomain(const TriangleSurface& surface, const EnclosedVolume& enclosed)
    : Domain(enclosed.volume, enclosed.barycentre),
      surface_(surface),
      hull_(surface.vertices),
      columns_(surface) {}

TiltedMoments MeshDomain::tilted_moments(const Vec3d& lambda) const {
  return fan_moments(surface_, barycentre(), lambda);
}

std::unique_ptr<const TiltedSampler> MeshDomain::sampler(const Vec3d& lambda) const {
  if (is_star_shaped(surface_, barycentre())) return fan_sampler(surface_, barycentre(), lambda);
  const TriangleSurface& hull = hull_.surface();
  const Vec3d middle = enclosed_volume(hull).barycentre;
  // Both integrals relative to the middle of the hull.
  const double mesh_integral =
      tilted_moments(lambda).log_integral - dot(lambda, barycentre() - middle);
  const double hull_integral = fan_moments(hull, middle, lambda).log_integral;
  return std::make_unique<RejectionFromHull>(*this, fan_sampler(hull, middle, lambda),
                                             std::exp(mesh_integral - hull_integral));
}

CubeMap MeshDomain::cube_map(const Vec3d& lambda) const {
  const auto slices = std::make_shared<const TiltedSlices>(surface_, lambda);
  return [slices](const Vec3d& u) { return slices->from_cube(u); };
}

bool MeshDomain::is_convex() const {
  return enclosed_volume(hull_.surface()).volume <= volume() * (1.0 + 1e-9);
}

}  // namespace tumble
