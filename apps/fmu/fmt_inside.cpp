// fmt's own functions, for a binary that must not need its library: Debian has no archive of it,
// but their source is one of its headers, which without FMT_HEADER_ONLY defines them once.
// Templates that other sources expect to find in the library are instantiated by hand.
#include <fmt/format-inl.h>

namespace fmt::detail {
template auto thousands_sep_impl<char>(locale_ref) -> thousands_sep_result<char>;
template auto decimal_point_impl<char>(locale_ref) -> char;
}  // namespace fmt::detail
