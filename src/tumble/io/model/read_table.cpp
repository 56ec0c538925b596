// Tables: written in place, columns of a CSV file, or a curve of a results file.
#include <fmt/format.h>

#include "tumble/base/sha256.hpp"
#include "tumble/io/model/entry_reader.hpp"
#include "tumble/io/table/csv_table.hpp"
#include "tumble/io/table/results_table.hpp"

namespace tumble {
namespace {

bool is_file_name(const Node& node) {
  return node.is_scalar() && !node.text.empty() && node.text.find('\0') == std::string::npos;
}

void read_csv(ReadContext& context, const Place& place, const Node& name,
              const std::optional<CsvColumns>& columns, Table& value) {
  std::vector<Diagnostic> faults;
  auto csv = read_csv_table(context.directory() / name.text, name.text, columns, faults);
  for (auto& fault : faults) {
    context.mark_faulty(place.element, place.field);
    // A file that is not there is a mistake in the model file, a bad row one in the table.
    if (fault.where.line == 0)
      context.error(name, place.in(""), fmt::format("'{}'", printable(name.text)),
                    fault.expectation);
    else
      context.errors().push_back(std::move(fault));
  }
  value = std::move(csv.table);
  value.file = name.text;
  if (faults.empty()) context.referenced_files[name.text] = sha256(csv.content);
}

/// {file: motions.csv, columns: [time, left]}
void read_columns(ReadContext& context, const Place& place, const Node& node, Table& value) {
  EntryReader entries(context, place, node);
  const Entry file{"file", "", ""}, columns{"columns", "", ""};
  const Node* name = entries.find(file);
  const Node* pair = entries.find(columns);
  entries.finish();
  if (!is_file_name(*name)) {
    context.wrong_kind(*name, entries.place(file), "the name of a CSV file");
    return;
  }
  std::optional<CsvColumns> wanted;
  if (pair != nullptr) {
    const Place at = entries.place(columns);
    if (!pair->is_sequence() || pair->items.size() != 2) {
      context.error(*pair, at, {}, "must be the names of two columns, like [time, value]");
      return;
    }
    wanted.emplace();
    for (std::size_t i = 0; i < 2; ++i)
      read_text(context, at.item(i), pair->items[i], (*wanted)[i]);
    if ((*wanted)[0].empty() || (*wanted)[1].empty()) {
      if (!context.faulty(place.element, at.field))
        context.error(*pair, at, {}, "must be the names of two columns, like [time, value]");
      return;
    }
  }
  read_csv(context, entries.place(file), *name, wanted, value);
}

/// {results: out/results.nc, variable: tip_position_nominal, at: {axis: z}}
void read_results_curve(ReadContext& context, const Place& place, const Node& node, Table& value) {
  EntryReader entries(context, place, node);
  const Entry file{"results", "", ""}, variable{"variable", "", "", Range::any, true},
      chosen{"at", "", ""};
  const Node* name = entries.find(file);
  const Node* wanted = entries.find(variable);
  const Node* at = entries.find(chosen);
  entries.finish();
  if (!is_file_name(*name)) {
    context.wrong_kind(*name, entries.place(file), "the name of a results file");
    return;
  }
  if (wanted == nullptr) return;
  ResultsCurve curve;
  read_text(context, entries.place(variable), *wanted, curve.variable);
  if (at != nullptr && !at->is_mapping()) {
    context.wrong_kind(*at, entries.place(chosen), "a mapping from dimensions, like {axis: z}");
    return;
  }
  if (at != nullptr)
    for (std::size_t i = 0; i < at->keys.size(); ++i)
      read_text(context, entries.place(chosen).child(at->keys[i]), at->items[i],
                curve.at.emplace_back(at->keys[i], "").second);
  const std::filesystem::path path = context.directory() / name->text;
  std::string error, suggestion;
  if (context.results_table == nullptr)
    error = "results of other runs are not for FMUs: write the curve to a CSV file";
  else
    value = context.results_table(path, curve, error, suggestion);
  value.file = name->text;
  if (!error.empty())
    context.error(*name, place, fmt::format("'{}'", printable(name->text)), error, suggestion);
  else
    context.referenced_files[name->text] = sha256_of_file(path);
}

}  // namespace

void read(ReadContext& context, const Place& place, const Entry& entry, const Node& node,
          Table& value) {
  if (is_file_name(node)) return read_csv(context, place, node, {}, value);
  if (!node.is_mapping()) {
    context.wrong_kind(node, place,
                       "the name of a CSV file, {file: ..., columns: [...]}, {x: [...], y: [...]} "
                       "or {results: ..., variable: ...}");
    return;
  }
  if (node.find("file") != nullptr) return read_columns(context, place, node, value);
  if (node.find("results") != nullptr) return read_results_curve(context, place, node, value);
  EntryReader entries(context, place, node);
  entries(Entry{"x", entry.unit, "", Range::any, true}, value.x);
  entries(Entry{"y", "", "", Range::any, true}, value.y);
  entries.finish();
}

}  // namespace tumble
