#include "tumble/io/schema/schema.hpp"

#include <variant>

#include "tumble/io/schema/schema_entries.hpp"

namespace tumble {
namespace {

using namespace schema;

/// The fields of a kind that `key` chooses.
template <class Kind>
SchemaVisitor kind_fields(const char* key) {
  SchemaVisitor visitor;
  visitor.add(key, {{"const", Kind::type}}, true);
  const Kind value{};
  Kind::entries(value, visitor);
  return visitor;
}

/// A mapping in which the value of `key` chooses the other fields: an if-then per kind, so that an
/// editor reports the mistakes of the chosen kind only. `extend` adds keys that all kinds have.
template <class Extend, class... Kinds>
Json chosen_by(const char* key, const Extend& extend, const std::variant<Kinds...>*) {
  Json json{{"type", "object"},
            {"properties", {{key, words({std::string(Kinds::type)...})}}},
            {"required", {key}}};
  Json cases = Json::array();
  const auto add = [&]<class Kind>(const Kind*) {
    SchemaVisitor visitor = kind_fields<Kind>(key);
    extend(visitor);
    cases.push_back({{"if", {{"properties", {{key, {{"const", Kind::type}}}}}}},
                     {"then", visitor.result(Kind::doc)}});
  };
  (add(static_cast<const Kinds*>(nullptr)), ...);
  json["allOf"] = std::move(cases);
  return json;
}

/// Elements whose `type` chooses their fields.
template <class Variant>
Json elements_by_type(const Variant* kinds) {
  return named(chosen_by(
      "type", [](SchemaVisitor&) {}, kinds));
}

/// One key that names the kind, and its fields below. `extend` adds further keys.
template <class Extend, class... Kinds>
Json keyed_by_kind(const Extend& extend, const std::variant<Kinds...>*) {
  Json forms = Json::array();
  const auto add = [&]<class Kind>(const Kind*) {
    SchemaVisitor visitor;
    visitor.add(std::string(Kind::type), struct_schema<Kind>(), true);
    extend(visitor);
    forms.push_back(visitor.result(Kind::doc));
  };
  (add(static_cast<const Kinds*>(nullptr)), ...);
  return {{"oneOf", std::move(forms)}};
}

Json center_of_mass() {
  const auto sampler = [](SchemaVisitor& visitor) {
    const CentreUncertainty value{};
    CentreUncertainty::entries(value, visitor);
  };
  Json json = keyed_by_kind(sampler, static_cast<const Region*>(nullptr));
  json["description"] = CentreUncertainty::doc;
  return json;
}

/// Entries with a law are parameters and variables, those with a property are fields of several
/// beams, others are bodies, beams and bushings.
Json uncertainty() {
  const auto of = [](SchemaVisitor& visitor) {
    Json paths = list({{"type", "string"}}, 1, 0);
    paths["description"] = "parameter paths that take the value of the variable";
    visitor.add("of", std::move(paths), false);
  };
  const Json correlation = struct_schema<CorrelationInput>();
  return {{"type", "object"},
          {"properties", {{"correlation", {{"oneOf", {correlation, list(correlation, 1, 0)}}}}}},
          {"additionalProperties",
           {{"if", {{"required", {"law"}}}},
            {"then", chosen_by("law", of, static_cast<const InputLaw*>(nullptr))},
            {"else",
             {{"if", {{"required", {"property"}}}},
              {"then", struct_schema<SharedFieldInput>()},
              {"else",
               {{"anyOf",
                 {struct_schema<BodyUncertainty>(), struct_schema<BeamUncertainty>(),
                  struct_schema<BushingUncertainty>()}}}}}}}},
          {"description", "what varies from run to run"}};
}

/// A body has a position, or what gives it: parts, a mesh with origin and density, a file of
/// modes, or a node.
Json body_schema() {
  const Json mesh{{"required", {"mesh"}},
                  {"properties", {{"mesh", {{"required", {"origin", "density"}}}}}}};
  const Json by_mesh{{"required", {"shape"}}, {"properties", {{"shape", mesh}}}};
  Json json = struct_schema<Body>();
  json["anyOf"] =
      Json::array({Json{{"required", {"position"}}}, Json{{"required", {"parts"}}}, by_mesh,
                   Json{{"required", {"modal"}}}, Json{{"required", {"node"}}}});
  return json;
}

/// A beam has a material unless its section is given by stiffnesses.
Json beam_schema() {
  Json json = struct_schema<Beam>();
  Json always = Json::array();
  for (const Json& key : json["required"])
    if (key != "youngs_modulus" && key != "density") always.push_back(key);
  json["required"] = std::move(always);
  const Json shapeless{{"properties", {{"section", {{"required", {"stiffness"}}}}}}};
  json["anyOf"] = Json::array({Json{{"required", {"youngs_modulus", "density"}}}, shapeless});
  return json;
}

Json definitions() {
  const Json numbers3 = list(number(), 3, 3), numbers4 = list(number(), 4, 4);
  const Json positive = number(Range::positive);
  const auto solid = [](const char* key, Json properties, std::vector<std::string> required) {
    return mapping({{key, mapping(std::move(properties), std::move(required))}}, {key});
  };
  Json motions = Json::object();
  for (const auto& motion : motion_names) motions[std::string(motion)] = name();
  const Json text{{"type", "string"}};
  const Json choices{{"type", "object"},
                     {"additionalProperties", {{"type", {"string", "number", "integer"}}}}};
  Json table{{"oneOf",
              {text, mapping({{"file", text}, {"columns", list(text, 2, 2)}}, {"file"}),
               mapping({{"x", list(number(), 2, 0)}, {"y", list(number(), 2, 0)}}, {"x", "y"}),
               mapping({{"results", text}, {"variable", text}, {"at", choices}},
                       {"results", "variable"})}}};
  return {
      {"vector", numbers3},
      {"inertia", {{"oneOf", {numbers3, list(number(), 6, 6), list(list(number(), 3, 3), 3, 3)}}}},
      {"matrix",
       {{"oneOf",
         {list(number(), 6, 6), list(number(), 36, 36), list(list(number(), 6, 6), 6, 6)}}}},
      {"orientation",
       {{"oneOf",
         {numbers4, mapping({{"quaternion", numbers4}}, {"quaternion"}),
          mapping({{"rotation_vector", numbers3}}, {"rotation_vector"}),
          mapping({{"euler", numbers3}, {"sequence", {{"type", {"string", "integer"}}}}},
                  {"euler", "sequence"}),
          mapping({{"x", numbers3}, {"y", numbers3}}, {"x", "y"})}}}},
      {"shape",
       {{"oneOf",
         {solid("box", {{"size", list(positive, 3, 3)}, {"density", positive}}, {"size"}),
          solid("cylinder",
                {{"radius", positive},
                 {"length", positive},
                 {"axis", words({"x", "y", "z"})},
                 {"density", positive}},
                {"radius", "length"}),
          solid("sphere", {{"radius", positive}, {"density", positive}}, {"radius"}),
          solid("mesh",
                {{"file", {{"type", "string"}}},
                 {"scale", positive},
                 {"origin", numbers3},
                 {"density", positive}},
                {"file"})}}}},
      {"drawn_shape",
       mapping(
           {{"box", mapping({{"size", list(positive, 3, 3)}}, {"size"})},
            {"cylinder",
             mapping({{"radius", positive}, {"length", positive}, {"axis", words({"x", "y", "z"})}},
                     {"radius", "length"})},
            {"sphere", mapping({{"radius", positive}}, {"radius"})},
            {"mesh", mapping({{"file", {{"type", "string"}}}, {"scale", positive}}, {"file"})},
            {"position", numbers3},
            {"orientation", shared("orientation")}},
           {})},
      {"table", table},
      {"characteristic",
       {{"oneOf",
         {mapping({{"polynomial", list(number(), 1, 0)}}, {"polynomial"}),
          mapping({{"odd_polynomial", list(number(), 1, 0)}}, {"odd_polynomial"}),
          mapping({{"table", shared("table")}, {"interpolation", words({"cubic", "linear"})}},
                  {"table"})}}}},
      {"motions", mapping(std::move(motions), {})},
      {"marker", struct_schema<Marker>()},
      {"region", keyed_by_kind([](SchemaVisitor&) {}, static_cast<const Region*>(nullptr))},
      {"center_of_mass", center_of_mass()},
      {"law", chosen_by(
                  "law", [](SchemaVisitor&) {}, static_cast<const InputLaw*>(nullptr))},
  };
}

}  // namespace

std::string model_schema() {
  Json constants{{"type", "object"},
                 {"propertyNames", {{"pattern", "^[A-Za-z_][A-Za-z0-9_]*$"}}},
                 {"additionalProperties", number()},
                 {"description", "names for numbers, usable in every expression"}};
  Json gravity{{"allOf", {shared("vector")}}, {"description", "ground axes [m/s^2]"}};
  Json ground = mapping({{"markers", named(shared("marker"))}}, {});
  Json schema{{"$schema", "http://json-schema.org/draft-07/schema#"},
              {"title", "Tumble model file"}};
  schema.update(mapping({{"$schema", {{"type", "string"}}},
                         {"title", {{"type", {"string", "number"}}}},
                         {"constants", std::move(constants)},
                         {"gravity", std::move(gravity)},
                         {"ground", std::move(ground)},
                         {"bodies", named(body_schema())},
                         {"beams", named(beam_schema())},
                         {"joints", elements_by_type(static_cast<const JointKind*>(nullptr))},
                         {"couplers", elements_by_type(static_cast<const CouplerKind*>(nullptr))},
                         {"forces", elements_by_type(static_cast<const ForceKind*>(nullptr))},
                         {"drives", elements_by_type(static_cast<const DriveKind*>(nullptr))},
                         {"states", named(struct_schema<StateVariable>())},
                         {"events", named(struct_schema<Event>())},
                         {"probes", named(struct_schema<Probe>())},
                         {"quantities", named(struct_schema<QuantityOfInterest>())},
                         {"simulation", struct_schema<Simulation>()},
                         {"uncertainty", uncertainty()},
                         {"study", struct_schema<Study>()},
                         {"identification", struct_schema<Identification>()}},
                        {"simulation"}));
  schema["anyOf"] = Json::array({{{"required", {"bodies"}}}, {{"required", {"beams"}}}});
  schema["definitions"] = definitions();
  return schema.dump(2) + "\n";
}

}  // namespace tumble
