#include "tumble/base/huge_pages.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace tumble {
namespace {

constexpr std::size_t huge_page = std::size_t{1} << 21;

/// Up to the end of a page if little is missing, since only whole ones are taken at once.
std::size_t with_whole_pages(std::size_t bytes) {
  const std::size_t missing = (huge_page - bytes % huge_page) % huge_page;
  return bytes + (missing <= huge_page / 16 ? missing : 0);
}

/// What was given back and may be asked for again.
class Kept {
 public:
  /// For as long as the program runs: whoever gives back last may be the last of all.
  static Kept& all() {
    static Kept* const kept = new Kept;
    return *kept;
  }
  void* take(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    // The last one is the most likely to be in a cache.
    const auto found = std::find_if(blocks_.rbegin(), blocks_.rend(),
                                    [bytes](const auto& block) { return block.second == bytes; });
    if (found == blocks_.rend()) return nullptr;
    void* const memory = found->first;
    blocks_.erase(std::next(found).base());
    sum_ -= bytes;
    return memory;
  }
  bool give(void* memory, std::size_t bytes) {
    constexpr std::size_t most = std::size_t{64} << 20;
    const std::lock_guard lock(mutex_);
    if (sum_ + bytes > most) return false;
    blocks_.emplace_back(memory, bytes);
    sum_ += bytes;
    return true;
  }

 private:
  std::mutex mutex_;
  std::vector<std::pair<void*, std::size_t>> blocks_;
  std::size_t sum_ = 0;  ///< of their bytes
};

}  // namespace

void* take_pages(std::size_t bytes) {
  bytes = with_whole_pages(bytes);
  const bool large = bytes >= huge_page;
  if (large)
    if (void* const memory = Kept::all().take(bytes)) return memory;
  void* memory = nullptr;
  if (::posix_memalign(&memory, large ? huge_page : alignof(std::max_align_t), bytes) != 0)
    throw std::bad_alloc();
  if (large) ::madvise(memory, bytes / huge_page * huge_page, MADV_HUGEPAGE);  // or small ones
  return memory;
}

void give_back_pages(void* memory, std::size_t bytes) {
  bytes = with_whole_pages(bytes);
  if (memory == nullptr || (bytes >= huge_page && Kept::all().give(memory, bytes))) return;
  std::free(memory);
}

}  // namespace tumble
