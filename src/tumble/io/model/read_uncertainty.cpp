#include "tumble/io/model/read_uncertainty.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tumble/io/model/read_body_laws.hpp"
#include "tumble/io/model/read_described.hpp"
#include "tumble/io/model/read_input_law.hpp"
#include "tumble/model/parameters.hpp"

namespace tumble {
namespace {

constexpr std::size_t most_variables = 10'000;
constexpr const char* correlation_key = "correlation";

class UncertaintyReader {
 public:
  UncertaintyReader(ReadContext& context, const Node& section, const Model& model,
                    Uncertainty& uncertainty)
      : context_(context),
        section_(section),
        model_(model),
        model_is_good_(context.errors().empty()),
        parameters_(model),
        result_(uncertainty) {
    for (const Body& body : model.bodies)
      if (!body.at_node) bodies_.emplace(body.name, &body);
    for (const Beam& beam : model.beams) beams_.insert(beam.name);
    for (const Force& force : model.forces)
      if (std::holds_alternative<Bushing>(force.kind)) bushings_.insert(force.name);
  }

  void read_section() {
    for (std::size_t i = 0; i < section_.items.size(); ++i) {
      const std::string& name = section_.keys[i];
      const Node& node = section_.items[i];
      const Place base{element_label("uncertainty", name), "uncertainty." + name, {}, {}};
      context_.locations[base.path] = node.source == 0
                                          ? context_.document().where(0, section_.key_lines[i])
                                          : context_.document().where(node);
      if (name == correlation_key) continue;  // once all variables are known
      if (!node.is_mapping())
        context_.wrong_kind(node, base, "a mapping");
      else if (is_bushing(name, node))
        read_bushing(name, base, node);
      else if (bodies_.contains(name) || (context_.unread.contains(name) && !node.find("law")))
        read_body(name, base, node);
      else if (beams_.contains(name))
        read_beam(name, base, node);
      else if (node.find("property"))
        read_shared_field(name, base, node);
      else
        read_scalar(name, base, node);
    }
    refuse_slots_of_two_variables();
    if (const Node* node = section_.find(correlation_key)) read_correlations(*node);
  }

 private:
  void read_body(const std::string& name, const Place& base, const Node& node) {
    if (const Node* law = node.find("law")) {
      context_.error(*law, Place{base.element, base.path + ".law", "law", {}}, {},
                     fmt::format("must be left out: {0} is a body. A law is for a parameter like "
                                 "bodies.{0}.mass",
                                 name));
      return;
    }
    BodyUncertainty law;
    law.body = name;
    if (const auto body = bodies_.find(name); body != bodies_.end())
      law.point_mass = !body->second->rotates;
    read_described(context_, base, node, law);
    if (node.items.empty())
      context_.error(node, base, {}, "must have mass, center_of_mass or inertia");
    if (const auto body = bodies_.find(name); body != bodies_.end() && body->second->node)
      context_.error(node, base, {}, "a node of a flexible body has nothing that could vary");
    check_matrix_variable(base, "modal_stiffness", node, law.modal_stiffness);
    const auto field = [&](const char* key) {
      return Place{base.element, base.path + "." + key, key, {}};
    };
    if (law.mass && !context_.faulty(base.element, "mass"))
      check_mass_law(context_, field("mass"), *node.find("mass"), *law.mass);
    if (law.inertia && !context_.faulty(base.element, "inertia")) {
      const auto body = bodies_.find(name);
      check_inertia_law(context_, field("inertia"), *node.find("inertia"), *law.inertia,
                        body == bodies_.end() ? nullptr : body->second);
    }
    result_.bodies.push_back(std::move(law));
  }

  /// Bodies and bushings may have the same name; what is asked for tells them apart.
  bool is_bushing(const std::string& name, const Node& node) const {
    if (!bushings_.contains(name) || node.find("law") != nullptr) return false;
    return (!bodies_.contains(name) && !beams_.contains(name)) ||
           node.find("stiffness") != nullptr || node.find("damping") != nullptr;
  }

  void read_bushing(const std::string& name, const Place& base, const Node& node) {
    BushingUncertainty law;
    law.bushing = name;
    read_described(context_, base, node, law);
    if (node.items.empty()) context_.error(node, base, {}, "must have stiffness or damping");
    check_matrix_variable(base, "stiffness", node, law.stiffness);
    check_matrix_variable(base, "damping", node, law.damping);
    result_.bushings.push_back(std::move(law));
  }

