// Elements that users write in C++: present, named once, and entered with bodies and drives that
// exist.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tumble/model/check/check_context.hpp"

namespace tumble {
namespace {

class UserCheck {
 public:
  /// `word`: force or constraint. Numbers of both have paths user.<element>.<name>, so the two
  /// share one set of names.
  UserCheck(CheckContext& context, const std::string& word, const std::string& name)
      : context_(context), element_{"user." + name, fmt::format("user {} '{}'", word, name)} {}

  template <class Element>
  bool run(const UserEntry<Element>& entry, std::set<std::string>& names) {
    check_name(context_, element_, entry.name, names);
    if (entry.bodies.empty())
      context_.report(element_, "bodies", "", "", "must name at least one body");
    for (std::size_t i = 0; i < entry.bodies.size(); ++i)
      context_.body_exists(element_, fmt::format("bodies[{}]", i), entry.bodies[i].name, true);
    for (std::size_t i = 0; i < entry.drives.size(); ++i)
      context_.drive_exists(element_, fmt::format("drives[{}]", i), entry.drives[i].name);
    numbers(entry.numbers);
    if (entry.element == nullptr) context_.report(element_, "element", "", "", "must not be null");
    return entry.element != nullptr;
  }

  void constraint(const UserEntry<UserConstraint>& entry) {
    const int rows = entry.element->rows();
    if (rows < 1 || rows > most_rows)
      context_.report(element_, "rows", std::to_string(rows), "",
                      fmt::format("must be between 1 and {}", most_rows));
    // Each body has one place in the gradient's row.
    for (std::size_t i = 0; i < entry.bodies.size(); ++i)
      if (entry.bodies[i].name != "ground" &&
          std::find(entry.bodies.begin(), entry.bodies.begin() + static_cast<std::ptrdiff_t>(i),
                    entry.bodies[i]) != entry.bodies.begin() + static_cast<std::ptrdiff_t>(i))
        context_.report(element_, fmt::format("bodies[{}]", i), "'" + entry.bodies[i].name + "'",
                        "", "is given twice");
  }

 private:
  static constexpr int most_rows = 10'000;

  void numbers(const std::vector<UserNumber>& list) {
    std::set<std::string> seen;
    for (const UserNumber& number : list) {
      check_name(context_,
                 {element_.path + "." + number.name,
                  fmt::format("{}, number '{}'", element_.label, number.name)},
                 number.name, seen);
      if (const auto fault = range_fault(Range::any, number.value, number.unit); !fault.empty())
        context_.report(element_, number.name, format_number(number.value), number.unit,
                        std::string(fault));
    }
  }

  CheckContext& context_;
  ElementName element_;
};

}  // namespace

void check_user_elements(CheckContext& context) {
  std::set<std::string> names;
  for (const auto& entry : context.model.user_forces)
    UserCheck(context, "force", entry.name).run(entry, names);
  for (const auto& entry : context.model.user_constraints) {
    UserCheck check(context, "constraint", entry.name);
    if (check.run(entry, names)) check.constraint(entry);
  }
}

}  // namespace tumble
