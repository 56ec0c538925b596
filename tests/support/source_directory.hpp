// Where the checkout is, for tests and benchmarks that read its files.
#pragma once

namespace tumble {

/// Its path, in a source of its own: every other object is the same wherever the checkout lies, so
/// that a second one finds all of them in the cache of the compiler.
extern const char* const source_directory;

}  // namespace tumble
