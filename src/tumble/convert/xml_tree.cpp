#include "tumble/convert/xml_tree.hpp"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

namespace tumble::convert {
namespace {

// Robots of a thousand links stay far below.
constexpr std::size_t most_bytes = 16 << 20, most_elements = 200'000;

/// What a message can show of any text.
std::string shown(std::string_view text) {
  std::string result;
  for (const char c : text.substr(0, 60)) result += c >= ' ' && c < 127 ? c : '?';
  return text.size() > 60 ? result + "..." : result;
}

// tinyxml2 refuses more than 100 levels, so recursion is bounded.
void copy_element(const tinyxml2::XMLElement& from, XmlElement& to, std::size_t& count) {
  ++count;
  to.name = from.Name();
  to.line = from.GetLineNum();
  for (const auto* a = from.FirstAttribute(); a != nullptr; a = a->Next())
    to.attributes.push_back({a->Name(), a->Value(), false});
  for (const auto* e = from.FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
    if (count >= most_elements) return;
    copy_element(*e, to.children.emplace_back(), count);
  }
}

std::string reason_of(const tinyxml2::XMLDocument& document) {
  switch (document.ErrorID()) {
    case tinyxml2::XML_ERROR_EMPTY_DOCUMENT:
      return "the file is empty";
    case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT:
      return "an element is not closed, or closed by another name";
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE:
      return "an attribute is not name=\"value\", or stands twice";
    case tinyxml2::XML_ERROR_PARSING_ELEMENT:
    case tinyxml2::XML_ERROR_PARSING:
      return "an element cannot be read";
    case tinyxml2::XML_ERROR_PARSING_TEXT:
      return "a text or an attribute has no end";
    case tinyxml2::XML_ERROR_PARSING_COMMENT:
      return "a comment has no end";
    case tinyxml2::XML_ERROR_PARSING_CDATA:
    case tinyxml2::XML_ERROR_PARSING_DECLARATION:
    case tinyxml2::XML_ERROR_PARSING_UNKNOWN:
      return "a declaration has no end or is out of place";
    case tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED:
      return "elements are nested more than 100 deep";
    default:
      return "no XML";
  }
}

std::size_t count_all(const XmlElement& element) {
  std::size_t n = 1;
  for (const XmlElement& child : element.children) n += count_all(child);
  return n;
}

}  // namespace

const std::string* XmlElement::find(std::string_view attribute) const {
  for (const XmlAttribute& a : attributes)
    if (a.name == attribute) {
      a.read = true;
      return &a.value;
    }
  return nullptr;
}

const XmlElement* XmlElement::child(std::string_view child_name) const {
  for (const XmlElement& e : children)
    if (e.name == child_name) {
      e.read = true;
      return &e;
    }
  return nullptr;
}

std::vector<const XmlElement*> XmlElement::all(std::string_view child_name) const {
  std::vector<const XmlElement*> found;
  for (const XmlElement& e : children)
    if (e.name == child_name) {
      e.read = true;
      found.push_back(&e);
    }
  return found;
}

XmlElement parse_xml(std::string_view text, const std::string& file) {
  const auto refuse = [&file](int line, const std::string& reason) {
    throw InputError({Diagnostic{{file, line}, "", "", "", "", reason, ""}});
  };
  if (text.size() > most_bytes) refuse(0, "more than 16 MiB");
  if (text.find('\0') != text.npos) refuse(0, "holds a byte 0: no XML text");
  tinyxml2::XMLDocument document;
  document.Parse(text.data(), text.size());
  if (document.Error()) refuse(std::max(document.ErrorLineNum(), 1), reason_of(document));
  const tinyxml2::XMLElement* root = document.RootElement();
  if (root == nullptr) refuse(1, "holds no XML element");
  XmlElement result;
  std::size_t count = 0;
  copy_element(*root, result, count);
  if (count >= most_elements) refuse(0, fmt::format("more than {} elements", most_elements));
  result.read = true;
  return result;
}

void mark_read(const XmlElement& element) {
  element.read = true;
  for (const XmlAttribute& a : element.attributes) a.read = true;
  for (const XmlElement& child : element.children) mark_read(child);
}

std::string label(const XmlElement& element) {
  for (const XmlAttribute& a : element.attributes)
    if (a.name == "name") return fmt::format("{} '{}'", shown(element.name), shown(a.value));
  return shown(element.name);
}

void Findings::error(int line, std::string element, std::string field, std::string value,
                     std::string expectation) {
  if (errors_.size() >= 100) return;
  errors_.push_back(Diagnostic{{file_, line},
                               std::move(element),
                               std::move(field),
                               shown(value),
                               "",
                               std::move(expectation),
                               ""});
}

void Findings::throw_if_failed() const {
  if (errors_.empty()) return;
  std::vector<Diagnostic> sorted = errors_;
  std::ranges::stable_sort(sorted, {}, [](const Diagnostic& d) { return d.where.line; });
  throw InputError(std::move(sorted));
}

std::vector<Note> Findings::take_notes() {
  std::ranges::stable_sort(notes_, {}, &Note::line);
  return std::move(notes_);
}

std::optional<std::vector<double>> Findings::parse(const std::string& text, int line,
                                                   std::string_view attribute,
                                                   const std::string& owner, std::size_t least,
                                                   std::size_t most) {
  const auto wrong = [&] {
    const std::string count =
        least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most);
    error(line, owner, std::string(attribute), text.empty() ? "''" : text,
          most == 1 ? "must be a finite number" : fmt::format("must be {} finite numbers", count));
    return std::nullopt;
  };
  std::vector<double> values;
  const char* next = text.data();
  const char* const end = next + text.size();
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  while (true) {
    while (next != end && is_space(*next)) ++next;
    if (next == end) break;
    if (*next == '+') ++next;  // from_chars takes no plus sign
    double value = 0;
    const auto [after, fault] = std::from_chars(next, end, value);
    if (fault != std::errc{} || !std::isfinite(value) || std::abs(value) > 1e100) return wrong();
    if (after != end && !is_space(*after)) return wrong();
    values.push_back(value);
    if (values.size() > most) return wrong();
    next = after;
  }
  if (values.size() < least) return wrong();
  return values;
}

