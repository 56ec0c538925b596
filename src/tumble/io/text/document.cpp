#include "tumble/io/text/document.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>
#include <unordered_map>

#include "tumble/io/model/model_sections.hpp"
#include "tumble/io/text/text_scan.hpp"

namespace tumble {

const Node* Node::find(std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (keys[i] == key) return &items[i];
  return nullptr;
}

Node* Node::find(std::string_view key) {
  return const_cast<Node*>(static_cast<const Node*>(this)->find(key));
}

std::string_view describe(Node::Kind kind) {
  switch (kind) {
    case Node::Kind::null:
      return "nothing";
    case Node::Kind::scalar:
      return "a value";
    case Node::Kind::sequence:
      return "a list";
    case Node::Kind::mapping:
      break;
  }
  return "a mapping";
}

std::string printable(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string result;
  for (const char c : text.substr(0, longest))
    result += (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) ? '?' : c;
  if (text.size() > longest) {
    // Do not cut a UTF-8 sequence in two.
    while (!result.empty() && (static_cast<unsigned char>(text[result.size()]) & 0xC0) == 0x80)
      result.pop_back();
    result += "...";
  }
  return result;
}

namespace {

/// Thrown out of the parser's callbacks to stop it.
struct Stop {
  int line;
  std::string message;
  bool bad_key = false;
};

TextFault fault_of(const YAML::Exception& e, std::string_view text) {
  TextFault fault{e.mark.is_null() ? 0 : e.mark.line + 1, fmt::format("YAML syntax: {}", e.msg)};
  for (int line = 1; line < fault.line; ++line)
    text.remove_prefix(std::min(text.size(), text.find('\n') + 1));
  if (text.substr(0, text.find_first_not_of(" \t")).find('\t') != text.npos)
    fault.message += "; the line is indented with a tab, use spaces";
  return fault;
}

/// Hears everything and does nothing.
class Listener final : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}
};

std::optional<TextFault> syntax_fault(std::string_view text) {
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    Listener listener;
    while (parser.HandleNextDocument(listener)) {
    }
  } catch (const YAML::Exception& e) {
    return fault_of(e, text);
  }
  return std::nullopt;
}

std::size_t count_nodes(const Node& node) {
  std::size_t n = 1;
  for (const auto& item : node.items) n += count_nodes(item);
  return n;
}

std::size_t height(const Node& node) {
  std::size_t h = 0;
  for (const auto& item : node.items) h = std::max(h, height(item));
  return node.is_sequence() || node.is_mapping() ? h + 1 : 0;
}

