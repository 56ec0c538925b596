#include "tumble/io/results/sweep_structure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>

namespace tumble {
namespace {

using Variable = NetcdfReader::Variable;

/// HDF5 puts text into blocks of 4 KiB, and begins a new one for what does not fit.
std::uint64_t room_for(const std::vector<std::string>& text) {
  std::uint64_t sum = 8192;
  for (const std::string& s : text) sum += 2 * s.size() + 64;
  return sum;
}

struct CoordinateValues {
  std::vector<double> numbers;
  std::vector<std::string> text;
  bool operator==(const CoordinateValues&) const = default;
};

bool same_shape(const Variable& a, const Variable& b) {
  return a.type == b.type && a.dimensions == b.dimensions && a.sizes == b.sizes;
}

class Comparison {
 public:
  explicit Comparison(const std::vector<SweepPoint>& points) {
    result_.failure_counts.resize(points.size());
    result_.realizations.resize(points.size());
    result_.failed.resize(points.size());
    for (std::size_t p = 0; p < points.size(); ++p) {
      if (!points[p].failure.empty()) {
        result_.realizations[p] = result_.failed[p] = points[p].realizations;
        continue;
      }
      const NetcdfReader file(points[p].results);
      result_.realizations[p] =
          file.integer_attribute("realizations").value_or(points[p].realizations);
      result_.failed[p] = file.integer_attribute("failed").value_or(0);
      add_failures(file, p);
      note_statements(file);
      germ_maps_[p] = file.text_attribute("germ_maps");
      if (germ_maps_.size() == 1)
        begin(file, p);
      else
        compare(file, p);
    }
    if (germ_maps_.empty()) throw std::invalid_argument("a sweep whose points all have no results");
  }

  SweepStructure finish() {
    const auto lies_over_another = [this](const Variable& v) {
      return std::ranges::any_of(v.dimensions,
                                 [this](const std::string& d) { return differing_.contains(d); });
    };
    const auto leave_out = [this](auto& variables, const auto& which) {
      std::erase_if(variables, [&](const Variable& v) {
        const bool out = which(v);
        if (out) result_.left_out.insert(v.name);
        return out;
      });
    };
    restate();
    count_missing();
    result_.germ_maps = germ_maps();
    leave_out(result_.coordinates, lies_over_another);
    leave_out(result_.stacked, [&](const Variable& v) {
      return lies_over_another(v) || result_.left_out.contains(v.name);
    });
    return std::move(result_);
  }

 private:
  static bool over_failures(const Variable& v) {
    return v.dimensions.size() == 1 && v.dimensions[0] == "failure";
  }

  static CoordinateValues values(const NetcdfReader& file, const Variable& v) {
    if (v.is_text()) return {{}, file.text(v)};
    return {file.numbers(v), {}};
  }

  /// Only of real numbers can a point have none: NaN.
  static bool may_be_missing(const Variable& v) {
    return (v.type == NC_DOUBLE || v.type == NC_FLOAT) && !v.is_coordinate();
  }

  static std::map<std::string, std::size_t> dimensions_of(const NetcdfReader& file) {
    std::map<std::string, std::size_t> sizes;
    for (const Variable& v : file.variables())
      for (std::size_t d = 0; d < v.dimensions.size(); ++d) sizes[v.dimensions[d]] = v.sizes[d];
    return sizes;
  }

  void begin(const NetcdfReader& file, std::size_t point) {
    result_.model = point;
    dimensions_ = dimensions_of(file);
    for (const Variable& v : file.variables()) {
      if (over_failures(v)) continue;
      if (v.is_text()) result_.text_bytes += room_for(file.text(v));
      if (v.is_coordinate()) {
        result_.coordinates.push_back(v);
        coordinate_values_.emplace(v.name, values(file, v));
      } else {
        result_.stacked.push_back(v);
      }
    }
  }

