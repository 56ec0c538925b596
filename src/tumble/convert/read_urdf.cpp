// URDF, as http://wiki.ros.org/urdf/XML describes it and urdfdom's urdf.xsd checks it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tumble/convert/robot.hpp"
#include "tumble/math/scalar.hpp"

namespace tumble::convert {
namespace {

/// rpy are angles about fixed axes x, y, z: R = Rz(yaw) Ry(pitch) Rx(roll).
Mat3d roll_pitch_yaw(const Vec3d& a) {
  const double cr = std::cos(a.x), sr = std::sin(a.x), cp = std::cos(a.y), sp = std::sin(a.y),
               cy = std::cos(a.z), sy = std::sin(a.z);
  return {{cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr,  //
           sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr,  //
           -sp, cp * sr, cp * cr}};
}

struct UrdfJoint {
  const XmlElement* element = nullptr;
  std::string name, type, owner;
  std::size_t parent = 0, child = 0;
  Frame origin;
  Vec3d axis{1, 0, 0};
  double damping = 0;
};

class UrdfReader {
 public:
  UrdfReader(const XmlElement& root, const std::string& file, const ImportOptions& options)
      : root_(root), findings_(file), options_(options) {}

  Import read() {
    refuse_xacro(root_);
    findings_.throw_if_failed();
    robot_.format = "URDF";
    robot_.source = findings_.file();
    if (const std::string* name = root_.find("name")) robot_.name = *name;
    root_.find("version");
    for (const XmlElement* material : root_.all("material")) mark_read(*material);  // colours
    read_links();
    for (const XmlElement* joint : root_.all("joint")) read_joint(*joint);
    findings_.throw_if_failed();
    lay_out();
    findings_.throw_if_failed();
    if (collisions_ > 0)
      findings_.note(
          first_collision_,
          fmt::format("collision shapes ({}): bodies do not touch each other", collisions_));
    findings_.list_unread(root_);
    return {std::move(robot_), findings_.take_notes()};
  }

 private:
  void refuse_xacro(const XmlElement& element) {
    bool macros = element.name.starts_with("xacro:");
    for (const XmlAttribute& a : element.attributes)
      macros = macros || a.value.find("${") != a.value.npos;
    if (macros) {
      findings_.error(element.line, label(element), "", "",
                      "is written for xacro, which is not run here: make plain URDF of it first, "
                      "with `xacro robot.urdf.xacro > robot.urdf`");
      return;  // once is enough
    }
    for (const XmlElement& child : element.children)
      if (!findings_.failed()) refuse_xacro(child);
  }

  Frame origin_of(const XmlElement& element, const std::string& owner) {
    Frame frame;
    if (const XmlElement* origin = element.child("origin")) {
      frame.p = findings_.vector(*origin, "xyz", owner).value_or(Vec3d{});
      frame.R = roll_pitch_yaw(findings_.vector(*origin, "rpy", owner).value_or(Vec3d{}));
    }
    return frame;
  }

  double required(const XmlElement& element, const char* attribute, const std::string& owner) {
    if (element.find(attribute) == nullptr)
      findings_.error(element.line, owner, attribute, "", "required");
    return findings_.number(element, attribute, owner).value_or(0);
  }

  void read_links() {
    for (const XmlElement* element : root_.all("link")) {
      Link link;
      link.line = element->line;
      link.place_in_file = robot_.links.size();
      const std::string* name = element->find("name");
      if (name == nullptr || name->empty())
        findings_.error(link.line, "link", "name", "", "required");
      else
        link.name = *name;
      const std::string owner = label(*element);
      if (!link.name.empty() && !by_name_.try_emplace(link.name, robot_.links.size()).second)
        findings_.error(link.line, owner, "name", link.name, "stands twice");
      element->find("type");
      if (const XmlElement* inertial = element->child("inertial"))
        read_inertial(*inertial, owner, link);
      for (const XmlElement* visual : element->all("visual")) read_visual(*visual, owner, link);
      for (const XmlElement* collision : element->all("collision")) {
        if (collisions_++ == 0) first_collision_ = collision->line;
        mark_read(*collision);
      }
      robot_.links.push_back(std::move(link));
    }
    if (robot_.links.empty()) findings_.error(root_.line, label(root_), "", "", "has no link");
  }

