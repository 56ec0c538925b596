#include "tumble/io/netcdf/netcdf_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace tumble {

std::size_t NetcdfReader::Variable::entries() const {
  std::size_t product = 1;
  for (const std::size_t size : sizes) product *= size;
  return product;
}

void NetcdfReader::require(int status, const std::string& what) const {
  if (status != NC_NOERR)
    throw std::runtime_error(
        fmt::format("{}: {}: {}", path_.string(), what, ::nc_strerror(status)));
}

NetcdfReader::NetcdfReader(std::filesystem::path path) : path_(std::move(path)) {
  // HDF5 keeps the last chunks of every variable until the file is closed, 16 MiB of each if it is
  // let; what is read here is read once, from front to back.
  constexpr std::size_t chunks_in_memory = 1 << 18;
  require(::nc_set_chunk_cache(chunks_in_memory, 101, 0.75f), "preparing to open it");
  require(::nc_open(path_.c_str(), NC_NOWRITE, &file_), "opening it");
}

NetcdfReader::~NetcdfReader() { ::nc_close(file_); }

NetcdfReader::Variable NetcdfReader::describe(int id) const {
  Variable v;
  v.id = id;
  std::array<char, NC_MAX_NAME + 1> name{};
  std::array<int, NC_MAX_VAR_DIMS> dimensions{};
  int count = 0;
  require(::nc_inq_var(file_, id, name.data(), &v.type, &count, dimensions.data(), nullptr),
          "a variable");
  v.name = name.data();
  require(::nc_inq_type(file_, v.type, nullptr, &v.type_bytes), v.name);
  for (std::size_t d = 0; d < static_cast<std::size_t>(count); ++d) {
    std::size_t length = 0;
    require(::nc_inq_dim(file_, dimensions[d], name.data(), &length), v.name);
    v.dimensions.emplace_back(name.data());
    v.sizes.push_back(length);
  }
  int storage = NC_CONTIGUOUS;
  std::array<std::size_t, NC_MAX_VAR_DIMS> chunks{};
  require(::nc_inq_var_chunking(file_, id, &storage, chunks.data()), v.name);
  if (storage == NC_CHUNKED) v.chunks.assign(chunks.begin(), chunks.begin() + count);
  return v;
}

const std::vector<NetcdfReader::Variable>& NetcdfReader::variables() const {
  int count = 0;
  require(::nc_inq_nvars(file_, &count), "its variables");
  for (int id = static_cast<int>(variables_.size()); id < count; ++id)
    variables_.push_back(describe(id));
  return variables_;
}

const NetcdfReader::Variable* NetcdfReader::find(const std::string& name) const {
  int id = -1;
  const int status = ::nc_inq_varid(file_, name.c_str(), &id);
  if (status == NC_ENOTVAR || status == NC_EBADNAME || status == NC_EMAXNAME) return nullptr;
  require(status, name);
  const auto found = found_.find(id);
  return &(found != found_.end() ? found : found_.emplace(id, describe(id)).first)->second;
}

std::vector<double> NetcdfReader::numbers(const Variable& variable) const {
  std::vector<double> values(variable.entries());
  require(::nc_get_var_double(file_, variable.id, values.data()), variable.name);
  return values;
}

std::vector<std::string> NetcdfReader::text(const Variable& variable, std::size_t most) const {
  std::vector<std::size_t> start(variable.sizes.size(), 0), count = variable.sizes;
  if (!count.empty()) count[0] = std::min(count[0], most);
  std::size_t entries = 1;
  for (const std::size_t size : count) entries *= size;
  std::vector<char*> pointers(entries, nullptr);
  require(::nc_get_vara_string(file_, variable.id, start.data(), count.data(), pointers.data()),
          variable.name);
  std::vector<std::string> values;
  for (const char* pointer : pointers) values.emplace_back(pointer != nullptr ? pointer : "");
  ::nc_free_string(pointers.size(), pointers.data());
  return values;
}

void NetcdfReader::read(const Variable& variable, const std::vector<std::size_t>& start,
                        const std::vector<std::size_t>& count, void* values) const {
  require(::nc_get_vara(file_, variable.id, start.data(), count.data(), values), variable.name);
}

std::string NetcdfReader::text_attribute(const char* name, int variable) const {
  nc_type type = NC_NAT;
  std::size_t length = 0;
  if (::nc_inq_att(file_, variable, name, &type, &length) != NC_NOERR) return {};
  std::string value;
  if (type == NC_CHAR) {
    value.resize(length);
    require(::nc_get_att_text(file_, variable, name, value.data()), name);
  } else if (type == NC_STRING && length == 1) {
    char* pointer = nullptr;
    require(::nc_get_att_string(file_, variable, name, &pointer), name);
    if (pointer != nullptr) value = pointer;
    ::nc_free_string(1, &pointer);
  }
  return value;
}

std::optional<long> NetcdfReader::integer_attribute(const char* name) const {
  long long value = 0;
  if (::nc_get_att_longlong(file_, NC_GLOBAL, name, &value) != NC_NOERR) return std::nullopt;
  return static_cast<long>(value);
}

std::optional<double> NetcdfReader::number_attribute(const char* name, int variable) const {
  double value = 0;
  if (::nc_get_att_double(file_, variable, name, &value) != NC_NOERR) return std::nullopt;
  return value;
}

void NetcdfReader::copy_attributes(const Variable& variable, int file, int target) const {
  int count = 0;
  require(::nc_inq_varnatts(file_, variable.id, &count), variable.name);
  for (int i = 0; i < count; ++i) {
    std::array<char, NC_MAX_NAME + 1> name{};
    require(::nc_inq_attname(file_, variable.id, i, name.data()), variable.name);
    require(::nc_copy_att(file_, variable.id, name.data(), file, target), name.data());
  }
}

}  // namespace tumble
