// Work that may crash, done in a process of its own.
//
// HDF5 trusts the file it reads: in a damaged one, a length or an offset can lead it out of its
// memory (H5HG_read does so), and there is no error to catch. A checksum would cost a pass over
// gigabytes and help only files that have one; a process costs a millisecond and keeps the crash to
// itself.
#pragma once
#include <functional>
#include <stdexcept>
#include <string>

namespace tumble {

/// The child ended without an answer; what() says how.
struct ChildCrashed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Runs `work` in a forked process and returns its text; nothing else of it comes back. A
/// std::invalid_argument stays one, other exceptions come as std::runtime_error with their message.
/// Where the system has no process left, the work is done here.
/// @throws ChildCrashed
std::string in_child_process(const std::function<std::string()>& work);

}  // namespace tumble
