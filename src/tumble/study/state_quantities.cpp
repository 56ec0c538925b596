#include "tumble/study/state_quantities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <map>

#include "tumble/integrate/statics/equilibrium.hpp"
#include "tumble/integrate/statics/linear_equations.hpp"
#include "tumble/integrate/statics/shape_correlation.hpp"
#include "tumble/math/special_functions.hpp"

namespace tumble {
namespace {

/// Shapes that have less in common are not the same mode any more.
constexpr double least_correlation = 0.5;

}  // namespace

/// What several quantities are about.
struct StateQuantities::State {
  ReferenceState about = ReferenceState::equilibrium;
  int load_steps = 1;
  bool undamped = false;
  std::vector<std::size_t> quantities;
  std::vector<LinearInput> inputs;    ///< of responses
  std::vector<LinearOutput> outputs;  ///< of responses
  struct Response {
    std::size_t quantity, input, output;
    double nominal_phase = 0;  ///< [rad]
  };
  std::vector<Response> responses;
  bool modal = false, compared = false;  ///< whether modes, and their shapes, are asked for
  std::unique_ptr<const ShapeReference> nominal;  ///< what shapes are compared with

  Equilibrium find(const Plan& plan, const Model& model) const {
    if (about == ReferenceState::start)
      return responses.empty() ? described_state(plan, model) : held_start(plan, model);
    EquilibriumOptions options;
    options.load_steps = load_steps;
    if (about == ReferenceState::rest) options.kind = EquilibriumKind::rest;
    if (about == ReferenceState::steady) options.kind = EquilibriumKind::steady;
    return find_equilibrium(plan, model, options);
  }
  void add_response(const Plan& plan, std::size_t q, const QuantityOfInterest& quantity) {
    auto input = std::ranges::find(inputs, *quantity.input, &LinearInput::name);
    if (input == inputs.end()) {
      inputs.push_back(linear_input(plan, *quantity.input));
      input = std::prev(inputs.end());
    }
    auto output = std::ranges::find(outputs, quantity.place, &LinearOutput::place);
    if (output == outputs.end()) {
      outputs.push_back({quantity.of, quantity.value_unit, quantity.place});
      output = std::prev(outputs.end());
    }
    responses.push_back({q, static_cast<std::size_t>(input - inputs.begin()),
                         static_cast<std::size_t>(output - outputs.begin())});
  }
  /// What all responses are, in their order.
  std::vector<std::complex<double>> respond(const Plan& plan, const Model& model,
                                            const Equilibrium& about_this,
                                            std::span<const QuantityOfInterest> all) const {
    std::vector<std::complex<double>> out(responses.size());
    if (responses.empty()) return out;
    const LinearEquations equations(plan, model, about_this, inputs, outputs);
    constexpr double turn = 2 * 3.141592653589793;
    std::map<double, std::vector<std::complex<double>>> found;
    for (std::size_t i = 0; i < responses.size(); ++i) {
      const double f = all[responses[i].quantity].frequency.value();
      auto at = found.find(f);
      if (at == found.end()) at = found.emplace(f, equations.response({0, turn * f})).first;
      out[i] = at->second[responses[i].output * inputs.size() + responses[i].input];
    }
    return out;
  }
  std::vector<VibrationMode> modes(const Plan& plan, const Model& model,
                                   const Equilibrium& about_this) const {
    return find_vibrations(plan, model, about_this.state, std::numeric_limits<int>::max(),
                           &about_this.motion, undamped)
        .modes;
  }
};

namespace {

double phase_of(const std::complex<double>& z) { return std::atan2(z.imag(), z.real()); }

/// The same phase, less than half a turn from the nominal machine's: so that a distribution is not
/// cut where a turn is full.
double nearest_phase(double phase, double nominal) {
  constexpr double turn = 2 * 3.141592653589793;
  return phase - turn * std::round((phase - nominal) / turn);
}

/// The place of the mode that a quantity means.
std::size_t place_of_mode(const QuantityOfInterest& quantity,
                          const std::vector<VibrationMode>& modes, const ShapeReference* nominal) {
  const auto number = static_cast<std::size_t>(quantity.mode.value()) - 1;
  if (number >= modes.size()) throw NoSuchMode(quantity, modes.size());
  if (quantity.follow == ModeFollowing::number) return number;
  std::size_t best = 0;
  double largest = -1;
  for (std::size_t i = 0; i < modes.size(); ++i)
    if (const double c = nominal->correlation(number, modes[i]); c > largest) {
      largest = c;
      best = i;
    }
  if (!(largest >= least_correlation))
    throw SimulationError(
        fmt::format("the quantity '{}' follows mode {} by its shape, which no mode has any more: "
                    "the best correlation is {:.2g}, at least {} is needed",
                    quantity.name, number + 1, largest, least_correlation),
        0.0);
  return best;
}

}  // namespace

NoSuchMode::NoSuchMode(const QuantityOfInterest& quantity, std::size_t modes)
    : SimulationError(fmt::format("the quantity '{}' asks for mode {}: there are {}", quantity.name,
                                  quantity.mode.value_or(0), modes),
                      0.0),
      quantity_(quantity.name),
      modes_(modes) {}

StateQuantities::StateQuantities(const Plan& plan, std::span<const QuantityOfInterest> quantities)
    : plan_(plan), quantities_(quantities) {
  for (std::size_t q = 0; q < quantities.size(); ++q) {
    const QuantityOfInterest& quantity = quantities[q];
    if (!quantity.is_of_state()) continue;
    auto state = std::ranges::find_if(states_, [&](const auto& s) {
      return s->about == quantity.about && s->load_steps == quantity.load_steps &&
             s->undamped == quantity.undamped && s->responses.empty() != quantity.is_response();
    });
    if (state == states_.end()) {
      states_.push_back(std::make_unique<State>());
      state = std::prev(states_.end());
      (*state)->about = quantity.about;
      (*state)->load_steps = quantity.load_steps;
      (*state)->undamped = quantity.undamped;
    }
    (*state)->quantities.push_back(q);
    if (quantity.is_response()) (*state)->add_response(plan, q, quantity);
    (*state)->modal = (*state)->modal || quantity.is_modal();
    (*state)->compared = (*state)->compared || quantity.kind == QuantityKind::shape_correlation ||
                         quantity.follow == ModeFollowing::shape;
  }
  const Model& nominal = plan.system->nominal;
  for (const auto& state : states_) {
    if (!state->compared && state->responses.empty()) continue;
    const Equilibrium about = state->find(plan, nominal);
    const auto values = state->respond(plan, nominal, about, quantities);
    for (std::size_t i = 0; i < values.size(); ++i)
      state->responses[i].nominal_phase = phase_of(values[i]);
    if (!state->compared) continue;
    state->nominal = std::make_unique<const ShapeReference>(plan, nominal, about,
                                                            state->modes(plan, nominal, about));
    for (const std::size_t q : state->quantities)
      if (quantities[q].is_modal())
        place_of_mode(quantities[q], state->nominal->modes(), state->nominal.get());
  }
}

StateQuantities::~StateQuantities() = default;

std::vector<double> StateQuantities::evaluate(const Model& model,
                                              std::vector<std::string>* notes) const {
  std::vector<double> values(quantities_.size(), std::numeric_limits<double>::quiet_NaN());
  std::vector<double> stack;
  for (const auto& state : states_) {
    const Equilibrium about = state->find(plan_, model);
    if (notes != nullptr)
      for (const std::string& note : about.notes)
        if (std::ranges::find(*notes, note) == notes->end()) notes->push_back(note);
    std::vector<VibrationMode> modes;
    if (state->modal) modes = state->modes(plan_, model, about);
    const auto responses = state->respond(plan_, model, about, quantities_);
    for (std::size_t i = 0; i < responses.size(); ++i) {
      const State::Response& response = state->responses[i];
      values[response.quantity] =
          quantities_[response.quantity].kind == QuantityKind::gain
              ? hypotenuse(responses[i].real(), responses[i].imag())
              : nearest_phase(phase_of(responses[i]), response.nominal_phase);
    }
    for (const std::size_t q : state->quantities) {
      const QuantityOfInterest& quantity = quantities_[q];
      if (quantity.is_response()) continue;
      if (!quantity.is_modal()) {
        values[q] = quantity.formula.evaluate(about.measured.back().data(), 0.0, stack);
        continue;
      }
      const std::size_t i = place_of_mode(quantity, modes, state->nominal.get());
      values[q] = quantity.kind == QuantityKind::eigenfrequency ? modes[i].frequency()
                  : quantity.kind == QuantityKind::damping_ratio
                      ? modes[i].damping_ratio()
                      : state->nominal->correlation(i, modes[i]);
    }
  }
  return values;
}

std::unique_ptr<const StateQuantities> make_state_quantities(
    const Plan& plan, std::span<const QuantityOfInterest> quantities) {
  if (std::ranges::none_of(quantities, &QuantityOfInterest::is_of_state)) return nullptr;
  return std::make_unique<const StateQuantities>(plan, quantities);
}

}  // namespace tumble
