#include "tumble/model/check/check_context.hpp"

#include <fmt/format.h>

namespace tumble {

CheckContext::CheckContext(const Model& checked) : model(checked) {
  for (const auto& body : model.bodies) bodies.emplace(body.name, &body);
  for (const auto& beam : model.beams) beams.emplace(beam.name, &beam);
  for (const auto& joint : model.joints) joints.emplace(joint.name, &joint);
  for (const auto& coupler : model.couplers) couplers.emplace(coupler.name, &coupler);
  for (const auto& force : model.forces) forces.emplace(force.name, &force);
  for (const auto& drive : model.drives) drives.emplace(drive.name, &drive);
  for (const auto& state : model.states) states.emplace(state.name, &state);
}

void CheckContext::report(const ElementName& element, const std::string& field, std::string value,
                          std::string_view unit, std::string expectation, std::string suggestion) {
  Diagnostic d;
  const std::string dot = element.path.empty() || field.empty() ? "" : ".";
  d.where = locate(model, element.path + dot + field);
  d.element = element.label;
  d.field = field;
  d.value = std::move(value);
  d.unit = std::string(unit);
  d.expectation = std::move(expectation);
  d.suggestion = std::move(suggestion);
  found.push_back(std::move(d));
}

void CheckContext::body_exists(const ElementName& element, const std::string& field,
                               const std::string& name, bool ground_allowed) {
  if (name == "ground" && !ground_allowed) {
    report(element, field, "'ground'", "", "must be a body");
  } else if (name != "ground" && !bodies.contains(name)) {
    std::string nearest = suggest(name, model.bodies);
    if (nearest.empty() && ground_allowed) nearest = nearest_name(name, {"ground"});
    report(element, field, "'" + name + "'", "", "no body has this name", nearest);
  }
}

void CheckContext::beam_exists(const ElementName& element, const std::string& field,
                               const std::string& name) {
  if (!beams.contains(name))
    report(element, field, "'" + name + "'", "", "no beam has this name",
           suggest(name, model.beams));
}

void CheckContext::drive_exists(const ElementName& element, const std::string& field,
                                const std::string& name) {
  if (!drives.contains(name))
    report(element, field, "'" + name + "'", "", "no drive has this name",
           suggest(name, model.drives));
}

CheckContext::End CheckContext::resolve(const ElementName& element, const std::string& field,
                                        const MarkerRef& given) {
  End end;
  const std::string& reference = given.name;
  if (given.frame) {
    end.body = reference;
    const auto frame = bodies.find(reference);
    end.good = frame != bodies.end() && frame->second->at_node;
    if (end.good)
      end.marker = &frame->second->markers.front();
    else
      report(element, field, "'" + reference + "'", "", "no frame is on this node");
    return end;
  }
  const auto dot = reference.find('.');
  end.body = reference.substr(0, dot);
  if (const auto beam = beams.find(end.body); beam != beams.end()) {
    end.node = node_of(model, {reference});
    end.good = end.node.has_value();
    if (!end.good)
      report(element, field, "'" + reference + "'", "",
             fmt::format("must be {0}.start, {0}.end or one of the nodes {0}.node0 to {0}.node{1}",
                         end.body, beam->second->elements));
    return end;
  }
  const auto body = bodies.find(end.body);
  if (end.body != "ground" && body == bodies.end()) {
    body_exists(element, field, end.body, true);
    return end;
  }
  if (dot == std::string::npos) {
    end.good = true;
    return end;
  }
  const auto& markers = end.body == "ground" ? model.ground_markers : body->second->markers;
  const std::string name = reference.substr(dot + 1);
  for (const auto& marker : markers)
    if (marker.name == name) end.marker = &marker;
  end.good = end.marker != nullptr;
  if (!end.good) {
    report(element, field, "'" + reference + "'", "", "no marker has this name",
           suggest(reference, markers, end.body + "."));
  }
  return end;
}

std::array<CheckContext::End, 2> CheckContext::ends(const ElementName& element,
                                                    const std::array<MarkerRef, 2>& between,
                                                    bool beams_allowed) {
  std::array<End, 2> result{resolve(element, "between[0]", between[0]),
                            resolve(element, "between[1]", between[1])};
  for (std::size_t i = 0; i < 2 && !beams_allowed; ++i)
    if (result[i].node) {
      report(element, fmt::format("between[{}]", i), "'" + between[i].name + "'", "",
             "a node of a beam needs a frame for this: call attach_frames()");
      result[i].good = false;
    }
  const bool same_node = (result[0].node && result[1].node && result[0].body == result[1].body &&
                          result[0].node->node == result[1].node->node) ||
                         (between[0].frame && between[0] == between[1]);
  if (same_node ||
      (result[0].good && result[1].good && result[0].body == result[1].body && !result[0].node))
    report(element, "between", fmt::format("[{}, {}]", between[0].name, between[1].name), "",
           same_node ? "must connect two different nodes" : "must connect two different bodies");
  return result;
}

ElementName name_of(const Body& body) {
  return {"bodies." + body.name, fmt::format("body '{}'", body.name)};
}
ElementName name_of(const Body& body, const Part& part) {
  return {fmt::format("bodies.{}.parts.{}", body.name, part.name),
          fmt::format("part '{}.{}'", body.name, part.name)};
}
ElementName name_of(const Beam& beam) {
  return {"beams." + beam.name, fmt::format("beam '{}'", beam.name)};
}
ElementName name_of(const Joint& joint) {
  return {"joints." + joint.name, fmt::format("joint '{}'", joint.name)};
}
ElementName name_of(const Coupler& coupler) {
  return {"couplers." + coupler.name, fmt::format("coupler '{}'", coupler.name)};
}
ElementName name_of(const Force& force) {
  const auto type = std::visit([](const auto& kind) { return kind.type; }, force.kind);
  return {"forces." + force.name, fmt::format("{} '{}'", type, force.name)};
}
ElementName name_of(const Drive& drive) {
  return {"drives." + drive.name, fmt::format("drive '{}'", drive.name)};
}
ElementName name_of(const StateVariable& state) {
  return {"states." + state.name, fmt::format("state '{}'", state.name)};
}
ElementName name_of(const Event& event) {
  return {"events." + event.name, fmt::format("event '{}'", event.name)};
}
ElementName name_of(const Probe& probe) {
  return {"probes." + probe.name, fmt::format("probe '{}'", probe.name)};
}

}  // namespace tumble