  void read_inertial(const XmlElement& element, const std::string& owner, Link& link) {
    Inertial inertial;
    inertial.line = element.line;
    const Frame place = origin_of(element, owner + ": inertial");
    inertial.centre = place.p;
    const XmlElement* mass = element.child("mass");
    if (mass == nullptr)
      findings_.error(element.line, owner + ": inertial", "mass", "", "required");
    else
      inertial.mass = required(*mass, "value", owner + ": mass");
    const XmlElement* inertia = element.child("inertia");
    std::array<double, 6> J{};
    if (inertia == nullptr) {
      findings_.error(element.line, owner + ": inertial", "inertia", "", "required");
    } else {
      const char* const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
      for (std::size_t k = 0; k < 6; ++k) J[k] = required(*inertia, names[k], owner + ": inertia");
    }
    if (inertial.mass < 0)
      findings_.error(mass->line, owner, "mass", format_number(inertial.mass), "must be > 0");
    if (findings_.failed()) return;
    if (inertial.mass == 0) {
      findings_.note(element.line, fmt::format("the inertial of {}: its mass is 0", owner));
      return;
    }
    inertial.inertia = turned(place.R, J);
    if (const std::string wrong = wrong_with_inertia(J); !wrong.empty())
      findings_.error(
          inertia->line, owner, "inertia",
          fmt::format("{:g} {:g} {:g} {:g} {:g} {:g}", J[0], J[1], J[2], J[3], J[4], J[5]), wrong);
    link.inertial = inertial;
  }

  void read_visual(const XmlElement& element, const std::string& owner, Link& link) {
    Visual visual;
    visual.line = element.line;
    visual.place = origin_of(element, owner + ": visual");
    element.find("name");
    if (const XmlElement* material = element.child("material")) mark_read(*material);
    const XmlElement* geometry = element.child("geometry");
    if (geometry == nullptr) return;
    if (const XmlElement* box = geometry->child("box")) {
      visual.kind = Visual::Kind::box;
      visual.size = findings_.vector(*box, "size", owner + ": box").value_or(Vec3d{});
    } else if (const XmlElement* cylinder = geometry->child("cylinder")) {
      visual.kind = Visual::Kind::cylinder;
      visual.radius = required(*cylinder, "radius", owner + ": cylinder");
      visual.length = required(*cylinder, "length", owner + ": cylinder");
    } else if (const XmlElement* sphere = geometry->child("sphere")) {
      visual.kind = Visual::Kind::sphere;
      visual.radius = required(*sphere, "radius", owner + ": sphere");
    } else if (const XmlElement* mesh = geometry->child("mesh")) {
      visual.kind = Visual::Kind::mesh;
      if (const std::string* file = mesh->find("filename")) visual.file = *file;
      visual.scale = findings_.vector(*mesh, "scale", owner + ": mesh").value_or(Vec3d{1, 1, 1});
    } else {
      return;  // whatever it is, it is listed
    }
    link.visuals.push_back(std::move(visual));
  }

  std::size_t link_named(const XmlElement& element, const char* end, const std::string& owner) {
    const XmlElement* child = element.child(end);
    const std::string* name = child != nullptr ? child->find("link") : nullptr;
    if (name == nullptr) {
      findings_.error(element.line, owner, end, "",
                      "required: <" + std::string(end) + " link=\"...\"/>");
      return 0;
    }
    const auto found = by_name_.find(*name);
    if (found == by_name_.end()) {
      std::vector<std::string> known;
      for (const auto& [link, index] : by_name_) known.push_back(link);
      const std::string nearest = nearest_name(*name, known);
      findings_.error(child->line, owner, end, *name,
                      nearest.empty()
                          ? "there is no link of this name"
                          : "there is no link of this name; did you mean '" + nearest + "'?");
      return 0;
    }
    return found->second;
  }