  void compare(const NetcdfReader& file, std::size_t point) {
    std::erase_if(dimensions_, [others = dimensions_of(file)](const auto& mine) {
      const auto other = others.find(mine.first);
      return other == others.end() || other->second != mine.second;
    });
    for (const Variable& mine : result_.coordinates) {
      const Variable* v = file.find(mine.name);
      if (v == nullptr || !same_shape(mine, *v) ||
          !(values(file, *v) == coordinate_values_.at(mine.name)))
        differing_.insert(mine.name);
    }
    for (const Variable& mine : result_.stacked) {
      const Variable* v = file.find(mine.name);
      if (v == nullptr ? !may_be_missing(mine) : !same_shape(mine, *v))
        result_.left_out.insert(mine.name);
      else if (v != nullptr && v->is_text())
        result_.text_bytes += room_for(file.text(*v));
    }
    const auto is_mine = [this](const Variable& v) {
      const auto named = [&](const Variable& mine) { return mine.name == v.name; };
      return std::ranges::any_of(result_.coordinates, named) ||
             std::ranges::any_of(result_.stacked, named);
    };
    for (const Variable& v : file.variables()) {
      if (over_failures(v) || is_mine(v)) continue;
      if (may_be_missing(v)) {
        result_.stacked.push_back(v);
        result_.first_with[v.name] = point;
      } else {
        result_.left_out.insert(v.name);
      }
    }
  }

  /// What some points do not have can be stacked if it lies over dimensions that all points have.
  void count_missing() {
    const auto everywhere = [this](const std::string& d) { return dimensions_.contains(d); };
    for (const Variable& v : result_.stacked) {
      const std::size_t without = germ_maps_.size() - points_with_[v.name];
      if (without == 0 || result_.left_out.contains(v.name)) continue;
      if (std::ranges::all_of(v.dimensions, everywhere))
        result_.missing[v.name] = without;
      else
        result_.left_out.insert(v.name);
    }
  }

  /// What all points say, or what each of them says.
  std::string germ_maps() {
    const auto differs = [this](const auto& point) {
      return point.second != germ_maps_.begin()->second;
    };
    if (std::ranges::none_of(germ_maps_, differs)) return germ_maps_.begin()->second;
    std::string all;
    for (const auto& [point, text] : germ_maps_) {
      std::istringstream lines(text);
      for (std::string line; std::getline(lines, line);)
        all += fmt::format("point {}: {}\n", point, line);
    }
    return all;
  }

  void note_statements(const NetcdfReader& file) {
    for (const Variable& v : file.variables()) {
      ++points_with_[v.name];
      for (const char* name : {"conditional_on", "error_basis", "degrees_of_freedom", "comment"}) {
        std::string text = file.text_attribute(name, v.id);
        if (const auto number = file.number_attribute(name, v.id)) text = std::to_string(*number);
        said_[v.name][name].insert(std::move(text));
      }
    }
  }

  /// Statistics of some points are on condition of what all points say together; errors that differ
  /// in kind have no common name.
  void restate() {
    for (const auto& [variable, statements] : said_)
      for (const auto& [name, texts] : statements) {
        if (texts.size() < 2) continue;
        std::optional<std::string>& text = result_.restated[variable][name];
        if (name == "conditional_on")
          text = *std::ranges::max_element(texts, {}, &std::string::size);
        else if (name == "comment")
          text = "not at all points: " + *std::ranges::max_element(texts, {}, &std::string::size);
        else if (name == "error_basis")
          text = "differs from point to point";
      }
  }

  void add_failures(const NetcdfReader& file, std::size_t point) {
    for (const Variable& v : file.variables()) {
      if (!over_failures(v)) continue;
      result_.failure_counts[point] = v.entries();
      if (v.is_text()) result_.text_bytes += room_for(file.text(v));
      const auto named = [&](const Variable& known) { return known.name == v.name; };
      if (std::ranges::none_of(result_.failures, named)) result_.failures.push_back(v);
    }
  }

  SweepStructure result_;
  std::map<std::size_t, std::string> germ_maps_;    // of every point with results
  std::map<std::string, std::size_t> dimensions_;   // that all of them have, with one size
  std::map<std::string, std::size_t> points_with_;  // a variable
  std::map<std::string, CoordinateValues> coordinate_values_;
  std::set<std::string> differing_;
  /// variable -> attribute -> what points say; empty: nothing
  std::map<std::string, std::map<std::string, std::set<std::string>>> said_;
};

}  // namespace

SweepStructure common_structure(const std::vector<SweepPoint>& points) {
  return Comparison(points).finish();
}

}  // namespace tumble
