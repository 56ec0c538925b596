#include "tumble/convert/robot_file.hpp"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <cmath>
#include <variant>

namespace tumble::convert {
namespace {

using Element = tinyxml2::XMLElement;

std::string spaced(std::initializer_list<double> values) {
  std::string text;
  for (const double v : values) text += (text.empty() ? "" : " ") + format_number(v);
  return text;
}

/// The inertial of a body in the axes of its link.
Inertial inertial_of(const Body& body, const Frame& link) {
  Inertial result;
  result.mass = body.mass;
  result.centre = transpose_times(link.R, body.position - link.p);
  result.inertia = turned(transpose_times(link.R, rotation_matrix(body.orientation)), body.inertia);
  return result;
}

bool same(const Inertial& a, const Inertial& b) {
  const double size = std::max({b.inertia[0], b.inertia[1], b.inertia[2]});
  bool equal = std::abs(a.mass - b.mass) <= 1e-12 * b.mass;
  for (std::size_t k = 0; k < 6; ++k)
    equal = equal && std::abs(a.inertia[k] - b.inertia[k]) <= 1e-12 * size;
  // A centre is as exact as the arm that the inertia stands for.
  return equal && largest_entry(a.centre - b.centre) <=
                      1e-12 * (largest_entry(b.centre) + std::sqrt(size / b.mass));
}

Element& child_of(Element& parent, const char* name) {
  if (Element* found = parent.FirstChildElement(name)) return *found;
  return *parent.InsertNewChildElement(name);
}

/// Links of URDF, or bodies of MJCF at any depth, in the order in which they stand.
void collect(Element& parent, const char* name, bool deep, std::vector<Element*>& found) {
  for (Element* e = parent.FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
    const std::string_view kind = e->Name();
    if (kind == name) found.push_back(e);
    if (deep && (kind == name || kind == "frame")) collect(*e, name, deep, found);
  }
}

void put_urdf(Element& link, const Inertial& inertial) {
  Element& block = child_of(link, "inertial");
  Element& origin = child_of(block, "origin");
  const auto& J = inertial.inertia;
  origin.SetAttribute("xyz",
                      spaced({inertial.centre.x, inertial.centre.y, inertial.centre.z}).c_str());
  origin.SetAttribute("rpy", "0 0 0");
  child_of(block, "mass").SetAttribute("value", format_number(inertial.mass).c_str());
  Element& inertia = child_of(block, "inertia");
  const char* const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
  for (std::size_t k = 0; k < 6; ++k) inertia.SetAttribute(names[k], format_number(J[k]).c_str());
}

void put_mjcf(Element& body, const Inertial& inertial) {
  while (Element* old = body.FirstChildElement("inertial")) body.DeleteChild(old);
  Element* block = body.GetDocument()->NewElement("inertial");
  body.InsertFirstChild(block);
  const auto& J = inertial.inertia;
  block->SetAttribute("pos",
                      spaced({inertial.centre.x, inertial.centre.y, inertial.centre.z}).c_str());
  block->SetAttribute("mass", format_number(inertial.mass).c_str());
  block->SetAttribute("fullinertia", spaced({J[0], J[1], J[2], J[3], J[4], J[5]}).c_str());
}

struct SpringNumbers {
  double damping = 0, stiffness = 0;
};

/// What a force element of the model says for one joint.
std::optional<SpringNumbers> numbers_of(const Model& model, const ModelText::JointForce& use) {
  const auto force = std::ranges::find(model.forces, use.force, &Force::name);
  if (force == model.forces.end()) return std::nullopt;
  if (const auto* spring = std::get_if<TorsionSpring>(&force->kind))
    return SpringNumbers{spring->damping.slope, spring->stiffness.slope};
  if (const auto* bushing = std::get_if<Bushing>(&force->kind)) {
    // The diagonal of a 6 x 6 matrix, or that alone; damping may be left out.
    const auto diagonal = [&use](const std::vector<double>& values) {
      const auto at = static_cast<std::size_t>(values.size() == 36 ? 7 * use.motion : use.motion);
      return at < values.size() ? values[at] : 0.0;
    };
    return SpringNumbers{diagonal(bushing->damping), diagonal(bushing->stiffness)};
  }
  return std::nullopt;
}

}  // namespace

RobotFile::RobotFile(std::string text, const std::string& file, const ImportOptions& options)
    : text_(std::move(text)), machine_(make_machine(read_robot(text_, file, options))) {
  ModelText model = write_model(machine_);
  joint_forces_ = std::move(model.joint_forces);
  shares_ = std::move(model.shares);
}

std::vector<std::string> RobotFile::without_place(const std::vector<std::string>& paths) const {
  std::vector<std::string> rest;
  for (const std::string& path : paths) {
    bool placed = false;
    for (const MachineBody& body : machine_.bodies)
      for (const char* field : {".mass", ".position[", ".inertia[", ".parts."})
        placed = placed || path.starts_with("bodies." + body.name + field);
    for (const auto& use : joint_forces_) {
      const std::string base = "forces." + use.force + ".";
      for (const char* field : {"damping", "stiffness"}) {
        if (is_urdf() && std::string_view(field) == "stiffness") continue;
        placed = placed || path == base + field ||
                 path == fmt::format("{}{}[{}]", base, field, use.motion);
      }
    }
    if (!placed) rest.push_back(path);
  }
  return rest;
}

std::string RobotFile::with(const Model& model, const std::string& comment) const {
  tinyxml2::XMLDocument document;
  document.Parse(text_.data(), text_.size());
  Element& root = *document.RootElement();
  std::vector<Element*> places;
  bool all = false;  // whether every inertial has to be written
  if (is_urdf()) {
    collect(root, "link", false, places);
  } else {
    for (Element* world = root.FirstChildElement("worldbody"); world != nullptr;
         world = world->NextSiblingElement("worldbody"))
      collect(*world, "body", true, places);
    for (Element* compiler = root.FirstChildElement("compiler"); compiler != nullptr;
         compiler = compiler->NextSiblingElement("compiler")) {
      // What MuJoCo would do to the masses is in ours already.
      if (compiler->Attribute("inertiafromgeom", "true") != nullptr)
        compiler->SetAttribute("inertiafromgeom", "auto"), all = true;
      for (const char* changes : {"settotalmass", "boundmass", "boundinertia"})
        if (compiler->Attribute(changes) != nullptr) compiler->DeleteAttribute(changes), all = true;
    }
  }
  std::vector<Diagnostic> missing;
  for (const MachineBody& body : machine_.bodies) {
    const Link& link = machine_.link_of(body);
    const auto found = std::ranges::find(model.bodies, body.name, &Body::name);
    if (found == model.bodies.end() || !found->rotates) {
      missing.push_back(Diagnostic{{machine_.robot.source, link.line},
                                   "link '" + link.name + "'",
                                   "",
                                   "",
                                   "",
                                   "the model has no body '" + body.name +
                                       "' with an inertia; convert the description again",
                                   ""});
      continue;
    }
    // Helpers between joints have the rest.
    Inertial inertial = inertial_of(*found, link.frame);
    const double share = shares_[static_cast<std::size_t>(&body - machine_.bodies.data())];
    inertial.mass /= share;
    for (double& x : inertial.inertia) x /= share;
    if (!all && same(inertial, *link.inertial)) continue;
    Element& place = *places.at(link.place_in_file);
    is_urdf() ? put_urdf(place, inertial) : put_mjcf(place, inertial);
  }
  if (!missing.empty()) throw InputError(std::move(missing));
  for (const auto& use : joint_forces_) {
    const auto numbers = numbers_of(model, use);
    if (!numbers) continue;
    const MachineBody& body = machine_.bodies[use.body];
    const Freedom& freedom = body.freedoms.at(use.freedom);
    const auto put = [&](Element& element, const char* field, double value, double before) {
      if (value != before) element.SetAttribute(field, format_number(value).c_str());
    };
    std::vector<Element*> joints;
    if (is_urdf()) collect(root, "joint", false, joints);
    // In MJCF a joint stands in its body; lines tell which it is.
    for (Element* place : places)
      for (Element* joint = is_urdf() ? nullptr : place->FirstChildElement("joint");
           joint != nullptr; joint = joint->NextSiblingElement("joint"))
        joints.push_back(joint);
    for (Element* joint : joints) {
      if (joint->GetLineNum() != freedom.line) continue;
      const char* name = joint->Attribute("name");
      if ((name == nullptr ? "" : std::string(name)) != freedom.name) continue;
      if (is_urdf()) {
        if (numbers->damping != freedom.damping)
          put(child_of(*joint, "dynamics"), "damping", numbers->damping, freedom.damping);
      } else {
        put(*joint, "damping", numbers->damping, freedom.damping);
        put(*joint, "stiffness", numbers->stiffness, freedom.stiffness);
      }
    }
  }
  if (!comment.empty())
    document.InsertAfterChild(document.FirstChild()->ToDeclaration() != nullptr
                                  ? document.FirstChild()
                                  : document.InsertFirstChild(document.NewDeclaration()),
                              document.NewComment((" " + comment + " ").c_str()));
  tinyxml2::XMLPrinter printer;
  document.Print(&printer);
  return printer.CStr();
}

}  // namespace tumble::convert
