// MJCF, as the XML reference of MuJoCo's documentation describes it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numbers>
#include <set>
#include <stdexcept>

#include "tumble/convert/robot.hpp"
#include "tumble/convert/solids.hpp"
#include "tumble/random/domain/convex_hull.hpp"

namespace tumble::convert {
namespace {

/// A class of defaults: for each element the attributes it need not write.
using DefaultClass = std::map<std::string, std::map<std::string, const XmlAttribute*>>;

/// An element with the defaults that hold for it.
struct Described {
  const XmlElement* element = nullptr;
  const std::map<std::string, const XmlAttribute*>* defaults = nullptr;

  const std::string* find(const std::string& attribute) const {
    if (const std::string* own = element->find(attribute)) return own;
    if (defaults == nullptr) return nullptr;
    const auto found = defaults->find(attribute);
    if (found == defaults->end()) return nullptr;
    found->second->read = true;
    return &found->second->value;
  }
};

/// A joint of MJCF before it is known what it makes with its neighbours.
struct MjcfJoint {
  std::string type;
  Freedom freedom;
};

struct MeshAsset {
  const XmlElement* element = nullptr;
  std::string file;
  Vec3d scale{1, 1, 1};
  Frame reference;  ///< refpos, refquat: subtracted from the vertices
};

Mat3d rotation_about(const Vec3d& unit, double angle) {
  const Quaternion<double> q{std::cos(angle / 2), std::sin(angle / 2) * unit.x,
                             std::sin(angle / 2) * unit.y, std::sin(angle / 2) * unit.z};
  return matrix(normalized(q));
}

/// The least rotation that takes z to this direction.
Mat3d least_turn_of_z(const Vec3d& direction) {
  const Vec3d z = (1 / norm(direction)) * direction;
  const Vec3d across = cross(Vec3d{0, 0, 1}, z);
  const double sine = norm(across);
  if (sine < 1e-12)
    return z.z > 0 ? Mat3d::identity() : rotation_about({1, 0, 0}, std::numbers::pi);
  return rotation_about((1 / sine) * across, std::atan2(sine, z.z));
}

class MjcfReader {
 public:
  MjcfReader(const XmlElement& root, const std::string& file, const ImportOptions& options)
      : root_(root), findings_(file), options_(options) {}

  Import read() {
    robot_.format = "MJCF";
    robot_.source = findings_.file();
    if (const std::string* name = root_.find("model")) robot_.name = *name;
    refuse_includes(root_);
    for (const XmlElement* element : root_.all("compiler")) read_compiler(*element);
    for (const XmlElement* element : root_.all("option")) read_option(*element);
    classes_["main"];
    for (const XmlElement* element : root_.all("default")) read_default(*element, nullptr);
    findings_.throw_if_failed();
    for (const XmlElement* assets : root_.all("asset")) {
      for (const XmlElement* mesh : assets->all("mesh")) read_mesh(*mesh);
      for (const char* colour : {"texture", "material"})
        for (const XmlElement* look : assets->all(colour)) mark_read(*look);
    }
    const auto worlds = root_.all("worldbody");
    if (worlds.empty()) findings_.error(root_.line, label(root_), "", "", "has no worldbody");
    for (const XmlElement* world : worlds) read_content(*world, -1, {}, "main");
    findings_.throw_if_failed();
    if (robot_.links.empty()) findings_.error(root_.line, label(root_), "", "", "has no body");
    for (const XmlElement* equality : root_.all("equality")) read_equality(*equality);
    scale_masses();
    findings_.throw_if_failed();
    if (geoms_ > 0)
      findings_.note(first_geom_,
                     fmt::format("contacts of {} geoms: bodies do not touch each other", geoms_));
    if (softness_ > 0)
      findings_.note(softness_, "softness of constraints (solref, solimp): they are exact");
    for (const XmlElement& child : root_.children)
      if (child.name == "visual" || child.name == "statistic") mark_read(child);  // for pictures
    findings_.list_unread(root_);
    return {std::move(robot_), findings_.take_notes()};
  }

 private:
  // --- Words and numbers -------------------------------------------------------------------

  void refuse_includes(const XmlElement& element) {
    for (const XmlElement& child : element.children) {
      if (child.name == "include")
        findings_.error(child.line, "include", "", "",
                        "other files are not included; save the whole model as one file first "
                        "(MuJoCo: mj_saveLastXML, or the viewer's \"save xml\")");
      refuse_includes(child);
    }
  }

