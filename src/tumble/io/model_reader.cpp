#include "tumble/io/model_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <type_traits>

#include "tumble/base/read_file.hpp"
#include "tumble/io/machine_reader.hpp"
#include "tumble/io/model/entry_reader.hpp"
#include "tumble/io/model/model_sections.hpp"
#include "tumble/io/model/override.hpp"
#include "tumble/io/model/read_described.hpp"
#include "tumble/io/model/read_study_sections.hpp"
#include "tumble/io/model/variant_names.hpp"
#include "tumble/io/table/csv_table.hpp"
#include "tumble/io/text/constants.hpp"
#include "tumble/model/compile/frames.hpp"
#include "tumble/model/composite.hpp"
#include "tumble/model/expand_probes.hpp"
#include "tumble/model/node_frames.hpp"
#include "tumble/model/settle_nodes.hpp"

namespace tumble {

const std::vector<std::string>& section_names() {
  static const std::vector<std::string> names{
      "title",  "constants",  "gravity",    "ground",      "bodies", "beams",
      "joints", "couplers",   "forces",     "drives",      "states", "events",
      "probes", "quantities", "simulation", "uncertainty", "study",  "identification"};
  return names;
}

bool is_known_section(const std::string& key) {
  const auto& names = section_names();
  return std::find(names.begin(), names.end(), key) != names.end();
}

std::string element_word(const std::string& section) {
  if (section == "bodies") return "body";
  if (section == "quantities") return "quantity";
  for (const char* name :
       {"beams", "joints", "couplers", "forces", "drives", "states", "events", "probes"})
    if (section == name) return section.substr(0, section.size() - 1);
  return {};
}

namespace {

constexpr std::size_t most_elements = 10'000;

class ModelReader {
 public:
  ModelReader(ReadContext& context, Model& model, std::vector<QuantityOfInterest>& quantities)
      : context_(context), model_(model), quantities_(quantities) {}

  void read_root(const Node& root) {
    const Place top{};
    context_.record("", root);
    EntryReader entries(context_, top, root);
    const Entry title{"title", "", ""};
    if (const Node* node = entries.find(title))
      read_text(context_, entries.place(title), *node, model_.title);
    entries.know("constants");
    entries.know("$schema");
    entries(Entry{"gravity", "m/s^2", ""}, model_.gravity);
    if (const Node* node = entries.find({"ground", "", ""})) read_ground(*node);
    elements(
        entries, "bodies", "body", model_.bodies,
        [this](Body& body, const Place& base, const Node& node) { read_body(body, base, node); });
    settle_nodes(model_);
    elements(
        entries, "beams", "beam", model_.beams,
        [this](Beam& beam, const Place& base, const Node& node) { read_beam(beam, base, node); });
    kinds(entries, "joints", "joint", model_.joints);
    kinds(entries, "couplers", "coupler", model_.couplers);
    kinds(entries, "forces", "force", model_.forces);
    kinds(entries, "drives", "drive", model_.drives);
    elements(entries, "states", "state", model_.states,
             [this](StateVariable& state, const Place& base, const Node& node) {
               read_fields(state, base, node);
             });
    elements(entries, "events", "event", model_.events,
             [this](Event& event, const Place& base, const Node& node) {
               read_fields(event, base, node);
             });
    elements(entries, "probes", "probe", model_.probes,
             [this](Probe& probe, const Place& base, const Node& node) {
               read_fields(probe, base, node);
               // A target that cannot be read is not a missing one.
               for (const char* target :
                    {"body", "beam", "joint", "coupler", "force", "state", "system"})
                 if (context_.faulty(base.element, target)) context_.mark_faulty(base.element, "");
             });
    elements(entries, "quantities", "quantity", quantities_,
             [this](QuantityOfInterest& quantity, const Place& base, const Node& node) {
               read_described(context_, base, node, quantity);
             });
    const Entry simulation{"simulation", "", "", Range::any, true};
    if (const Node* node = entries.find(simulation)) {
      const Place base{"simulation", "simulation", {}, {}};
      if (node->is_mapping())
        read_fields(model_.simulation, base, *node);
      else
        context_.wrong_kind(*node, base, "a mapping");
    }
    if (const Node* node = root.find("simulation"); node == nullptr || !node->is_mapping()) {
      context_.mark_faulty("simulation", "duration");
      context_.mark_faulty("simulation", "step");
    }
    entries.know("uncertainty");
    entries.know("study");
    entries.know("identification");
    entries.finish();
  }