  void read_joint(const XmlElement& element) {
    UrdfJoint joint;
    joint.element = &element;
    joint.owner = label(element);
    if (const std::string* name = element.find("name"); name != nullptr && !name->empty())
      joint.name = *name;
    else
      findings_.error(element.line, "joint", "name", "", "required");
    if (std::ranges::count(joints_, joint.name, &UrdfJoint::name) > 0)
      findings_.error(element.line, joint.owner, "name", joint.name, "stands twice");
    if (const std::string* type = element.find("type")) joint.type = *type;
    const std::vector<std::string> types = {"revolute", "continuous", "prismatic",
                                            "fixed",    "floating",   "planar"};
    if (std::ranges::count(types, joint.type) == 0)
      findings_.error(element.line, joint.owner, "type", joint.type,
                      fmt::format("must be one of {}", fmt::join(types, ", ")));
    joint.parent = link_named(element, "parent", joint.owner);
    joint.child = link_named(element, "child", joint.owner);
    joint.origin = origin_of(element, joint.owner);
    if (const XmlElement* axis = element.child("axis")) {
      joint.axis = findings_.vector(*axis, "xyz", joint.owner).value_or(joint.axis);
      const double length = norm(joint.axis);
      if (!(length > 1e-9) || !std::isfinite(length)) {
        if (joint.type != "fixed" && joint.type != "floating")
          findings_.error(axis->line, joint.owner, "axis", "0 0 0", "must have a direction");
      } else {
        joint.axis = (1 / length) * joint.axis;
      }
    }
    const bool moves = joint.type != "fixed";
    if (const XmlElement* dynamics = element.child("dynamics")) {
      joint.damping = findings_.number(*dynamics, "damping", joint.owner).value_or(0);
      if (joint.damping < 0)
        findings_.error(dynamics->line, joint.owner, "damping", format_number(joint.damping),
                        "must be >= 0");
      const double friction = findings_.number(*dynamics, "friction", joint.owner).value_or(0);
      if (friction > 0 && moves && options_.friction_rate)
        robot_.restraints.push_back({joint.name, dynamics->line, {}, friction});
      else if (friction != 0)
        findings_.note(dynamics->line, fmt::format("friction {:g} of {}", friction, joint.owner));
      const bool acts =
          joint.type == "revolute" || joint.type == "continuous" || joint.type == "prismatic";
      if (moves && !acts && joint.damping != 0)
        findings_.note(dynamics->line, fmt::format("damping {:g} of {}, which is {}", joint.damping,
                                                   joint.owner, joint.type));
    }
    if (const XmlElement* limit = element.child("limit")) {
      const auto lower = findings_.number(*limit, "lower", joint.owner),
                 upper = findings_.number(*limit, "upper", joint.owner);
      // One that is left out is 0, by the format.
      const std::array<double, 2> range{lower.value_or(0), upper.value_or(0)};
      const bool stops = (lower || upper) && range[0] < range[1] && options_.limit_stiffness &&
                         (joint.type == "revolute" || joint.type == "prismatic");
      if (stops) robot_.restraints.push_back({joint.name, limit->line, range, 0});
      std::string text;
      for (const char* field : {"lower", "upper", "effort", "velocity"})
        if (const auto value = findings_.number(*limit, field, joint.owner);
            value && (!stops || (field[0] != 'l' && field[0] != 'u')))
          text += fmt::format("{}{} {:g}", text.empty() ? "" : ", ", field, *value);
      if (moves && !text.empty())
        findings_.note(limit->line, fmt::format("limits of {}: {}", joint.owner, text));
    }
    if (const XmlElement* mimic = element.child("mimic")) {
      const std::string* of = mimic->find("joint");
      const double multiplier = findings_.number(*mimic, "multiplier", joint.owner).value_or(1);
      const double offset = findings_.number(*mimic, "offset", joint.owner).value_or(0);
      if (of == nullptr)
        findings_.error(mimic->line, joint.owner, "mimic", "", "required: the joint it follows");
      else if (joint.type != "fixed")
        robot_.couplings.push_back({joint.name, mimic->line, joint.name, *of, multiplier, offset});
    }
    for (const char* part : {"calibration", "safety_controller"})
      if (const XmlElement* found = element.child(part)) {
        findings_.note(found->line, fmt::format("{} of {}", part, joint.owner));
        mark_read(*found);
      }
    joints_.push_back(std::move(joint));
  }