  void check_matrix_variable(const Place& base, const char* field, const Node& node,
                             const std::optional<MatrixUncertainty>& matrix) {
    if (!matrix || matrix->variable.empty() || valid_name(matrix->variable)) return;
    context_.error(*node.find(field)->find("variable"),
                   Place{base.element,
                         base.path + "." + field + ".variable",
                         std::string(field) + ".variable",
                         {}},
                   fmt::format("'{}'", printable(matrix->variable)),
                   "must consist of letters, digits, '_' and '-' and begin with a letter");
  }

  void read_beam(const std::string& name, const Place& base, const Node& node) {
    BeamUncertainty beam;
    beam.beam = name;
    read_described(context_, base, node, beam);
    if (node.items.empty())
      context_.error(
          node, base, {},
          "must have one of youngs_modulus, poisson_ratio, density, height, width and radius");
    result_.beams.push_back(std::move(beam));
  }

  void read_shared_field(const std::string& name, const Place& base, const Node& node) {
    SharedFieldInput field;
    field.name = name;
    if (!valid_name(name)) report_unknown(base, name, "a field needs a name of letters and digits");
    read_described(context_, base, node, field);
    if (field.of.empty()) context_.error(node, base, {}, "of must name at least one beam");
    result_.shared_fields.push_back(std::move(field));
  }

  void read_scalar(const std::string& name, const Place& base, const Node& node) {
    ScalarUncertainty variable;
    variable.name = name;
    const bool is_slot = parameters_.find(name) >= 0;
    const bool has_name_of_its_own = !is_slot && valid_name(name);
    if (has_name_of_its_own && node.find("law") == nullptr && node.find("of") == nullptr) {
      report_unknown(base, name,
                     "names no body and no parameter; a variable with a name of its "
                     "own needs law and of");
      return;
    }
    if (!is_slot && !has_name_of_its_own && model_is_good_) {
      if (const std::string why = why_of_parts(name); !why.empty())
        context_.error(context_.locations[base.path], base, {}, why);
      else
        report_unknown(base, name, "no parameter has this name");
      return;
    }
    Place measured = base;
    measured.unit = unit_of(name, node);
    if (!read_input_law(context_, measured, node, {"of"}, variable.law)) return;
    if (has_name_of_its_own) {
      read_slots(base, node, variable.paths);
    } else {
      variable.paths = {name};
      if (const Node* of = node.find("of"))
        context_.error(*of, of_place(base), {},
                       "must be left out: the name is that of a parameter. A variable that drives "
                       "several has a name of its own");
    }
    result_.scalars.push_back(std::move(variable));
    scalar_nodes_.push_back(&node);
  }

  /// Of the parameter that is the variable, or of the first that follows it.
  std::string_view unit_of(const std::string& name, const Node& node) const {
    int slot = parameters_.find(name);
    const Node* of = node.find("of");
    if (slot < 0 && of != nullptr && !of->items.empty()) slot = parameters_.find(of->items[0].text);
    return slot < 0 ? std::string_view{} : parameters_.slots()[static_cast<std::size_t>(slot)].unit;
  }

  void read_slots(const Place& base, const Node& node, std::vector<std::string>& paths) {
    const Place place = of_place(base);
    const Node* of = node.find("of");
    if (of == nullptr) {
      context_.error(node, place, {}, "required but missing: the parameters that take its value");
      return;
    }
    const std::size_t faults = context_.faults();
    read(context_, place, Entry{"of", "", ""}, *of, paths);
    if (context_.faults() > faults) return;
    if (paths.empty()) context_.error(*of, place, {}, "must name at least one parameter");
    for (std::size_t i = 0; model_is_good_ && i < paths.size(); ++i)
      if (parameters_.find(paths[i]) < 0) {
        const std::string why = why_of_parts(paths[i]);
        context_.error(
            of->items[i], place.item(i), fmt::format("'{}'", printable(paths[i])),
            why.empty() ? "no parameter has this name" : why,
            why.empty() ? context_.suggest(paths[i], [this] { return slot_names(); }) : "");
      }
  }

  /// Why a number of a body with parts is no parameter; empty if that is not the reason.
  std::string why_of_parts(const std::string& path) const {
    if (!path.starts_with("bodies.")) return {};
    const auto end = std::min(path.find('.', 7), path.size());
    const auto body = bodies_.find(path.substr(7, end - 7));
    if (body == bodies_.end() || body->second->parts.empty()) return {};
    const std::string field = path.substr(end);
    if (body->second->parts_fixed)
      return field.starts_with(".parts.")
                 ? fmt::format(
                       "cannot vary beside the law of the body '{}', of which its parts are "
                       "the mean: give laws to numbers of parts, or one to the body",
                       body->first)
                 : std::string{};
    for (const char* follows : {".mass", ".position[", ".inertia["})
      if (field.starts_with(follows))
        return fmt::format(
            "follows from the parts of the body: give laws to numbers of theirs, "
            "such as bodies.{}.parts.{}.{}, or one to the body, as in {}: {{mass: "
            "{{cv: 0.1}}}}",
            body->first, body->second->parts.front().name,
            body->second->parts.front().density ? "density" : "mass", body->first);
    return {};
  }