  std::optional<std::vector<double>> numbers(const Described& d, const std::string& attribute,
                                             std::size_t least, std::size_t most) {
    const std::string* text = d.find(attribute);
    if (text == nullptr) return std::nullopt;
    return findings_.parse(*text, d.element->line, attribute, label(*d.element), least, most);
  }
  std::optional<double> number(const Described& d, const std::string& attribute) {
    const auto found = numbers(d, attribute, 1, 1);
    return found ? std::optional((*found)[0]) : std::nullopt;
  }
  std::optional<Vec3d> vector(const Described& d, const std::string& attribute) {
    const auto found = numbers(d, attribute, 3, 3);
    return found ? std::optional(Vec3d{(*found)[0], (*found)[1], (*found)[2]}) : std::nullopt;
  }
  double angle(double value) const { return degrees_ ? value * std::numbers::pi / 180 : value; }

  void read_compiler(const XmlElement& element) {
    if (const std::string* unit = element.find("angle")) degrees_ = *unit != "radian";
    if (const std::string* sequence = element.find("eulerseq")) {
      euler_sequence_ = *sequence;
      if (sequence->size() != 3 || sequence->find_first_not_of("xyzXYZ") != sequence->npos)
        findings_.error(element.line, "compiler", "eulerseq", *sequence,
                        "must be three of x, y, z, X, Y, Z");
    }
    if (const std::string* from = element.find("inertiafromgeom")) {
      inertia_from_geom_ = *from;
      if (*from != "true" && *from != "false" && *from != "auto")
        findings_.error(element.line, "compiler", "inertiafromgeom", *from,
                        "must be true, false or auto");
    }
    if (const std::string* dir = element.find("assetdir")) mesh_directory_ = *dir;
    if (const std::string* dir = element.find("meshdir")) mesh_directory_ = *dir;
    if (const std::string* strip = element.find("strippath")) strip_path_ = *strip == "true";
    if (const auto range = findings_.numbers(element, "inertiagrouprange", "compiler", 2, 2))
      groups_ = {(*range)[0], (*range)[1]};
    if (const auto total = findings_.number(element, "settotalmass", "compiler"))
      total_mass_ = *total;
    least_mass_ = findings_.number(element, "boundmass", "compiler").value_or(least_mass_);
    least_inertia_ = findings_.number(element, "boundinertia", "compiler").value_or(least_inertia_);
    if (const std::string* coordinate = element.find("coordinate");
        coordinate != nullptr && *coordinate != "local")
      findings_.error(element.line, "compiler", "coordinate", *coordinate,
                      "must be local; MuJoCo has given up global coordinates too");
    for (const char* harmless : {"autolimits", "texturedir", "discardvisual", "usethread"})
      element.find(harmless);
  }

  void read_option(const XmlElement& element) {
    if (const auto g = findings_.vector(element, "gravity", "option")) robot_.gravity = *g;
    if (const auto step = findings_.number(element, "timestep", "option")) {
      if (!(*step > 0))
        findings_.error(element.line, "option", "timestep", format_number(*step), "must be > 0");
      else if (*step < 1e-6 || *step > 0.01)
        findings_.note(element.line, fmt::format("timestep {:g}: the step is 0.001 s here", *step));
      else
        robot_.time_step = *step;
    }
  }

  /// A class inherits what its parent says outside of nested classes, wherever it stands.
  void read_default(const XmlElement& element, const DefaultClass* parent) {
    const std::string* name = element.find("class");
    if (name == nullptr && parent != nullptr) {
      findings_.error(element.line, "default", "class", "", "required");
      return;
    }
    const std::string key = name != nullptr ? *name : "main";
    DefaultClass content = parent != nullptr ? *parent : classes_["main"];
    for (const XmlElement& child : element.children) {
      if (child.name == "default") continue;
      child.read = true;
      for (const XmlAttribute& a : child.attributes) content[child.name][a.name] = &a;
    }
    classes_[key] = content;
    if (parent == nullptr) classes_["main"] = content;
    for (const XmlElement* child : element.all("default")) read_default(*child, &content);
  }

  Described described(const XmlElement& element, const std::string& child_class) {
    const std::string* own = element.find("class");
    const std::string& name = own != nullptr ? *own : child_class;
    const auto found = classes_.find(name);
    if (found == classes_.end()) {
      findings_.error(element.line, label(element), "class", name,
                      "there is no default class of this name");
      return {&element, nullptr};
    }
    // A freejoint is named otherwise because it takes no defaults of joints.
    const auto defaults = found->second.find(element.name);
    return {&element, defaults == found->second.end() ? nullptr : &defaults->second};
  }

