#include "tumble/io/schema.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <variant>

#include "tumble/model/model.hpp"
#include "tumble/model/study.hpp"

namespace tumble {
namespace {

using Json = nlohmann::ordered_json;

const char* name_pattern = "^[A-Za-z_][A-Za-z0-9_-]*$";

Json shared(const char* name) { return {{"$ref", std::string("#/definitions/") + name}}; }

/// A number or an expression; YAML readers also take 1e-5 for a text.
Json number(Range range = Range::any) {
  Json json{{"type", {"number", "string"}}};
  if (range == Range::positive) json["exclusiveMinimum"] = 0;
  if (range == Range::non_negative || range == Range::fraction) json["minimum"] = 0;
  if (range == Range::fraction) json["maximum"] = 1;
  return json;
}

Json list(Json items, std::size_t least, std::size_t most) {
  Json json{{"type", "array"}, {"items", std::move(items)}};
  if (least > 0) json["minItems"] = least;
  if (most > 0) json["maxItems"] = most;
  return json;
}

Json words(const std::vector<std::string>& choices) { return {{"enum", choices}}; }

Json name() { return {{"type", "string"}, {"pattern", name_pattern}}; }

Json mapping(Json properties, std::vector<std::string> required) {
  Json json{{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) json["required"] = std::move(required);
  json["additionalProperties"] = false;
  return json;
}

Json named(Json element) {
  return {{"type", "object"},
          {"propertyNames", {{"pattern", name_pattern}, {"not", {{"const", "ground"}}}}},
          {"additionalProperties", std::move(element)}};
}

// What each type of field looks like.
Json schema_of(const Field& f, const double&) { return number(f.range); }
Json schema_of(const Field&, const int&) { return {{"type", {"integer", "string"}}}; }
Json schema_of(const Field&, const bool&) { return {{"type", "boolean"}}; }
Json schema_of(const Field&, const Vec3d&) { return shared("vector"); }
Json schema_of(const Field& f, const std::array<double, 6>&) {
  return f.name == "inertia" ? shared("inertia") : list(number(), 6, 6);
}
Json schema_of(const Field& f, const std::vector<double>&) {
  return f.unit.find(',') != f.unit.npos ? shared("matrix") : list(number(), 1, 0);
}
Json schema_of(const Field&, const std::array<Vec3d, 2>&) { return list(shared("vector"), 2, 2); }
Json schema_of(const Field&, const Orientation&) { return shared("orientation"); }
Json schema_of(const Field&, const Shape&) { return shared("shape"); }
Json schema_of(const Field&, const Table&) { return shared("table"); }
Json schema_of(const Field& f, const Characteristic&) {
  return {{"oneOf", {number(f.range), shared("characteristic")}}};
}
Json schema_of(const Field&, const Motions&) { return shared("motions"); }
Json schema_of(const Field&, const MotionSet&) {
  Json json = list(words({motion_names.begin(), motion_names.end()}), 0, 6);
  json["uniqueItems"] = true;
  return json;
}
Json schema_of(const Field&, const BodyRef&) { return name(); }
Json schema_of(const Field&, const JointRef&) { return name(); }
Json schema_of(const Field&, const ForceRef&) { return name(); }
Json schema_of(const Field&, const DriveRef&) { return name(); }
Json schema_of(const Field&, const std::array<MarkerRef, 2>&) {
  return list(
      {{"type", "string"}, {"pattern", "^[A-Za-z_][A-Za-z0-9_-]*(\\.[A-Za-z_][A-Za-z0-9_-]*)?$"}},
      2, 2);
}
Json schema_of(const Field&, const std::vector<DriveRef>&) { return list(name(), 1, 0); }
Json schema_of(const Field&, const Axes&) { return words({axes_names.begin(), axes_names.end()}); }
Json schema_of(const Field&, const std::vector<Quantity>&) {
  std::vector<std::string> names;
  for (const auto& q : quantity_table()) names.emplace_back(q.name);
  Json json = list(words(names), 1, 0);
  json["uniqueItems"] = true;
  return json;
}
Json schema_of(const Field&, const std::vector<Marker>&) { return named(shared("marker")); }
Json schema_of(const Field&, const FileName&) { return {{"type", "string"}, {"minLength", 1}}; }
Json schema_of(const Field&, const StudyMethod&) {
  return words({study_method_names.begin(), study_method_names.end()});
}
Json schema_of(const Field&, const QuantileMethod&) {
  return words({quantile_method_names.begin(), quantile_method_names.end()});
}
Json schema_of(const Field&, const StoredTrajectories&) {
  return {{"oneOf", {words({"none", "all"}), list({{"type", {"integer", "string"}}}, 0, 0)}}};
}
template <class T>
Json schema_of(const Field& f, const std::optional<T>&) {
  return schema_of(f, T{});
}

/// Visitor of fields() that collects properties.
class SchemaVisitor {
 public:
  template <class T>
  void operator()(const Field& field, const T& value) {
    Json json = schema_of(field, value);
    std::string text(field.doc);
    if (!field.unit.empty()) text += fmt::format(" [{}]", field.unit);
    // Draft-07 ignores what stands beside a $ref.
    if (json.contains("$ref")) json = {{"allOf", {std::move(json)}}};
    json["description"] = text;
    properties_[std::string(field.name)] = std::move(json);
    if (field.required) required_.emplace_back(field.name);
  }
  void add_type(std::string_view type) {
    properties_["type"] = {{"const", type}};
    required_.emplace_back("type");
  }
  Json result(std::string_view doc) {
    Json json{{"description", doc}};
    json.update(mapping(std::move(properties_), std::move(required_)));
    return json;
  }

 private:
  Json properties_ = Json::object();
  std::vector<std::string> required_;
};

template <class T>
Json struct_schema() {
  SchemaVisitor visitor;
  const T value{};
  T::fields(value, visitor);
  return visitor.result(T::doc);
}

template <class Kind>
Json kind_schema() {
  SchemaVisitor visitor;
  visitor.add_type(Kind::type);
  const Kind value{};
  Kind::fields(value, visitor);
  return visitor.result(Kind::doc);
}

/// Elements whose `type` chooses their fields: an if-then per type, so that an editor reports the
/// mistakes of the chosen type only.
template <class... Kinds>
Json variant_schema(const std::variant<Kinds...>*) {
  Json json{{"type", "object"},
            {"properties", {{"type", words({std::string(Kinds::type)...})}}},
            {"required", {"type"}}};
  Json cases = Json::array();
  (cases.push_back({{"if", {{"properties", {{"type", {{"const", Kinds::type}}}}}}},
                    {"then", kind_schema<Kinds>()}}),
   ...);
  json["allOf"] = std::move(cases);
  return named(std::move(json));
}

Json definitions() {
  const Json numbers3 = list(number(), 3, 3), numbers4 = list(number(), 4, 4);
  const Json positive = number(Range::positive);
  const auto solid = [](const char* key, Json properties, std::vector<std::string> required) {
    return mapping({{key, mapping(std::move(properties), std::move(required))}}, {key});
  };
  Json motions = Json::object();
  for (const auto& motion : motion_names) motions[std::string(motion)] = name();
  Json table{{"oneOf",
              {{{"type", "string"}},
               mapping({{"x", list(number(), 2, 0)}, {"y", list(number(), 2, 0)}}, {"x", "y"})}}};
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
          solid("sphere", {{"radius", positive}, {"density", positive}}, {"radius"})}}}},
      {"table", table},
      {"characteristic",
       {{"oneOf",
         {mapping({{"polynomial", list(number(), 1, 0)}}, {"polynomial"}),
          mapping({{"odd_polynomial", list(number(), 1, 0)}}, {"odd_polynomial"}),
          mapping({{"table", shared("table")}, {"interpolation", words({"cubic", "linear"})}},
                  {"table"})}}}},
      {"motions", mapping(std::move(motions), {})},
      {"marker", struct_schema<Marker>()},
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
                         {"bodies", named(struct_schema<Body>())},
                         {"joints", variant_schema(static_cast<const JointKind*>(nullptr))},
                         {"forces", variant_schema(static_cast<const ForceKind*>(nullptr))},
                         {"drives", variant_schema(static_cast<const DriveKind*>(nullptr))},
                         {"probes", named(struct_schema<Probe>())},
                         {"simulation", struct_schema<Simulation>()},
                         {"study", struct_schema<Study>()}},
                        {"bodies", "simulation"}));
  schema["definitions"] = definitions();
  return schema.dump(2) + "\n";
}

}  // namespace tumble
