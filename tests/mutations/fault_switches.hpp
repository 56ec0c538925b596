// Switches of planted faults: scripts/mutate puts this header before the text of every source in
// which it plants some, in its copy alone, and so compiles all faults at once. Which of them is
// there is said when a program runs:
//
//   TUMBLE_FAULT=17             fault 17 is there; 0, or nothing, is the program as it is
//   TUMBLE_FAULTS_REACHED=FILE  byte 17 of the file becomes 1 where the place of fault 17 is
//   evaluated
//
// Each form stands where an operator or an operand stood, has its precedence, and yields the same
// bits where its fault is not there. None works in constant expressions: there it does not compile,
// instead of being a fault that is never there.
#pragma once
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <type_traits>

// Not exported: FMUs show the functions of FMI alone, and kernels of one instruction set share none
// with others.
#define TUMBLE_FAULT_INLINE [[gnu::always_inline]] inline

namespace tumble_fault {

struct Switches {
  static constexpr int most = 4096;  ///< bytes of the file; scripts/mutate makes it
  int chosen = 0;
  unsigned char* reached = nullptr;

  Switches() {
    if (const char* text = std::getenv("TUMBLE_FAULT")) chosen = std::atoi(text);
    const char* path = std::getenv("TUMBLE_FAULTS_REACHED");
    const int file = path ? ::open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) return;
    void* bytes = ::mmap(nullptr, most, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    ::close(file);
    if (bytes != MAP_FAILED) reached = static_cast<unsigned char*>(bytes);
  }
};

/// Made at the first call, so that numbers computed before main() have their faults too.
inline const Switches& switches() {
  static const Switches made;
  return made;
}

TUMBLE_FAULT_INLINE bool on(int fault) {
  const Switches& s = switches();
  if (s.reached) s.reached[fault] = 1;
  return s.chosen == fault;
}

// `a + b` with a fault that subtracts: `a + sign(17) * b`, where b may go on with * and /.
struct Sign {
  bool turned;
};
TUMBLE_FAULT_INLINE Sign sign(int fault) { return {on(fault)}; }

template <class B>
TUMBLE_FAULT_INLINE auto operator*(Sign sign, const B& b) {
  if constexpr (requires { typename B::PlainObject; }) {  // an expression of Eigen
    typename B::PlainObject value = b;
    if (sign.turned) value = -value;
    return value;
  } else {
    using Value = std::decay_t<B>;
    if (sign.turned) return static_cast<Value>(-b);
    return Value(b);
  }
}

// `a + b` with a fault that leaves out b: `a + kept(17) * b`.
struct Kept {
  bool dropped;
};
TUMBLE_FAULT_INLINE Kept kept(int fault) { return {on(fault)}; }

template <class B>
TUMBLE_FAULT_INLINE auto operator*(Kept kept, const B& b) {
  if constexpr (requires { typename B::PlainObject; }) {
    typename B::PlainObject value = b;
    if (kept.dropped) value.setZero();
    return value;
  } else {
    using Value = std::decay_t<B>;
    if (kept.dropped) return Value{};
    return Value(b);
  }
}

// `a < b` with a fault that makes it <=, and the other way: `a < less(17) > b`. All comparisons
// bind alike.
enum class Comparison { less, less_equal, greater, greater_equal };

template <Comparison comparison>
struct Compared {
  bool moved;
};
template <class A, Comparison comparison>
struct LeftSide {
  const A& a;
  bool moved;
};
TUMBLE_FAULT_INLINE Compared<Comparison::less> less(int fault) { return {on(fault)}; }
TUMBLE_FAULT_INLINE Compared<Comparison::less_equal> less_equal(int fault) { return {on(fault)}; }
TUMBLE_FAULT_INLINE Compared<Comparison::greater> greater(int fault) { return {on(fault)}; }
TUMBLE_FAULT_INLINE Compared<Comparison::greater_equal> greater_equal(int fault) {
  return {on(fault)};
}

template <class A, Comparison comparison>
TUMBLE_FAULT_INLINE LeftSide<A, comparison> operator<(const A& a, Compared<comparison> compared) {
  return {a, compared.moved};
}
template <class A, class B, Comparison comparison>
TUMBLE_FAULT_INLINE auto operator>(LeftSide<A, comparison> left, const B& b) {
  if constexpr (comparison == Comparison::less || comparison == Comparison::less_equal) {
    if (left.moved == (comparison == Comparison::less)) return left.a <= b;
    return left.a < b;
  } else {
    if (left.moved == (comparison == Comparison::greater)) return left.a >= b;
    return left.a > b;
  }
}

// A constant: `pick(17, 2.0, 4.0)`.
template <class A, class B>
TUMBLE_FAULT_INLINE A pick(int fault, A constant, B other) {
  return on(fault) ? static_cast<A>(other) : constant;
}

// `[i]` with a fault that takes the next: `[i + one(17)]`.
TUMBLE_FAULT_INLINE int one(int fault) { return on(fault) ? 1 : 0; }

}  // namespace tumble_fault
#undef TUMBLE_FAULT_INLINE
