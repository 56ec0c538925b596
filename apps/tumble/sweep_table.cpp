#include "sweep_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "tumble/io/text/document.hpp"

namespace tumble::app {
namespace {

constexpr std::size_t max_rows = 12;  // a screen has 24 lines, and the rest needs some
constexpr std::size_t screen_width = 100, number_width = 11, most_of_label = 32;

/// The end of a long path tells more than its beginning.
std::string label_of(const SweepAxis& axis) {
  std::string label = printable(axis.paths.front());
  if (axis.paths.size() > 1) label += fmt::format(" +{}", axis.paths.size() - 1);
  if (label.size() > most_of_label) label = ".." + label.substr(label.size() - most_of_label + 2);
  return label;
}

std::string cut(std::string text, std::size_t width) {
  if (text.size() > width) text = text.substr(0, width - 2) + "..";
  return text;
}

/// The columns of one quantity.
struct Group {
  const SweepSummary::Column* values = nullptr;
  std::string head;
  std::vector<std::size_t> components;  ///< those that are not zero at all points
  std::size_t width = 0;
  /// What the head needs beyond the numbers.
  std::size_t margin() const { return width - components.size() * number_width; }
};

Group group_of(const SweepSummary::Column& column) {
  constexpr std::string_view ending = "_std_time_mean";
  Group group;
  group.values = &column;
  group.head = column.variable.substr(0, column.variable.size() - ending.size());
  if (!column.unit.empty()) group.head += " " + column.unit;
  for (std::size_t i = 0; i < column.components; ++i)
    for (std::size_t at = i; at < column.values.size(); at += column.components)
      if (column.values[at] != 0) {
        group.components.push_back(i);
        break;
      }
  group.width = std::max(group.components.size() * number_width, group.head.size() + 2);
  return group;
}

class Table {
 public:
  Table(const Sweep& sweep, const SweepSummary& summary) : sweep_(sweep), summary_(summary) {
    for (const SweepAxis& axis : sweep.axes()) {
      std::size_t width = label_of(axis).size();
      for (const std::string& value : axis.values) width = std::max(width, value.size());
      widths_.push_back(std::min(width, most_of_label) + 2);
      used_ += widths_.back();
    }
    for (const SweepSummary::Column& column : summary.columns) {
      Group group = group_of(column);
      if (column.components == 4 || group.components.empty()) continue;  // no quaternions
      if (used_ + group.width > screen_width && !groups_.empty()) {
        ++left_out_;
        continue;
      }
      used_ += group.width;
      groups_.push_back(std::move(group));
    }
  }

  std::string text() {
    heads();
    const std::size_t rows = std::min(max_rows, sweep_.points());
    for (std::size_t p = 0; p < rows; ++p) row(p);
    if (rows < sweep_.points())
      fmt::format_to(out(), "and {} more points in the results\n", sweep_.points() - rows);
    if (left_out_ > 0)
      fmt::format_to(out(), "and {} more {} in the results\n", left_out_,
                     left_out_ == 1 ? "quantity" : "quantities");
    return std::move(text_);
  }

 private:
  std::back_insert_iterator<std::string> out() { return std::back_inserter(text_); }

  void heads() {
    std::string values;
    for (std::size_t a = 0; a < widths_.size(); ++a)
      values += fmt::format("{:<{}}", label_of(sweep_.axes()[a]), widths_[a]);
    values += "failed";
    std::string names(values.size(), ' ');
    for (const Group& group : groups_) {
      names += fmt::format("{:>{}}", group.head, group.width);
      values += std::string(group.margin(), ' ');
      const std::vector<std::string>& labels = group.values->labels;
      for (const std::size_t i : group.components)
        values += fmt::format("{:>{}}", i < labels.size() ? labels[i] : "", number_width);
    }
    fmt::format_to(out(),
                   "standard deviations that are not zero, averaged over the output times\n"
                   "{}\n{}\n",
                   names, values);
  }

  void row(std::size_t p) {
    for (std::size_t a = 0; a < widths_.size(); ++a)
      fmt::format_to(out(), "{:<{}}", cut(printable(sweep_.value(a, p)), widths_[a] - 2),
                     widths_[a]);
    fmt::format_to(out(), "{:>6}", summary_.failed[p]);
    for (const Group& group : groups_) {
      text_ += std::string(group.margin(), ' ');
      for (const std::size_t i : group.components)
        fmt::format_to(out(), "{:>{}.4g}", group.values->values[p * group.values->components + i],
                       number_width);
    }
    text_ += '\n';
  }

  const Sweep& sweep_;
  const SweepSummary& summary_;
  std::vector<std::size_t> widths_;
  std::vector<Group> groups_;
  std::size_t used_ = 6, left_out_ = 0;
  std::string text_;
};

}  // namespace

std::string sweep_table(const Sweep& sweep, const SweepSummary& summary) {
  return Table(sweep, summary).text();
}

}  // namespace tumble::app
