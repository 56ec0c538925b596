#include "tumble/base/crc64.hpp"

#include <isa-l/crc64.h>

namespace tumble {

std::uint64_t crc64(std::string_view bytes, std::uint64_t previous) {
  return crc64_ecma_refl(previous, reinterpret_cast<const unsigned char*>(bytes.data()),
                         bytes.size());
}

}  // namespace tumble
