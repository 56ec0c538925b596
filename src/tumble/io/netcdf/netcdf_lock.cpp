#include "tumble/io/netcdf/netcdf_lock.hpp"

#include <hdf5.h>

#include <mutex>

namespace tumble {
namespace {

std::recursive_mutex& mutex() {
  static std::recursive_mutex one;
  return one;
}

bool is_child = false;  // set before a child does anything

}  // namespace

NetcdfLock::NetcdfLock() : held_(!is_child) {
  if (held_) mutex().lock();
  // HDF5 tells each thread of every attribute that it looks for and does not find, unless that
  // thread has asked it not to.
  thread_local bool silenced = false;
  if (!silenced) ::H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  silenced = true;
}

NetcdfLock::~NetcdfLock() {
  if (held_ && !is_child) mutex().unlock();
}

void NetcdfLock::forget() { is_child = true; }

}  // namespace tumble
