#include "tumble/io/netcdf/netcdf_writer.hpp"

#include <H5Fpublic.h>
#include <H5Ppublic.h>
#include <fmt/format.h>
#include <netcdf_mem.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <stdexcept>

namespace tumble {
namespace {

/// More than 1 makes files of doubles a few per cent smaller and takes two to three times as long.
constexpr int deflate_level = 1;
constexpr std::size_t smallest_compressed = std::size_t{1} << 20;
/// Pieces of a variable kept in memory: leaves come nearly in order.
constexpr std::size_t pieces_in_memory = 4;

/// HDF5 shortens a file to what it needs when it closes it, if it was longer when it was opened.
/// netCDF would read all definitions.
void cut_to_contents(const std::filesystem::path& path) {
  const hid_t file = ::H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  if (file < 0 || ::H5Fclose(file) < 0)
    throw std::runtime_error("results file: giving back what was reserved for it failed");
}

}  // namespace

void NetcdfWriter::require(int status, const std::string& what) {
  if (status == NC_NOERR) return;
  // After a failed write HDF5 can neither close the file nor give it up: it stays open.
  if (!path_.empty()) file_ = -1;
  throw std::runtime_error(fmt::format("results file: {}: {}", what, ::nc_strerror(status)));
}

NetcdfWriter::NetcdfWriter() {
  require(::nc_create_mem("results.nc", NC_NETCDF4 | NC_CLOBBER, 0, &file_), "creating it");
  here_ = file_;
}

NetcdfWriter::NetcdfWriter(std::filesystem::path path) : path_(std::move(path)) {
  require(::nc_create(path_.c_str(), NC_NETCDF4 | NC_CLOBBER, &file_), "creating it");
  here_ = file_;
}

NetcdfWriter::~NetcdfWriter() {
  if (file_ >= 0) ::nc_abort(file_);
}

void NetcdfWriter::enter(const std::string& group) {
  here_ = file_;
  if (group.empty() || ::nc_inq_ncid(file_, group.c_str(), &here_) == NC_NOERR) return;
  require(::nc_def_grp(file_, group.c_str(), &here_), "group " + group);
}

int NetcdfWriter::dimension(const std::string& name, std::size_t length) {
  int id = 0;
  require(::nc_def_dim(here_, name.c_str(), length, &id), "dimension " + name);
  return id;
}

int NetcdfWriter::variable(const std::string& name, nc_type type,
                           const std::vector<int>& dimensions) {
  int id = 0;
  require(::nc_def_var(here_, name.c_str(), type, static_cast<int>(dimensions.size()),
                       dimensions.data(), &id),
          "variable " + name);
  if (type == NC_STRING || dimensions.empty()) return id;
  require(::nc_def_var_fill(here_, id, NC_NOFILL, nullptr), "variable " + name);
  std::size_t bytes = 0;
  require(::nc_inq_type(here_, type, nullptr, &bytes), "variable " + name);
  for (const int dimension : dimensions) {
    std::size_t length = 0;
    require(::nc_inq_dimlen(here_, dimension, &length), "variable " + name);
    bytes *= length;
  }
  if (bytes >= smallest_compressed) large_.emplace_back(here_, id);
  return id;
}

void NetcdfWriter::chunk(int variable, const std::vector<std::size_t>& sizes, Pieces pieces) {
  require(::nc_def_var_chunking(here_, variable, NC_CHUNKED, sizes.data()), "chunking");
  std::erase(large_, std::pair(here_, variable));
  if (pieces == Pieces::compressed)
    require(::nc_def_var_deflate(here_, variable, 1, 1, deflate_level), "compression");
  nc_type type = NC_NAT;
  std::size_t bytes = 0;
  require(::nc_inq_vartype(here_, variable, &type), "chunking");
  require(::nc_inq_type(here_, type, nullptr, &bytes), "chunking");
  for (const std::size_t size : sizes) bytes *= size;
  require(::nc_set_var_chunk_cache(here_, variable, pieces_in_memory * bytes, 101, 0.75f),
          "chunking");
}

void NetcdfWriter::attribute(int variable, const char* name, std::string_view text) {
  require(::nc_put_att_text(here_, variable, name, text.size(), text.data()),
          std::string("attribute ") + name);
}

void NetcdfWriter::attribute(int variable, const char* name, double value) {
  require(::nc_put_att_double(here_, variable, name, NC_DOUBLE, 1, &value),
          std::string("attribute ") + name);
}

void NetcdfWriter::attribute(int variable, const char* name,
                             const std::vector<signed char>& values) {
  require(::nc_put_att_schar(here_, variable, name, NC_BYTE, values.size(), values.data()),
          std::string("attribute ") + name);
}

void NetcdfWriter::copy_attributes(int variable, const NetcdfReader& from,
                                   const NetcdfReader::Variable& source) {
  from.copy_attributes(source, here_, variable);
}

void NetcdfWriter::remove_attribute(int variable, const char* name) {
  const int status = ::nc_del_att(here_, variable, name);
  if (status != NC_ENOTATT) require(status, std::string("attribute ") + name);
}

void NetcdfWriter::long_attribute(const char* name, const std::string& text) {
  const char* value = text.c_str();
  require(::nc_put_att_string(here_, NC_GLOBAL, name, 1, &value), std::string("attribute ") + name);
}

void NetcdfWriter::attribute(const char* name, double value) { attribute(NC_GLOBAL, name, value); }

void NetcdfWriter::attribute(const char* name, long value) {
  require(::nc_put_att_long(here_, NC_GLOBAL, name, NC_INT64, 1, &value),
          std::string("attribute ") + name);
}

void NetcdfWriter::begin_data(const std::function<void(std::uint64_t)>& reserve) {
  here_ = file_;
  for (const auto& [group, variable] : large_)
    require(::nc_def_var_deflate(group, variable, 1, 1, deflate_level), "compression");
  require(::nc_enddef(file_), "ending its definitions");
  if (path_.empty()) return;
  if (reserve) reserve(std::filesystem::file_size(path_) + most_value_bytes());
}

void NetcdfWriter::put(int variable, const std::vector<double>& values) {
  require(::nc_put_var_double(here_, variable, values.data()), "writing values");
}

void NetcdfWriter::put(int variable, const std::vector<long long>& values) {
  require(::nc_put_var_longlong(here_, variable, values.data()), "writing values");
}

void NetcdfWriter::put(int variable, const std::vector<const char*>& values) {
  put(variable, 0, values);
}

void NetcdfWriter::put(int variable, const std::vector<std::size_t>& start,
                       const std::vector<std::size_t>& count, const double* values) {
  require(::nc_put_vara_double(here_, variable, start.data(), count.data(), values),
          "writing values");
}

void NetcdfWriter::put_bytes(int variable, const std::vector<std::size_t>& start,
                             const std::vector<std::size_t>& count, const void* values) {
  require(::nc_put_vara(here_, variable, start.data(), count.data(), values), "writing values");
}

void NetcdfWriter::put(int variable, const std::vector<std::size_t>& start,
                       const std::vector<std::size_t>& count,
                       const std::vector<std::string>& values) {
  std::vector<const char*> pointers;
  for (const std::string& value : values) pointers.push_back(value.c_str());
  require(::nc_put_vara_string(here_, variable, start.data(), count.data(), pointers.data()),
          "writing labels");
}

void NetcdfWriter::put(int variable, std::size_t start, const std::vector<signed char>& values) {
  const std::size_t count = values.size();
  require(::nc_put_vara_schar(here_, variable, &start, &count, values.data()), "writing values");
}

void NetcdfWriter::put(int variable, std::size_t start, const std::vector<long long>& values) {
  const std::size_t count = values.size();
  require(::nc_put_vara_longlong(here_, variable, &start, &count, values.data()), "writing values");
}

void NetcdfWriter::put(int variable, std::size_t start, const std::vector<const char*>& values) {
  const std::size_t count = values.size();
  std::vector<const char*> pointers = values;  // netCDF forgets a const
  require(::nc_put_vara_string(here_, variable, &start, &count, pointers.data()), "writing labels");
}

void NetcdfWriter::get(int variable, std::size_t start, std::vector<double>& values) {
  const std::size_t count = values.size();
  require(::nc_get_vara_double(here_, variable, &start, &count, values.data()), "reading values");
}

std::uint64_t NetcdfWriter::most_value_bytes() {
  // What HDF5 takes for the index of a variable's pieces, its first node and each piece, and for
  // aligning what it puts into the file: generous, room is given back in the end.
  constexpr std::uint64_t variable_overhead = 16384, chunk_overhead = 256, file_overhead = 65536;
  const auto check = [this](int status) { require(status, "measuring it"); };
  int variables = 0;
  check(::nc_inq_nvars(file_, &variables));
  std::uint64_t sum = file_overhead;
  for (int v = 0; v < variables; ++v) {
    nc_type type = NC_NAT;
    int count = 0, storage = 0;
    std::array<int, NC_MAX_VAR_DIMS> dimensions{};
    std::array<std::size_t, NC_MAX_VAR_DIMS> sizes{};
    std::size_t bytes = 0;
    check(::nc_inq_var(file_, v, nullptr, &type, &count, dimensions.data(), nullptr));
    check(::nc_inq_type(file_, type, nullptr, &bytes));
    check(::nc_inq_var_chunking(file_, v, &storage, sizes.data()));
    std::uint64_t entries = 1, pieces = 1;
    for (std::size_t d = 0; d < static_cast<std::size_t>(count); ++d) {
      std::size_t length = 0;
      check(::nc_inq_dimlen(file_, dimensions[d], &length));
      const std::size_t size = storage == NC_CHUNKED ? std::max<std::size_t>(sizes[d], 1) : length;
      const std::uint64_t parts = size == 0 ? 0 : (length + size - 1) / size;
      pieces *= parts;
      entries *= parts * size;
    }
    if (type == NC_STRING) bytes = 32;  // a reference to the heap
    sum += variable_overhead + pieces * chunk_overhead + entries * bytes;
  }
  return sum;
}

std::string NetcdfWriter::close() {
  const int file = std::exchange(file_, -1);
  if (!path_.empty()) {
    require(::nc_close(file), "closing it");
    cut_to_contents(path_);
    return {};
  }
  NC_memio memory{};
  const int status = ::nc_close_memio(file, &memory);
  const std::unique_ptr<void, decltype(&std::free)> owner(memory.memory, &std::free);
  require(status, "closing it");
  return {static_cast<const char*>(memory.memory), memory.size};
}

}  // namespace tumble