 private:
  template <class T>
  void read_fields(T& element, const Place& base, const Node& node) {
    EntryReader entries(context_, base, node);
    T::entries(element, entries);
    entries.finish();
  }

  void read_ground(const Node& node) {
    const Place base{{}, "ground", "ground", {}};
    if (!node.is_mapping()) {
      context_.wrong_kind(node, base, "a mapping");
      return;
    }
    EntryReader entries(context_, base, node);
    entries(Entry{"markers", "", ""}, model_.ground_markers);
    entries.finish();
  }

  void read_body(Body& body, const Place& base, const Node& node) {
    const Node* inertia = node.find("inertia");
    if (inertia != nullptr && inertia->is_scalar() && inertia->text == "none" &&
        node.find("parts") == nullptr)
      body.rotates = false;
    EntryReader entries(context_, base, node);
    Body::entries(body, entries);
    if (!body.rotates) {
      entries.know("inertia");
      for (const char* key : {"orientation", "angular_velocity"}) {
        entries.know(key);
        if (const Node* given = node.find(key))
          context_.error(*given, Place{base.element, {}, key, {}}, {},
                         "must be left out: a body with `inertia: none` is a point mass, which has "
                         "no rotation");
      }
    }
    entries.finish();
    if (node.find("modal") != nullptr || node.find("node") != nullptr) {
      read_flexible(body, base, node);
      return;
    }
    if (node.find("parts") != nullptr) {
      settle_composite(body, base, node);
      return;
    }
    read_position(body, base, node);
    const bool has_mass = node.find("mass") != nullptr,
               has_inertia = node.find("inertia") != nullptr;
    const auto missing = [&](const char* field, const char* unit) {
      context_.error(node, Place{base.element, {}, field, unit}, {},
                     "required unless the shape has a density");
    };
    const bool shape_faulty = context_.faulty(base.element, "shape");
    if (body.shape.density == 0 && !shape_faulty) {
      if (!has_mass) missing("mass", "kg");
      if (!has_inertia) missing("inertia", "kg m^2");
      return;
    }
    if (has_mass && body.shape.density != 0)
      context_.error(*node.find("mass"), Place{base.element, {}, "mass", "kg"}, {},
                     "must be left out: the shape has a density");
    const MassProperties solid = mass_properties(body.shape);
    if (shape_faulty || !(solid.mass > 0)) {
      // The shape's own mistake is reported; what would follow from it is not.
      context_.mark_faulty(base.element, "mass");
      if (!has_inertia) context_.mark_faulty(base.element, "inertia");
      return;
    }
    if (!has_mass) body.mass = solid.mass;
    if (!has_inertia) body.inertia = solid.inertia;
  }

  /// Of a flexible body mass, centre and inertia are those of its file; a node has none, and its
  /// place and motion are those of its flexible body.
  void read_flexible(Body& body, const Place& base, const Node& node) {
    const bool modal = node.find("modal") != nullptr;
    const auto refuse = [&](const char* field, const char* unit) {
      if (const Node* given = node.find(field); given && !context_.faulty(base.element, field))
        context_.error(*given, Place{base.element, {}, field, unit}, {},
                       modal ? "must be left out: the file of a flexible body has it"
                             : "must be left out: a node follows its flexible body");
      context_.mark_faulty(base.element, field);
    };
    refuse("mass", "kg");
    refuse("position", "m");
    refuse("inertia", "kg m^2");
    refuse("parts", "");
    if (!modal) {
      refuse("orientation", "");
      refuse("velocity", "m/s");
      refuse("angular_velocity", "rad/s");
      refuse("shape", "");
    } else if (body.shape.density != 0) {
      refuse("shape", "");
    }
    if (modal && node.find("node") != nullptr) refuse("node", "");
    settle_modal(body);
  }

  /// Mass, centre and inertia are those of the parts.
  void settle_composite(Body& body, const Place& base, const Node& node) {
    for (const auto& [field, unit] :
         {std::pair{"mass", "kg"}, {"position", "m"}, {"inertia", "kg m^2"}})
      if (const Node* given = node.find(field); given && !context_.faulty(base.element, field))
        context_.error(*given, Place{base.element, {}, field, unit}, {},
                       "must be left out: it follows from the parts");
    if (!body.parts.empty() && !context_.faulty(base.element, "parts")) settle_parts(body);
    // What would follow from mistakes of the parts is not reported.
    for (const char* field : {"mass", "position", "inertia"})
      context_.mark_faulty(base.element, field);
  }

