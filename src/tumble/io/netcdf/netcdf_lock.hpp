// One thread at a time works with netCDF files: the HDF5 library beneath keeps no order among
// several.
#pragma once

namespace tumble {

/// Held by whoever has a file open. The same thread may have several.
class NetcdfLock {
 public:
  NetcdfLock();
  ~NetcdfLock();
  NetcdfLock(const NetcdfLock&) = delete;
  NetcdfLock& operator=(const NetcdfLock&) = delete;

  /// In a child process, whose only thread has inherited the lock in a state that it cannot undo.
  static void forget();

 private:
  bool held_;
};

}  // namespace tumble
