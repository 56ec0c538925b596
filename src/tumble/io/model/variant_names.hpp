// Alternatives of a variant by the names they have in files.
#pragma once
#include <string>
#include <variant>
#include <vector>

namespace tumble {

/// Sets `kind` to the alternative called `type`; false if there is none.
template <class... Kinds>
bool emplace_type(const std::string& type, std::variant<Kinds...>& kind) {
  return ((Kinds::type == type ? (kind.template emplace<Kinds>(), true) : false) || ...);
}

template <class... Kinds>
std::vector<std::string> type_names(const std::variant<Kinds...>&) {
  return {std::string(Kinds::type)...};
}

}  // namespace tumble