  /// A mesh of a density that says where it is has the centre of mass too.
  void read_position(Body& body, const Place& base, const Node& node) {
    const Node* position = node.find("position");
    const Place place{base.element, {}, "position", "m"};
    if (body.shape.density == 0 || !body.shape.origin) {
      if (position == nullptr) context_.error(node, place, {}, "required but missing");
      return;
    }
    if (position != nullptr)
      context_.error(*position, place, {},
                     "must be left out: the mesh with its origin and density has it");
    else if (body.shape.mesh)
      body.position =
          *body.shape.origin + rotation_matrix(body.orientation) * body.shape.mesh->centre;
  }

  void read_beam(Beam& beam, const Place& base, const Node& node) {
    read_fields(beam, base, node);
    // A section whose key is misspelt is not a missing one.
    const Node* section = node.find("section");
    if (section != nullptr && section->is_mapping() && !section->keys.empty() &&
        beam.section.count() == 0)
      context_.mark_faulty(base.element, "section");
  }

  /// Reads each element of a section that maps names to mappings.
  template <class T, class Read>
  void elements(EntryReader& entries, std::string_view section, std::string_view word,
                std::vector<T>& list, const Read& read_one) {
    const Node* node = entries.find({section, "", ""});
    if (node == nullptr) return;
    const std::string key(section);
    if (!node->is_mapping()) {
      context_.wrong_kind(*node, Place{{}, key, key, {}}, "a mapping from names to elements");
      return;
    }
    if (node->items.size() > most_elements) {
      context_.error(*node, Place{{}, key, key, {}}, {},
                     fmt::format("has {} elements, at most {} are allowed", node->items.size(),
                                 most_elements));
      return;
    }
    list.reserve(node->items.size());
    for (std::size_t i = 0; i < node->items.size(); ++i) {
      const std::string& name = node->keys[i];
      const Node& item = node->items[i];
      const Place base{element_label(word, name), key + "." + name, {}, {}};
      context_.locations[base.path] = item.source == 0
                                          ? context_.document().where(0, node->key_lines[i])
                                          : context_.document().where(item);
      const auto where = context_.locations[base.path];
      if (!valid_name(name) || name == "ground" || !item.is_mapping())
        context_.mark_faulty({}, key);  // it may look empty now
      if (!valid_name(name)) {
        context_.error(where, base, {},
                       "the name must consist of letters, digits, '_' and '-' and begin with a "
                       "letter");
      } else if (name == "ground") {
        context_.error(where, base, {}, "the name 'ground' is reserved");
      } else if (!item.is_mapping()) {
        context_.unread.insert(name);
        context_.wrong_kind(item, base, "a mapping");
      } else {
        T element{};
        element.name = name;
        read_one(element, base, item);
        list.push_back(std::move(element));
      }
    }
  }

  /// The same for elements whose `type` says which entries they have.
  template <class T>
  void kinds(EntryReader& entries, std::string_view section, std::string_view word,
             std::vector<T>& list) {
    elements(entries, section, word, list, [&](T& element, const Place& base, const Node& node) {
      const auto names = type_names(element.kind);
      const Place place{base.element, base.path + ".type", "type", {}};
      const Node* type = node.find("type");
      if (type == nullptr) {
        context_.error(node, place, {}, "required but missing: " + one_of(names));
      } else if (const int i = read_choice(context_, place, *type, names); i >= 0) {
        emplace_type(names[static_cast<std::size_t>(i)], element.kind);
        Place labelled = base;
        if (word == "force")
          labelled.element = element_label(names[static_cast<std::size_t>(i)], element.name);
        std::visit(
            [&](auto& kind) {
              EntryReader reader(context_, labelled, node);
              reader.know("type");
              std::remove_reference_t<decltype(kind)>::entries(kind, reader);
              reader.finish();
            },
            element.kind);
        return;
      }
      context_.unread.insert(element.name);
      unread_elements_.insert(element.name);
    });
    std::erase_if(list, [&](const T& element) { return unread_elements_.contains(element.name); });
    unread_elements_.clear();
  }

