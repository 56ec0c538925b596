#include "tumble/reliability/design_point.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "tumble/random/stream/variable_id.hpp"

namespace tumble {
namespace {

using Eigen::VectorXd;

/// g(at) + gradient . (u - at), the limit state as one side of a kink sees it.
struct Tangent {
  VectorXd at, gradient;
  double g;
};

constexpr std::array<double, 6> step_lengths{1, 0.5, 0.25, 0.1, 0.03, 0.01};

/// The point nearest to the origin with g <= 0 by all of the last `count` tangents, if there is
/// one: by trying which of them bind.
std::optional<VectorXd> nearest_behind(const std::vector<Tangent>& tangents, std::size_t count) {
  count = std::min(count, tangents.size());
  const Tangent* last = tangents.data() + tangents.size() - count;
  const Eigen::Index d = last->at.size();
  std::optional<VectorXd> best;
  // Conditions a . u <= b.
  const auto b = [&](std::size_t i) { return last[i].gradient.dot(last[i].at) - last[i].g; };
  for (unsigned binding = 1; binding < (1U << count); ++binding) {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < count; ++i)
      if (binding >> i & 1U) rows.push_back(i);
    const auto n = static_cast<Eigen::Index>(rows.size());
    if (n > d) continue;
    Eigen::MatrixXd a(n, d);
    VectorXd right(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      a.row(i) = last[rows[static_cast<std::size_t>(i)]].gradient.transpose();
      right[i] = b(rows[static_cast<std::size_t>(i)]);
    }
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(a * a.transpose());
    if (qr.rank() < n) continue;
    const VectorXd point = a.transpose() * qr.solve(right);
    if (!point.allFinite()) continue;
    bool behind = true;
    for (std::size_t i = 0; i < count; ++i) {
      const double scale = last[i].gradient.norm() * (1 + point.norm());
      behind = behind && last[i].gradient.dot(point) <= b(i) + 1e-9 * scale;
    }
    if (behind && (!best || point.norm() < best->norm())) best = point;
  }
  return best;
}

/// One search from one start.
struct Search {
  VectorXd u;
  double g = 0;
  std::vector<Tangent> tangents;
  VectorXd target;
  double penalty = 0;
  int stalls = 0;
  enum class State { goes_on, converged, given_up } state = State::goes_on;

  double merit(const VectorXd& point, double value) const {
    return 0.5 * point.squaredNorm() + penalty * std::abs(value);
  }
};

class Searcher {
 public:
  Searcher(std::size_t dimension, const LimitState& g, const DesignPointOptions& options)
      : d_(dimension), g_(g), options_(options) {}

  static constexpr std::uint64_t expected_iterations = 6;

  DesignPoints run() {
    begin();
    for (int i = 0; i < options_.most_iterations && iterate(); ++i) continue;
    collect();
    return std::move(found_);
  }

 private:
  std::uint64_t cost_of_iteration() const { return d_ + step_lengths.size(); }

  std::vector<LimitValue> evaluate(const GermPoints& points) {
    found_.runs += points.size();
    std::vector<LimitValue> values = g_(points);
    for (const LimitValue& value : values) found_.failed += std::isnan(value.g) ? 1 : 0;
    return values;
  }

  /// From the origin, and from random directions at a distance that many failures have.
  void begin() {
    constexpr std::uint64_t use = variable_id("reliability starts");
    const std::uint64_t affordable = options_.runs / (expected_iterations * cost_of_iteration());
    found_.starts = options_.starts > 0 ? options_.starts
                                        : std::clamp<std::uint64_t>(affordable, 1, 8 + 4 * d_);
    GermPoints points(d_);
    points.add();
    // Random frames, each axis in both directions: evener than single directions.
    std::vector<VectorXd> frame;
    for (std::size_t s = 1; s < found_.starts;) {
      if (frame.size() == d_) frame.clear();
      VectorXd axis(static_cast<Eigen::Index>(d_));
      draw_germs(options_.seed, s, use, {axis.data(), d_});
      for (const VectorXd& other : frame) axis -= other.dot(axis) * other;
      frame.push_back(axis.normalized());
      constexpr double distance = 3;
      for (const double sign : {distance, -distance}) {
        if (s++ >= found_.starts) break;
        const VectorXd start = sign * frame.back();
        points.add({start.data(), d_});
      }
    }
    const std::vector<LimitValue> values = evaluate(points);
    found_.at_origin = values[0].g;
    scale_ = std::abs(values[0].g);
    for (std::size_t s = 0; s < values.size(); ++s) {
      Search& search = searches_.emplace_back();
      search.u = Eigen::Map<const VectorXd>(points.row(s).data(), static_cast<Eigen::Index>(d_));
      search.g = values[s].g;
      if (!std::isfinite(search.g)) search.state = Search::State::given_up;
    }
    if (!(scale_ > 0) || !std::isfinite(scale_)) scale_ = 1;
  }

  /// All searches by one step. False if none goes on.
  bool iterate() {
    std::vector<Search*> active;
    std::uint64_t left = options_.runs > found_.runs ? options_.runs - found_.runs : 0;
    for (Search& search : searches_)
      if (search.state == Search::State::goes_on && left >= cost_of_iteration()) {
        active.push_back(&search);
        left -= cost_of_iteration();
      }
    if (active.empty()) return false;
    take_gradients(active);
    std::erase_if(active, [](Search* s) { return s->state != Search::State::goes_on; });
    if (!active.empty()) take_steps(active);
    return true;
  }

