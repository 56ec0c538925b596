// Writes a Node tree as YAML: mappings in block style, lists of plain values on one line.
#include <algorithm>

#include "tumble/io/text/document.hpp"

namespace tumble {
namespace {

/// Text that reads back as the same plain scalar wherever it stands.
bool safe_plain(const std::string& text) {
  if (text.empty() || text == "null" || text == "Null" || text == "NULL" || text == "~")
    return false;
  const auto letter_or_digit = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '(' || c == ')' || c == '/' || c == '^' || c == '+' || c == '$';
  };
  const bool number_like =
      text[0] == '-' && text.size() > 1 && (letter_or_digit(text[1]) || text[1] == '(');
  if (!letter_or_digit(text[0]) && !number_like) return false;
  if (text.back() == ' ') return false;
  return text != "..." && std::all_of(text.begin() + 1, text.end(), [&](char c) {
           return letter_or_digit(c) || c == '-' || c == '*' || c == ' ';
         });
}

std::string quoted(const std::string& text) {
  static const char* hex = "0123456789ABCDEF";
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (c == '\n') {
      result += "\\n";
    } else if (byte < 0x20 || byte == 0x7f) {
      result += "\\x";
      result += hex[byte >> 4];
      result += hex[byte & 15];
    } else {
      result += c;
    }
  }
  return result + "\"";
}

std::string scalar(const Node& node) {
  if (node.kind == Node::Kind::null) return "null";
  return node.quoted || !safe_plain(node.text) ? quoted(node.text) : node.text;
}

std::string key_text(const std::string& key) { return safe_plain(key) ? key : quoted(key); }

void emit_flow(const Node& node, std::string& out) {
  if (node.is_sequence()) {
    out += "[";
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      if (i > 0) out += ", ";
      emit_flow(node.items[i], out);
    }
    out += "]";
  } else if (node.is_mapping()) {
    out += "{";
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      if (i > 0) out += ", ";
      out += key_text(node.keys[i]) + ": ";
      emit_flow(node.items[i], out);
    }
    out += "}";
  } else {
    out += scalar(node);
  }
}

void emit_block(const Node& node, std::size_t indent, std::string& out) {
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const Node& item = node.items[i];
    out.append(indent, ' ');
    out += key_text(node.keys[i]) + ":";
    if (item.is_mapping() && !item.items.empty()) {
      out += "\n";
      emit_block(item, indent + 2, out);
    } else {
      out += " ";
      emit_flow(item, out);
      out += "\n";
    }
  }
}

}  // namespace

std::string emit_yaml(const Node& root) {
  std::string out;
  if (root.is_mapping() && !root.items.empty()) {
    emit_block(root, 0, out);
  } else {
    emit_flow(root, out);
    out += "\n";
  }
  return out;
}

}  // namespace tumble
