// A netCDF file that is read variable by variable, whatever its variables are.
#pragma once
#include <netcdf.h>

#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tumble/io/netcdf/netcdf_lock.hpp"

namespace tumble {

/// @throws std::runtime_error naming the file, here and below.
class NetcdfReader {
 public:
  struct Variable {
    std::string name;
    int id = -1;
    nc_type type = NC_NAT;
    std::size_t type_bytes = 0;
    std::vector<std::string> dimensions;
    std::vector<std::size_t> sizes;
    std::vector<std::size_t> chunks;  ///< empty if it is stored in one piece

    std::size_t entries() const;
    /// It gives the values of the dimension it is named after.
    bool is_coordinate() const { return dimensions.size() == 1 && dimensions[0] == name; }
    bool is_text() const { return type == NC_STRING; }
  };

  explicit NetcdfReader(std::filesystem::path path);
  ~NetcdfReader();
  NetcdfReader(const NetcdfReader&) = delete;
  NetcdfReader& operator=(const NetcdfReader&) = delete;

  /// All of them. HDF5 takes a while to describe each: find() looks at one alone.
  const std::vector<Variable>& variables() const;
  /// Null if there is none of this name.
  const Variable* find(const std::string& name) const;

  std::vector<double> numbers(const Variable& variable) const;
  /// At most so many rows of the first dimension.
  std::vector<std::string> text(const Variable& variable,
                                std::size_t most = std::numeric_limits<std::size_t>::max()) const;
  /// `count` entries from `start` on, along each dimension, as the bytes of the variable's type.
  /// Not for text.
  void read(const Variable& variable, const std::vector<std::size_t>& start,
            const std::vector<std::size_t>& count, void* values) const;

  /// Of the variable, or of the file; empty if there is none.
  std::string text_attribute(const char* name, int variable = NC_GLOBAL) const;
  std::optional<long> integer_attribute(const char* name) const;
  std::optional<double> number_attribute(const char* name, int variable = NC_GLOBAL) const;
  /// Gives a variable of another open file the attributes of one of this file.
  void copy_attributes(const Variable& variable, int file, int target) const;

 private:
  NetcdfLock lock_;
  void require(int status, const std::string& what) const;
  Variable describe(int id) const;

  std::filesystem::path path_;
  int file_ = -1;
  mutable std::vector<Variable> variables_;  ///< once all were asked for
  mutable std::map<int, Variable> found_;    ///< those asked for by their names
};

}  // namespace tumble
