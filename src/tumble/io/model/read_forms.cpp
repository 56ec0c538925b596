// Values that can be written in several forms: rotations, shapes, characteristics, motions,
// ranges of quantities and the markers of a body.
#include <fmt/format.h>

#include <stdexcept>

#include "tumble/io/model/read_described.hpp"
#include "tumble/io/model/referenced_file.hpp"

namespace tumble {
namespace {

void fixed_length(ReadContext& context, const Place& place, const Entry& entry, const Node& node,
                  std::size_t size, std::vector<double>& numbers) {
  if (node.is_sequence() && node.items.size() != size) {
    context.error(node, place, {},
                  fmt::format("must be a list of {} numbers, found {}", size, node.items.size()));
    return;
  }
  read(context, place, entry, node, numbers);
}

bool valid_sequence(std::string_view s) {
  if (s.size() != 3) return false;
  int axis[3];
  for (std::size_t i = 0; i < 3; ++i) {
    const char c = s[i];
    if (c >= 'x' && c <= 'z')
      axis[i] = c - 'x';
    else if (c >= 'X' && c <= 'Z')
      axis[i] = c - 'X';
    else if (c >= '1' && c <= '3')
      axis[i] = c - '1';
    else
      return false;
  }
  return axis[0] != axis[1] && axis[1] != axis[2];
}

}  // namespace

int read_form(ReadContext& context, const Place& place, const Node& node,
              const std::vector<std::string>& forms) {
  int form = -1;
  for (std::size_t i = 0; i < forms.size(); ++i) {
    if (node.find(forms[i]) == nullptr) continue;
    if (form >= 0) {
      context.error(node, place, {},
                    fmt::format("must be given in one form, found both {} and {}",
                                forms[static_cast<std::size_t>(form)], forms[i]));
      return -1;
    }
    form = static_cast<int>(i);
  }
  if (form < 0) {
    const std::string found = node.keys.empty() ? "nothing" : "'" + printable(node.keys[0]) + "'";
    context.error(node, place, {},
                  fmt::format("must have the key {}, found {}", one_of(forms), found),
                  node.keys.empty() ? std::string{} : context.suggest(node.keys[0], forms));
  }
  return form;
}

void read(ReadContext& context, const Place& place, const Entry& entry, const Node& node,
          Orientation& value) {
  if (node.is_sequence()) {
    value.form = Orientation::Form::quaternion;
    fixed_length(context, place, entry, node, 4, value.numbers);
    return;
  }
  if (!node.is_mapping()) {
    context.wrong_kind(node, place,
                       "a quaternion [w, x, y, z] or one of quaternion, rotation_vector, euler, or "
                       "the axes x and y");
    return;
  }
  const int form = read_form(context, place, node, {"quaternion", "rotation_vector", "euler", "x"});
  if (form < 0) return;
  value.form = static_cast<Orientation::Form>(form);
  EntryReader entries(context, place, node);
  const auto numbers = [&](std::string_view key, std::string_view unit, std::size_t size,
                           std::vector<double>& target) {
    const Entry declared{key, unit, "", Range::any, true};
    if (const Node* list = entries.find(declared))
      fixed_length(context, entries.place(declared), declared, *list, size, target);
  };
  switch (value.form) {
    case Orientation::Form::quaternion:
      numbers("quaternion", "", 4, value.numbers);
      break;
    case Orientation::Form::rotation_vector:
      value.numbers.assign(3, 0);
      numbers("rotation_vector", "rad", 3, value.numbers);
      break;
    case Orientation::Form::euler: {
      value.numbers.assign(3, 0);
      numbers("euler", "rad", 3, value.numbers);
      value.sequence = "123";
      const Entry declared{"sequence", "", "", Range::any, true};
      if (const Node* text = entries.find(declared)) {
        if (text->is_scalar() && valid_sequence(text->text))
          value.sequence = text->text;
        else
          context.wrong_kind(*text, entries.place(declared),
                             "three axes like 123, 313 or xyz, no two neighbours alike");
      }
      break;
    }
    case Orientation::Form::axes: {
      std::vector<double> x{1, 0, 0}, y{0, 1, 0};
      numbers("x", "", 3, x);
      numbers("y", "", 3, y);
      value.numbers = {1, 0, 0, 0, 1, 0};
      if (x.size() == 3 && y.size() == 3) {
        value.numbers = x;
        value.numbers.insert(value.numbers.end(), y.begin(), y.end());
      }
      break;
    }
  }
  entries.finish();
}

namespace {

const std::vector<std::string> solids = {"box", "cylinder", "sphere", "mesh"};

void read_mesh(ReadContext& context, EntryReader& entries, const Place& place, const Node& node,
               bool placed, Shape& value) {
  const std::size_t faults = context.faults();
  const Entry file{"file", "", "", Range::any, true};
  entries(file, value.file);
  entries(Entry{"scale", "", "", Range::positive}, value.scale);
  if (placed) entries(Entry{"origin", "m", ""}, value.origin);
  if (placed) entries(Entry{"density", "kg/m^3", "", Range::positive}, value.density);
  entries.finish();
  if (context.faults() != faults || node.find("file") == nullptr) return;
  const Place at = place.child("file");
  const auto bytes = read_referenced_file(context, at, *node.find("file"), value.file.name);
  if (!bytes) return;
  try {
    value.mesh = make_shape_mesh(*bytes, value.file.name, value.scale, value.density > 0);
  } catch (const std::invalid_argument& fault) {
    context.error(*node.find("file"), at, fmt::format("'{}'", printable(value.file.name)),
                  fault.what());
  }
}

/// The solid under the key `form` of `outer`. One that is only drawn has no density, and is placed
/// by who owns it.
void read_solid(ReadContext& context, EntryReader& outer, int form, bool only_drawn, Shape& value) {
  value.kind = static_cast<Shape::Kind>(form + 1);
  const Entry solid{solids[static_cast<std::size_t>(form)], "", ""};
  const Node* node = outer.find(solid);
  if (node == nullptr) return;
  const Place place = outer.place(solid);
  if (!node->is_mapping()) {
    context.wrong_kind(*node, place, "a mapping");
    return;
  }
  EntryReader entries(context, place, *node);
  if (value.kind == Shape::Kind::mesh) {
    read_mesh(context, entries, place, *node, !only_drawn, value);
    return;
  }
  if (value.kind == Shape::Kind::box) {
    entries(Entry{"size", "m", "", Range::positive, true}, value.size);
  } else {
    entries(Entry{"radius", "m", "", Range::positive, true}, value.radius);
  }
  if (value.kind == Shape::Kind::cylinder) {
    entries(Entry{"length", "m", "", Range::positive, true}, value.length);
    const Entry axis{"axis", "", ""};
    if (const Node* word = entries.find(axis)) {
      const int i = read_choice(context, entries.place(axis), *word, {"x", "y", "z"});
      if (i >= 0) value.axis = i;
    }
  }
  if (!only_drawn) entries(Entry{"density", "kg/m^3", "", Range::positive}, value.density);
  entries.finish();
}

}  // namespace

void read(ReadContext& context, const Place& place, const Entry&, const Node& node, Shape& value) {
  if (!node.is_mapping()) {
    context.wrong_kind(node, place, "a mapping with box, cylinder, sphere or mesh");
    return;
  }
  const int form = read_form(context, place, node, solids);
  if (form < 0) return;
  EntryReader outer(context, place, node);
  read_solid(context, outer, form, false, value);
  outer.finish();
}

void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          std::vector<DrawnShape>& value) {
  if (!node.is_sequence()) {
    context.wrong_kind(node, place, "a list of solids");
    return;
  }
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const Node& item = node.items[i];
    const Place at = place.item(i);
    if (!item.is_mapping()) {
      context.wrong_kind(item, at, "a mapping with box, cylinder, sphere or mesh");
      continue;
    }
    int form = -1;
    for (std::size_t k = 0; k < solids.size(); ++k)
      if (item.find(solids[k]) != nullptr && form < 0) form = static_cast<int>(k);
    if (form < 0) {
      context.error(item, at, {}, "must have one of box, cylinder, sphere or mesh");
      continue;
    }
    DrawnShape drawn;
    EntryReader outer(context, at, item);
    read_solid(context, outer, form, true, drawn.shape);
    outer(Entry{"position", "m", ""}, drawn.position);
    outer(Entry{"orientation", "", ""}, drawn.orientation);
    outer.finish();
    value.push_back(std::move(drawn));
  }
}

