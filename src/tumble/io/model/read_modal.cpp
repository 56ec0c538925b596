// Flexible bodies and their nodes.
#include <fmt/format.h>

#include "tumble/io/model/entry_reader.hpp"
#include "tumble/io/model/referenced_file.hpp"

namespace tumble {

void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          ModalPart& value) {
  if (!node.is_mapping()) return context.wrong_kind(node, place, "a mapping");
  const std::size_t faults = context.faults();
  EntryReader entries(context, place, node);
  ModalPart::entries(value, entries);
  entries.finish();
  const Node* file = node.find("file");
  if (context.faults() != faults || file == nullptr) return;
  const Place at = place.child("file");
  const auto refuse = [&](const std::string& why) {
    context.error(*file, at, fmt::format("'{}'", printable(value.file.name)), why);
  };
  if (context.modal_file == nullptr)
    return refuse("files of flexible bodies cannot be read here: an FMU has rigid bodies only");
  // Its bytes are part of what a study is.
  if (!read_referenced_file(context, at, *file, value.file.name)) return;
  std::string error;
  ModalData data = context.modal_file(context.directory() / value.file.name, error);
  if (!error.empty()) return refuse(error);
  value.data = std::make_shared<const ModalData>(std::move(data));
}

void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          ModalNode& value) {
  if (!node.is_mapping()) return context.wrong_kind(node, place, "a mapping");
  EntryReader entries(context, place, node);
  ModalNode::entries(value, entries);
  entries.finish();
}

}  // namespace tumble