  /// quat, axisangle, xyaxes, zaxis or euler.
  Mat3d orientation(const Described& d) {
    const std::string owner = label(*d.element);
    const auto direction = [&](const char* attribute, const Vec3d& v) {
      const double length = norm(v);
      const bool good = length > 1e-12 && std::isfinite(length);
      if (!good)
        findings_.error(d.element->line, owner, attribute, *d.find(attribute),
                        "must have a direction");
      return good;
    };
    if (const auto q = numbers(d, "quat", 4, 4)) {
      const Quaternion<double> quaternion{(*q)[0], (*q)[1], (*q)[2], (*q)[3]};
      const double size = square(quaternion);
      if (size > 1e-24 && std::isfinite(size)) return matrix(normalized(quaternion));
      findings_.error(d.element->line, owner, "quat", *d.find("quat"), "must not be zero");
    }
    if (const auto a = numbers(d, "axisangle", 4, 4)) {
      const Vec3d axis{(*a)[0], (*a)[1], (*a)[2]};
      if (direction("axisangle", axis))
        return rotation_about((1 / norm(axis)) * axis, angle((*a)[3]));
    }
    if (const auto a = numbers(d, "xyaxes", 6, 6)) {
      const Vec3d x{(*a)[0], (*a)[1], (*a)[2]}, y{(*a)[3], (*a)[4], (*a)[5]};
      if (direction("xyaxes", x) && direction("xyaxes", cross(x, y))) return axes_from_xy(x, y);
    }
    if (const auto z = vector(d, "zaxis"); z && direction("zaxis", *z)) return least_turn_of_z(*z);
    if (const auto e = vector(d, "euler"); e && euler_sequence_.size() == 3) {
      Mat3d R = Mat3d::identity();
      for (int k = 0; k < 3; ++k) {
        const char letter = euler_sequence_[static_cast<std::size_t>(k)];
        const bool moving = letter >= 'x';  // lower case: about axes that turn along
        Vec3d axis;
        axis[moving ? letter - 'x' : letter - 'X'] = 1;
        const Mat3d turn = rotation_about(axis, angle((*e)[k]));
        R = moving ? R * turn : turn * R;
      }
      return R;
    }
    return Mat3d::identity();
  }

  Frame place(const Described& d) { return {vector(d, "pos").value_or(Vec3d{}), orientation(d)}; }

  // --- The tree of bodies -----------------------------------------------------------------

  /// What is inside a body, the world or a frame.
  void read_content(const XmlElement& parent, int link, const Frame& frame,
                    const std::string& child_class) {
    // An inertial makes the masses of geoms, and files of meshes, unnecessary: first.
    for (const XmlElement* inertial : parent.all("inertial")) read_inertial(*inertial, link, frame);
    for (const XmlElement& child : parent.children) {
      if (child.name == "body") {
        read_body(child, link, frame, child_class);
      } else if (child.name == "frame") {
        child.read = true;
        const std::string* own = child.find("childclass");
        child.find("name");
        read_content(child, link, frame * place({&child, nullptr}), own ? *own : child_class);
      } else if (child.name == "geom") {
        read_geom(child, link, frame, child_class);
      } else if (child.name == "joint" || child.name == "freejoint") {
        read_joint(child, link, frame, child_class);
      } else if (child.name == "site") {
        read_site(child, link, frame, child_class);
      } else if (child.name == "light" || child.name == "camera") {
        mark_read(child);  // for pictures
      }
    }
  }

  Link& at(int link) { return robot_.links[static_cast<std::size_t>(link)]; }

  void read_body(const XmlElement& element, int parent, const Frame& frame,
                 const std::string& child_class) {
    element.read = true;
    Link link;
    link.line = element.line;
    link.parent = parent;
    link.place_in_file = robot_.links.size();
    const std::string* name = element.find("name");
    link.name =
        name != nullptr && !name->empty() ? *name : fmt::format("body{}", robot_.links.size() + 1);
    if (!by_name_.try_emplace(link.name, static_cast<int>(robot_.links.size())).second)
      findings_.error(link.line, label(element), "name", link.name, "stands twice");
    link.frame = frame * place({&element, nullptr});
    const std::string* own = element.find("childclass");
    const int index = static_cast<int>(robot_.links.size());
    const Frame link_frame = link.frame;
    robot_.links.push_back(std::move(link));
    inertials_.emplace_back();
    joints_.emplace_back();
    from_geoms_.emplace_back();
    read_content(element, index, link_frame, own != nullptr ? *own : child_class);
    finish_inertial(element, index);
    finish_joints(index);
  }

