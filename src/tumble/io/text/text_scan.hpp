// A look at the bytes of a YAML file before the parser sees them.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace tumble {

struct TextFault {
  int line;
  std::string message;
};

/// Refuses text the YAML parser would misread or take long over: control characters, bytes that
/// are not UTF-8, brackets opened far deeper than `depth`.
std::optional<TextFault> scan_text(std::string_view text, std::size_t depth);

}  // namespace tumble
