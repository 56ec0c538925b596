// Ends the program before it starts on a CPU that lacks what the rest of it is compiled for
// (x86-64-v3, see cmake/CompilerFlags.cmake), with a sentence instead of an illegal instruction.
//
// This file alone is compiled for any x86-64. It runs before all other initialisation of ours, and
// calls nothing that could be compiled for the newer CPUs: no C++ library, no inline function of a
// header.
#ifdef __x86_64__
#include <cpuid.h>
#include <unistd.h>

namespace {

/// All of x86-64-v3. The built-ins also ask whether the operating system saves the wide registers;
/// clang 14 has none for MOVBE, F16C and LZCNT.
bool supported() {
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return false;
  if (!__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("bmi2")) return false;
  unsigned a = 0, b = 0, basic = 0, extended = 0, d = 0;
  __get_cpuid(1, &a, &b, &basic, &d);
  __get_cpuid(0x80000001, &a, &b, &extended, &d);
  constexpr unsigned needed = bit_MOVBE | bit_F16C;
  return (basic & needed) == needed && (extended & bit_LZCNT) != 0;
}

}  // namespace

/// For the linker, which is told to look for this name and so takes the file.
extern "C" const char tumble_cpu_requirement[];
extern "C" const char tumble_cpu_requirement[] =
    "tumble: this CPU lacks AVX2, FMA or BMI2 (x86-64-v3, found in CPUs since about 2013-2015); "
    "expected one that has them\n";

/// 101: the first constructor that a program may have.
__attribute__((constructor(101))) static void require_cpu() {
  if (supported()) return;
  [[maybe_unused]] const ssize_t written =
      write(STDERR_FILENO, tumble_cpu_requirement, sizeof(tumble_cpu_requirement) - 1);
  _exit(2);
}
#endif
