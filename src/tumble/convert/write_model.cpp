// From a machine to the text of a model file that a person can read and go on with.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <stdexcept>

#include "tumble/convert/coupler_writer.hpp"
#include "tumble/convert/machine.hpp"
#include "tumble/convert/solids.hpp"

namespace tumble::convert {
namespace {

constexpr double nearly = 1e-9;

/// The part of a body's mass and inertia that a helper between two of its joints gets. In the pose
/// of the file the sum is exact; when joints move, errors are of this size relative to the body's
/// own inertia.
constexpr double helper_share = 1e-3;

/// Fifteen digits: those of the file without the dust of turned axes. What is far below `size` is
/// 0.
std::string tidy(double x, double size) {
  if (std::abs(x) <= 1e-14 * size || x == 0) return "0";
  const std::string text = fmt::format("{:.15g}", x);
  // YAML wants a point or a sign in what has an exponent; ours reads both.
  return text;
}

std::string tidy(const Vec3d& v, double size = 0) {
  const double scale = std::max(size, largest_entry(v));
  return fmt::format("[{}, {}, {}]", tidy(v.x, scale), tidy(v.y, scale), tidy(v.z, scale));
}

/// Axes by their x and y where these are along axes, a quaternion otherwise; empty for none.
std::string orientation_text(const Mat3d& R) {
  bool plain = true, none = true;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const double x = std::abs(R(i, j));
      plain = plain && (x < 1e-14 || std::abs(x - 1) < 1e-14);
      none = none && std::abs(R(i, j) - (i == j ? 1 : 0)) < 1e-15;
    }
  if (none) return {};
  if (plain) return fmt::format("{{x: {}, y: {}}}", tidy(R.column(0)), tidy(R.column(1)));
  const Quaternion<double> q = quaternion_of(R);
  return fmt::format("[{}, {}, {}, {}]", tidy(q.w, 1), tidy(q.x, 1), tidy(q.y, 1), tidy(q.z, 1));
}

std::string inertia_text(const std::array<double, 6>& J) {
  const double size = std::max({J[0], J[1], J[2]});
  const bool diagonal = std::abs(J[3]) + std::abs(J[4]) + std::abs(J[5]) <= 1e-14 * size;
  std::string text;
  for (std::size_t k = 0; k < (diagonal ? 3u : 6u); ++k)
    text += (text.empty() ? "" : ", ") + tidy(J[k], size);
  return "[" + text + "]";
}

/// A comment is one line, whatever a file has in its names.
std::string comment(const std::string& text) {
  std::string line;
  for (const char c : text) line += c >= ' ' && c != 127 ? c : '?';
  return line;
}

bool parallel(const Vec3d& a, const Vec3d& b) { return norm(cross(a, b)) < nearly; }
bool across(const Vec3d& a, const Vec3d& b) { return std::abs(dot(a, b)) < nearly; }

/// How freedoms in one place are one joint of Tumble: its type and the axes of its frame.
struct JointForm {
  std::string type;  ///< empty: there is none
  std::string fields;
  Vec3d point;
  Mat3d axes = Mat3d::identity();  ///< general joints
  std::vector<int> motion;         ///< of each freedom, along or about which axis: 0 ... 5
};

class ModelWriter {
 public:
  ModelWriter(const Machine& machine, const Folders& folders, const ImportOptions& options)
      : machine_(machine),
        folders_(folders),
        options_(options),
        findings_(machine.robot.source),
        notes_(machine.notes) {}

  ModelText write() {
    for (const MachineBody& body : machine_.bodies) {
      add_body(body);
      add_joint(body);
    }
    for (const MachineLoop& loop : machine_.loops) add_loop(loop);
    for (const Coupling& coupling : machine_.robot.couplings) couplers_.add(coupling, findings_);
    for (const Restraint& restraint : machine_.robot.restraints)
      for (const std::string& force : couplers_.forces_of(restraint, options_, findings_))
        forces_ += fmt::format("  {}: {}\n", unused_force(allowed_name(restraint.joint)), force);
    findings_.throw_if_failed();
    for (Note& note : findings_.take_notes()) notes_.push_back(std::move(note));
    std::ranges::stable_sort(notes_, {}, &Note::line);
    return {text(), notes_, joint_forces_, shares_};
  }