  void read_inertial(const XmlElement& element, int link, const Frame& frame) {
    element.read = true;
    if (link < 0) {
      findings_.error(element.line, "inertial", "", "", "the world has none");
      return;
    }
    const Described d{&element, nullptr};
    const std::string owner = "inertial of body '" + at(link).name + "'";
    const Frame relative = in_link(link, frame) * place(d);
    Inertial inertial;
    inertial.line = element.line;
    inertial.centre = relative.p;
    const auto mass = number(d, "mass");
    if (!mass) findings_.error(element.line, owner, "mass", "", "required");
    inertial.mass = mass.value_or(0);
    if (inertial.mass < 0)
      findings_.error(element.line, owner, "mass", format_number(inertial.mass), "must be >= 0");
    if (const auto full = numbers(d, "fullinertia", 6, 6)) {
      std::copy(full->begin(), full->end(), inertial.inertia.begin());  // xx yy zz xy xz yz
    } else if (const auto diagonal = vector(d, "diaginertia")) {
      inertial.inertia = {diagonal->x, diagonal->y, diagonal->z, 0, 0, 0};
    } else if (inertial.mass > 0) {
      findings_.error(element.line, owner, "diaginertia", "", "required, or fullinertia");
    }
    inertial.inertia = turned(relative.R, inertial.inertia);
    inertials_[static_cast<std::size_t>(link)] = inertial;
  }

  Frame in_link(int link, const Frame& frame) const {
    const Frame& own = robot_.links[static_cast<std::size_t>(link)].frame;
    return {transpose_times(own.R, frame.p - own.p), transpose_times(own.R, frame.R)};
  }

  /// An inertial of its own, or what the geoms make.
  void finish_inertial(const XmlElement& element, int link) {
    const auto index = static_cast<std::size_t>(link);
    std::optional<Inertial> chosen = inertials_[index];
    if (inertia_from_geom_ == "true" || (inertia_from_geom_ == "auto" && !chosen)) {
      if (inertia_from_geom_ == "true" && chosen)
        findings_.note(chosen->line,
                       fmt::format("inertial of {}: inertiafromgeom is true", label(element)));
      chosen.reset();
      if (from_geoms_[index].mass > 0) chosen = from_geoms_[index];
    }
    if (!chosen) return;
    chosen->mass = std::max(chosen->mass, least_mass_);
    for (std::size_t k = 0; k < 3; ++k)
      chosen->inertia[k] = std::max(chosen->inertia[k], least_inertia_);
    if (!(chosen->mass > 0)) return;
    if (chosen->line == 0) chosen->line = element.line;
    if (const std::string wrong = wrong_with_inertia(chosen->inertia);
        !wrong.empty() && !findings_.failed())
      findings_.error(chosen->line, label(element), "inertia",
                      fmt::format("{:g}", fmt::join(chosen->inertia, " ")), wrong);
    at(link).inertial = chosen;
  }

  void read_joint(const XmlElement& element, int link, const Frame& frame,
                  const std::string& child_class) {
    element.read = true;
    if (link < 0) {
      findings_.error(element.line, label(element), "", "", "the world has no joints");
      return;
    }
    const Described d = described(element, child_class);
    MjcfJoint joint;
    const std::string* type = d.find("type");
    joint.type = element.name == "freejoint" ? "free" : type != nullptr ? *type : "hinge";
    if (joint.type != "hinge" && joint.type != "slide" && joint.type != "ball" &&
        joint.type != "free")
      findings_.error(element.line, label(element), "type", joint.type,
                      "must be hinge, slide, ball or free");
    const std::string* name = element.find("name");
    Freedom& f = joint.freedom;
    f.name = name != nullptr ? *name : "";
    f.line = element.line;
    f.slides = joint.type == "slide";
    const bool turns = joint.type == "hinge";
    f.point = frame.p + frame.R * vector(d, "pos").value_or(Vec3d{});
    const Vec3d axis = vector(d, "axis").value_or(Vec3d{0, 0, 1});
    const double length = norm(axis);
    if (length > 1e-10 && std::isfinite(length))
      f.axis = frame.R * ((1 / length) * axis);
    else
      findings_.error(element.line, label(element), "axis", *d.find("axis"),
                      "must have a direction");
    f.damping = number(d, "damping").value_or(0);
    f.stiffness = number(d, "stiffness").value_or(0);
    for (const auto& [field, value] : {std::pair{"damping", f.damping}, {"stiffness", f.stiffness}})
      if (value < 0)
        findings_.error(element.line, label(element), field, format_number(value), "must be >= 0");
    const double rest = number(d, "springref").value_or(0) - number(d, "ref").value_or(0);
    f.rest = turns ? angle(rest) : rest;
    if (joint.type == "ball" || joint.type == "free") f.rest = 0;
    const std::string* limited = d.find("limited");
    if (const auto range = numbers(d, "range", 2, 2);
        range && (limited == nullptr || *limited != "false")) {
      const double ref = number(d, "ref").value_or(0), scale = turns ? angle(1) : 1;
      const std::array<double, 2> stops{scale * ((*range)[0] - ref), scale * ((*range)[1] - ref)};
      if (options_.limit_stiffness && stops[0] < stops[1] && joint.type != "ball" &&
          !f.name.empty())
        robot_.restraints.push_back({f.name, element.line, stops, 0});
      else
        findings_.note(element.line, fmt::format("limits of {}: {:g} to {:g}{}", label(element),
                                                 (*range)[0], (*range)[1],
                                                 f.slides   ? " m"
                                                 : degrees_ ? " degrees"
                                                            : " rad"));
    }
    if (const double armature = number(d, "armature").value_or(0); armature != 0)
      findings_.note(element.line, fmt::format("armature {:g} of {}: inertia of a rotor", armature,
                                               label(element)));
    if (const double friction = number(d, "frictionloss").value_or(0);
        friction > 0 && options_.friction_rate && joint.type != "ball" && joint.type != "free" &&
        !f.name.empty())
      robot_.restraints.push_back({f.name, element.line, {}, friction});
    else if (friction != 0)
      findings_.note(element.line,
                     fmt::format("frictionloss {:g} of {}", friction, label(element)));
    for (const char* soft :
         {"solreflimit", "solimplimit", "solreffriction", "solimpfriction", "margin"})
      if (d.find(soft) != nullptr) softness_ = softness_ == 0 ? element.line : softness_;
    element.find("group");
    joints_[static_cast<std::size_t>(link)].push_back(joint);
  }

