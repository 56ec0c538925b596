#include "source_directory.hpp"

namespace tumble {

constinit const char* const source_directory = TUMBLE_SOURCE_DIR;

}  // namespace tumble
