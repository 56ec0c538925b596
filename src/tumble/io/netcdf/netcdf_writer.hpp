// A netCDF-4 file, one call a thing.
#pragma once
#include <netcdf.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tumble/io/netcdf/netcdf_lock.hpp"
#include "tumble/io/netcdf/netcdf_reader.hpp"

namespace tumble {

/// First definitions, then begin_data(), then values.
/// @throws std::runtime_error
class NetcdfWriter {
 public:
  /// Made in memory; close() returns its bytes.
  NetcdfWriter();
  /// Made at `path`, in place of what is there. HDF5 does not survive a full disk: room is to be
  /// reserved before, for what is defined, and for values in begin_data(). Not in memory: there
  /// HDF5 forgets the order of variables.
  explicit NetcdfWriter(std::filesystem::path path);
  ~NetcdfWriter();
  NetcdfWriter(const NetcdfWriter&) = delete;
  NetcdfWriter& operator=(const NetcdfWriter&) = delete;

  /// From now on definitions and values go to the group of this name, which is made unless it is
  /// there; an empty name: to the file itself, as at first and after begin_data().
  void enter(const std::string& group);

  int dimension(const std::string& name, std::size_t length);
  /// Large variables are compressed. Small ones would gain little, and cost an index of their
  /// pieces each.
  int variable(const std::string& name, nc_type type, const std::vector<int>& dimensions);
  /// Keeps a variable in pieces of these sizes, of which a few are in memory while they fill: for
  /// variables that are written part by part. Random doubles gain a tenth by compression, which
  /// takes longer than all else that is done to them.
  enum class Pieces { compressed, plain };
  void chunk(int variable, const std::vector<std::size_t>& sizes,
             Pieces pieces = Pieces::compressed);

  void attribute(int variable, const char* name, std::string_view text);
  void attribute(int variable, const char* name, double value);
  void attribute(int variable, const char* name, const std::vector<signed char>& values);
  void attribute(const char* name, std::string_view text) { attribute(NC_GLOBAL, name, text); }
  /// All those of a variable of another file.
  void copy_attributes(int variable, const NetcdfReader& from,
                       const NetcdfReader::Variable& source);
  /// If the variable has it.
  void remove_attribute(int variable, const char* name);
  /// For text without a bound on its length: HDF5 keeps a character attribute in an object header
  /// of 64 KiB, a string attribute in a heap. Readers see text either way.
  void long_attribute(const char* name, const std::string& text);
  void attribute(const char* name, double value);
  void attribute(const char* name, long value);

  /// Ends the definitions. In a file, `reserve` is called with the most bytes that the file can
  /// have, whatever the values, but for the text of variables of strings; it may make the file that
  /// long.
  void begin_data(const std::function<void(std::uint64_t bytes)>& reserve = {});

  void put(int variable, const std::vector<double>& values);
  void put(int variable, const std::vector<long long>& values);
  void put(int variable, const std::vector<const char*>& values);
  /// Part of a variable: `count` entries from `start` on, along each dimension.
  void put(int variable, const std::vector<std::size_t>& start,
           const std::vector<std::size_t>& count, const double* values);
  /// The same for values of the variable's own type, whatever that is.
  void put_bytes(int variable, const std::vector<std::size_t>& start,
                 const std::vector<std::size_t>& count, const void* values);
  void put(int variable, const std::vector<std::size_t>& start,
           const std::vector<std::size_t>& count, const std::vector<std::string>& values);
  /// The same for a variable of one dimension.
  void put(int variable, std::size_t start, const std::vector<signed char>& values);
  void put(int variable, std::size_t start, const std::vector<long long>& values);
  void put(int variable, std::size_t start, const std::vector<const char*>& values);

  /// Part of what has been put into a variable.
  void get(int variable, std::size_t start, std::vector<double>& values);

  /// Ends the file. In memory, returns its bytes; elsewhere, cuts off what was reserved too much.
  std::string close();

 private:
  NetcdfLock lock_;
  void require(int status, const std::string& what);
  std::uint64_t most_value_bytes();

  std::filesystem::path path_;  // empty in memory
  int file_ = -1;
  int here_ = -1;                           // the file or one of its groups
  std::vector<std::pair<int, int>> large_;  // group, variable: to be compressed
};

}  // namespace tumble