class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(const std::string& file, const DocumentLimits& limits,
              std::vector<Diagnostic>& errors)
      : file_(file), limits_(limits), errors_(errors) {}

  Node take_root() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ > 0) throw Stop{line(mark), "a model file holds one YAML document, not two"};
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (expects_key()) throw Stop{line(mark), "a key must be a name, found nothing", true};
    add(make(Node::Kind::null, mark), anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (expects_key()) throw Stop{line(mark), "a key must be a name, found an alias", true};
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end())
      throw Stop{line(mark), "an alias must not stand inside the value it refers to"};
    spend(count_nodes(found->second), mark);
    if (frames_.size() + height(found->second) > limits_.depth) too_deep(mark);
    add(found->second, 0);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    check_tag(mark, tag);
    if (value.size() > limits_.scalar_bytes)
      throw Stop{line(mark), fmt::format("a value has {} bytes, at most {} are allowed",
                                         value.size(), limits_.scalar_bytes)};
    if (expects_key()) {
      add_key(mark, value);
      return;
    }
    Node node = make(Node::Kind::scalar, mark);
    node.text = value;
    node.quoted = tag == "!";
    add(std::move(node), anchor);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(Node::Kind::sequence, mark, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(Node::Kind::mapping, mark, tag, anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Frame {
    Node node;
    YAML::anchor_t anchor = 0;
    bool expects_key = false;
    bool skip = false;  ///< the value that follows belongs to a duplicate key
    std::unordered_map<std::string, int> seen;
  };

  static int line(const YAML::Mark& mark) { return mark.line + 1; }
  bool expects_key() const { return !frames_.empty() && frames_.back().expects_key; }
  [[noreturn]] void too_deep(const YAML::Mark& mark) const {
    throw Stop{line(mark),
               fmt::format("lists and mappings are nested more than {} deep", limits_.depth)};
  }
  static void check_tag(const YAML::Mark& mark, const std::string& tag) {
    if (!tag.empty() && tag != "?" && tag != "!")
      throw Stop{line(mark),
                 fmt::format("YAML tags are not supported, found '{}'", printable(tag))};
  }
  void spend(std::size_t nodes, const YAML::Mark& mark) {
    spent_ += nodes;
    if (spent_ > limits_.nodes)
      throw Stop{line(mark), fmt::format("the file holds more than {} values, aliases expanded",
                                         limits_.nodes)};
  }
  Node make(Node::Kind kind, const YAML::Mark& mark) {
    spend(1, mark);
    Node node;
    node.kind = kind;
    node.line = line(mark);
    return node;
  }
  void open(Node::Kind kind, const YAML::Mark& mark, const std::string& tag,
            YAML::anchor_t anchor) {
    check_tag(mark, tag);
    if (expects_key())
      throw Stop{line(mark), fmt::format("a key must be a name, found {}", describe(kind)), true};
    if (frames_.size() >= limits_.depth) too_deep(mark);
    Frame frame;
    frame.node = make(kind, mark);
    frame.anchor = anchor;
    frame.expects_key = kind == Node::Kind::mapping;
    frames_.push_back(std::move(frame));
  }
  void close() {
    Node node = std::move(frames_.back().node);
    const auto anchor = frames_.back().anchor;
    frames_.pop_back();
    add(std::move(node), anchor);
  }
  void add_key(const YAML::Mark& mark, const std::string& key) {
    Frame& frame = frames_.back();
    if (key == "<<") throw Stop{line(mark), "merge keys '<<' are not supported"};
    const auto [first, fresh] = frame.seen.emplace(key, line(mark));
    if (fresh) {
      frame.node.keys.push_back(key);
      frame.node.key_lines.push_back(line(mark));
    } else {
      Diagnostic d;
      d.where = {file_, line(mark)};
      d.element = element();
      d.expectation =
          fmt::format("duplicate key '{}', first given on line {}", printable(key), first->second);
      errors_.push_back(d);
      if (errors_.size() >= 100) throw Stop{line(mark), "too many duplicate keys"};
    }
    frame.skip = !fresh;
    frame.expects_key = false;
  }
  /// What the mapping being read belongs to: the element bodies.rb5 is "body 'rb5'".
  std::string element() const {
    if (frames_.size() < 3 || frames_[1].node.keys.empty()) return {};
    const std::string word = element_word(frames_[0].node.keys.back());
    if (word.empty() || !frames_[1].node.is_mapping()) return {};
    return fmt::format("{} '{}'", word, printable(frames_[1].node.keys.back()));
  }
  void add(Node node, YAML::anchor_t anchor) {
    if (anchor != 0) {
      spent_ += count_nodes(node);
      anchors_.insert_or_assign(anchor, node);
    }
    if (frames_.empty()) {
      root_ = std::move(node);
      return;
    }
    Frame& frame = frames_.back();
    // A list or mapping, and a missing value, is best found by its key.
    if (frame.node.is_mapping() && !frame.skip && !node.is_scalar())
      node.line = frame.node.key_lines.back();
    if (!frame.skip) frame.node.items.push_back(std::move(node));
    frame.skip = false;
    frame.expects_key = frame.node.is_mapping();
  }

  const std::string& file_;
  const DocumentLimits& limits_;
  std::vector<Diagnostic>& errors_;
  std::vector<Frame> frames_;
  std::unordered_map<YAML::anchor_t, Node> anchors_;
  Node root_;
  std::size_t spent_ = 0;
  int documents_ = 0;
};

}  // namespace

Document parse_document(std::string_view text, const std::string& file_name,
                        std::vector<Diagnostic>& errors, const DocumentLimits& limits) {
  Document document;
  document.sources = {file_name};
  const auto stop = [&](int line, std::string message) {
    Diagnostic d;
    d.where = {file_name, line};
    d.expectation = std::move(message);
    errors.push_back(std::move(d));
  };
  if (text.size() > limits.bytes) {
    stop(0,
         fmt::format("the file has {} bytes, at most {} are allowed", text.size(), limits.bytes));
    return document;
  }
  if (const auto fault = scan_text(text, limits.depth)) {
    stop(fault->line, fault->message);
    return document;
  }
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    TreeBuilder builder(file_name, limits, errors);
    while (parser.HandleNextDocument(builder)) {
    }
    document.root = builder.take_root();
  } catch (const Stop& s) {
    // An unclosed bracket at first looks like a list used as a key: prefer what the parser says.
    const auto fault = s.bad_key ? syntax_fault(text) : std::nullopt;
    stop(fault ? fault->line : s.line, fault ? fault->message : s.message);
  } catch (const YAML::Exception& e) {
    const TextFault fault = fault_of(e, text);
    stop(fault.line, fault.message);
  }
  return document;
}

}  // namespace tumble
