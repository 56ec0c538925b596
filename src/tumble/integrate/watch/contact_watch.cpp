#include "tumble/integrate/watch/contact_watch.hpp"

#include <fmt/format.h>

#include <cmath>

namespace tumble {
namespace {

/// What can let go and take hold again.
template <class Element>
constexpr bool lets_go = std::is_same_v<Element, TyreIndex> ||
                         std::is_same_v<Element, CableIndex> || requires(const Element& element) {
  element.surface;
};

}  // namespace

ContactWatch::ContactWatch(const System& system) {
  for_each_force(system.forces, [this]<class Element>(const Element& element) {
    if constexpr (lets_go<Element>) touches_.push_back({element.name});
  });
}

void ContactWatch::look(const System& system, const double* constants, const Workspace<double>& w,
                        double h) {
  std::size_t i = 0;
  for_each_force(system.forces, [&]<class Element>(const Element& element) {
    if constexpr (lets_go<Element>) {
      double value = 0;
      constexpr bool pulls = std::is_same_v<Element, CableIndex>;
      measure(system, element, pulls ? Quantity::tension : Quantity::gap, constants, w, &value);
      add(touches_[i++], pulls ? value > 0 : value < 0, w.time, h);
    }
  });
}

void ContactWatch::add(Touch& touch, bool touching, double time, double h) {
  if (touching) {
    if (touch.steps++ == 0) touch.since = time;
    return;
  }
  if (touch.apart && touch.steps > 0 && touch.steps < allowed_steps) {
    if (short_ones_++ == 0 || touch.steps < shortest_.steps) {
      shortest_ = touch;
      length_ = touch.steps * h;
    }
  }
  touch.apart = true;
  touch.steps = 0;
}

std::optional<std::string> ContactWatch::warning() const {
  if (short_ones_ == 0) return std::nullopt;
  const double step = length_ / (2 * allowed_steps);
  const double unit = std::pow(10.0, std::floor(std::log10(step)));
  return fmt::format(
      "'{}' takes hold for only {} step{} at t = {:.6g} s{}: how it lets go again is then the "
      "method's doing rather than its law's; steps of {:.1g} s or less resolve it",
      shortest_.name, shortest_.steps, shortest_.steps == 1 ? "" : "s", shortest_.since,
      short_ones_ > 1
          ? fmt::format(", and for less than {} steps {} times", allowed_steps, short_ones_)
          : "",
      std::max(1.0, std::floor(step / unit)) * unit);
}

}  // namespace tumble
