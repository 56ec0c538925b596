// The file of a figure: which fields it has, and of which type.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "tumble/report/paper_figure.hpp"

namespace tumble::report {
namespace {

enum class Type { text, flag, number, study, texts, text_pairs, text_lists, times, window };

bool all_of(const Json& list, bool (*is_one)(const Json&)) {
  return list.is_array() && !list.empty() && std::all_of(list.begin(), list.end(), is_one);
}

bool is_text(const Json& value) { return value.is_string(); }
bool is_number(const Json& value) { return value.is_number(); }
bool is_texts(const Json& value) { return all_of(value, is_text); }

bool has_type(const Json& value, Type type) {
  switch (type) {
    case Type::text:
      return is_text(value);
    case Type::flag:
      return value.is_boolean();
    case Type::number:
      return value.is_number() && value.get<double>() > 0;
    case Type::study:
      return value.is_number_unsigned();
    case Type::texts:
      return is_texts(value);
    case Type::text_pairs:
      return all_of(value, [](const Json& pair) { return is_texts(pair) && pair.size() == 2; });
    case Type::text_lists:
      return all_of(value, is_texts);
    case Type::times:
      return all_of(value, is_number);
    case Type::window:
      return all_of(value, is_number) && value.size() == 4;
  }
  return false;
}

const char* in_words(Type type) {
  switch (type) {
    case Type::text:
      return "a text";
    case Type::flag:
      return "true or false";
    case Type::number:
      return "a number above 0";
    case Type::study:
      return "the number of a study, from 0";
    case Type::texts:
      return "a list of texts";
    case Type::text_pairs:
      return "a list of pairs of texts";
    case Type::text_lists:
      return "a list of lists of texts";
    case Type::times:
      return "a list of numbers";
    case Type::window:
      return "four numbers: left, right, bottom, top";
  }
  return "";
}

struct Member {
  const char* name;
  Type type;
  bool required = true;
};
using Members = std::vector<Member>;

/// The kinds of views and what each says of itself, beside `kind`.
const std::map<std::string, Members>& kinds() {
  constexpr bool optional = false;
  static const Members common{{"study", Type::study, optional}, {"title", Type::text, optional}};
  static const auto with_common = [](Members own) {
    own.insert(own.end(), common.begin(), common.end());
    return own;
  };
  static const std::map<std::string, Members> all{
      {"response", with_common({{"probe", Type::text},
                                {"quantity", Type::text},
                                {"axis", Type::text},
                                {"from_start", Type::flag, optional}})},
      {"input", with_common({{"path", Type::text}})},
      {"points", with_common({{"x", Type::text}, {"y", Type::text}})},
      {"field", with_common({{"field", Type::text}})},
      {"field-error", with_common({{"fields", Type::texts}})},
      {"mean", with_common({{"probe", Type::text},
                            {"quantity", Type::text},
                            {"axes", Type::texts},
                            {"from_start", Type::flag, optional}})},
      {"covariance",
       with_common(
           {{"probe", Type::text}, {"quantity", Type::text}, {"entries", Type::text_pairs}})},
      {"principal-std", with_common({{"probe", Type::text}, {"quantity", Type::text}})},
      {"track", with_common({{"probe", Type::text},
                             {"quantity", Type::text},
                             {"plane", Type::text},
                             {"times", Type::times, optional},
                             {"sigmas", Type::number, optional},
                             {"window", Type::window, optional}})},
      {"configurations", with_common({{"lines", Type::text_lists},
                                      {"quantity", Type::text},
                                      {"plane", Type::text},
                                      {"times", Type::times},
                                      {"spread", Type::flag, optional},
                                      {"sigmas", Type::number, optional},
                                      {"window", Type::window, optional}})},
  };
  return all;
}

void check_members(const Json& object, const Members& members, const std::string& where) {
  if (!object.is_object()) throw std::invalid_argument(where + " must be an object");
  std::vector<std::string> names;
  for (const Member& member : members) {
    names.emplace_back(member.name);
    const auto found = object.find(member.name);
    if (found == object.end()) {
      if (member.required)
        throw std::invalid_argument(fmt::format("{}: '{}' is missing", where, member.name));
    } else if (!has_type(*found, member.type)) {
      throw std::invalid_argument(fmt::format("{}: '{}' is {}, must be {}", where, member.name,
                                              found->dump(), in_words(member.type)));
    }
  }
  for (const auto& [name, value] : object.items())
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw std::invalid_argument(
          fmt::format("{}: '{}' is not known; known: {}", where, name, fmt::join(names, ", ")));
}

}  // namespace

Json read_paper_figure(std::string_view text) {
  Json figure;
  try {
    figure = Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw std::invalid_argument(std::string("the file of a figure must be JSON: ") + error.what());
  }
  if (!figure.is_object()) throw std::invalid_argument("a figure must be an object");
  const Json views = figure.value("views", Json());
  if (!views.is_array() || views.empty())
    throw std::invalid_argument("a figure: 'views' must be a list with one view at least");
  Json rest = figure;
  rest.erase("views");
  check_members(rest,
                {{"paper", Type::text},
                 {"number", Type::text},
                 {"title", Type::text},
                 {"caption", Type::text},
                 {"notes", Type::texts, false}},
                "a figure");
  for (std::size_t i = 0; i < views.size(); ++i) {
    const std::string where = fmt::format("view {}", i + 1);
    if (!views[i].is_object() || !views[i].contains("kind") || !views[i]["kind"].is_string())
      throw std::invalid_argument(where + ": 'kind' is missing");
    const auto kind = kinds().find(views[i]["kind"].get<std::string>());
    if (kind == kinds().end()) {
      std::vector<std::string> known;
      for (const auto& [name, members] : kinds()) known.push_back(name);
      throw std::invalid_argument(fmt::format("{}: kind {} is not known; known: {}", where,
                                              views[i]["kind"].dump(), fmt::join(known, ", ")));
    }
    Members members = kind->second;
    members.push_back({"kind", Type::text});
    check_members(views[i], members, where);
  }
  return figure;
}

}  // namespace tumble::report