  void take_gradients(const std::vector<Search*>& active) {
    GermPoints points(d_);
    for (const Search* search : active)
      for (std::size_t c = 0; c < d_; ++c) {
        const std::span<double> row = points.add();
        std::copy_n(search->u.data(), d_, row.begin());
        row[c] += options_.difference;
      }
    const std::vector<LimitValue> values = evaluate(points);
    for (std::size_t s = 0; s < active.size(); ++s) {
      Search& search = *active[s];
      Tangent tangent{search.u, VectorXd(static_cast<Eigen::Index>(d_)), search.g};
      for (std::size_t c = 0; c < d_; ++c)
        tangent.gradient[static_cast<Eigen::Index>(c)] =
            (values[s * d_ + c].g - search.g) / options_.difference;
      const double slope = tangent.gradient.norm();
      if (!std::isfinite(slope) || slope == 0) {
        search.state = Search::State::given_up;
        continue;
      }
      search.tangents.push_back(std::move(tangent));
      aim(search);
      const double off = (search.target - search.u).norm();
      if (std::abs(search.g) <= 1e-3 * scale_ && off <= 1e-2 * (1 + search.u.norm()))
        search.state = Search::State::converged;
      else if (search.stalls >= 4)
        search.state = Search::State::given_up;
    }
  }

  /// Towards the nearest point of the tangent plane; after a short step, of the last planes.
  void aim(Search& search) const {
    const Tangent& last = search.tangents.back();
    const double slope = last.gradient.squaredNorm();
    search.target = (last.gradient.dot(last.at) - last.g) / slope * last.gradient;
    constexpr std::size_t kept = 4;
    if (search.stalls > 0)
      if (const auto corner = nearest_behind(search.tangents, kept)) search.target = *corner;
    search.penalty = std::max(search.penalty, 2 * (search.u.norm() + 1) / std::sqrt(slope));
  }

  void take_steps(const std::vector<Search*>& active) {
    GermPoints points(d_);
    for (const Search* search : active)
      for (const double length : step_lengths) {
        const VectorXd u = search->u + length * (search->target - search->u);
        points.add({u.data(), d_});
      }
    const std::vector<LimitValue> values = evaluate(points);
    for (std::size_t s = 0; s < active.size(); ++s) {
      Search& search = *active[s];
      double best = std::numeric_limits<double>::infinity();
      std::size_t choice = 0;
      for (std::size_t k = 0; k < step_lengths.size(); ++k) {
        const std::size_t i = s * step_lengths.size() + k;
        const VectorXd u =
            Eigen::Map<const VectorXd>(points.row(i).data(), static_cast<Eigen::Index>(d_));
        const double merit = search.merit(u, values[i].g);
        if (std::isfinite(merit) && merit < best) best = merit, choice = k;
      }
      if (!std::isfinite(best)) {
        search.state = Search::State::given_up;
        continue;
      }
      const std::size_t i = s * step_lengths.size() + choice;
      const bool is_short =
          step_lengths[choice] < 0.1 || !(best < search.merit(search.u, search.g));
      search.stalls = is_short ? search.stalls + 1 : std::max(0, search.stalls - 1);
      search.u = Eigen::Map<const VectorXd>(points.row(i).data(), static_cast<Eigen::Index>(d_));
      search.g = values[i].g;
    }
  }

  void collect() {
    for (const Search& search : searches_) {
      if (search.state == Search::State::converged) ++found_.converged;
      // Not quite there is good enough to sample around.
      if (search.tangents.empty() || !(std::abs(search.g) <= 0.1 * scale_)) continue;
      DesignPoint point;
      point.germs.assign(search.u.data(), search.u.data() + d_);
      const VectorXd& gradient = search.tangents.back().gradient;
      point.index = search.u.norm() * (found_.at_origin > 0 ? 1 : -1);
      point.g = search.g;
      point.converged = search.state == Search::State::converged;
      for (std::size_t c = 0; c < d_; ++c) {
        const double a = gradient[static_cast<Eigen::Index>(c)] / gradient.norm();
        point.importance.push_back(a * a);
      }
      found_.points.push_back(std::move(point));
    }
    const auto norm = [](const DesignPoint& point) { return std::abs(point.index); };
    std::ranges::stable_sort(found_.points, {}, [&](const DesignPoint& point) {
      return norm(point) + (point.converged ? 0 : 0.1);
    });
    std::vector<DesignPoint> distinct;
    constexpr double same = 0.5, farthest = 3;
    constexpr std::size_t most = 32;
    for (DesignPoint& point : found_.points) {
      const bool known = std::ranges::any_of(distinct, [&](const DesignPoint& other) {
        double squares = 0;
        for (std::size_t c = 0; c < d_; ++c)
          squares += (point.germs[c] - other.germs[c]) * (point.germs[c] - other.germs[c]);
        return squares < same * same;
      });
      // Those so much farther away have too little probability to matter.
      if (known || distinct.size() == most) continue;
      if (!distinct.empty() && norm(point) > norm(distinct.front()) + farthest) continue;
      distinct.push_back(std::move(point));
    }
    found_.points = std::move(distinct);
  }

  std::size_t d_;
  const LimitState& g_;
  const DesignPointOptions& options_;
  DesignPoints found_;
  std::vector<Search> searches_;
  double scale_ = 1;  ///< of g: what is small
};

}  // namespace

std::uint64_t least_search_runs(std::size_t dimension) {
  return 4 * (dimension + step_lengths.size()) + 1;
}

std::uint64_t ample_search_runs(std::size_t dimension) {
  return 10 * Searcher::expected_iterations * (dimension + step_lengths.size());
}

DesignPoints find_design_points(std::size_t dimension, const LimitState& g,
                                const DesignPointOptions& options) {
  return Searcher(dimension, g, options).run();
}

}  // namespace tumble
