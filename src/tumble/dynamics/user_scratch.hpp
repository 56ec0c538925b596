// What user elements are asked and what they answer: plain numbers of several states at a time.
//
// States are those of the lanes, each as it is or displaced in several ways (`variants`) where the
// engine differences. All of them go to an element in one call. Everything is out of line, and
// plain pointers cross the border: compiled for an instruction set of its own, a lane kernel must
// not bring a copy of a function that others share.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "tumble/model/user_element.hpp"

namespace tumble {

struct System;
struct UserElementIndex;

/// A user element, or an expression, answered with something that is no finite number. A step may
/// be tried again with half its length, where the element is perhaps not asked for the impossible.
struct UserElementError : SimulationError {
  using SimulationError::SimulationError;
};

class UserScratch {
 public:
  /// Sized for the largest element of the system. Without lanes (0) there is one realisation, and
  /// it ends with an exception where an element has no answer; a lane is noted as `unanswered`.
  UserScratch(const System& system, int lanes);
  ~UserScratch();
  UserScratch(const UserScratch&);
  UserScratch& operator=(const UserScratch&);

  // What is asked: open(), then all numbers, then ask.
  void open(const UserElementIndex& element, int variants);
  double* motion(int variant, int lane, std::size_t body);  ///< as in BodyView, one by one
  double* numbers(int lane);
  double* drive(int lane, std::size_t i);  ///< value, rate, second

  /// @throws UserElementError (single realisation) if an answer is not finite.
  void ask(const UserForce& force, double time);
  void ask(const UserConstraint& constraint, double time);
  void ask_energy(const UserForce& force, double time);

  // What was answered. Lanes that were not asked have zeros, those without an answer NaN.
  const double* wrench(int variant, int lane, std::size_t body) const;
  const double* gradient(int variant, int lane, std::size_t row, std::size_t body) const;
  double value(int lane, std::size_t row) const;
  double time_rate(int lane, std::size_t row) const;
  double bias(int lane, std::size_t row) const;
  double energy(int lane) const;

  int used;                 ///< lanes in use; the others do what the first does
  unsigned wanted = ~0u;    ///< lanes whose answers matter, one bit each
  unsigned unanswered = 0;  ///< lanes that an element had no answer for

 private:
  std::size_t lay_out(double time);
  template <class Ask>
  void ask_all(Ask&& ask, std::size_t states);
  template <class Check>
  void check_all(const char* kind, Check&& check);
  const double* answer_of(const double* answers, int lane) const;
  int place(int lane) const;
  void clear(std::size_t first, std::size_t count);
  [[noreturn]] void refuse(const char* kind, const std::string& what, double time) const;

  bool alone_;
  std::size_t lanes_, most_numbers_ = 0, most_drives_ = 0;
  const UserElementIndex* element_ = nullptr;
  std::size_t variants_ = 0, bodies_ = 0, rows_ = 0;  ///< of the element that is open
  double time_ = 0;
  std::vector<int> place_;  ///< of each lane among those asked
  std::vector<BodyView> views_;
  std::vector<double> numbers_;
  std::vector<Taylor2<double>> drives_;
  std::vector<UserContext> contexts_;
  std::vector<Wrench> wrenches_;
  std::vector<double> values_, rates_, biases_, energies_;
  std::vector<ConstraintGradient> gradients_;
  std::vector<ConstraintAnswer> answers_;
};

}  // namespace tumble