  /// Puts links in the order of the tree, with frames where all joints are at zero.
  void lay_out() {
    std::vector<int> joint_to(robot_.links.size(), -1);
    std::vector<std::vector<std::size_t>> joints_from(robot_.links.size());
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      const UrdfJoint& joint = joints_[j];
      if (joint_to[joint.child] >= 0)
        findings_.error(joint.element->line, joint.owner, "child", robot_.links[joint.child].name,
                        "is the child of another joint too; URDF describes trees");
      joint_to[joint.child] = static_cast<int>(j);
      joints_from[joint.parent].push_back(j);
    }
    findings_.throw_if_failed();
    std::vector<std::size_t> roots;
    for (std::size_t i = 0; i < robot_.links.size(); ++i)
      if (joint_to[i] < 0) roots.push_back(i);
    if (roots.empty()) {
      findings_.error(root_.line, label(root_), "", "", "has no root link: its joints form a ring");
      return;
    }
    if (roots.size() > 1) {
      findings_.error(robot_.links[roots[1]].line, "link '" + robot_.links[roots[1]].name + "'", "",
                      "",
                      "hangs on no joint, nor does link '" + robot_.links[roots[0]].name +
                          "': a robot has one root");
      return;
    }
    std::vector<Link> ordered;
    std::vector<std::pair<std::size_t, int>> waiting = {
        {roots[0], -1}};  // link, its parent's place
    for (std::size_t next = 0; next < waiting.size(); ++next) {
      const auto [index, parent] = waiting[next];
      Link link = std::move(robot_.links[index]);
      link.parent = parent;
      if (joint_to[index] < 0)
        hold_root(link, index, joints_from);
      else
        hang(joints_[static_cast<std::size_t>(joint_to[index])],
             ordered[static_cast<std::size_t>(parent)], link);
      for (const std::size_t j : joints_from[index])
        waiting.emplace_back(joints_[j].child, static_cast<int>(next));
      ordered.push_back(std::move(link));
    }
    if (ordered.size() < robot_.links.size()) {
      for (std::size_t i = 0; i < joints_.size(); ++i)
        if (!robot_.links[joints_[i].child].name.empty()) {
          findings_.error(joints_[i].element->line, joints_[i].owner, "child",
                          robot_.links[joints_[i].child].name,
                          "is not connected to the root: its joints form a ring");
          break;
        }
    }
    robot_.links = std::move(ordered);
  }

  // As Gazebo has it: a root called `world` is the ground, any other floats; unless neither it nor
  // what is fixed to it has a mass, which cannot float.
  void hold_root(Link& link, std::size_t root,
                 const std::vector<std::vector<std::size_t>>& joints_from) const {
    if (options_.fixed_base || link.name == "world") return;
    bool heavy = link.inertial.has_value();
    std::vector<std::size_t> waiting = {root};
    while (!heavy && !waiting.empty()) {
      const std::size_t at = waiting.back();
      waiting.pop_back();
      for (const std::size_t j : joints_from[at])
        if (joints_[j].type == "fixed") {
          heavy = heavy || robot_.links[joints_[j].child].inertial;
          waiting.push_back(joints_[j].child);
        }
    }
    if (heavy) link.hold = Hold::free;
  }

  void hang(const UrdfJoint& joint, const Link& parent, Link& link) {
    link.frame = parent.frame * joint.origin;
    link.joint = joint.name;
    const Vec3d axis = link.frame.R * joint.axis;
    const Freedom freedom{.name = joint.name,
                          .line = joint.element->line,
                          .slides = joint.type == "prismatic",
                          .point = link.frame.p,
                          .axis = axis,
                          .damping = joint.damping};
    if (joint.type == "revolute" || joint.type == "continuous" || joint.type == "prismatic") {
      link.freedoms.push_back(freedom);
    } else if (joint.type == "planar") {
      link.hold = Hold::planar;
      link.ball = freedom;
      link.ball.damping = 0;
    } else if (joint.type == "floating") {
      link.hold = Hold::free;
    }
  }

  const XmlElement& root_;
  Findings findings_;
  const ImportOptions& options_;
  Robot robot_;
  std::map<std::string, std::size_t> by_name_;
  std::vector<UrdfJoint> joints_;
  std::size_t collisions_ = 0;
  int first_collision_ = 0;
};

}  // namespace

Import read_urdf(std::string_view text, const std::string& file, const ImportOptions& options) {
  const XmlElement root = parse_xml(text, file);
  if (root.name != "robot")
    throw InputError({Diagnostic{
        {file, root.line}, "the root element", "", root.name, "", "must be <robot>", ""}});
  return UrdfReader(root, file, options).read();
}

}  // namespace tumble::convert