 private:
  const std::string& name_of(int body) const {
    static const std::string ground = "ground";
    return body < 0 ? ground : machine_.bodies[static_cast<std::size_t>(body)].name;
  }

  std::string text() const {
    const Robot& robot = machine_.robot;
    std::string out =
        fmt::format("# {}, made by `tumble convert` from the {} file {}.\n",
                    robot.name.empty() ? "A robot" : comment(robot.name), robot.format,
                    comment(std::filesystem::path(robot.source).filename().string()));
    out +=
        "# Points and axes are those of the pose in which all joints are at zero, in ground "
        "axes.\n";
    if (notes_.empty()) {
      out += "# Everything in the file was carried over.\n";
    } else {
      out += "#\n# Not carried over (line of the file: what):\n";
      for (const Note& note : notes_)
        out += fmt::format("#   {}: {}\n", note.line, comment(note.text));
    }
    // In quotes: a name may hold what YAML gives a meaning to.
    std::string title;
    for (const char c : comment(robot.name)) title += c == '\'' ? "''" : std::string(1, c);
    if (!title.empty()) out += fmt::format("title: '{}'\n", title);
    out += fmt::format("\ngravity: {}\n", tidy(robot.gravity));
    if (!machine_.ground_markers.empty())
      out += "\nground:\n  markers:\n" + markers_text(machine_.ground_markers, "    ");
    out += "\nbodies:\n" + bodies_;
    if (!joints_.empty()) out += "\njoints:\n" + joints_;
    if (!couplers_.text().empty()) out += "\ncouplers:\n" + couplers_.text();
    if (!forces_.empty()) out += "\nforces:\n" + forces_;
    out += "\nprobes:\n" + probes_ + "  robot: {system: true, quantities: [total_energy]}\n";
    const double step = robot.time_step.value_or(1e-3);
    out += fmt::format("\nsimulation: {{duration: 1, step: {}, output_step: {}}}\n",
                       tidy(step, step), tidy(step * std::max(1.0, std::round(0.01 / step)), step));
    return out;
  }

  static std::string markers_text(const std::vector<NamedFrame>& markers,
                                  const std::string& indent) {
    std::string out;
    for (const NamedFrame& marker : markers) {
      const std::string orientation = orientation_text(marker.frame.R);
      out += fmt::format("{}{}: {{position: {}{}}}\n", indent, marker.name, tidy(marker.frame.p),
                         orientation.empty() ? "" : ", orientation: " + orientation);
    }
    return out;
  }

  void add_body(const MachineBody& body) {
    const Link& link = machine_.link_of(body);
    const std::size_t helpers = needs_helpers(body) ? body.freedoms.size() - 1 : 0;
    shares_.push_back(1 - static_cast<double>(helpers) * helper_share);
    for (std::size_t i = 0; i < helpers; ++i) {
      bodies_ += fmt::format("  {}:  # between joints of {}\n", helper_name(body, i), body.name);
      add_inertial(link, helper_share);
    }
    bodies_ += fmt::format("  {}:  # line {}\n", body.name, link.line);
    add_inertial(link, shares_.back());
    add_drawing(body, link);
    if (!body.markers.empty()) bodies_ += "    markers:\n" + markers_text(body.markers, "      ");
    const bool leaf = std::ranges::none_of(machine_.bodies, [&](const MachineBody& other) {
      return other.parent >= 0 && &machine_.bodies[static_cast<std::size_t>(other.parent)] == &body;
    });
    if (leaf || body.hold == Hold::free)
      probes_ += fmt::format("  {}: {{body: {}, quantities: [position, velocity]}}\n",
                             unused_probe(body.name), body.name);
  }

