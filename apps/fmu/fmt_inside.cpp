// fmt's own functions, for a binary that must not need its library: Debian has no archive of it, but
// their source is one of its headers, which without FMT_HEADER_ONLY defines them once.
#include <fmt/format-inl.h>
