// An XML file as a tree that remembers lines and what of it was read, so that what nobody read can
// be listed.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tumble/base/diagnostic.hpp"
#include "tumble/math/vec3.hpp"

namespace tumble::convert {

struct XmlAttribute {
  std::string name, value;
  mutable bool read = false;
};

struct XmlElement {
  std::string name;
  int line = 0;
  std::vector<XmlAttribute> attributes;
  std::vector<XmlElement> children;
  mutable bool read = false;

  /// The value of an attribute, which counts as read; null if there is none.
  const std::string* find(std::string_view attribute) const;
  /// The first child of this name; null if there is none. Both count as read.
  const XmlElement* child(std::string_view child_name) const;
  /// All children of this name, which count as read.
  std::vector<const XmlElement*> all(std::string_view child_name) const;
};

/// The root element. @throws InputError with the line if the text is no XML.
XmlElement parse_xml(std::string_view text, const std::string& file);

/// Marks an element and all that is in it: for parts whose loss is said in other words.
void mark_read(const XmlElement& element);

/// What was not carried over, a sentence each.
struct Note {
  int line = 0;
  std::string text;
};

/// Mistakes of a file as they are found, and notes.
class Findings {
 public:
  explicit Findings(std::string file) : file_(std::move(file)) {}
  const std::string& file() const { return file_; }

  /// `element`: "joint 'elbow'".
  void error(int line, std::string element, std::string field, std::string value,
             std::string expectation);
  void note(int line, std::string text) { notes_.push_back({line, std::move(text)}); }
  bool failed() const { return !errors_.empty(); }
  /// @throws InputError if there is any error.
  void throw_if_failed() const;
  /// In the order of lines.
  std::vector<Note> take_notes();

  /// Numbers of an attribute, exactly `count` of them; nothing if it is absent or, with an error,
  /// faulty.
  std::optional<std::vector<double>> numbers(const XmlElement& element, std::string_view attribute,
                                             const std::string& owner, std::size_t least,
                                             std::size_t most);
  std::optional<double> number(const XmlElement& element, std::string_view attribute,
                               const std::string& owner);
  std::optional<Vec3d> vector(const XmlElement& element, std::string_view attribute,
                              const std::string& owner);
  /// The same for a text that does not come from the element itself: a default of MJCF.
  std::optional<std::vector<double>> parse(const std::string& text, int line,
                                           std::string_view attribute, const std::string& owner,
                                           std::size_t least, std::size_t most);

  /// Notes on everything in `root` that was not read: elements and attributes.
  void list_unread(const XmlElement& root);

 private:
  std::string file_;
  std::vector<Diagnostic> errors_;
  std::vector<Note> notes_;
};

/// "joint 'elbow'", with the line instead of the name where there is none.
std::string label(const XmlElement& element);

}  // namespace tumble::convert