  void add_inertial(const Link& link, double share) {
    const Inertial& inertial = *link.inertial;
    auto J = inertial.inertia;
    for (double& x : J) x *= share;
    bodies_ += fmt::format("    mass: {}\n", tidy(share * inertial.mass, 0));
    bodies_ += fmt::format("    position: {}\n",
                           tidy(link.frame.p + link.frame.R * inertial.centre, reach_of(link)));
    if (const std::string orientation = orientation_text(link.frame.R); !orientation.empty())
      bodies_ += fmt::format("    orientation: {}\n", orientation);
    bodies_ += fmt::format("    inertia: {}\n", inertia_text(J));
  }

  /// Whether no joint of Tumble, with the springs there are, stands for all freedoms of a body.
  static bool needs_helpers(const MachineBody& body) {
    if (body.hold != Hold::joints || body.freedoms.size() < 2) return false;
    const JointForm form = form_of(body.freedoms);
    const bool free = form.type.empty() && form.motion.size() == 6;
    if (form.type.empty() && !free) return true;
    const bool springs = std::ranges::any_of(
        body.freedoms, [](const Freedom& f) { return f.stiffness != 0 || f.damping != 0; });
    const auto hinges = std::ranges::count(body.freedoms, false, &Freedom::slides);
    return springs && (free || hinges > 1 || std::ranges::count(form.motion, -1) > 0);
  }

  /// The body between freedom i and the next.
  std::string helper_name(const MachineBody& body, std::size_t i) const {
    std::string name = fmt::format("{}_part{}", body.name, i + 1);
    while (std::ranges::count(machine_.bodies, name, &MachineBody::name) > 0) name += '_';
    return name;
  }

  /// A joint for every freedom, from body to body.
  void add_chain(const MachineBody& body) {
    std::string names;
    for (const Freedom& f : body.freedoms)
      names += (names.empty() ? "" : ", ") + (f.name.empty() ? "no name" : f.name);
    findings_.note(body.freedoms[0].line,
                   fmt::format("the joints of '{}' ({}) being in one place: bodies with a "
                               "thousandth of its mass stand between them",
                               machine_.link_of(body).name, names));
    std::string before = name_of(body.parent);
    for (std::size_t i = 0; i < body.freedoms.size(); ++i) {
      const bool last = i + 1 == body.freedoms.size();
      const std::string after = last ? body.name : helper_name(body, i);
      MachineBody part = body;
      part.freedoms = {body.freedoms[i]};
      part.joint = i == 0 ? body.joint : unused_joint(body.freedoms[i].name, body.joint, i);
      add_single(part, fmt::format("[{}, {}]", before, after), index_of(body), i);
      before = after;
    }
  }

  std::string unused_joint(const std::string& wanted, const std::string& first, std::size_t i) {
    std::string name = wanted.empty() ? fmt::format("{}_{}", first, i + 1) : allowed_name(wanted);
    while (name == "ground" || std::ranges::count(machine_.bodies, name, &MachineBody::joint) > 0 ||
           std::ranges::count(machine_.loops, name, &MachineLoop::name) > 0 ||
           !chain_joints_.insert(name).second)
      name += '_';
    return name;
  }

  /// A joint with its probe and springs; `owner` and `first` say whose freedoms they are.
  void add_single(const MachineBody& body, const std::string& between, std::size_t owner,
                  std::size_t first) {
    const JointForm form = form_of(body.freedoms);
    joints_ += fmt::format("  {}: {{type: {}, between: {}, point: {}{}}}\n", body.joint, form.type,
                           between, tidy(form.point), form.fields);
    if (body.freedoms.size() == 1) {
      const bool slides = body.freedoms[0].slides;
      probes_ +=
          fmt::format("  {}: {{joint: {}, quantities: [{}]}}\n", unused_probe(body.joint),
                      body.joint, slides ? "displacement, displacement_rate" : "angle, angle_rate");
    }
    add_springs(body, between, form, owner, first);
    couplers_.remember(body, form.axes, form.motion);
  }

