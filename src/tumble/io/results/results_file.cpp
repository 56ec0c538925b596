#include "tumble/io/results/results_file.hpp"

#include <H5public.h>
#include <fmt/format.h>
#include <netcdf.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string_view>

#include "tumble/base/atomic_file.hpp"
#include "tumble/base/sha256.hpp"
#include "tumble/io/netcdf/child_process.hpp"
#include "tumble/io/netcdf/netcdf_reader.hpp"
#include "tumble/io/results/build_info.hpp"
#include "tumble/io/results/fields_part.hpp"
#include "tumble/io/results/quantity_part.hpp"
#include "tumble/io/results/results_parts.hpp"

#ifndef TUMBLE_VERSION
#error "the build defines TUMBLE_VERSION, the version of the project, as a string"
#endif

namespace tumble {
namespace {

void require_consistent(const Trajectory& trajectory) {
  for (const ProbeSeries& series : trajectory.series) {
    const auto size = static_cast<std::size_t>(series.size);
    if (series.size != info(series.quantity).size ||
        series.values.size() != trajectory.times.size() * size ||
        series.right_values.size() != trajectory.breaks.size() * size ||
        (!series.time_error.empty() && series.time_error.size() != series.values.size()) ||
        (!series.right_time_error.empty() &&
         series.right_time_error.size() != series.right_values.size()))
      throw std::invalid_argument(fmt::format("series {} {}: its length does not fit the times",
                                              series.probe, info(series.quantity).name));
  }
}

std::string joined(const std::vector<std::string>& lines) {
  return fmt::format("{}", fmt::join(lines, "\n"));
}

/// "x z": components of reactions, which are vectors.
std::string undetermined_axes(const ProbeSeries& series) {
  std::vector<std::string> axes;
  for (const int k : series.undetermined) axes.emplace_back(1, "xyz"[k]);
  return fmt::format("{}", fmt::join(axes, " "));
}

}  // namespace

void leave_hdf5_out_of_exit() { ::H5dont_atexit(); }

std::string version() { return TUMBLE_VERSION; }

ResultsIdentity identity_of(const ResultsMetadata& metadata) {
  const auto listed = [](const std::vector<std::pair<std::string, std::string>>& all) {
    // The format of sha256sum, which can check it.
    std::vector<std::string> lines;
    for (const auto& [path, digest] : all) lines.push_back(fmt::format("{}  {}", digest, path));
    return joined(lines);
  };
  return {version(),
          sha256(metadata.effective_yaml),
          listed(metadata.referenced_files),
          metadata.method,
          metadata.csv_files,
          {},
          {},
          0,
          {},
          metadata.study_sha256,
          listed(metadata.added_functions)};
}

NominalPart::NominalPart(NetcdfWriter& file, const Trajectory& trajectory, bool alone)
    : trajectory_(trajectory) {
  require_consistent(trajectory);
  const bool breaks = !trajectory.breaks.empty();
  time_ = file.dimension("time", trajectory.times.size());
  axis_ = file.dimension("axis", 3);
  quat_ = file.dimension("quat", 4);
  // Only where a probe asks for tensors, so that other files stay as they are.
  for (const ProbeSeries& series : trajectory.series)
    if (series.size == 6 && tensor_ < 0) tensor_ = file.dimension("tensor", 6);
  if (breaks) break_ = file.dimension("break", trajectory.breaks.size());

  time_variable_ = file.variable("time", NC_DOUBLE, {time_});
  file.attribute(time_variable_, "units", "s");
  file.attribute(time_variable_, "long_name", "time since the start of the run");
  axis_variable_ = file.variable("axis", NC_STRING, {axis_});
  file.attribute(axis_variable_, "long_name", "component of a vector");
  quat_variable_ = file.variable("quat", NC_STRING, {quat_});
  file.attribute(quat_variable_, "long_name", "component of a quaternion, the scalar first");
  if (tensor_ >= 0) {
    tensor_variable_ = file.variable("tensor", NC_STRING, {tensor_});
    file.attribute(tensor_variable_, "long_name", "component of a symmetric tensor");
  }
  if (breaks) {
    break_variable_ = file.variable("break", NC_DOUBLE, {break_});
    file.attribute(break_variable_, "units", "s");
    file.attribute(break_variable_, "long_name", "declared break points of the drives");
  }
  for (const ProbeSeries& series : trajectory.series) {
    data_.emplace_back(
        define(file, series, "nominal", {time_}, breaks ? " (left limit at break points)" : ""),
        &series.values);
    if (breaks)
      data_.emplace_back(define(file, series, "nominal_right", {break_}, " (right limit)"),
                         &series.right_values);
    if (alone && !series.time_error.empty())
      data_.emplace_back(
          define(file, series, "time_error", {time_}, " (estimated error of the time integration)"),
          &series.time_error);
    if (breaks && !series.right_time_error.empty())
      data_.emplace_back(
          define(
              file, series, "time_error_right", {break_},
              " (estimated error of the time integration in the right limit of the nominal run)"),
          &series.right_time_error);
  }
  energy_mismatch_ = file.variable("energy_mismatch_nominal", NC_DOUBLE, {});
  describe_energy_mismatch(file, energy_mismatch_);
  define_start_changes(file);
  define_events(file);
}

void NominalPart::define_events(NetcdfWriter& file) {
  if (trajectory_.events.empty()) return;
  const int occurrence = file.dimension("event_occurrence", trajectory_.events.size());
  event_ = file.variable("event", NC_STRING, {occurrence});
  file.attribute(event_, "long_name", "events of the nominal run, as they happened");
  event_time_ = file.variable("event_time", NC_DOUBLE, {occurrence});
  file.attribute(event_time_, "units", "s");
  file.attribute(event_time_, "long_name", "when they happened");
  event_energy_ = file.variable("event_energy", NC_DOUBLE, {occurrence});
  file.attribute(event_energy_, "units", "J");
  file.attribute(event_energy_, "long_name",
                 "potential energy that came with what they switched; part of the work");
}

void describe_energy_mismatch(NetcdfWriter& file, int variable) {
  file.attribute(variable, "units", "1");
  file.attribute(variable, "long_name",
                 "energy that the account cannot explain, over the largest energy exchanged; a run "
                 "fails at 0.1");
}

void NominalPart::define_start_changes(NetcdfWriter& file) {
  if (trajectory_.start_changes.empty()) return;
  const int body = file.dimension("changed_body", trajectory_.start_changes.size());
  changed_body_ = file.variable("changed_body", NC_STRING, {body});
  file.attribute(changed_body_, "long_name",
                 "bodies whose described start joints do not allow, the largest change first");
  const auto define_change = [&](const char* name, const char* unit, const char* words,
                                 double StartChange::*value) {
    const int id = file.variable(name, NC_DOUBLE, {body});
    file.attribute(id, "units", unit);
    file.attribute(id, "long_name", words);
    changes_.push_back({id, value});
  };
  define_change("start_position_change", "m", "distance that the start moves the centre of mass",
                &StartChange::displacement);
  define_change("start_rotation_change", "rad", "angle that the start turns the body by",
                &StartChange::rotation);
  define_change("start_velocity_change", "m/s", "size of the change of a velocity that was given",
                &StartChange::velocity);
  define_change("start_angular_velocity_change", "rad/s",
                "size of the change of an angular velocity that was given",
                &StartChange::angular_velocity);
}

int NominalPart::define(NetcdfWriter& file, const ProbeSeries& series, const std::string& statistic,
                        std::vector<int> leading, const std::string& remark,
                        const VariableForm& form) const {
  const QuantityInfo& quantity = info(series.quantity);
  std::string words(quantity.name);
  std::ranges::replace(words, '_', ' ');
  if (series.size > 1 && form.components) leading.push_back(components(series));
  const int id = file.variable(fmt::format("{}_{}{}{}", series.probe, quantity.name,
                                           statistic.empty() ? "" : "_", statistic),
                               form.type, leading);
  if (!form.no_unit) file.attribute(id, "units", form.unit ? *form.unit : quantity.unit);
  file.attribute(id, "long_name",
                 fmt::format("{} {}: {}{}", series.probe, words, quantity.doc, remark));
  if (!series.undetermined.empty()) file.attribute(id, "undetermined", undetermined_axes(series));
  return id;
}

void NominalPart::put(NetcdfWriter& file) const {
  file.put(time_variable_, trajectory_.times);
  file.put(axis_variable_, std::vector<const char*>{"x", "y", "z"});
  file.put(quat_variable_, std::vector<const char*>{"w", "x", "y", "z"});
  if (tensor_variable_ >= 0)
    file.put(tensor_variable_, std::vector<const char*>{"xx", "yy", "zz", "xy", "xz", "yz"});
  if (break_variable_ >= 0) file.put(break_variable_, trajectory_.breaks);
  for (const auto& [id, values] : data_) file.put(id, *values);
  file.put(energy_mismatch_, std::vector{trajectory_.statistics.energy.relative_mismatch});
  if (event_ >= 0) {
    std::vector<const char*> events;
    std::vector<double> times, energies;
    for (const EventOccurrence& one : trajectory_.events) {
      events.push_back(one.event.c_str());
      times.push_back(one.time);
      energies.push_back(one.energy);
    }
    file.put(event_, events);
    file.put(event_time_, times);
    file.put(event_energy_, energies);
  }
  if (changed_body_ < 0) return;
  std::vector<const char*> names;
  for (const StartChange& change : trajectory_.start_changes) names.push_back(change.body.c_str());
  file.put(changed_body_, names);
  for (const ChangeVariable& variable : changes_) {
    std::vector<double> values;
    for (const StartChange& change : trajectory_.start_changes)
      values.push_back(change.*variable.value);
    file.put(variable.id, values);
  }
}

void put_metadata(NetcdfWriter& file, const ResultsMetadata& metadata) {
  file.attribute("Conventions", "CF-1.8");
  file.long_attribute("title", metadata.title);
  const ResultsIdentity identity = identity_of(metadata);
  file.attribute("tumble_version", identity.version);
  file.attribute("source_revision", build_info().revision);
  file.attribute("compiler", build_info().compiler);
  file.attribute("compiler_flags", build_info().flags);
  file.long_attribute("model", metadata.effective_yaml);
  file.attribute("model_sha256", identity.model_sha256);
  if (!metadata.study_sha256.empty()) file.attribute("study_sha256", metadata.study_sha256);
  if (!identity.referenced_files.empty())
    file.long_attribute("referenced_files_sha256", identity.referenced_files);
  if (!identity.added_functions.empty())
    file.long_attribute("added_functions", identity.added_functions);
  if (!metadata.csv_files.empty()) file.long_attribute("csv_files", joined(metadata.csv_files));
  file.attribute("method", identity.method);
  file.attribute("realizations", metadata.realizations);
  file.attribute("failed", metadata.failed);
  if (metadata.seed) file.attribute("seed", *metadata.seed);
  for (const auto& [name, text] : metadata.attributes) file.long_attribute(name.c_str(), text);
  if (!metadata.model_path.empty()) file.long_attribute("model_path", metadata.model_path);
  file.attribute("wall_time", metadata.wall_time);
  if (metadata.computed) file.attribute("computed", *metadata.computed);
  file.attribute("host", metadata.host);
  file.attribute("threads", static_cast<long>(metadata.threads));
  file.attribute("ranks", static_cast<long>(metadata.ranks));
}

void put_global_attributes(NetcdfWriter& file, const Trajectory& trajectory,
                           const ResultsMetadata& metadata) {
  put_metadata(file, metadata);
  const RunStatistics& statistics = trajectory.statistics;
  file.attribute("steps", statistics.steps);
  file.attribute("iterations", statistics.iterations);
  file.attribute("factorizations", statistics.factorizations);
  file.attribute("restarts", statistics.restarts);
  file.attribute("halvings", statistics.halvings);
  file.attribute("pivot_searches", statistics.pivot_searches);
  file.attribute("regularized_steps", statistics.regularized_steps);
  file.attribute("constraint_drift", statistics.constraint_drift);
  file.attribute("energy_start", statistics.energy.start);
  file.attribute("energy_end", statistics.energy.end);
  file.attribute("energy_work", statistics.energy.work);
  file.attribute("energy_dissipated", statistics.energy.dissipated);
  file.attribute("energy_unaccounted", statistics.energy.mismatch);
  file.attribute("energy_exchanged", statistics.energy.exchanged);
  if (trajectory.ended) file.attribute("ended", *trajectory.ended);
  if (!trajectory.redundancy.empty()) file.long_attribute("redundancy", trajectory.redundancy);
}

std::string results_bytes(const Trajectory& trajectory, const ResultsMetadata& metadata) {
  return results_bytes(trajectory, metadata, {});
}

std::string results_bytes(const Trajectory& trajectory, const ResultsMetadata& metadata,
                          const std::vector<QuantityResults>& quantities) {
  NetcdfWriter file;
  const NominalPart nominal(file, trajectory, true);
  const FieldsPart fields(file, metadata.fields);
  const QuantityPart scalars(file, quantities);
  put_global_attributes(file, trajectory, metadata);
  file.begin_data();
  nominal.put(file);
  fields.put();
  scalars.put();
  return file.close();
}

void write_results(const std::filesystem::path& path, const Trajectory& trajectory,
                   const ResultsMetadata& metadata) {
  const std::string bytes = results_bytes(trajectory, metadata);
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

namespace {

std::optional<ResultsIdentity> read_identity(const std::filesystem::path& path) {
  int file = -1;
  if (::nc_open(path.c_str(), NC_NOWRITE, &file) != NC_NOERR) return std::nullopt;
  const auto text = [file](const char* name) -> std::string {
    nc_type type = NC_NAT;
    std::size_t length = 0;
    if (::nc_inq_att(file, NC_GLOBAL, name, &type, &length) != NC_NOERR) return {};
    std::string value;
    if (type == NC_CHAR) {
      value.resize(length);
      if (::nc_get_att_text(file, NC_GLOBAL, name, value.data()) != NC_NOERR) return {};
    } else if (type == NC_STRING && length == 1) {
      char* pointer = nullptr;
      if (::nc_get_att_string(file, NC_GLOBAL, name, &pointer) != NC_NOERR) return {};
      if (pointer != nullptr) value = pointer;
      ::nc_free_string(1, &pointer);
    }
    return value;
  };
  ResultsIdentity identity{text("tumble_version"),
                           text("model_sha256"),
                           text("referenced_files_sha256"),
                           text("method"),
                           {},
                           {},
                           {},
                           0,
                           text("time_grid"),
                           text("study_sha256"),
                           text("added_functions")};
  const std::string names = text("csv_files");
  for (std::size_t begin = 0; begin < names.size();) {
    const std::size_t end = std::min(names.find('\n', begin), names.size());
    identity.csv_files.push_back(names.substr(begin, end - begin));
    begin = end + 1;
  }
  identity.model = text("model");
  identity.model_path = text("model_path");
  long long count = 0;
  if (::nc_get_att_longlong(file, NC_GLOBAL, "realizations", &count) == NC_NOERR)
    identity.realizations = static_cast<long>(count);
  ::nc_close(file);
  if (identity.version.empty() || identity.model_sha256.empty()) return std::nullopt;
  return identity;
}

void read_attributes(int file, int variable) {
  int count = 0;
  if (::nc_inq_varnatts(file, variable, &count) != NC_NOERR) return;
  for (int i = 0; i < count; ++i) {
    std::array<char, NC_MAX_NAME + 1> name{};
    nc_type type = NC_NAT;
    std::size_t length = 0, bytes = 0;
    if (::nc_inq_attname(file, variable, i, name.data()) != NC_NOERR ||
        ::nc_inq_att(file, variable, name.data(), &type, &length) != NC_NOERR ||
        ::nc_inq_type(file, type, nullptr, &bytes) != NC_NOERR)
      continue;
    std::vector<char> value(length * bytes + 1);
    if (::nc_get_att(file, variable, name.data(), value.data()) == NC_NOERR && type == NC_STRING)
      ::nc_free_string(length, reinterpret_cast<char**>(value.data()));
  }
}

/// Everything of a file but its numbers, and of long lists of texts the beginning: that is what
/// lies in the heaps that HDF5 follows blindly.
void read_words(const std::filesystem::path& path) {
  const NetcdfReader reader(path);
  for (const NetcdfReader::Variable& variable : reader.variables())
    if (variable.is_text()) reader.text(variable, 1000);
  int file = -1, count = 0;
  if (::nc_open(path.c_str(), NC_NOWRITE, &file) != NC_NOERR) return;
  if (::nc_inq_nvars(file, &count) == NC_NOERR)
    for (int variable = NC_GLOBAL; variable < count; ++variable) read_attributes(file, variable);
  ::nc_close(file);
}

}  // namespace

std::optional<ResultsIdentity> read_results_identity(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return std::nullopt;
  try {
    in_child_process([&] {
      read_identity(path);
      read_words(path);
      return std::string();
    });
  } catch (const ChildCrashed&) {
    return std::nullopt;
  } catch (const std::exception&) {
    // An error that can be caught is no danger: who reads that part will be told of it.
  }
  return read_identity(path);
}

}  // namespace tumble
