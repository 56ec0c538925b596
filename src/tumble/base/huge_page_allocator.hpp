// Memory for large arrays that are filled once and read through.
#pragma once
#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>

namespace tumble {

/// Asks the system for pages of 2 MiB where an array fills them: one page fault then, instead of
/// 512, which together take as long as filling them. What is left at the end has small pages, so
/// that no memory is taken that the array does not have.
template <class T>
class HugePageAllocator {
 public:
  using value_type = T;
  HugePageAllocator() = default;
  template <class U>
  HugePageAllocator(const HugePageAllocator<U>&) {}

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    void* memory = nullptr;
    if (::posix_memalign(&memory, bytes < page ? alignof(std::max_align_t) : page, bytes) != 0)
      throw std::bad_alloc();
    if (bytes >= page) ::madvise(memory, bytes / page * page, MADV_HUGEPAGE);  // or small ones
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) { std::free(memory); }

  friend bool operator==(const HugePageAllocator&, const HugePageAllocator&) { return true; }

 private:
  static constexpr std::size_t page = std::size_t{1} << 21;
};

}  // namespace tumble