  void add_drawing(const MachineBody& body, const Link& link) {
    std::string list;
    for (const Visual& visual : body.visuals) {
      std::string solid;
      const auto positive = [](const Vec3d& v) { return v.x > 0 && v.y > 0 && v.z > 0; };
      switch (visual.kind) {
        case Visual::Kind::box:
          if (positive(visual.size)) solid = fmt::format("box: {{size: {}}}", tidy(visual.size));
          break;
        case Visual::Kind::sphere:
          if (visual.radius > 0)
            solid = fmt::format("sphere: {{radius: {}}}", tidy(visual.radius, 0));
          break;
        case Visual::Kind::cylinder:
          if (visual.radius > 0 && visual.length > 0)
            solid = fmt::format("cylinder: {{radius: {}, length: {}}}", tidy(visual.radius, 0),
                                tidy(visual.length, 0));
          break;
        case Visual::Kind::mesh:
          solid = mesh_text(visual);
          if (solid.empty()) continue;  // said why
          break;
      }
      if (solid.empty()) {
        findings_.note(visual.line,
                       fmt::format("a visual of '{}': its size must be > 0", link.name));
        continue;
      }
      const Frame place = link.frame * visual.place;
      // Left out, they are the centre of mass and the axes of the body.
      const Vec3d centre = link.frame.p + link.frame.R * link.inertial->centre;
      if (norm(place.p - centre) > 1e-14 * (1 + norm(centre)))
        solid += ", position: " + tidy(place.p);
      double turn = 0;
      for (int k = 0; k < 9; ++k) turn = std::max(turn, std::abs(place.R.m[k] - link.frame.R.m[k]));
      if (turn > 1e-14 && visual.kind != Visual::Kind::sphere) {
        const std::string orientation = orientation_text(place.R);
        solid += ", orientation: " + (orientation.empty() ? "[1, 0, 0, 0]" : orientation);
      }
      list += fmt::format("      - {{{}}}\n", solid);
    }
    if (!list.empty()) bodies_ += "    drawing:\n" + list;
  }

  /// A mesh that can be read, named as the model file sees it.
  std::string mesh_text(const Visual& visual) {
    const auto lost = [&](const std::string& reason) {
      findings_.note(visual.line, fmt::format("the mesh '{}': {}", visual.file, reason));
      return std::string();
    };
    const Vec3d& s = visual.scale;
    if (!(s.x > 0) || s.x != s.y || s.x != s.z) return lost("its scale is not one positive number");
    const auto path = mesh_file(visual.file, folders_.description);
    if (!path) return lost("there is no such file");
    try {
      (void)read_scaled_mesh(path->string(), s);
    } catch (const std::invalid_argument&) {
      return lost("it cannot be read as STL or OBJ");
    }
    std::error_code error;
    const std::filesystem::path here = folders_.model.empty() ? "." : folders_.model;
    std::filesystem::path named = std::filesystem::relative(*path, here, error);
    if (error || named.empty()) named = *path;
    std::string quoted;
    for (const char c : named.string()) quoted += c == '\'' ? "''" : std::string(1, c);
    if (comment(quoted) != quoted) return lost("its name cannot be written");
    const std::string scale = s.x == 1 ? "" : ", scale: " + tidy(s.x, 0);
    return fmt::format("mesh: {{file: '{}'{}}}", quoted, scale);
  }

