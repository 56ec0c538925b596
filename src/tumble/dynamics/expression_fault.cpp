#include <fmt/format.h>

#include "tumble/dynamics/motion_measures.hpp"
#include "tumble/dynamics/user_elements.hpp"

namespace tumble {

void refuse_turn(const char* kind, const std::string& name, double time) {
  throw UserElementError(
      fmt::format(
          "{} '{}': a rotation vector that it reads is longer than {} rad at t = {} s, close "
          "to half a turn, where it has no direction; read the angle of a joint, or use a "
          "bushing, which follows turns",
          kind, name, format_number(farthest_turn), format_number(time)),
      time);
}

void refuse_fault(const char* kind, const std::string& name, const ExpressionProgram& program,
                  const double* constants, const double* registers, double time) {
  const std::string fault = program.first_fault(constants, registers);
  if (fault.empty()) return;
  throw UserElementError(fmt::format("{} '{}': {} is not a finite number at t = {} s", kind, name,
                                     fault, format_number(time)),
                         time);
}

}  // namespace tumble