std::optional<std::vector<double>> Findings::numbers(const XmlElement& element,
                                                     std::string_view attribute,
                                                     const std::string& owner, std::size_t least,
                                                     std::size_t most) {
  const std::string* text = element.find(attribute);
  if (text == nullptr) return std::nullopt;
  return parse(*text, element.line, attribute, owner, least, most);
}

std::optional<double> Findings::number(const XmlElement& element, std::string_view attribute,
                                       const std::string& owner) {
  const auto found = numbers(element, attribute, owner, 1, 1);
  return found ? std::optional((*found)[0]) : std::nullopt;
}

std::optional<Vec3d> Findings::vector(const XmlElement& element, std::string_view attribute,
                                      const std::string& owner) {
  const auto found = numbers(element, attribute, owner, 3, 3);
  return found ? std::optional(Vec3d{(*found)[0], (*found)[1], (*found)[2]}) : std::nullopt;
}

void Findings::list_unread(const XmlElement& root) {
  // Elements of one name beside each other are one note: a robot has hundreds of collision shapes.
  struct Group {
    int line = 0;
    std::size_t count = 0, inside = 0;
    std::string first;
  };
  std::map<std::string, Group> groups;
  for (const XmlElement& child : root.children) {
    if (child.read) {
      list_unread(child);
      continue;
    }
    Group& group = groups[child.name];
    if (group.count++ == 0) group.line = child.line, group.first = label(child);
    group.inside += count_all(child) - 1;
  }
  for (const auto& [name, group] : groups) {
    const std::string inside =
        group.inside > 0 ? fmt::format(", with what is in it ({})", group.inside) : "";
    const std::string what = group.count == 1 ? group.first
                                              : fmt::format("{} elements '{}', the first here",
                                                            group.count, shown(name));
    note(group.line, fmt::format("{} in {}{}", what, label(root), inside));
  }
  for (const XmlAttribute& a : root.attributes)
    if (!a.read)
      note(root.line, fmt::format("{}=\"{}\" of {}", shown(a.name), shown(a.value), label(root)));
}

}  // namespace tumble::convert
