// What the parts of check() share: indices of names and a place to report to.
#pragma once
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "tumble/model/check/value_rules.hpp"
#include "tumble/model/compile/beam_shape.hpp"
#include "tumble/model/model.hpp"

namespace tumble {

/// An element as messages and paths call it.
struct ElementName {
  std::string path;   ///< "bodies.rb5"
  std::string label;  ///< "body 'rb5'"
};

class CheckContext {
 public:
  explicit CheckContext(const Model& checked);

  const Model& model;

  /// Reports a mistake in a field; the field may be empty for the element as a whole.
  void report(const ElementName& element, const std::string& field, std::string value,
              std::string_view unit, std::string expectation, std::string suggestion = {});

  /// Reports if `name` is not a body (or "ground", where that is allowed).
  void body_exists(const ElementName& element, const std::string& field, const std::string& name,
                   bool ground_allowed);
  void beam_exists(const ElementName& element, const std::string& field, const std::string& name);
  void drive_exists(const ElementName& element, const std::string& field, const std::string& name);

  /// An end of a joint or force element, resolved.
  struct End {
    bool good = false;
    std::string body;                ///< a body's name or "ground"
    const Marker* marker = nullptr;  ///< if the end is a marker
    std::optional<NodeRef> node;     ///< if it is a node of a beam; `body` is then the beam's name
  };
  /// Resolves both ends; reports unknown names, ends that lie on one body and, unless beams are
  /// allowed, nodes of beams.
  std::array<End, 2> ends(const ElementName& element, const std::array<MarkerRef, 2>& between,
                          bool beams_allowed = false);

  /// The nearest name of a list; empty once so many names were compared that looking on would take
  /// long.
  template <class T>
  std::string suggest(const std::string& name, const std::vector<T>& elements,
                      const std::string& prefix = {}) {
    if (comparisons_ > 200'000) return {};
    comparisons_ += elements.size() + 1;
    std::vector<std::string> known;
    for (const auto& element : elements) known.push_back(prefix + element.name);
    return nearest_name(name, known);
  }

  std::unordered_map<std::string, const Body*> bodies;
  std::unordered_map<std::string, const Beam*> beams;
  std::unordered_map<std::string, const Joint*> joints;
  std::unordered_map<std::string, const Coupler*> couplers;
  std::unordered_map<std::string, const Force*> forces;
  std::unordered_map<std::string, const Drive*> drives;
  std::unordered_map<std::string, const StateVariable*> states;
  std::vector<Diagnostic> found;

 private:
  std::size_t comparisons_ = 0;
  End resolve(const ElementName& element, const std::string& field, const MarkerRef& given);
};

ElementName name_of(const Body& body);
ElementName name_of(const Body& body, const Part& part);
ElementName name_of(const Beam& beam);
ElementName name_of(const Joint& joint);
ElementName name_of(const Coupler& coupler);
ElementName name_of(const Force& force);
ElementName name_of(const Drive& drive);
ElementName name_of(const Probe& probe);
ElementName name_of(const StateVariable& state);
ElementName name_of(const Event& event);

// The parts of check().
void check_numbers(CheckContext& context);
void check_names(CheckContext& context);
void check_bodies(CheckContext& context);
void check_modal_bodies(CheckContext& context);
void check_beams(CheckContext& context);
void check_joints(CheckContext& context);
void check_couplers(CheckContext& context);
void check_forces(CheckContext& context);
void check_drives(CheckContext& context);
void check_probes(CheckContext& context);
void check_point_masses(CheckContext& context);
void check_simulation(CheckContext& context);
void check_user_elements(CheckContext& context);
void check_states(CheckContext& context);
void check_events(CheckContext& context);
void check_expression_force(CheckContext& context, const ElementName& element,
                            const ExpressionForce& force);
void check_expression_drive(CheckContext& context, const ElementName& element,
                            const ExpressionDrive& drive);

using Ends = std::array<CheckContext::End, 2>;

/// Used by several parts.
/// A name that can be part of a path, is not reserved, and is not among those seen before.
void check_name(CheckContext& context, const ElementName& element, const std::string& name,
                std::set<std::string>& seen);
/// False if a beam has no nodes because of mistakes that check_beams() reports.
bool beam_is_sound(const Beam& beam);
void check_orientation(CheckContext& context, const ElementName& element,
                       const std::optional<Orientation>& orientation);
void check_direction(CheckContext& context, const ElementName& element, const std::string& field,
                     const Vec3d& direction);
/// A direction that is needed unless a marker gives it.
void optional_direction(CheckContext& context, const ElementName& element, const Ends& ends,
                        const std::string& field, const std::optional<Vec3d>& direction);
/// Two points, given as markers or as `points`, that must not coincide unless they may.
void check_line(CheckContext& context, const ElementName& element,
                const std::array<MarkerRef, 2>& between,
                const std::optional<std::array<Vec3d, 2>>& points, bool may_coincide = false);
/// What contacts and tyres ask for beyond the ranges of their numbers.
void check_contact(CheckContext& context, const ElementName& element, const ForceKind& kind);
/// The point of an element with a frame: needed without a marker, not to contradict one.
void check_point(CheckContext& context, const ElementName& element, const Ends& ends,
                 const std::optional<Vec3d>& point, bool needed);
/// A coordinate of a joint, by reference. False, with a report, if it means none.
bool check_coordinate(CheckContext& context, const ElementName& element, const std::string& field,
                      const CoordinateRef& reference, CoordinateKind wanted);
void check_table(CheckContext& context, const ElementName& element, const std::string& field,
                 const Table& table);
/// A drive that gives a position: it exists, and nothing in it jumps.
void check_imposed(CheckContext& context, const ElementName& element, const std::string& field,
                   const std::string& drive);

}  // namespace tumble
