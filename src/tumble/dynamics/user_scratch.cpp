#include "tumble/dynamics/user_scratch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tumble/model/system.hpp"

namespace tumble {

namespace {

// Numbers of these structs are read and written one by one.
static_assert(sizeof(BodyView) == 18 * sizeof(double) && sizeof(Wrench) == 6 * sizeof(double) &&
              sizeof(ConstraintGradient) == 6 * sizeof(double) &&
              sizeof(Taylor2<double>) == 3 * sizeof(double));

constexpr std::size_t force_variants = 24;       // six positions and six velocities, both ways
constexpr std::size_t constraint_variants = 12;  // positions alone
constexpr int asleep = -1, without_answer = -2;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double zeros[6] = {}, nans[6] = {nan, nan, nan, nan, nan, nan};

bool finite(const Vec3d& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

}  // namespace

UserScratch::UserScratch(const System& system, int lanes)
    : used(std::max(lanes, 1)), alone_(lanes == 0), lanes_(static_cast<std::size_t>(used)) {
  std::size_t bodies = 0, rows = 0, gradients = 0, states = 0;
  const auto take = [&](const UserElementIndex& e, std::size_t variants) {
    const auto its_rows = static_cast<std::size_t>(e.rows);
    bodies = std::max(bodies, e.body.size());
    rows = std::max(rows, its_rows);
    gradients = std::max(gradients, its_rows * e.body.size());
    states = std::max(states, lanes_ * variants);
    most_numbers_ = std::max(most_numbers_, static_cast<std::size_t>(e.numbers));
    most_drives_ = std::max(most_drives_, e.drive.size());
  };
  for (const auto& e : system.user_forces) take(e, force_variants);
  for (const auto& e : system.user_constraints) take(e, constraint_variants);
  place_.resize(lanes_);
  views_.resize(states * bodies), wrenches_.resize(states * bodies), contexts_.resize(states);
  numbers_.resize(lanes_ * most_numbers_), drives_.resize(lanes_ * most_drives_);
  values_.resize(states * rows), rates_.resize(states * rows), biases_.resize(states * rows);
  gradients_.resize(states * gradients), answers_.resize(states), energies_.resize(lanes_);
}
UserScratch::~UserScratch() = default;
UserScratch::UserScratch(const UserScratch&) = default;
UserScratch& UserScratch::operator=(const UserScratch&) = default;

void UserScratch::open(const UserElementIndex& element, int variants) {
  element_ = &element;
  variants_ = static_cast<std::size_t>(variants);
  bodies_ = element.body.size();
  rows_ = static_cast<std::size_t>(element.rows);
}

double* UserScratch::motion(int variant, int lane, std::size_t body) {
  const std::size_t state =
      static_cast<std::size_t>(lane) * variants_ + static_cast<std::size_t>(variant);
  return &views_[state * bodies_ + body].p_W.x;
}

double* UserScratch::numbers(int lane) {
  return numbers_.data() + static_cast<std::size_t>(lane) * most_numbers_;
}

double* UserScratch::drive(int lane, std::size_t i) {
  return &drives_[static_cast<std::size_t>(lane) * most_drives_ + i].value;
}

/// Lines up the states of all lanes that are asked, lane by lane. Returns how many there are.
std::size_t UserScratch::lay_out(double time) {
  time_ = time;
  std::size_t states = 0;
  for (int lane = 0; lane < used; ++lane) {
    const auto l = static_cast<std::size_t>(lane);
    place_[l] = (unanswered >> lane & 1u) != 0 ? without_answer
                : (wanted >> lane & 1u) != 0   ? static_cast<int>(states)
                                               : asleep;
    if (place_[l] < 0) continue;
    for (std::size_t v = 0; v < variants_; ++v)
      contexts_[states++] = {time,
                             {views_.data() + (l * variants_ + v) * bodies_, bodies_},
                             {numbers(lane), static_cast<std::size_t>(element_->numbers)},
                             {drives_.data() + l * most_drives_, element_->drive.size()}};
  }
  return states;
}

/// Calls ask(first, count) for all states, or where that throws, for each lane's by themselves: one
/// that throws again has no answer.
template <class Ask>
void UserScratch::ask_all(Ask&& ask, std::size_t states) {
  if (states == 0) return;
  if (alone_) return ask(0, states);
  try {
    return ask(0, states);
  } catch (const std::runtime_error&) {
  }
  for (int lane = 0; lane < used; ++lane) {
    int& at = place_[static_cast<std::size_t>(lane)];
    if (at < 0) continue;
    try {
      ask(static_cast<std::size_t>(at), variants_);
    } catch (const std::runtime_error&) {
      at = without_answer;
      unanswered |= 1u << lane;
    }
  }
}

/// check(state) says what of its answer is not finite, or nothing.
template <class Check>
void UserScratch::check_all(const char* kind, Check&& check) {
  for (int lane = 0; lane < used; ++lane) {
    int& at = place_[static_cast<std::size_t>(lane)];
    if (at < 0) continue;
    const auto first = static_cast<std::size_t>(at);
    for (std::size_t state = first; state < first + variants_ && at >= 0; ++state) {
      const std::string fault = check(state);
      if (fault.empty()) continue;
      if (alone_) refuse(kind, fault, time_);
      at = without_answer;
      unanswered |= 1u << lane;
    }
  }
}

void UserScratch::refuse(const char* kind, const std::string& what, double time) const {
  throw UserElementError(fmt::format("user {} '{}': {} is not finite at t = {} s", kind,
                                     element_->name, what, format_number(time)),
                         time);
}

void UserScratch::ask(const UserForce& force, double time) {
  const std::size_t states = lay_out(time);
  ask_all(
      [&](std::size_t first, std::size_t count) {
        const std::span<Wrench> wrenches{wrenches_.data() + first * bodies_, count * bodies_};
        std::ranges::fill(wrenches, Wrench{});
        force.evaluate_states({contexts_.data() + first, count}, wrenches);
      },
      states);
  check_all("force", [&](std::size_t state) -> std::string {
    for (std::size_t i = 0; i < bodies_; ++i) {
      const Wrench& w = wrenches_[state * bodies_ + i];
      const bool force_is = finite(w.force);
      if (force_is && finite(w.torque)) continue;
      return fmt::format("the {} on body '{}'", force_is ? "torque" : "force",
                         element_->body_names[i]);
    }
    return {};
  });
}

void UserScratch::ask_energy(const UserForce& force, double time) {
  const std::size_t states = lay_out(time);
  ask_all(
      [&](std::size_t first, std::size_t count) {
        for (std::size_t state = first; state < first + count; ++state)
          energies_[state] = force.potential_energy(contexts_[state]);
      },
      states);
  check_all("force", [&](std::size_t state) -> std::string {
    return std::isfinite(energies_[state]) ? "" : "the potential energy";
  });
}

void UserScratch::clear(std::size_t first, std::size_t count) {
  for (auto* numbers : {&values_, &rates_, &biases_})
    std::fill_n(numbers->begin() + static_cast<std::ptrdiff_t>(first * rows_), count * rows_, 0.0);
  std::fill_n(gradients_.begin() + static_cast<std::ptrdiff_t>(first * rows_ * bodies_),
              count * rows_ * bodies_, ConstraintGradient{});
  for (std::size_t state = first; state < first + count; ++state)
    answers_[state] = {{values_.data() + state * rows_, rows_},
                       {rates_.data() + state * rows_, rows_},
                       {biases_.data() + state * rows_, rows_},
                       {gradients_.data() + state * rows_ * bodies_, rows_ * bodies_}};
}

void UserScratch::ask(const UserConstraint& constraint, double time) {
  const std::size_t states = lay_out(time);
  ask_all(
      [&](std::size_t first, std::size_t count) {
        clear(first, count);
        constraint.evaluate_states({contexts_.data() + first, count},
                                   {answers_.data() + first, count});
      },
      states);
  check_all("constraint", [&](std::size_t state) -> std::string {
    const ConstraintAnswer& answer = answers_[state];
    for (std::size_t r = 0; r < rows_; ++r) {
      const auto in_row = [r](const char* what) { return fmt::format("{} of row {}", what, r); };
      if (!std::isfinite(answer.value[r])) return in_row("the value");
      if (!std::isfinite(answer.time_rate[r])) return in_row("the time rate");
      if (!std::isfinite(answer.acceleration_bias[r])) return in_row("the acceleration bias");
      for (std::size_t j = 0; j < bodies_; ++j)
        if (const auto& g = answer.gradient[r * bodies_ + j];
            !finite(g.translation) || !finite(g.rotation))
          return in_row("the gradient") + fmt::format(" for body '{}'", element_->body_names[j]);
    }
    return {};
  });
}

int UserScratch::place(int lane) const {
  return place_[static_cast<std::size_t>(lane < used ? lane : 0)];
}

const double* UserScratch::wrench(int variant, int lane, std::size_t body) const {
  const int at = place(lane);
  if (at < 0) return at == asleep ? zeros : nans;
  const std::size_t state = static_cast<std::size_t>(at) + static_cast<std::size_t>(variant);
  return &wrenches_[state * bodies_ + body].force.x;
}

const double* UserScratch::gradient(int variant, int lane, std::size_t row,
                                    std::size_t body) const {
  const int at = place(lane);
  if (at < 0) return at == asleep ? zeros : nans;
  const std::size_t state = static_cast<std::size_t>(at) + static_cast<std::size_t>(variant);
  return &gradients_[(state * rows_ + row) * bodies_ + body].translation.x;
}

double UserScratch::value(int lane, std::size_t row) const {
  return *answer_of(values_.data() + row, lane);
}
double UserScratch::time_rate(int lane, std::size_t row) const {
  return *answer_of(rates_.data() + row, lane);
}
double UserScratch::bias(int lane, std::size_t row) const {
  return *answer_of(biases_.data() + row, lane);
}

/// Of the first variant.
const double* UserScratch::answer_of(const double* answers, int lane) const {
  const int at = place(lane);
  if (at < 0) return at == asleep ? zeros : nans;
  return answers + static_cast<std::size_t>(at) * rows_;
}

double UserScratch::energy(int lane) const {
  const int at = place(lane);
  if (at < 0) return at == asleep ? 0.0 : nan;
  return energies_[static_cast<std::size_t>(at)];
}

}  // namespace tumble