  /// package://NAME/a/b.stl is looked for as NAME/a/b.stl and a/b.stl in the folder of the
  /// description and those above it, as packages lie in a workspace.
  static std::optional<std::filesystem::path> mesh_file(std::string name,
                                                        const std::string& folder) {
    namespace fs = std::filesystem;
    std::error_code error;
    const auto exists = [&error](const fs::path& path) { return fs::is_regular_file(path, error); };
    if (name.starts_with("file://")) name = name.substr(7);
    if (!name.starts_with("package://")) {
      const fs::path path = fs::path(folder) / name;
      return exists(path) ? std::optional(path) : std::nullopt;
    }
    name = name.substr(10);
    const auto slash = name.find('/');
    const std::string inside = slash == name.npos ? name : name.substr(slash + 1);
    fs::path above = fs::absolute(folder.empty() ? "." : folder, error);
    for (int level = 0; level < 6; ++level) {
      for (const std::string& candidate : {name, inside})
        if (exists(above / candidate)) return above / candidate;
      if (above == above.parent_path()) break;
      above = above.parent_path();
    }
    return std::nullopt;
  }

  static double reach_of(const Link& link) { return largest_entry(link.frame.p); }

  std::string unused_probe(const std::string& wanted) {
    std::string name = wanted;
    for (int k = 2; name == "robot" || !probe_names_.insert(name).second; ++k)
      name = fmt::format("{}_{}", wanted, k);
    return name;
  }

  void add_joint(const MachineBody& body) {
    const std::string between = fmt::format("[{}, {}]", name_of(body.parent), body.name);
    if (body.hold == Hold::free) return;
    if (body.hold == Hold::ball) {
      joints_ += fmt::format("  {}: {{type: spherical, between: {}, point: {}}}\n", body.joint,
                             between, tidy(body.ball.point));
      const double k = body.ball.stiffness, d = body.ball.damping;
      if (k != 0 || d != 0)
        add_bushing(body, between, body.ball.point, Mat3d::identity(), {0, 0, 0, k, k, k},
                    {0, 0, 0, d, d, d}, {});
      return;
    }
    if (body.hold == Hold::planar) {
      joints_ += fmt::format(
          "  {}: {{type: general, between: {}, point: {}, locked: [z, rx, ry]{}}}\n", body.joint,
          between, tidy(body.ball.point), oriented(axes_along(body.ball.axis)));
      return;
    }
    const Link& link = machine_.link_of(body);
    if (body.freedoms.empty()) {
      joints_ += fmt::format("  {}: {{type: fixed, between: {}, point: {}}}\n", body.joint, between,
                             tidy(link.frame.p));
      return;
    }
    if (needs_helpers(body))
      add_chain(body);
    else if (!form_of(body.freedoms).type.empty())  // six freedoms are no joint
      add_single(body, between, index_of(body), 0);
  }

  static std::string oriented(const Mat3d& axes) {
    const std::string orientation = orientation_text(axes);
    return orientation.empty() ? "" : ", orientation: " + orientation;
  }