namespace {

/// The surface in the units of its file: its scale is a number that may vary.
void read_part_mesh(ReadContext& context, const Place& part, const Node& node, MeshPart& value) {
  const Place at{part.element, part.path + ".mesh.file", "mesh.file", {}};
  const Node& file = *node.find("mesh")->find("file");
  const auto bytes = read_referenced_file(context, at, file, value.file.name);
  if (!bytes) return;
  try {
    value.mesh = make_shape_mesh(*bytes, value.file.name, 1, true);
  } catch (const std::invalid_argument& fault) {
    context.error(file, at, fmt::format("'{}'", printable(value.file.name)), fault.what());
  }
}

}  // namespace

void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          std::vector<Part>& value) {
  if (!node.is_mapping()) {
    context.wrong_kind(node, place, "a mapping from names to parts");
    return;
  }
  if (node.items.empty()) context.error(node, place, {}, "must name at least one part");
  // bodies.rotor.parts.disc is called "part 'rotor.disc'".
  const auto end = place.path.rfind(".parts"), start = place.path.find('.') + 1;
  const std::string owner = place.path.substr(start, end - start);
  const std::size_t before = context.faults();
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const std::string& name = node.keys[i];
    const Node& item = node.items[i];
    const Place base{element_label("part", owner + "." + name), place.path + "." + name, {}, {}};
    context.record(base.path, item);
    if (!valid_name(name)) {
      context.error(
          item, Place{base.element, {}, {}, {}}, {},
          "the name must consist of letters, digits, '_' and '-' and begin with a letter");
      continue;
    }
    if (!item.is_mapping()) {
      context.wrong_kind(item, base, "a mapping");
      continue;
    }
    Part& part = value.emplace_back();
    part.name = name;
    const std::size_t faults = context.faults();
    read_described(context, base, item, part);
    if (context.faults() == faults && part.mesh) read_part_mesh(context, base, item, *part.mesh);
  }
  if (context.faults() > before) context.mark_faulty(place.element, "parts");
}

