#include "tumble/io/model/override.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "tumble/io/model/model_sections.hpp"
#include "tumble/io/model/read_context.hpp"
#include "tumble/io/text/expression.hpp"

namespace tumble {
namespace {

struct Failure {
  std::string message;
  std::string suggestion;
};

/// A key, or an index into a list.
struct Step {
  std::string key;
  std::optional<std::size_t> index;
};

std::vector<Step> parse_path(std::string_view path) {
  std::vector<Step> steps;
  std::size_t at = 0;
  const auto bad = [&](std::string_view expected) {
    return Failure{fmt::format("expected {} at position {} of the path", expected, at + 1), {}};
  };
  for (bool first = true; at < path.size(); first = false) {
    if (path[at] == '[') {
      const auto end = path.find(']', at);
      const auto digits = path.substr(at + 1, end == path.npos ? path.npos : end - at - 1);
      const bool number =
          !digits.empty() && digits.size() <= 6 &&
          std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
      if (end == path.npos || !number || first) throw bad("a key or an index like [0]");
      steps.push_back({{}, std::stoul(std::string(digits))});
      at = end + 1;
      continue;
    }
    if (!first) {
      if (path[at] != '.') throw bad("'.' or '['");
      ++at;
    }
    const auto end = std::min(path.find_first_of(".[", at), path.size());
    if (end == at) throw bad("a key");
    steps.push_back({std::string(path.substr(at, end - at)), {}});
    at = end;
  }
  if (steps.empty()) throw bad("a key");
  return steps;
}

std::string text_of(const Step& step) {
  return step.index ? "[" + std::to_string(*step.index) + "]" : "." + step.key;
}

/// Names in `uncertainty` may be parameter paths: their steps become one key. Where none of the
/// names there begins the path, but a section does, all of the path is a new name.
void join_variable_name(std::vector<Step>& steps, const Node& root) {
  if (steps.size() < 3 || steps[0].key != "uncertainty") return;
  const Node* section = root.find("uncertainty");
  std::string name = steps[1].key, longest;
  std::size_t end = 2;
  for (std::size_t i = 2;; ++i) {
    if (section != nullptr && section->find(name) != nullptr) {
      longest = name;
      end = i;
    }
    if (i == steps.size()) break;
    name += text_of(steps[i]);
  }
  if (longest.empty() && is_known_section(steps[1].key)) {
    longest = name;
    end = steps.size();
  }
  if (longest.empty()) return;
  steps[1].key = longest;
  steps.erase(steps.begin() + 2, steps.begin() + static_cast<std::ptrdiff_t>(end));
}

Node number_list(std::initializer_list<const char*> values) {
  Node list;
  list.kind = Node::Kind::sequence;
  for (const char* value : values) {
    Node item;
    item.kind = Node::Kind::scalar;
    item.text = value;
    list.items.push_back(item);
  }
  return list;
}

/// What a field that is a list stands for when the file leaves it out, so that its slots can be
/// set one by one.
std::optional<Node> default_list(const std::string& key) {
  if (key == "velocity" || key == "angular_velocity" || key == "gravity" || key == "force" ||
      key == "torque")
    return number_list({"0", "0", "0"});
  if (key == "prestress" || key == "damping") return number_list({"0", "0", "0", "0", "0", "0"});
  if (key == "orientation") return number_list({"1", "0", "0", "0"});
  return std::nullopt;
}

/// The six slots of an inertia given by 3 values or 3 rows.
void expand_inertia(Node& node) {
  if (!node.is_sequence() || node.items.size() != 3) return;
  Node six = number_list({"0", "0", "0", "0", "0", "0"});
  for (auto& item : six.items) item.line = node.line;
  six.line = node.line;
  six.source = node.source;
  const bool rows = std::all_of(node.items.begin(), node.items.end(), [](const Node& row) {
    return row.is_sequence() && row.items.size() == 3;
  });
  for (std::size_t i = 0; i < 3; ++i) six.items[i] = rows ? node.items[i].items[i] : node.items[i];
  if (rows) {
    six.items[3] = node.items[0].items[1];
    six.items[4] = node.items[0].items[2];
    six.items[5] = node.items[1].items[2];
  }
  node = std::move(six);
}

/// The item of a list that a parameter slot is called by: rows of a matrix are counted through,
/// and the form of an orientation is not part of the path.
Node* item_of(Node& node, std::size_t index, bool more_indices) {
  if (node.is_mapping()) {
    for (const char* form : {"quaternion", "rotation_vector", "euler"})
      if (Node* list = node.find(form)) return item_of(*list, index, more_indices);
    Node* axis = index < 3 ? node.find("x") : node.find("y");
    return axis != nullptr && axis->is_sequence() ? item_of(*axis, index % 3, more_indices)
                                                  : nullptr;
  }
  if (!node.is_sequence()) return nullptr;
  const bool rows = !node.items.empty() && node.items[0].is_sequence() && !more_indices;
  if (!rows) return index < node.items.size() ? &node.items[index] : nullptr;
  for (auto& row : node.items) {
    if (index < row.items.size()) return &row.items[index];
    index -= row.items.size();
  }
  return nullptr;
}

bool holds_elements(const std::vector<Step>& steps, std::size_t depth) {
  if (depth == 1) return !element_word(steps[0].key).empty() || steps[0].key == "constants";
  return steps[depth - 1].key == "markers" || steps[depth - 1].key == "parts";
}

void set_source(Node& node, int source) {
  node.source = source;
  node.line = 0;
  for (auto& item : node.items) set_source(item, source);
}

/// The node a path leads to. Nodes it makes on the way are marked as coming from `source`.
Node& descend(Node& root, const std::vector<Step>& steps, int source) {
  Node* node = &root;
  for (std::size_t d = 0; d < steps.size(); ++d) {
    const Step& step = steps[d];
    const bool next_is_index = d + 1 < steps.size() && steps[d + 1].index.has_value();
    if (step.index) {
      if (steps[d - 1].key == "inertia" && !next_is_index) expand_inertia(*node);
      Node* item = item_of(*node, *step.index, next_is_index);
      if (item == nullptr)
        throw Failure{
            fmt::format("'{}' has no item [{}]", printable(steps[d - 1].key), *step.index), {}};
      node = item;
      continue;
    }
    if (d == 0 && !is_known_section(step.key))
      throw Failure{unknown_key("section", step.key, section_names()),
                    nearest_name(step.key, section_names())};
    if (node->kind == Node::Kind::null) node->kind = Node::Kind::mapping;
    if (!node->is_mapping())
      throw Failure{fmt::format("'{}' is not a mapping, it has no '{}'",
                                printable(d > 0 ? steps[d - 1].key : ""), printable(step.key)),
                    {}};
    Node* value = node->find(step.key);
    if (value == nullptr && d > 0 && holds_elements(steps, d))
      throw Failure{fmt::format("nothing is named '{}' in '{}'", printable(step.key),
                                printable(steps[d - 1].key)),
                    nearest_name(step.key, node->keys)};
    if (value == nullptr) {
      node->keys.push_back(step.key);
      node->key_lines.push_back(0);
      value = &node->items.emplace_back();
      if (next_is_index) {
        auto list = default_list(step.key);
        if (!list)
          throw Failure{fmt::format("'{}' is not given, it has no items", printable(step.key)), {}};
        *value = *list;
      }
      set_source(*value, source);
    }
    node = value;
  }
  return *node;
}

}  // namespace

void apply_override(Document& document, const std::string& override_text,
                    std::vector<Diagnostic>& errors) {
  const std::string name = "override " + printable(override_text);
  const auto report = [&](std::string message, std::string suggestion = {}) {
    Diagnostic d;
    d.where = {name, 0};
    d.expectation = std::move(message);
    d.suggestion = std::move(suggestion);
    errors.push_back(std::move(d));
  };
  const auto equals = override_text.find('=');
  if (equals == std::string::npos) {
    report("must have the form PATH=VALUE");
    return;
  }
  try {
    auto steps = parse_path(std::string_view(override_text).substr(0, equals));
    join_variable_name(steps, document.root);
    const std::size_t errors_before = errors.size();
    Document value =
        parse_document(std::string_view(override_text).substr(equals + 1), name, errors);
    if (errors.size() > errors_before) {
      for (std::size_t i = errors_before; i < errors.size(); ++i) errors[i].where.line = 0;
      return;
    }
    const int source = static_cast<int>(document.sources.size());
    set_source(value.root, source);
    // On a copy, so that a path that leads nowhere leaves no half-made keys behind.
    Node changed = document.root;
    descend(changed, steps, source) = std::move(value.root);
    document.root = std::move(changed);
    document.sources.push_back(name);
  } catch (const Failure& failure) {
    report(failure.message, failure.suggestion);
  }
}

}  // namespace tumble