  /// Slides, if they all come before the hinges, move along axes of the first body; hinges in one
  /// point turn one after the other. Then the joint is one that locks a subset of six motions.
  static JointForm form_of(const std::vector<Freedom>& f) {
    JointForm form;
    std::vector<Vec3d> slides, hinges;
    bool ordered = true;
    for (const Freedom& freedom : f) {
      if (freedom.slides) {
        ordered = ordered && hinges.empty();
        slides.push_back(freedom.axis);
      } else {
        if (hinges.empty()) form.point = freedom.point;
        if (norm(freedom.point - form.point) > nearly) return form;
        hinges.push_back(freedom.axis);
      }
    }
    if (hinges.empty()) form.point = f[0].point;
    const auto axis_field = [&](const Vec3d& axis) { return ", axis: " + tidy(axis); };
    if (f.size() == 1) {
      form.type = f[0].slides ? "prismatic" : "revolute";
      form.fields = axis_field(f[0].axis);
      form.axes = axes_along(f[0].axis);
      form.motion = {f[0].slides ? 2 : 5};
      return form;
    }
    if (slides.size() == 1 && hinges.size() == 1 && parallel(slides[0], hinges[0]) &&
        dot(slides[0], hinges[0]) > 0) {
      form.type = "cylindrical";
      form.fields = axis_field(hinges[0]);
      form.axes = axes_along(hinges[0]);
      for (const Freedom& freedom : f) form.motion.push_back(freedom.slides ? 2 : 5);
      return form;
    }
    if (!ordered || slides.size() > 3 || hinges.size() > 3) return form;
    for (const auto& axes : {slides, hinges})
      for (std::size_t i = 0; i < axes.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
          if (!across(axes[i], axes[j])) return form;
    // The frame: hinges first, because two of them have an order (first x, then y); then slides.
    std::vector<Vec3d> axes;
    if (hinges.size() >= 2) {
      axes = {hinges[0], hinges[1], cross(hinges[0], hinges[1])};
    } else {
      const Vec3d z = hinges.size() == 1   ? hinges[0]
                      : slides.size() == 2 ? cross(slides[0], slides[1])
                                           : slides[0];
      Vec3d x = axes_along(z).column(0);
      for (const Vec3d& slide : slides)
        if (across(slide, z)) {
          x = slide;
          break;
        }
      axes = {x, cross(z, x), z};
    }
    form.axes = Mat3d::from_columns(axes[0], axes[1], axes[2]);
    std::array<bool, 6> open{};
    for (const Freedom& freedom : f) {
      int along = -1;
      for (int k = 0; k < 3; ++k)
        if (parallel(freedom.axis, axes[static_cast<std::size_t>(k)])) along = k;
      if (along < 0 &&
          !((freedom.slides && slides.size() == 3) || (!freedom.slides && hinges.size() == 3)))
        return form;
      form.motion.push_back(along < 0 ? -1 : along + (freedom.slides ? 0 : 3));
      if (along >= 0) open[static_cast<std::size_t>(form.motion.back())] = true;
    }
    for (std::size_t k = 0; k < 3; ++k) {
      open[k] = open[k] || slides.size() == 3;
      open[k + 3] = open[k + 3] || hinges.size() == 3;
    }
    if (slides.empty() && hinges.size() == 3) {
      form.type = "spherical";
    } else if (slides.empty() && hinges.size() == 2) {
      form.type = "universal";
      form.fields =
          fmt::format(", axis_first: {}, axis_second: {}", tidy(hinges[0]), tidy(hinges[1]));
    } else {
      std::string locked;
      for (std::size_t k = 0; k < 6; ++k)
        if (!open[k]) locked += (locked.empty() ? "" : ", ") + std::string(motion_names[k]);
      if (locked.empty()) return form;  // six freedoms: no joint
      form.type = "general";
      form.fields = fmt::format(", locked: [{}]{}", locked, oriented(form.axes));
    }
    return form;
  }

  /// At most one hinge has a spring here: needs_helpers().
  void add_springs(const MachineBody& body, const std::string& between, const JointForm& form,
                   std::size_t owner, std::size_t first) {
    std::array<double, 6> stiffness{}, damping{}, prestress{};
    for (std::size_t i = 0; i < body.freedoms.size(); ++i) {
      const Freedom& f = body.freedoms[i];
      if (form.motion[i] < 0) continue;
      const auto m = static_cast<std::size_t>(form.motion[i]);
      stiffness[m] = f.stiffness;
      damping[m] = f.damping;
      // The second body is pulled along by +k rest, so the first feels -k rest; an axis of the
      // frame may point the other way.
      const double sign = dot(f.axis, form.axes.column(static_cast<int>(m % 3))) < 0 ? -1 : 1;
      prestress[m] = -sign * f.stiffness * f.rest;
    }
    for (std::size_t i = 0; i < body.freedoms.size(); ++i) {
      const Freedom& f = body.freedoms[i];
      if (f.slides || (f.stiffness == 0 && f.damping == 0)) continue;
      std::string fields;
      if (f.stiffness != 0) fields += fmt::format(", stiffness: {}", tidy(f.stiffness, 0));
      if (f.stiffness != 0 && f.rest != 0) fields += fmt::format(", angle: {}", tidy(f.rest, 0));
      if (f.damping != 0) fields += fmt::format(", damping: {}", tidy(f.damping, 0));
      const std::string force = unused_force(body.joint);
      forces_ += fmt::format("  {}: {{type: torsion_spring, between: {}, point: {}, axis: {}{}}}\n",
                             force, between, tidy(f.point), tidy(f.axis), fields);
      joint_forces_.push_back({force, owner, first + i, 5});
    }
    for (std::size_t k = 3; k < 6; ++k) stiffness[k] = damping[k] = prestress[k] = 0;
    const auto moves = [](const std::array<double, 6>& six) {
      return six[0] != 0 || six[1] != 0 || six[2] != 0;
    };
    if (!moves(stiffness) && !moves(damping)) return;
    const std::string force =
        add_bushing(body, between, form.point, form.axes, stiffness, damping, prestress);
    for (std::size_t i = 0; i < body.freedoms.size(); ++i)
      if (body.freedoms[i].slides)
        joint_forces_.push_back({force, owner, first + i, form.motion[i]});
  }

  std::size_t index_of(const MachineBody& body) const {
    return static_cast<std::size_t>(&body - machine_.bodies.data());
  }

  std::string unused_force(const std::string& wanted) {
    std::string name = wanted;
    for (int k = 2; !force_names_.insert(name).second; ++k) name = fmt::format("{}_{}", wanted, k);
    return name;
  }

  std::string add_bushing(const MachineBody& body, const std::string& between, const Vec3d& point,
                          const Mat3d& axes, const std::array<double, 6>& stiffness,
                          const std::array<double, 6>& damping,
                          const std::array<double, 6>& prestress) {
    const auto six = [](const char* field, const std::array<double, 6>& values, bool always) {
      std::string text;
      bool any = always;
      for (const double x : values) {
        text += (text.empty() ? "" : ", ") + tidy(x, 0);
        any = any || x != 0;
      }
      return any ? fmt::format(", {}: [{}]", field, text) : std::string();
    };
    const std::string force = unused_force(body.joint);
    forces_ += fmt::format("  {}: {{type: bushing, between: {}, point: {}{}{}{}{}}}\n", force,
                           between, tidy(point), oriented(axes), six("stiffness", stiffness, true),
                           six("damping", damping, false), six("prestress", prestress, false));
    return force;
  }

  void add_loop(const MachineLoop& loop) {
    const std::string a = name_of(loop.body[0]), b = name_of(loop.body[1]);
    const char* const type = loop.welds ? "fixed" : "spherical";
    if (norm(loop.point[0] - loop.point[1]) <= nearly) {
      joints_ += fmt::format("  {}: {{type: {}, between: [{}, {}], point: {}}}  # closes a loop\n",
                             loop.name, type, a, b, tidy(loop.point[0]));
      return;
    }
    findings_.error(0, fmt::format("loop '{}'", loop.name), "", "",
                    fmt::format("its two points are {:.3g} m apart in the pose of the file",
                                norm(loop.point[0] - loop.point[1])));
  }

  const Machine& machine_;
  const Folders& folders_;
  const ImportOptions& options_;
  Findings findings_;
  std::vector<Note> notes_;
  std::string bodies_, joints_, forces_, probes_;
  CouplerWriter couplers_;
  std::vector<ModelText::JointForce> joint_forces_;
  std::vector<double> shares_;
  std::set<std::string> chain_joints_;
  std::set<std::string> probe_names_, force_names_;
};

}  // namespace

ModelText write_model(const Machine& machine, const Folders& folders,
                      const ImportOptions& options) {
  return ModelWriter(machine, folders, options).write();
}

}  // namespace tumble::convert