void read(ReadContext& context, const Place& place, const Entry& entry, const Node& node,
          Characteristic& value) {
  if (!node.is_mapping()) {
    if (node.is_scalar())
      read(context, place, entry, node, value.slope);
    else
      context.wrong_kind(node, place,
                         "a number or a mapping with polynomial, odd_polynomial or table");
    return;
  }
  const int form = read_form(context, place, node, {"polynomial", "odd_polynomial", "table"});
  if (form < 0) return;
  value.form = static_cast<Characteristic::Form>(form + 1);
  EntryReader entries(context, place, node);
  switch (value.form) {
    case Characteristic::Form::linear:
      break;
    case Characteristic::Form::polynomial:
      entries(Entry{"polynomial", "", "", Range::any, true}, value.coefficients);
      break;
    case Characteristic::Form::odd_polynomial:
      entries(Entry{"odd_polynomial", "", "", Range::any, true}, value.coefficients);
      break;
    case Characteristic::Form::table: {
      entries(Entry{"table", "", "", Range::any, true}, value.table);
      const Entry interpolation{"interpolation", "", ""};
      if (const Node* word = entries.find(interpolation)) {
        const int i =
            read_choice(context, entries.place(interpolation), *word, {"cubic", "linear"});
        if (i >= 0) value.smooth = i == 0;
      }
      break;
    }
  }
  entries.finish();
}

void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          Motions& value) {
  if (!node.is_mapping()) {
    context.wrong_kind(node, place, "a mapping from motions to drives, like {rz: motor}");
    return;
  }
  EntryReader entries(context, place, node);
  for (std::size_t i = 0; i < motion_names.size(); ++i) {
    DriveRef drive;
    entries(Entry{motion_names[i], "", ""}, drive);
    value.drive[i] = drive.name;
  }
  entries.finish();
}

void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          MotionSet& value) {
  if (!node.is_sequence()) {
    context.wrong_kind(node, place, "a list out of x, y, z, rx, ry, rz");
    return;
  }
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    context.record_item(place.item(i).path, node.items[i], node);
    const int motion = read_choice(context, place.item(i), node.items[i],
                                   {motion_names.begin(), motion_names.end()});
    if (motion < 0) continue;
    auto& has = value.has[static_cast<std::size_t>(motion)];
    if (has) context.error(node.items[i], place.item(i), node.items[i].text, "given twice");
    has = true;
  }
}

void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          std::vector<Marker>& value) {
  if (!node.is_mapping()) {
    context.wrong_kind(node, place, "a mapping from names to markers");
    return;
  }
  // bodies.rb5.markers.tip is called "marker 'rb5.tip'", ground.markers.tip "marker 'ground.tip'".
  const auto end = place.path.rfind(".markers");
  const auto start = place.path.rfind('.', end == 0 ? 0 : end - 1);
  const std::string owner = place.path.substr(start == std::string::npos ? 0 : start + 1,
                                              end - (start == std::string::npos ? 0 : start + 1));
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const std::string& name = node.keys[i];
    const Node& item = node.items[i];
    const Place base{element_label("marker", owner + "." + name), place.path + "." + name, {}, {}};
    context.record(base.path, item);
    if (!valid_name(name)) {
      context.error(
          item, Place{base.element, {}, {}, {}}, {},
          "the name must consist of letters, digits, '_' and '-' and begin with a letter");
      continue;
    }
    if (!item.is_mapping()) {
      context.unread.insert(owner + "." + name);
      context.wrong_kind(item, base, "a mapping");
      continue;
    }
    Marker& marker = value.emplace_back();
    marker.name = name;
    EntryReader entries(context, base, item);
    Marker::entries(marker, entries);
    entries.finish();
  }
}

void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          QuantityRanges& value) {
  if (!node.is_mapping()) {
    context.wrong_kind(node, place, "a mapping from quantities to [lower, upper]");
    return;
  }
  EntryReader entries(context, place, node);
  for (const QuantityInfo& quantity : quantity_table()) {
    const Entry range{quantity.name, quantity.unit, ""};
    const Node* item = entries.find(range);
    if (item == nullptr) continue;
    std::vector<double> limits;
    fixed_length(context, entries.place(range), range, *item, 2, limits);
    if (limits.size() == 2) value.list.push_back({quantity.quantity, limits[0], limits[1]});
  }
  entries.finish();
}

}  // namespace tumble