  void finish_joints(int link) {
    const auto& joints = joints_[static_cast<std::size_t>(link)];
    Link& body = at(link);
    const auto alone = [&](const MjcfJoint& joint) {
      if (joints.size() > 1)
        findings_.error(joint.freedom.line, "body '" + body.name + "'", "joint", joint.type,
                        "must be the only joint of its body to be carried over");
      body.joint = joint.freedom.name;
    };
    for (const MjcfJoint& joint : joints) {
      if (joint.type == "free") {
        alone(joint);
        if (body.parent >= 0)
          findings_.error(joint.freedom.line, "body '" + body.name + "'", "joint", "free",
                          "must be in a body that is in the world itself");
        if (!options_.fixed_base) body.hold = Hold::free;
        if (joint.freedom.damping != 0 || joint.freedom.stiffness != 0)
          findings_.note(
              joint.freedom.line,
              fmt::format("damping and stiffness of the free joint of body '{}'", body.name));
      } else if (joint.type == "ball") {
        alone(joint);
        body.hold = Hold::ball;
        body.ball = joint.freedom;
      } else {
        body.freedoms.push_back(joint.freedom);
        if (body.joint.empty()) body.joint = joint.freedom.name;
      }
    }
  }

  void read_site(const XmlElement& element, int link, const Frame& frame,
                 const std::string& child_class) {
    element.read = true;
    const Described d = described(element, child_class);
    const std::string* name = element.find("name");
    for (const char* look : {"type", "size", "rgba", "group", "material", "fromto", "user"})
      d.find(look);
    if (name == nullptr) return;
    robot_.frames.push_back({*name, link, frame * place(d)});
  }

  // --- Geoms ------------------------------------------------------------------------------

  void read_mesh(const XmlElement& element) {
    const Described d = described(element, "main");
    MeshAsset asset;
    asset.element = &element;
    const std::string* file = element.find("file");
    const std::string* name = element.find("name");
    if (file != nullptr) asset.file = *file;
    if (name == nullptr && file == nullptr) {
      findings_.error(element.line, "mesh", "file", "", "required");
      return;
    }
    asset.scale = vector(d, "scale").value_or(asset.scale);
    asset.reference.p = vector({&element, nullptr}, "refpos").value_or(Vec3d{});
    if (const auto q = numbers({&element, nullptr}, "refquat", 4, 4)) {
      const Quaternion<double> quaternion{(*q)[0], (*q)[1], (*q)[2], (*q)[3]};
      if (square(quaternion) > 1e-24) asset.reference.R = matrix(normalized(quaternion));
    }
    for (const char* look : {"smoothnormal", "maxhullvert", "inertia"}) d.find(look);
    const std::string key = name != nullptr ? *name : std::filesystem::path(*file).stem().string();
    if (!meshes_.try_emplace(key, asset).second)
      findings_.error(element.line, label(element), "name", key, "stands twice");
  }

  std::string mesh_path(const MeshAsset& asset) const {
    std::filesystem::path file = asset.file;
    if (strip_path_) file = file.filename();
    if (file.is_absolute()) return file.string();
    return (std::filesystem::path(mesh_directory_) / file).string();
  }

