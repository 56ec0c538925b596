// What every reading function shares: where it reports, how names in expressions are found, where
// places in the file are recorded.
#pragma once
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tumble/io/netcdf/modal_file.hpp"
#include "tumble/io/table/results_table.hpp"
#include "tumble/io/text/document.hpp"
#include "tumble/io/text/expression.hpp"
#include "tumble/model/model.hpp"

namespace tumble {

/// What is being read: an element's field, as messages and as parameter paths call it.
struct Place {
  std::string element;  ///< "body 'rb5'"
  std::string path;     ///< "bodies.rb5.position"
  std::string field;    ///< "position"
  std::string_view unit;

  Place item(std::size_t i) const {
    const std::string index = "[" + std::to_string(i) + "]";
    return {element, path + index, field + index, unit};
  }
  Place child(std::string_view key) const {
    const std::string tail = "." + std::string(key);
    return {element, path + tail, field + tail, unit};
  }
  Place in(std::string_view other_unit) const { return {element, path, field, other_unit}; }
};

class ReadContext {
 public:
  ReadContext(const Document& document, std::filesystem::path directory,
              std::vector<Diagnostic>& errors)
      : document_(document), directory_(std::move(directory)), errors_(errors) {}

  /// Reports a mistake at `node`. Once a field has one, what check() says of it is left out.
  void error(const Node& node, const Place& place, std::string value, std::string expectation,
             std::string suggestion = {});
  void error(SourceLocation where, const Place& place, std::string value, std::string expectation,
             std::string suggestion = {});
  /// "must be a number, found a list"
  void wrong_kind(const Node& node, const Place& place, std::string_view expected);
  /// Nearest known name; empty once so many names were compared that looking on would take long.
  std::string suggest(const std::string& name, const std::vector<std::string>& known) {
    return suggest(name, [&] { return known; });
  }
  /// The same where listing the known names is itself work.
  template <class List>
  std::string suggest(const std::string& name,
                      const List& list) requires std::is_invocable_v<List> {
    if (comparisons_ > most_comparisons) return {};
    const std::vector<std::string> known = list();
    comparisons_ += known.size() + 1;
    return nearest_name(name, known);
  }

  /// True if this field already has a mistake of its own.
  bool faulty(const std::string& element, const std::string& field) const;
  void mark_faulty(const std::string& element, const std::string& field);
  /// How often a field was found faulty so far: as before means that what was read in between is
  /// good.
  std::size_t faults() const { return faults_; }
  /// Elements that were named but could not be read: references to them are no mistakes.
  std::set<std::string> unread;

  /// Remembers where a path was written.
  void record(const std::string& path, const Node& node);
  /// The same for an item of a list, only if it is on another line than its list.
  void record_item(const std::string& path, const Node& item, const Node& list);

  const Document& document() const { return document_; }
  const std::filesystem::path& directory() const { return directory_; }
  std::vector<Diagnostic>& errors() { return errors_; }

  NameScope scope;
  std::map<std::string, SourceLocation> locations;
  std::map<std::string, std::string> referenced_files;  ///< path as written -> SHA-256
  ResultsTableReader* results_table = nullptr;          ///< null: results cannot be read here
  ModalFileReader* modal_file = nullptr;                ///< null: nor can flexible bodies

 private:
  const Document& document_;
  std::filesystem::path directory_;
  std::vector<Diagnostic>& errors_;
  std::set<std::pair<std::string, std::string>> faulty_;
  std::size_t faults_ = 0;
  static constexpr std::size_t most_comparisons = 200'000;
  std::size_t comparisons_ = 0;
};

/// [A-Za-z_][A-Za-z0-9_-]*, at most 100 characters.
bool valid_name(std::string_view name);

/// "spring 'rear_left'": what messages call an element of a section ("bodies", "forces", ...).
std::string element_label(std::string_view kind, std::string_view name);

/// "a, b or c"
std::string one_of(const std::vector<std::string>& names);
/// "a, b and c"
std::string all_of(const std::vector<std::string>& names);

/// "unknown key 'mas'; there are mass and position"; `kind` is key or section. Keys that begin with
/// a '$' are for other programs and not listed.
std::string unknown_key(std::string_view kind, const std::string& key,
                        std::vector<std::string> known);

}  // namespace tumble