  /// A slot takes one value: it must not follow two laws.
  void refuse_slots_of_two_variables() {
    std::map<std::string, std::string> followed;  // slot -> variable
    for (const BodyUncertainty& body : result_.bodies)
      for (const RandomSlot& slot : random_slots(body)) followed.emplace(slot.path, slot.variable);
    for (std::size_t k = 0; k < result_.scalars.size(); ++k) {
      const ScalarUncertainty& scalar = result_.scalars[k];
      const Place base{
          element_label("uncertainty", scalar.name), "uncertainty." + scalar.name, {}, {}};
      const bool is_slot = scalar.paths == std::vector{scalar.name};
      const Node* of = is_slot ? nullptr : scalar_nodes_[k]->find("of");
      for (std::size_t i = 0; i < scalar.paths.size(); ++i) {
        const std::string& path = scalar.paths[i];
        const auto [first, is_new] = followed.emplace(path, scalar.name);
        if (is_new) continue;
        const bool scaled = first->second.ends_with(".mass") && path.find(".inertia[") != path.npos;
        const std::string why = first->second == scalar.name
                                    ? "is given twice"
                                    : fmt::format("varies already, with '{}'{}", first->second,
                                                  scaled ? ", which scales the inertia" : "");
        if (of == nullptr)
          context_.error(context_.locations[base.path], base, {}, "this parameter " + why);
        else
          context_.error(of->items[i], of_place(base).item(i), fmt::format("'{}'", path), why);
      }
    }
  }

  void read_correlations(const Node& node) {
    const Place base{correlation_key, std::string("uncertainty.") + correlation_key, {}, {}};
    if (node.is_sequence()) {
      for (std::size_t i = 0; i < node.items.size(); ++i) {
        const Place item{fmt::format("{}[{}]", correlation_key, i), base.item(i).path, {}, {}};
        context_.record(item.path, node.items[i]);
        read_correlation(item, node.items[i]);
      }
    } else {
      read_correlation(base, node);
    }
  }

  void read_correlation(const Place& base, const Node& node) {
    if (!node.is_mapping()) {
      context_.wrong_kind(node, base, "a mapping with variables and matrix, or a list of such");
      return;
    }
    if (bodies_.contains(correlation_key) && node.find("variables") == nullptr &&
        node.find("matrix") == nullptr) {
      context_.error(node, base, {},
                     "this name is reserved for the dependence of variables; a body needs another "
                     "name to get a law");
      return;
    }
    CorrelationInput correlation;
    read_described(context_, base, node, correlation);
    if (!context_.faulty(base.element, "variables"))
      check_variables(base, *node.find("variables"), correlation.variables);
    if (!context_.faulty(base.element, "variables") && !context_.faulty(base.element, "matrix"))
      check_matrix(base, *node.find("matrix"), correlation.matrix, correlation.variables);
    result_.correlations.push_back(std::move(correlation));
  }

  void check_variables(const Place& base, const Node& node, const std::vector<std::string>& names) {
    const Place place{base.element, base.path + ".variables", "variables", {}};
    if (names.size() < 2)
      context_.error(node, place, {}, fmt::format("must be at least 2, found {}", names.size()));
    std::vector<std::string> known;
    for (const ScalarUncertainty& scalar : result_.scalars) known.push_back(scalar.name);
    for (const BodyUncertainty& body : result_.bodies)
      if (body.mass) known.push_back(mass_variable(body));
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto report = [&](const std::string& expectation, const std::string& suggestion = {}) {
        context_.error(node.items[i], place.item(i), fmt::format("'{}'", printable(names[i])),
                       expectation, suggestion);
      };
      if (bodies_.contains(names[i]))
        report(
            fmt::format("is a body; only single numbers can be correlated, like its random mass "
                        "under the name bodies.{}.mass",
                        names[i]));
      else if (std::find(known.begin(), known.end(), names[i]) != known.end()) {
        if (!correlated_.insert(names[i]).second)
          report("is correlated already; one matrix must hold all its correlations");
      } else if (section_.find(names[i]) == nullptr) {  // otherwise it has a mistake of its own
        report("no variable of this section has this name", context_.suggest(names[i], known));
      }
    }
  }