  void read_geom(const XmlElement& element, int link, const Frame& frame,
                 const std::string& child_class) {
    element.read = true;
    if (geoms_++ == 0) first_geom_ = element.line;
    const Described d = described(element, child_class);
    for (const char* contact :
         {"contype", "conaffinity", "condim", "friction", "priority", "solmix", "margin", "gap"})
      d.find(contact);
    for (const char* soft : {"solref", "solimp"})
      if (d.find(soft) != nullptr) softness_ = softness_ == 0 ? element.line : softness_;
    for (const char* look : {"rgba", "material", "user"}) d.find(look);
    element.find("name");
    const std::string* type_text = d.find("type");
    const std::string* mesh = d.find("mesh");
    const std::string type = type_text != nullptr ? *type_text
                             : mesh != nullptr    ? "mesh"
                                                  : "sphere";
    const double group = number(d, "group").value_or(0);
    const auto density = number(d, "density"), mass = number(d, "mass");
    auto size = numbers(d, "size", 1, 3).value_or(std::vector<double>{});
    const auto ends = numbers(d, "fromto", 6, 6);
    if (type == "plane" || type == "hfield" || type == "sdf") {
      d.find("pos"), d.find("quat"), d.find("euler"), d.find("zaxis");
      if (link >= 0)
        findings_.note(element.line, fmt::format("{}: a {} has no mass", label(element), type));
      return;
    }
    Frame local = frame * place(d);
    std::size_t needed = type == "sphere" ? 1 : type == "box" || type == "ellipsoid" ? 3 : 2;
    if (type == "mesh") needed = 0;
    const bool known = type == "mesh" || type == "sphere" || type == "box" || type == "ellipsoid" ||
                       type == "capsule" || type == "cylinder";
    if (!known) {
      findings_.error(element.line, label(element), "type", type,
                      "must be sphere, box, capsule, cylinder, ellipsoid, mesh, plane or hfield");
      return;
    }
    if (mesh != nullptr && type != "mesh") {
      findings_.error(element.line, label(element), "type", type,
                      "a primitive fitted to a mesh is not carried over: give its size, or the "
                      "body's inertial");
      return;
    }
    if (ends && needed >= 2 && !size.empty()) {
      const Vec3d a{(*ends)[0], (*ends)[1], (*ends)[2]}, b{(*ends)[3], (*ends)[4], (*ends)[5]};
      const double length = norm(b - a);
      if (!(length > 1e-12)) {
        findings_.error(element.line, label(element), "fromto", *d.find("fromto"),
                        "must be two different points");
        return;
      }
      local = frame * Frame{0.5 * (a + b), least_turn_of_z(a - b)};
      size = needed == 2 ? std::vector{size[0], length / 2}
                         : std::vector{size[0], size[0], length / 2};
    }
    if (size.size() < needed) {
      findings_.error(element.line, label(element), "size", d.find("size") ? *d.find("size") : "",
                      fmt::format("must be {} numbers for a {}", needed, type));
      return;
    }
    for (std::size_t k = 0; k < needed; ++k)
      if (!(size[k] > 0)) {
        findings_.error(element.line, label(element), "size", *d.find("size"), "must be > 0");
        return;
      }
    if (link < 0) return;  // part of the ground
    if ((density && *density < 0) || (mass && *mass < 0)) {
      findings_.error(element.line, label(element), mass ? "mass" : "density",
                      format_number(mass ? *mass : *density), "must be >= 0");
      return;
    }
    const Frame relative = in_link(link, local);
    const bool heavy = !(mass && *mass == 0) && !(!mass && density && *density == 0) &&
                       group >= groups_[0] && group <= groups_[1] && inertia_from_geom_ != "false";
    UnitSolid solid;
    Visual visual;
    visual.line = element.line;
    visual.place = relative;
    bool drawn = true;
    if (type == "mesh") {
      const auto asset = mesh != nullptr ? meshes_.find(*mesh) : meshes_.end();
      if (asset == meshes_.end()) {
        findings_.error(element.line, label(element), "mesh", mesh != nullptr ? *mesh : "",
                        "there is no mesh of this name");
        return;
      }
      // MuJoCo subtracts refpos and turns back by refquat.
      const Frame& r = asset->second.reference;
      visual.place = relative * Frame{-transpose_times(r.R, r.p), transpose(r.R)};
      visual.kind = Visual::Kind::mesh;
      visual.scale = asset->second.scale;
      visual.file = asset->second.file.empty() ? "" : mesh_path(asset->second);
      drawn = !visual.file.empty();
      if (!drawn)
        findings_.note(element.line,
                       fmt::format("the look of {}: its mesh has no file", label(element)));
      if (heavy) add_mesh(element, link, asset->second, visual, mass, density);
    } else {
      if (type == "sphere") {
        solid = ellipsoid_solid({size[0], size[0], size[0]});
        visual.kind = Visual::Kind::sphere;
        visual.radius = size[0];
      } else if (type == "box") {
        solid = box_solid({size[0], size[1], size[2]});
        visual.kind = Visual::Kind::box;
        visual.size = {2 * size[0], 2 * size[1], 2 * size[2]};
      } else if (type == "ellipsoid") {
        solid = ellipsoid_solid({size[0], size[1], size[2]});
        drawn = false;
      } else {
        solid =
            type == "capsule" ? capsule_solid(size[0], size[1]) : cylinder_solid(size[0], size[1]);
        visual.kind = Visual::Kind::cylinder;
        visual.radius = size[0];
        visual.length = 2 * size[1];
      }
      if (heavy)
        add_solid(from_geoms_[static_cast<std::size_t>(link)], solid,
                  mass ? *mass : density.value_or(1000) * solid.volume, relative);
    }
    // MuJoCo shows groups 0 to 2; the others are shapes for contacts, as a rule.
    if (drawn && group <= 2) at(link).visuals.push_back(std::move(visual));
    if (type == "ellipsoid" && group <= 2)
      findings_.note(element.line,
                     fmt::format("the look of {}: ellipsoids are not drawn", label(element)));
  }

