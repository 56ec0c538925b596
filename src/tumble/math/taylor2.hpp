// A number with its first and second time derivative.
#pragma once

namespace tumble {

template <class S>
struct Taylor2 {
  S value{};   ///< u
  S rate{};    ///< du/dt
  S second{};  ///< d²u/dt²
};

}  // namespace tumble
