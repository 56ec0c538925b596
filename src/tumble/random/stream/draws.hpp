// Takes the numbers of a stream one after the other.
#pragma once
#include "tumble/random/stream/stream.hpp"

namespace tumble {

class Draws {
 public:
  explicit Draws(const Stream& stream) : stream_(stream) {}
  /// Uniform on the open interval (0, 1).
  double uniform() { return stream_.uniform(next_++); }

 private:
  Stream stream_;
  std::uint64_t next_ = 0;
};

}  // namespace tumble
