#include "tumble/convert/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace tumble::convert {
namespace {

/// Links that move as one.
struct Group {
  int mass_link = -1;
  int parent = -1;
  std::size_t first = 0;  ///< the link by whose joint it hangs
  Hold hold = Hold::joints;
  std::vector<Freedom> freedoms;
  std::vector<std::size_t> members;
  bool gone = false;
};

/// Names of one section of a model file.
class Names {
 public:
  std::string take(const std::string& wanted) {
    const std::string base = allowed_name(wanted);
    std::string name = base;
    for (int k = 2; !taken_.insert(name).second; ++k) name = fmt::format("{}_{}", base, k);
    return name;
  }

 private:
  std::set<std::string> taken_{"ground"};
};

class Assembler {
 public:
  explicit Assembler(Import import)
      : robot_(std::move(import.robot)),
        findings_(robot_.source),
        notes_(std::move(import.notes)) {}

  Machine assemble() {
    group_links();
    settle_massless();
    findings_.throw_if_failed();
    make_bodies();
    make_markers();
    make_loops();
    findings_.throw_if_failed();
    if (machine_.bodies.empty())
      throw InputError({Diagnostic{
          {robot_.source, 0}, "", "", "", "", "no link has a mass: there is nothing to move", ""}});
    machine_.notes = std::move(notes_);
    for (Note& note : findings_.take_notes()) machine_.notes.push_back(std::move(note));
    std::ranges::stable_sort(machine_.notes, {}, &Note::line);
    machine_.robot = std::move(robot_);
    return std::move(machine_);
  }

 private:
  // A massless link that is fixed to its parent is part of it; a massless parent is part of the
  // first link with a mass that is fixed to it (base_link and base_inertia, as ROS wants them). So
  // a body has the mass of one link.
  void group_links() {
    group_of_.assign(robot_.links.size(), -1);
    for (std::size_t i = 0; i < robot_.links.size(); ++i) {
      const Link& link = robot_.links[i];
      const int parent = link.parent < 0 ? -1 : group_of_[static_cast<std::size_t>(link.parent)];
      const bool fixed = link.hold == Hold::joints && link.freedoms.empty();
      const bool joins = fixed && (!link.inertial || (parent >= 0 && at(parent).mass_link < 0));
      if (joins) {
        group_of_[i] = parent;
        if (parent < 0) continue;
        at(parent).members.push_back(i);
        if (link.inertial) at(parent).mass_link = static_cast<int>(i);
        continue;
      }
      Group group{.mass_link = link.inertial ? static_cast<int>(i) : -1,
                  .parent = parent,
                  .first = i,
                  .hold = link.hold,
                  .freedoms = link.freedoms,
                  .members = {i}};
      group_of_[i] = static_cast<int>(groups_.size());
      groups_.push_back(std::move(group));
    }
  }

  Group& at(int group) { return groups_[static_cast<std::size_t>(group)]; }

  bool in_a_loop(int group) const {
    for (const Loop& loop : robot_.loops)
      for (const int link : loop.link)
        if (link >= 0 && group_of_[static_cast<std::size_t>(link)] == group) return true;
    return false;
  }

  void settle_massless() {
    for (int g = static_cast<int>(groups_.size()) - 1; g >= 0; --g) {
      Group& group = at(g);
      if (group.mass_link >= 0) continue;
      const Link& link = robot_.links[group.first];
      const std::string owner = fmt::format("link '{}'", link.name);
      std::vector<int> children;
      for (std::size_t c = 0; c < groups_.size(); ++c)
        if (groups_[c].parent == g && !groups_[c].gone) children.push_back(static_cast<int>(c));
      if (children.empty() && !in_a_loop(g)) {
        group.gone = true;
        findings_.note(link.line,
                       fmt::format("{}: it moves, has no mass and carries nothing", owner));
        continue;
      }
      const bool passes = children.size() == 1 && !in_a_loop(g) && group.hold == Hold::joints &&
                          at(children[0]).hold == Hold::joints;
      if (!passes) {
        findings_.error(link.line, owner, "", "",
                        "moves and has no mass; give it an inertial with the mass it has");
        continue;
      }
      Group& child = at(children[0]);
      child.freedoms.insert(child.freedoms.begin(), group.freedoms.begin(), group.freedoms.end());
      child.parent = group.parent;
      group.gone = true;
    }
  }