  /// The mass of a mesh; a body with an inertial of its own does not need it.
  void add_mesh(const XmlElement& element, int link, const MeshAsset& asset, const Visual& visual,
                const std::optional<double>& mass, const std::optional<double>& density) {
    if (inertia_from_geom_ == "auto" && inertials_[static_cast<std::size_t>(link)]) return;
    try {
      const auto path = std::filesystem::path(options_.directory) / visual.file;
      const UnitSolid solid = mesh_solid(
          visual.file.empty() ? hull_of(asset) : read_scaled_mesh(path.string(), visual.scale));
      add_solid(from_geoms_[static_cast<std::size_t>(link)], solid,
                mass ? *mass : density.value_or(1000) * solid.volume, visual.place);
    } catch (const std::invalid_argument& fault) {
      findings_.error(element.line, label(element), "mesh", "", fault.what());
    }
  }

  /// Vertices in place of a file, without faces: their convex hull, as MuJoCo has it.
  TriangleSurface hull_of(const MeshAsset& asset) {
    const auto numbers =
        findings_.numbers(*asset.element, "vertex", label(*asset.element), 12, 300'000);
    if (!numbers || asset.element->find("face") != nullptr)
      throw std::invalid_argument("a mesh has a file, or vertices alone; give the body's inertial");
    std::vector<Vec3d> points;
    for (std::size_t i = 0; i + 2 < numbers->size(); i += 3)
      points.push_back({(*numbers)[i] * asset.scale.x, (*numbers)[i + 1] * asset.scale.y,
                        (*numbers)[i + 2] * asset.scale.z});
    return ConvexHull(points).surface();
  }

  /// settotalmass: everything is scaled.
  void scale_masses() {
    if (!(total_mass_ > 0)) return;
    double sum = 0;
    for (const Link& link : robot_.links) sum += link.inertial ? link.inertial->mass : 0;
    if (!(sum > 0)) return;
    for (Link& link : robot_.links)
      if (link.inertial) {
        link.inertial->mass *= total_mass_ / sum;
        for (double& x : link.inertial->inertia) x *= total_mass_ / sum;
      }
  }

  // --- Loops ------------------------------------------------------------------------------

  void read_equality(const XmlElement& section) {
    std::size_t count = 0;
    for (const XmlElement& element : section.children) {
      ++count;
      element.read = true;
      const Described d = described(element, "main");
      const std::string* name = element.find("name");
      if (const std::string* active = d.find("active"); active != nullptr && *active == "false") {
        findings_.note(element.line, label(element) + ": not active");
        mark_read(element);
        continue;
      }
      for (const char* soft : {"solref", "solimp", "torquescale"})
        if (d.find(soft) != nullptr) softness_ = softness_ == 0 ? element.line : softness_;
      if (element.name == "joint" && read_coupling(element, d, name, count)) continue;
      if (element.name != "connect" && element.name != "weld") {
        std::string between;
        for (const XmlAttribute& a : element.attributes)
          if (a.name != "name") between += fmt::format(" {}=\"{}\"", a.name, a.value);
        findings_.note(element.line,
                       fmt::format("coupling {}{}{}", element.name,
                                   name != nullptr ? " '" + *name + "'" : "", between));
        mark_read(element);
        continue;
      }
      Loop loop;
      loop.line = element.line;
      loop.welds = element.name == "weld";
      loop.name = name != nullptr ? *name : fmt::format("{}{}", element.name, count);
      if (element.find("site1") != nullptr || element.find("site2") != nullptr) {
        for (int end = 0; end < 2; ++end) {
          const std::string* site = element.find(end == 0 ? "site1" : "site2");
          const auto found =
              std::ranges::find(robot_.frames, site != nullptr ? *site : "", &NamedFrame::name);
          if (found == robot_.frames.end()) {
            findings_.error(element.line, label(element), end == 0 ? "site1" : "site2",
                            site != nullptr ? *site : "", "there is no site of this name");
            break;
          }
          loop.link[static_cast<std::size_t>(end)] = found->link;
          loop.point[static_cast<std::size_t>(end)] = found->frame.p;
        }
      } else {
        for (int end = 0; end < 2; ++end) {
          const char* const field = end == 0 ? "body1" : "body2";
          const std::string* body = element.find(field);
          if (body == nullptr && end == 1) break;  // the world
          const auto found = by_name_.find(body != nullptr ? *body : "");
          if (body != nullptr && *body == "world") continue;
          if (found == by_name_.end())
            findings_.error(element.line, label(element), field, body != nullptr ? *body : "",
                            "there is no body of this name");
          else
            loop.link[static_cast<std::size_t>(end)] = found->second;
        }
        // The point is given in the frame of the first body, that of a weld in the second's.
        const auto owner = loop.link[loop.welds ? 1 : 0];
        const Frame frame = owner < 0 ? Frame{} : at(owner).frame;
        const auto anchor = vector(d, "anchor");
        if (!loop.welds && !anchor)
          findings_.error(element.line, label(element), "anchor", "", "required");
        loop.point[0] = loop.point[1] = frame.p + frame.R * anchor.value_or(Vec3d{});
        if (const auto pose = numbers(d, "relpose", 7, 7);
            pose && ((*pose)[3] != 0 || (*pose)[4] != 0 || (*pose)[5] != 0 || (*pose)[6] != 0))
          findings_.note(
              element.line,
              fmt::format("relpose of {}: the two are welded as they are placed", label(element)));
      }
      if (loop.link[0] == loop.link[1] && !findings_.failed())
        findings_.error(element.line, label(element), "body2", "", "must be another than body1");
      robot_.loops.push_back(std::move(loop));
    }
  }

  /// q1 = c0 + c1 q2 from the described pose; false for what is not linear, or has one joint alone.
  bool read_coupling(const XmlElement& element, const Described& d, const std::string* name,
                     std::size_t count) {
    const std::string *joint = element.find("joint1"), *other = element.find("joint2");
    const auto c = numbers(d, "polycoef", 1, 5).value_or(std::vector<double>{0, 1});
    const auto coefficient = [&c](std::size_t i) { return i < c.size() ? c[i] : 0.0; };
    if (joint == nullptr || other == nullptr || coefficient(1) == 0 || coefficient(2) != 0 ||
        coefficient(3) != 0 || coefficient(4) != 0)
      return false;
    robot_.couplings.push_back({name != nullptr ? *name : fmt::format("joint{}", count),
                                element.line, *joint, *other, coefficient(1), coefficient(0)});
    return true;
  }

  const XmlElement& root_;
  Findings findings_;
  const ImportOptions& options_;
  Robot robot_;
  std::map<std::string, DefaultClass> classes_;
  std::map<std::string, int> by_name_;
  std::map<std::string, MeshAsset> meshes_;
  std::vector<std::optional<Inertial>> inertials_;  // by link, like the next two
  std::vector<std::vector<MjcfJoint>> joints_;
  std::vector<Inertial> from_geoms_;
  bool degrees_ = true, strip_path_ = false;
  std::string euler_sequence_ = "xyz", inertia_from_geom_ = "auto", mesh_directory_;
  std::array<double, 2> groups_{0, 5};
  double total_mass_ = -1, least_mass_ = 0, least_inertia_ = 0;
  std::size_t geoms_ = 0;
  int first_geom_ = 0, softness_ = 0;
};

}  // namespace

Import read_mjcf(std::string_view text, const std::string& file, const ImportOptions& options) {
  const XmlElement root = parse_xml(text, file);
  if (root.name != "mujoco")
    throw InputError({Diagnostic{
        {file, root.line}, "the root element", "", root.name, "", "must be <mujoco>", ""}});
  return MjcfReader(root, file, options).read();
}

}  // namespace tumble::convert