  ReadContext& context_;
  Model& model_;
  std::vector<QuantityOfInterest>& quantities_;
  std::set<std::string> unread_elements_;
};

/// What check() finds, less what follows from mistakes of reading.
void add_check_errors(const Model& model, ReadContext& context) {
  for (auto& d : check(model)) {
    if (context.faulty(d.element, d.field)) continue;
    if (d.value.size() > 2 && d.value.front() == '\'' &&
        context.unread.contains(d.value.substr(1, d.value.size() - 2)))
      continue;
    context.errors().push_back(std::move(d));
  }
}

[[noreturn]] void refuse(std::vector<Diagnostic> errors, const std::string& file_name) {
  constexpr std::size_t most = 1000;
  std::stable_sort(errors.begin(), errors.end(), [&](const Diagnostic& a, const Diagnostic& b) {
    const bool a_here = a.where.file == file_name, b_here = b.where.file == file_name;
    if (a_here != b_here) return a_here;
    return a_here && a.where.line < b.where.line;
  });
  if (errors.size() > most) {
    Diagnostic rest;
    rest.where = {file_name, 0};
    rest.stands_for = 0;
    for (std::size_t i = most; i < errors.size(); ++i) rest.stands_for += errors[i].stands_for;
    rest.expectation = fmt::format("{} more mistakes are not listed", rest.stands_for);
    errors.resize(most);
    errors.push_back(rest);
  }
  throw InputError(std::move(errors));
}

}  // namespace

ModelFile::ModelFile()
    : quantities(std::make_shared<std::vector<QuantityOfInterest>>()),
      uncertainty(std::make_shared<Uncertainty>()) {}

ModelFile read_sections(std::string_view text, const std::string& file_name,
                        const std::vector<std::string>& overrides, const ReadersBeyond& beyond) {
  std::vector<Diagnostic> errors;
  Document document = parse_document(text, file_name, errors);
  const bool syntax_good = errors.empty();
  if (document.root.kind == Node::Kind::null && syntax_good) {
    Diagnostic d;
    d.where = {file_name, 0};
    d.expectation = "the file is empty";
    refuse({d}, file_name);
  }
  if (syntax_good && !document.root.is_mapping()) {
    Diagnostic d;
    d.where = document.where(document.root);
    d.expectation =
        fmt::format("a model file must be a mapping, found {}", describe(document.root.kind));
    refuse({d}, file_name);
  }
  if (!document.root.is_mapping()) refuse(std::move(errors), file_name);
  for (const auto& text_of_override : overrides) apply_override(document, text_of_override, errors);

  ReadContext context(document, std::filesystem::path(file_name).parent_path(), errors);
  context.results_table = beyond.results_table;
  context.modal_file = beyond.modal_file;
  Constants constants(document.root.find("constants"), context);
  context.scope = constants.scope();
  ModelFile result;
  auto quantities = std::make_shared<std::vector<QuantityOfInterest>>();
  auto uncertainty = std::make_shared<Uncertainty>();
  ModelReader(context, result.model, *quantities).read_root(document.root);
  result.model.locations = std::move(context.locations);
  attach_frames(result.model);
  add_check_errors(result.model, context);
  for (Diagnostic& clash : expand_probes(result.model)) errors.push_back(std::move(clash));
  if (beyond.study != nullptr)
    beyond.study({context, document.root, errors, *quantities, *uncertainty, result});
  if (!errors.empty()) refuse(std::move(errors), file_name);
  result.quantities = std::move(quantities);
  result.uncertainty = std::move(uncertainty);
  result.effective_yaml = emit_yaml(document.root);
  result.referenced_files.assign(context.referenced_files.begin(), context.referenced_files.end());
  return result;
}

std::string read_model_file(const std::filesystem::path& path) {
  std::string error;
  std::string text = read_file(path, DocumentLimits{}.bytes, error);
  if (!error.empty()) {
    Diagnostic d;
    d.where = {path.string(), 0};
    d.expectation = error;
    throw InputError({d});
  }
  return text;
}

std::string machine_text(std::string_view text) {
  std::vector<Diagnostic> errors;
  Node root = parse_document(text, "", errors).root;
  for (const char* section : {"quantities", "uncertainty", "study", "identification"}) {
    const auto found = std::ranges::find(root.keys, section);
    if (found == root.keys.end()) continue;
    const auto i = found - root.keys.begin();
    root.keys.erase(found);
    root.key_lines.erase(root.key_lines.begin() + i);
    root.items.erase(root.items.begin() + i);
  }
  return emit_yaml(root);
}

ModelFile read_machine_text(std::string_view text, const std::string& file_name) {
  return read_sections(text, file_name, {}, {});
}

}  // namespace tumble
