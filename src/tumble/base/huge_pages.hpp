// Memory for large arrays that are filled once, read through and followed by others of their size.
#pragma once
#include <cstddef>
#include <memory>

namespace tumble {

/// As many bytes as asked for, not set to anything. Where they fill pages of 2 MiB, the system is
/// asked for such pages: one page fault then, instead of 512, which together take as long as
/// filling them. What is left at the end has small pages, so that no memory is taken that nobody
/// uses.
///
/// The first use of a page takes longer than all that is done with it, most of all on virtual
/// machines. So a little of what was given back is kept for whoever asks for the same size.
void* take_pages(std::size_t bytes);
void give_back_pages(void* memory, std::size_t bytes);

/// An array of such memory.
template <class T>
class HugePageArray {
 public:
  HugePageArray() = default;
  explicit HugePageArray(std::size_t count)
      : memory_(static_cast<T*>(take_pages(count * sizeof(T))), Return{count * sizeof(T)}) {}

  T* data() { return memory_.get(); }
  const T* data() const { return memory_.get(); }
  explicit operator bool() const { return memory_ != nullptr; }

 private:
  struct Return {
    std::size_t bytes = 0;
    void operator()(T* memory) const { give_back_pages(memory, bytes); }
  };
  std::unique_ptr<T[], Return> memory_;
};

}  // namespace tumble
