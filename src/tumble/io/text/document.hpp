// A YAML file as a tree that remembers where everything was written.
//
// Built from yaml-cpp's events instead of its nodes, because the events let limits act while the
// file is read (a hostile file ends early, not late), duplicate keys are seen, and every value
// keeps its line.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "tumble/base/diagnostic.hpp"

namespace tumble {

/// Hard limits: a file beyond them is refused instead of read slowly.
struct DocumentLimits {
  std::size_t bytes = std::size_t{16} << 20;  ///< of the file
  std::size_t depth = 64;                     ///< of nested lists and mappings
  std::size_t nodes = 1'000'000;              ///< after aliases are expanded
  std::size_t scalar_bytes = 65'536;          ///< of one value or key
};

struct Node {
  enum class Kind { null, scalar, sequence, mapping };
  Kind kind = Kind::null;
  bool quoted = false;            ///< scalar: written in quotes or as a block
  int line = 0;                   ///< from 1
  int source = 0;                 ///< index into Document::sources
  std::string text;               ///< scalar
  std::vector<std::string> keys;  ///< mapping, in the order written
  std::vector<int> key_lines;     ///< mapping
  std::vector<Node> items;        ///< of a sequence, or the values of a mapping

  /// The value of a key of a mapping, or null.
  const Node* find(std::string_view key) const;
  Node* find(std::string_view key);
  bool is_scalar() const { return kind == Kind::scalar; }
  bool is_sequence() const { return kind == Kind::sequence; }
  bool is_mapping() const { return kind == Kind::mapping; }
};

struct Document {
  Node root;
  std::vector<std::string> sources;  ///< [0] is the file, others are overrides

  SourceLocation where(const Node& node) const { return where(node.source, node.line); }
  SourceLocation where(int source, int line) const {
    return {sources[static_cast<std::size_t>(source)], source == 0 ? line : 0};
  }
};

/// "nothing", "a value", "a list" or "a mapping", for messages.
std::string_view describe(Node::Kind kind);

/// A user's text made fit for a message: control characters replaced, long text cut.
std::string printable(std::string_view text);

/// Parses one YAML document. Mistakes that do not stop the parser (duplicate keys) are added to
/// `errors`; those that do are added and an empty document is returned.
Document parse_document(std::string_view text, const std::string& file_name,
                        std::vector<Diagnostic>& errors, const DocumentLimits& limits = {});

/// The tree as YAML text that parses to the same tree; the same tree always gives the same text.
std::string emit_yaml(const Node& root);

}  // namespace tumble
