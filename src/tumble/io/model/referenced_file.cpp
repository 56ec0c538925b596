#include "tumble/io/model/referenced_file.hpp"

#include <fmt/format.h>

#include "tumble/base/read_file.hpp"
#include "tumble/base/sha256.hpp"
#include "tumble/io/model/read_values.hpp"

namespace tumble {

void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          FileName& value) {
  if (!node.is_scalar() || node.text.empty() || node.text.find('\0') != std::string::npos)
    context.wrong_kind(node, place, "the name of a file");
  else
    read_text(context, place, node, value.name);
}

std::optional<std::string> read_referenced_file(ReadContext& context, const Place& place,
                                                const Node& node, const std::string& name) {
  constexpr std::size_t most_bytes = std::size_t{256} << 20;
  std::string error;
  std::string content = read_regular_file(context.directory() / name, most_bytes, error);
  if (!error.empty()) {
    context.error(node, place, fmt::format("'{}'", printable(name)), error);
    return std::nullopt;
  }
  context.referenced_files[name] = sha256(content);
  return content;
}

}  // namespace tumble
