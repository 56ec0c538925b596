// A netCDF-4 file made in memory, one call a thing.
#pragma once
#include <fmt/format.h>
#include <netcdf.h>
#include <netcdf_mem.h>

#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tumble {

inline constexpr int deflate_level = 4;

inline void require_netcdf(int status, const std::string& what) {
  if (status != NC_NOERR)
    throw std::runtime_error(fmt::format("results file: {}: {}", what, ::nc_strerror(status)));
}

/// A netCDF-4 file in memory, in define mode until begin_data().
class NetcdfWriter {
 public:
  NetcdfWriter() {
    require_netcdf(::nc_create_mem("results.nc", NC_NETCDF4 | NC_CLOBBER, 0, &file_),
                   "creating it");
  }
  ~NetcdfWriter() {
    if (file_ >= 0) ::nc_abort(file_);
  }
  NetcdfWriter(const NetcdfWriter&) = delete;
  NetcdfWriter& operator=(const NetcdfWriter&) = delete;

  int dimension(const std::string& name, std::size_t length) {
    int id = 0;
    require_netcdf(::nc_def_dim(file_, name.c_str(), length, &id), "dimension " + name);
    return id;
  }

  int variable(const std::string& name, nc_type type, const std::vector<int>& dimensions) {
    int id = 0;
    require_netcdf(::nc_def_var(file_, name.c_str(), type, static_cast<int>(dimensions.size()),
                                dimensions.data(), &id),
                   "variable " + name);
    if (type != NC_STRING && !dimensions.empty()) {
      require_netcdf(::nc_def_var_deflate(file_, id, 1, 1, deflate_level),
                     "compression of " + name);
      require_netcdf(::nc_def_var_fill(file_, id, NC_NOFILL, nullptr), "variable " + name);
    }
    return id;
  }

  void attribute(int variable, const char* name, std::string_view text) {
    require_netcdf(::nc_put_att_text(file_, variable, name, text.size(), text.data()),
                   std::string("attribute ") + name);
  }
  void attribute(const char* name, std::string_view text) { attribute(NC_GLOBAL, name, text); }
  /// For text without a bound on its length: HDF5 keeps a character attribute in an object header
  /// of 64 KiB, a string attribute in a heap. Readers see text either way.
  void long_attribute(const char* name, const std::string& text) {
    const char* value = text.c_str();
    require_netcdf(::nc_put_att_string(file_, NC_GLOBAL, name, 1, &value),
                   std::string("attribute ") + name);
  }
  void attribute(const char* name, double value) {
    require_netcdf(::nc_put_att_double(file_, NC_GLOBAL, name, NC_DOUBLE, 1, &value),
                   std::string("attribute ") + name);
  }
  void attribute(const char* name, long value) {
    require_netcdf(::nc_put_att_long(file_, NC_GLOBAL, name, NC_INT64, 1, &value),
                   std::string("attribute ") + name);
  }

  void begin_data() { require_netcdf(::nc_enddef(file_), "ending its definitions"); }

  void put(int variable, const std::vector<double>& values) {
    require_netcdf(::nc_put_var_double(file_, variable, values.data()), "writing values");
  }
  /// Part of a variable: `count` entries from `start` on, along each dimension.
  void put(int variable, const std::vector<std::size_t>& start,
           const std::vector<std::size_t>& count, const double* values) {
    require_netcdf(::nc_put_vara_double(file_, variable, start.data(), count.data(), values),
                   "writing values");
  }
  void put(int variable, std::size_t start, const std::vector<signed char>& values) {
    const std::size_t count = values.size();
    require_netcdf(::nc_put_vara_schar(file_, variable, &start, &count, values.data()),
                   "writing values");
  }
  void put(int variable, const std::vector<long long>& values) {
    require_netcdf(::nc_put_var_longlong(file_, variable, values.data()), "writing values");
  }
  /// Pieces in which a variable of doubles is compressed; without, netCDF chooses. Two of them are
  /// kept in memory while they fill, not the 16 MiB that netCDF would take for each variable.
  void chunk(int variable, const std::vector<std::size_t>& sizes) {
    require_netcdf(::nc_def_var_chunking(file_, variable, NC_CHUNKED, sizes.data()), "chunking");
    std::size_t bytes = sizeof(double);
    for (const std::size_t size : sizes) bytes *= size;
    require_netcdf(::nc_set_var_chunk_cache(file_, variable, 2 * bytes, 101, 0.75f), "chunking");
  }
  void put(int variable, std::vector<const char*> values) {
    require_netcdf(::nc_put_var_string(file_, variable, values.data()), "writing labels");
  }

  std::string close() {
    NC_memio memory{};
    const int status = ::nc_close_memio(std::exchange(file_, -1), &memory);
    const std::unique_ptr<void, decltype(&std::free)> owner(memory.memory, &std::free);
    require_netcdf(status, "closing it");
    return {static_cast<const char*>(memory.memory), memory.size};
  }

 private:
  int file_ = -1;
};

}  // namespace tumble
