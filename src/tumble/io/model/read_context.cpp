#include "tumble/io/model/read_context.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tumble {
namespace {

std::string field_root(const std::string& field) {
  return field.substr(0, field.find_first_of(".["));
}

}  // namespace

void ReadContext::error(SourceLocation where, const Place& place, std::string value,
                        std::string expectation, std::string suggestion) {
  mark_faulty(place.element, place.field);
  Diagnostic d;
  d.where = std::move(where);
  d.element = place.element;
  d.field = place.field;
  d.value = std::move(value);
  d.unit = std::string(place.unit);
  d.expectation = std::move(expectation);
  d.suggestion = std::move(suggestion);
  errors_.push_back(std::move(d));
}

void ReadContext::error(const Node& node, const Place& place, std::string value,
                        std::string expectation, std::string suggestion) {
  error(document_.where(node), place, std::move(value), std::move(expectation),
        std::move(suggestion));
}

void ReadContext::wrong_kind(const Node& node, const Place& place, std::string_view expected) {
  std::string found(describe(node.kind));
  if (node.is_scalar()) found = fmt::format("'{}'", printable(node.text));
  error(node, place, {}, fmt::format("must be {}, found {}", expected, found));
}

bool ReadContext::faulty(const std::string& element, const std::string& field) const {
  return faulty_.contains({element, field_root(field)});
}

void ReadContext::mark_faulty(const std::string& element, const std::string& field) {
  faulty_.emplace(element, field_root(field));
  ++faults_;
}

void ReadContext::record(const std::string& path, const Node& node) {
  locations[path] = document_.where(node);
}

void ReadContext::record_item(const std::string& path, const Node& item, const Node& list) {
  if (item.line != list.line || item.source != list.source) record(path, item);
}

bool valid_name(std::string_view name) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !name.empty() && name.size() <= 100 && letter(name[0]) &&
         std::all_of(name.begin(), name.end(),
                     [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '-'; });
}

std::string element_label(std::string_view kind, std::string_view name) {
  return fmt::format("{} '{}'", kind, printable(name));
}

namespace {

std::string listed(const std::vector<std::string>& names, const char* last) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? last : ", ";
    text += names[i];
  }
  return text;
}

}  // namespace

std::string one_of(const std::vector<std::string>& names) { return listed(names, " or "); }
std::string all_of(const std::vector<std::string>& names) { return listed(names, " and "); }

std::string unknown_key(std::string_view kind, const std::string& key,
                        std::vector<std::string> known) {
  std::erase_if(known, [](const std::string& name) { return name.starts_with("$"); });
  const std::string text = fmt::format("unknown {} '{}'", kind, printable(key));
  if (known.empty()) return text;
  return fmt::format("{}; there {} {}", text, known.size() == 1 ? "is" : "are", all_of(known));
}

}  // namespace tumble
