#include "tumble/integrate/start/joints_mistake.hpp"

#include <utility>

namespace tumble {

Diagnostic joints_mistake(const System& system, std::string expectation) {
  Diagnostic d;
  if (!system.nominal.joints.empty())
    d.where = {locate(system.nominal, "joints." + system.nominal.joints.front().name).file, 0};
  d.element = "joints";
  d.expectation = std::move(expectation);
  return d;
}

}  // namespace tumble
