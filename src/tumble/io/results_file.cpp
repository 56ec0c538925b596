#include "tumble/io/results_file.hpp"

#include <fmt/format.h>
#include <netcdf.h>
#include <netcdf_mem.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string_view>

#include "tumble/io/atomic_file.hpp"
#include "tumble/io/sha256.hpp"

#ifndef TUMBLE_VERSION
#error "the build defines TUMBLE_VERSION, the version of the project, as a string"
#endif

namespace tumble {
namespace {

constexpr int deflate_level = 4;

void require(int status, const std::string& what) {
  if (status != NC_NOERR)
    throw std::runtime_error(fmt::format("results file: {}: {}", what, ::nc_strerror(status)));
}

/// A netCDF-4 file in memory, in define mode until begin_data().
class Writer {
 public:
  Writer() {
    require(::nc_create_mem("results.nc", NC_NETCDF4 | NC_CLOBBER, 0, &file_), "creating it");
  }
  ~Writer() {
    if (file_ >= 0) ::nc_abort(file_);
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  int dimension(const std::string& name, std::size_t length) {
    int id = 0;
    require(::nc_def_dim(file_, name.c_str(), length, &id), "dimension " + name);
    return id;
  }

  int variable(const std::string& name, nc_type type, const std::vector<int>& dimensions) {
    int id = 0;
    require(::nc_def_var(file_, name.c_str(), type, static_cast<int>(dimensions.size()),
                         dimensions.data(), &id),
            "variable " + name);
    if (type == NC_DOUBLE) {
      require(::nc_def_var_deflate(file_, id, 1, 1, deflate_level), "compression of " + name);
      require(::nc_def_var_fill(file_, id, NC_NOFILL, nullptr), "variable " + name);
    }
    return id;
  }

  void attribute(int variable, const char* name, std::string_view text) {
    require(::nc_put_att_text(file_, variable, name, text.size(), text.data()),
            std::string("attribute ") + name);
  }
  void attribute(const char* name, std::string_view text) { attribute(NC_GLOBAL, name, text); }
  /// For text without a bound on its length: HDF5 keeps a character attribute in an object header
  /// of 64 KiB, a string attribute in a heap. Readers see text either way.
  void long_attribute(const char* name, const std::string& text) {
    const char* value = text.c_str();
    require(::nc_put_att_string(file_, NC_GLOBAL, name, 1, &value),
            std::string("attribute ") + name);
  }
  void attribute(const char* name, double value) {
    require(::nc_put_att_double(file_, NC_GLOBAL, name, NC_DOUBLE, 1, &value),
            std::string("attribute ") + name);
  }
  void attribute(const char* name, long value) {
    require(::nc_put_att_long(file_, NC_GLOBAL, name, NC_INT64, 1, &value),
            std::string("attribute ") + name);
  }

  void begin_data() { require(::nc_enddef(file_), "ending its definitions"); }

  void put(int variable, const std::vector<double>& values) {
    require(::nc_put_var_double(file_, variable, values.data()), "writing values");
  }
  void put(int variable, std::vector<const char*> values) {
    require(::nc_put_var_string(file_, variable, values.data()), "writing labels");
  }

  std::string close() {
    NC_memio memory{};
    const int status = ::nc_close_memio(std::exchange(file_, -1), &memory);
    const std::unique_ptr<void, decltype(&std::free)> owner(memory.memory, &std::free);
    require(status, "closing it");
    return {static_cast<const char*>(memory.memory), memory.size};
  }

 private:
  int file_ = -1;
};

void require_consistent(const Trajectory& trajectory) {
  for (const ProbeSeries& series : trajectory.series) {
    const auto size = static_cast<std::size_t>(series.size);
    if (series.size != info(series.quantity).size ||
        series.values.size() != trajectory.times.size() * size ||
        series.right_values.size() != trajectory.breaks.size() * size)
      throw std::invalid_argument(fmt::format("series {} {}: its length does not fit the times",
                                              series.probe, info(series.quantity).name));
  }
}

std::string joined(const std::vector<std::string>& lines) {
  return fmt::format("{}", fmt::join(lines, "\n"));
}

void put_global_attributes(Writer& file, const Trajectory& trajectory,
                           const ResultsMetadata& metadata) {
  file.attribute("Conventions", "CF-1.8");
  file.long_attribute("title", metadata.title);
  const ResultsIdentity identity = identity_of(metadata);
  file.attribute("tumble_version", identity.version);
  file.long_attribute("model", metadata.effective_yaml);
  file.attribute("model_sha256", identity.model_sha256);
  if (!identity.referenced_files.empty())
    file.long_attribute("referenced_files_sha256", identity.referenced_files);
  if (!metadata.csv_files.empty()) file.long_attribute("csv_files", joined(metadata.csv_files));
  file.attribute("method", identity.method);
  file.attribute("realizations", 1L);
  file.attribute("failed", 0L);
  const RunStatistics& statistics = trajectory.statistics;
  file.attribute("steps", statistics.steps);
  file.attribute("iterations", statistics.iterations);
  file.attribute("factorizations", statistics.factorizations);
  file.attribute("restarts", statistics.restarts);
  file.attribute("halvings", statistics.halvings);
  file.attribute("pivot_searches", statistics.pivot_searches);
  file.attribute("constraint_drift", statistics.constraint_drift);
  file.attribute("wall_time", metadata.wall_time);
  file.attribute("host", metadata.host);
  file.attribute("threads", static_cast<long>(metadata.threads));
  file.attribute("ranks", 1L);
}

}  // namespace

std::string version() { return TUMBLE_VERSION; }

ResultsIdentity identity_of(const ResultsMetadata& metadata) {
  // The format of sha256sum, which can check it.
  std::vector<std::string> lines;
  for (const auto& [path, digest] : metadata.referenced_files)
    lines.push_back(fmt::format("{}  {}", digest, path));
  return {version(), sha256(metadata.effective_yaml), joined(lines), "nominal", metadata.csv_files};
}

std::string results_bytes(const Trajectory& trajectory, const ResultsMetadata& metadata) {
  require_consistent(trajectory);
  const bool breaks = !trajectory.breaks.empty();
  Writer file;
  put_global_attributes(file, trajectory, metadata);

  const int time = file.dimension("time", trajectory.times.size());
  const int axis = file.dimension("axis", 3);
  const int quat = file.dimension("quat", 4);
  const int brk = breaks ? file.dimension("break", trajectory.breaks.size()) : -1;

  const int time_variable = file.variable("time", NC_DOUBLE, {time});
  file.attribute(time_variable, "units", "s");
  file.attribute(time_variable, "long_name", "time since the start of the run");
  const int axis_variable = file.variable("axis", NC_STRING, {axis});
  file.attribute(axis_variable, "long_name", "component of a vector");
  const int quat_variable = file.variable("quat", NC_STRING, {quat});
  file.attribute(quat_variable, "long_name", "component of a quaternion, the scalar first");
  int break_variable = -1;
  if (breaks) {
    break_variable = file.variable("break", NC_DOUBLE, {brk});
    file.attribute(break_variable, "units", "s");
    file.attribute(break_variable, "long_name", "declared break points of the drives");
  }

  std::vector<std::pair<int, const std::vector<double>*>> data;
  for (const ProbeSeries& series : trajectory.series) {
    const QuantityInfo& quantity = info(series.quantity);
    std::string words(quantity.name);
    std::ranges::replace(words, '_', ' ');
    const auto define = [&](const char* statistic, int along, const char* limit) {
      std::vector<int> dimensions{along};
      if (series.size > 1) dimensions.push_back(series.size == 3 ? axis : quat);
      const int id = file.variable(fmt::format("{}_{}_{}", series.probe, quantity.name, statistic),
                                   NC_DOUBLE, dimensions);
      file.attribute(id, "units", quantity.unit);
      file.attribute(id, "long_name",
                     fmt::format("{} {}: {}{}", series.probe, words, quantity.doc, limit));
      return id;
    };
    data.emplace_back(define("nominal", time, breaks ? " (left limit at break points)" : ""),
                      &series.values);
    if (breaks)
      data.emplace_back(define("nominal_right", brk, " (right limit)"), &series.right_values);
  }

  file.begin_data();
  file.put(time_variable, trajectory.times);
  file.put(axis_variable, {"x", "y", "z"});
  file.put(quat_variable, {"w", "x", "y", "z"});
  if (breaks) file.put(break_variable, trajectory.breaks);
  for (const auto& [id, values] : data) file.put(id, *values);
  return file.close();
}

void write_results(const std::filesystem::path& path, const Trajectory& trajectory,
                   const ResultsMetadata& metadata) {
  const std::string bytes = results_bytes(trajectory, metadata);
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

std::optional<ResultsIdentity> read_results_identity(const std::filesystem::path& path) {
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
                           {}};
  const std::string names = text("csv_files");
  for (std::size_t begin = 0; begin < names.size();) {
    const std::size_t end = std::min(names.find('\n', begin), names.size());
    identity.csv_files.push_back(names.substr(begin, end - begin));
    begin = end + 1;
  }
  ::nc_close(file);
  if (identity.version.empty() || identity.model_sha256.empty()) return std::nullopt;
  return identity;
}

}  // namespace tumble