  /// A square matrix with a row for each variable, 1 on the diagonal, symmetric. That it is
  /// positive definite is found when the law is made.
  void check_matrix(const Place& base, const Node& node,
                    const std::vector<std::vector<double>>& matrix,
                    const std::vector<std::string>& names) {
    const std::size_t n = names.size();
    const Place place{base.element, base.path + ".matrix", "matrix", {}};
    const bool square =
        matrix.size() == n &&
        std::all_of(matrix.begin(), matrix.end(), [n](auto& row) { return row.size() == n; });
    if (!square) {
      context_.error(node, place, {},
                     fmt::format("must be {0} rows of {0} numbers, one for each variable", n));
      return;
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (matrix[i][i] != 1)
        context_.error(node.items[i], place.item(i).item(i), format_number(matrix[i][i]),
                       "must be 1, the correlation of a variable with itself");
      for (std::size_t j = 0; j < i; ++j) {
        const Place entry = place.item(i).item(j);
        if (matrix[i][j] != matrix[j][i])
          context_.error(
              node.items[i], entry, format_number(matrix[i][j]),
              fmt::format("must be equal to [{}][{}] = {}", j, i, format_number(matrix[j][i])));
        else if (!(std::abs(matrix[i][j]) < 1))
          context_.error(node.items[i], entry, format_number(matrix[i][j]),
                         "must lie strictly between -1 and 1" +
                             instead_of_full_correlation(matrix[i][j], names[i], names[j]));
      }
    }
  }

  /// What can be written in place of 1 or -1.
  std::string instead_of_full_correlation(double value, const std::string& a,
                                          const std::string& b) const {
    if (std::abs(value) != 1) return {};
    std::vector<std::string> parameters, masses;
    bool has[2] = {false, false}, has_mass[2] = {false, false};
    for (const ScalarUncertainty& scalar : result_.scalars) {
      if (scalar.name != a && scalar.name != b) continue;
      has[scalar.name == a] = true;
      for (const std::string& path : scalar.paths)  // YAML takes brackets for lists
        parameters.push_back(path.find('[') == path.npos ? path : '"' + path + '"');
    }
    for (const BodyUncertainty& body : result_.bodies) {
      const std::string variable = mass_variable(body);
      if (!body.mass || (variable != a && variable != b)) continue;
      has_mass[variable == a] = true;
      masses.push_back(body.body);
    }
    if (value == 1 && has[0] && has[1])
      return fmt::format(
          "; parameters that are to be equal follow one variable with a name of its own, "
          "{{law: ..., of: [{}]}}, which takes the place of both",
          fmt::join(parameters, ", "));
    if (value == 1 && has_mass[0] && has_mass[1])
      return fmt::format(
          "; masses that are to rise and fall together have one variable, as mass: {{cv: ..., "
          "variable: NAME}} of the bodies {}, which takes the place of both",
          fmt::join(masses, ", "));
    return fmt::format("; {}0.999 with of: normal_scores comes close to it", value < 0 ? "-" : "");
  }

  static std::string mass_variable(const BodyUncertainty& body) {
    if (!body.mass) return {};
    return body.mass->variable.empty() ? "bodies." + body.body + ".mass" : body.mass->variable;
  }

  void report_unknown(const Place& base, const std::string& name, const char* expectation) {
    if (context_.unread.contains(name)) return;
    const auto known = [this] {
      std::vector<std::string> names = slot_names();
      for (const Body& body : model_.bodies) names.push_back(body.name);
      return names;
    };
    context_.error(context_.locations[base.path], base, {}, expectation,
                   context_.suggest(name, known));
  }

  std::vector<std::string> slot_names() const {
    std::vector<std::string> names;
    for (const Slot& slot : parameters_.slots()) names.push_back(slot.path);
    return names;
  }

  static Place of_place(const Place& base) { return {base.element, base.path + ".of", "of", {}}; }

  ReadContext& context_;
  const Node& section_;
  const Model& model_;
  const bool model_is_good_;  // otherwise a parameter may be missing for another reason
  const ParameterTable parameters_;
  std::map<std::string, const Body*> bodies_;
  std::set<std::string> beams_, bushings_;
  std::set<std::string> correlated_;
  std::vector<const Node*> scalar_nodes_;  // one for each of result_.scalars
  Uncertainty& result_;
};

}  // namespace

void read_uncertainty(ReadContext& context, const Node& node, const Model& model,
                      Uncertainty& uncertainty) {
  const std::string key = "uncertainty";
  const Place place{{}, key, key, {}};
  const std::size_t faults = context.faults();
  if (!node.is_mapping())
    context.wrong_kind(node, place, "a mapping from bodies, parameters and variables to laws");
  else if (node.items.size() > most_variables)
    context.error(
        node, place, {},
        fmt::format("has {} entries, at most {} are allowed", node.items.size(), most_variables));
  else
    UncertaintyReader(context, node, model, uncertainty).read_section();
  if (context.faults() > faults) context.mark_faulty({}, key);
}

}  // namespace tumble
