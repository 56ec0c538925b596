#include "tumble/io/model/read_input_law.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numeric>

#include "tumble/io/model/read_described.hpp"
#include "tumble/io/model/referenced_file.hpp"
#include "tumble/io/model/variant_names.hpp"
#include "tumble/io/table/csv_column.hpp"
#include "tumble/io/table/csv_table.hpp"

namespace tumble {
namespace {

using Keys = std::initializer_list<const char*>;
using Names = std::vector<std::string>;

/// "a, b and c"
std::string listed(const std::vector<std::string>& names) {
  if (names.size() < 2) return fmt::format("{}", fmt::join(names, ""));
  return fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

/// The rules that several parameters of a law obey together.
class LawRules {
 public:
  LawRules(ReadContext& context, const Place& base, const Node& node, std::string_view law)
      : context_(context), base_(base), node_(node), law_(law) {}

  /// Of all keys in `forms`, exactly those of one form must be given.
  void one_form(const std::vector<Names>& forms) {
    Names given, allowed;
    for (const Names& form : forms) {
      allowed.push_back(fmt::format("{}", fmt::join(form, " and ")));
      for (const std::string& key : form)
        if (node_.find(key) != nullptr && std::find(given.begin(), given.end(), key) == given.end())
          given.push_back(key);
    }
    for (const Names& form : forms)
      if (form.size() == given.size() &&
          std::all_of(form.begin(), form.end(),
                      [&](const std::string& k) { return node_.find(k) != nullptr; }))
        return;
    context_.error(node_, Place{base_.element, {}, {}, {}}, {},
                   fmt::format("the law {} must be given by {}; found {}", law_,
                               fmt::join(allowed, ", or by "),
                               given.empty() ? "none of them" : listed(given)));
    formless_ = true;
  }

  /// Reports the first of `keys` unless `good`. What follows from a mistake in one of them, or from
  /// parameters that are missing, is not reported.
  void require(Keys keys, bool good, std::optional<double> value, const std::string& expectation) {
    if (good || formless_) return;
    for (const char* key : keys)
      if (context_.faulty(base_.element, key)) return;
    const Node* at = node_.find(*keys.begin());
    context_.error(at == nullptr ? node_ : *at, place(*keys.begin()),
                   value ? format_number(*value) : std::string{}, expectation);
  }

  /// min < max
  void ordered(std::optional<double> min, std::optional<double> max) {
    if (!min || !max) return;
    require({"max", "min"}, *min < *max, max,
            fmt::format("must be above min, {}", format_number(*min)));
  }
  /// A standard deviation of cv times nothing would be none.
  void cv_has_mean(std::optional<double> mean, std::optional<double> cv) {
    require({"cv", "mean"}, !cv || mean != 0.0, cv,
            "says nothing where the mean is 0: the standard deviation is cv times the mean; give "
            "std");
  }
  void mean_above_min(std::optional<double> mean, double min) {
    require({"mean", "min"}, !mean || *mean > min, mean,
            fmt::format("must be above min, {}", format_number(min)));
  }

  Place place(std::string_view key) const {
    const std::string name(key);
    bool measured = false;
    for (const char* like_the_number : {"mean", "std", "min", "max", "mode", "values"})
      measured = measured || key == like_the_number;
    return {base_.element, base_.path + "." + name, name, measured ? base_.unit : ""};
  }
  const Node& node() const { return node_; }
  ReadContext& context() { return context_; }
  bool faulty(const char* key) const { return context_.faulty(base_.element, key); }

 private:
  ReadContext& context_;
  const Place& base_;
  const Node& node_;
  std::string_view law_;
  bool formless_ = false;
};

/// The forms of a law without what is required anyway, and whose absence is reported as such.
template <class Law>
std::vector<Names> choices_of(const Law& law) {
  std::vector<std::string_view> required;
  Law::entries(law, [&required](const Entry& entry, const auto&) {
    if (entry.required) required.push_back(entry.name);
  });
  std::vector<Names> choices;
  for (const LawForm& form : Law::forms) {
    Names names;
    for (const std::string_view name : form)
      if (!name.empty() && std::find(required.begin(), required.end(), name) == required.end())
        names.emplace_back(name);
    choices.push_back(names);
  }
  return choices;
}

void beyond(LawRules& rules, const TriangularLaw& law) {
  rules.require({"mode", "min", "max"}, law.min <= law.mode && law.mode <= law.max, law.mode,
                fmt::format("must lie between min, {}, and max, {}", format_number(law.min),
                            format_number(law.max)));
}

// No law on [min, max] with a given mean varies more than the one that takes the two bounds alone:
// std^2 <= (mean - min) (max - mean), with equality for that one.
void beyond(LawRules& rules, const BetaLaw& law) {
  if (!law.mean || rules.faulty("max")) return;
  const bool inside = law.min < *law.mean && *law.mean < law.max;
  rules.require({"mean", "min", "max"}, inside, law.mean,
                fmt::format("must lie between min, {}, and max, {}", format_number(law.min),
                            format_number(law.max)));
  if (!inside) return;
  const double widest = std::sqrt((*law.mean - law.min) * (law.max - *law.mean));
  const auto narrow = [&](const char* key, std::optional<double> given, double limit) {
    rules.require({key, "mean", "min", "max"}, !given || *given < limit, given,
                  fmt::format("must be below {:.6g}: no law between min and max with this mean "
                              "varies more",
                              limit));
  };
  narrow("std", law.std, widest);
  narrow("cv", law.cv, widest / std::abs(*law.mean));
}

void beyond(LawRules& rules, const TruncatedNormalLaw& law) {
  rules.require({"min", "max"}, law.min || law.max, {},
                "required unless max is given: without bounds the law is normal");
}

void beyond(LawRules& rules, EmpiricalLaw& law) {
  rules.require({"column"}, law.column.empty() || law.file, {},
                "must be left out: only a file has columns");
  const char* source = "values";
  if (law.file && !rules.faulty("file")) {
    source = "file";
    ReadContext& context = rules.context();
    const auto content = read_referenced_file(context, rules.place("file"),
                                              *rules.node().find("file"), law.file->name);
    if (!content) return;
    const std::size_t before = context.errors().size();
    law.values = parse_csv_column(*content, law.file->name, law.column, context.errors());
    if (context.errors().size() > before) context.mark_faulty(rules.place("file").element, "file");
  }
  rules.require({source}, law.values.size() >= 2, {},
                fmt::format("must hold at least 2 numbers, found {}", law.values.size()));
}

void beyond(LawRules& rules, const DiscreteLaw& law) {
  const std::size_t values = law.values.size(), weights = law.weights.size();
  rules.require({"values"}, values >= 1, {}, "must hold at least 1 number, found 0");
  rules.require({"weights", "values"}, rules.node().find("weights") == nullptr || weights == values,
                {},
                fmt::format("must be one for each of the {} values, found {}", values, weights));
  rules.require({"weights"},
                weights == 0 || std::accumulate(law.weights.begin(), law.weights.end(), 0.0) > 0,
                {}, "must not all be 0");
}

template <class Law>
void beyond(LawRules&, const Law&) {}

/// What the declarations of a law ask for, then what it asks for beyond them.
template <class Law>
void check(LawRules& rules, Law& law) {
  if constexpr (requires { Law::forms; }) rules.one_form(choices_of(law));
  if constexpr (requires { law.min, law.max; })
    rules.ordered(law.min, law.max);
  else if constexpr (requires { law.mean, law.min; })
    rules.mean_above_min(law.mean, law.min);
  if constexpr (requires { law.mean, law.cv; }) rules.cv_has_mean(law.mean, law.cv);
  beyond(rules, law);
}

}  // namespace

bool read_input_law(ReadContext& context, const Place& base, const Node& node,
                    const std::vector<std::string>& other_keys, InputLaw& law) {
  const auto names = type_names(law);
  const Node* type = node.find("law");
  const Place place{base.element, base.path + ".law", "law", {}};
  if (type == nullptr) {
    context.error(node, place, {}, "required but missing: " + one_of(names));
    return false;
  }
  const int i = read_choice(context, place, *type, names);
  if (i < 0) return false;
  emplace_type(names[static_cast<std::size_t>(i)], law);
  std::vector<std::string> keys = other_keys;
  keys.emplace_back("law");
  std::visit(
      [&](auto& kind) {
        read_described(context, base, node, kind, keys);
        LawRules rules(context, base, node, kind.type);
        check(rules, kind);
      },
      law);
  return true;
}

}  // namespace tumble