  void make_bodies() {
    body_of_.assign(groups_.size(), -1);
    Names names, joints;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const Group& group = groups_[g];
      if (group.gone) continue;
      const Link& link = robot_.links[static_cast<std::size_t>(group.mass_link)];
      const Link& hung = robot_.links[group.first];
      MachineBody body;
      body.name = names.take(link.name);
      if (body.name != link.name)
        findings_.note(link.line,
                       fmt::format("the name '{}': it is {} here", link.name, body.name));
      body.link = static_cast<std::size_t>(group.mass_link);
      body.parent = group.parent < 0 ? -1 : body_of_[static_cast<std::size_t>(group.parent)];
      body.hold = group.hold;
      body.freedoms = group.freedoms;
      body.ball = hung.ball;
      body.joint = joints.take(hung.joint.empty() ? body.name + "_joint" : hung.joint);
      for (const std::size_t member : group.members)
        for (Visual visual : robot_.links[member].visuals) {
          const Frame place = robot_.links[member].frame * visual.place;
          visual.place = {transpose_times(link.frame.R, place.p - link.frame.p),
                          transpose_times(link.frame.R, place.R)};
          body.visuals.push_back(std::move(visual));
        }
      body_of_[g] = static_cast<int>(machine_.bodies.size());
      machine_.bodies.push_back(std::move(body));
    }
    for (std::size_t i = 0; i < robot_.links.size(); ++i)
      if (group_of_[i] < 0 && !robot_.links[i].visuals.empty())
        findings_.note(
            robot_.links[i].line,
            fmt::format("the look of '{}', which is part of the ground", robot_.links[i].name));
    joint_names_ = std::move(joints);
  }

  int body_of_link(int link) const {
    const int group = link < 0 ? -1 : group_of_[static_cast<std::size_t>(link)];
    return group < 0 ? -1 : body_of_[static_cast<std::size_t>(group)];
  }

  bool gone(int link) const {
    const int group = link < 0 ? -1 : group_of_[static_cast<std::size_t>(link)];
    return group >= 0 && groups_[static_cast<std::size_t>(group)].gone;
  }

  void make_markers() {
    std::vector<Names> names(machine_.bodies.size() + 1);
    const auto add = [&](const std::string& name, int link, const Frame& frame) {
      if (gone(link)) return;
      const int body = body_of_link(link);
      auto& markers = body < 0 ? machine_.ground_markers
                               : machine_.bodies[static_cast<std::size_t>(body)].markers;
      markers.push_back({names[static_cast<std::size_t>(body + 1)].take(name), body, frame});
    };
    for (std::size_t i = 0; i < robot_.links.size(); ++i) {
      const Link& link = robot_.links[i];
      const int body = body_of_link(static_cast<int>(i));
      const bool is_root = link.parent < 0 && !link.inertial && body < 0;  // the ground itself
      if (is_root || (body >= 0 && machine_.bodies[static_cast<std::size_t>(body)].link == i))
        continue;
      add(link.name, static_cast<int>(i), link.frame);
    }
    for (const NamedFrame& frame : robot_.frames) add(frame.name, frame.link, frame.frame);
  }

  void make_loops() {
    for (const Loop& loop : robot_.loops) {
      MachineLoop made{joint_names_.take(loop.name), loop.welds, {}, loop.point};
      for (std::size_t end = 0; end < 2; ++end) made.body[end] = body_of_link(loop.link[end]);
      if (made.body[0] == made.body[1]) {
        findings_.note(loop.line, fmt::format("loop '{}': it is within one body", loop.name));
        continue;
      }
      machine_.loops.push_back(std::move(made));
    }
  }

  Robot robot_;
  Findings findings_;
  std::vector<Note> notes_;
  std::vector<int> group_of_;  // by link; -1: the ground
  std::vector<Group> groups_;
  std::vector<int> body_of_;  // by group
  Names joint_names_;
  Machine machine_;
};

}  // namespace

std::string allowed_name(const std::string& text) {
  std::string name;
  for (const char c : text.substr(0, 100)) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    const bool inner = (c >= '0' && c <= '9') || c == '-';
    if (name.empty() && inner) name += '_';
    name += letter || inner ? c : '_';
  }
  if (name.empty()) name = "unnamed";
  return name;
}

Machine make_machine(Import import) { return Assembler(std::move(import)).assemble(); }

}  // namespace tumble::convert
