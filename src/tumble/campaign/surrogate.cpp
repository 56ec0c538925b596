#include "tumble/campaign/surrogate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>

#include "tumble/campaign/study_inputs.hpp"
#include "tumble/chaos/expansion.hpp"
#include "tumble/io/model/study_sections.hpp"
#include "tumble/io/results_reader.hpp"

namespace tumble {

struct Surrogate::State {
  ModelFile file;
  std::unique_ptr<const ChaosInputs> inputs;
  std::vector<std::string> germs, outputs, parameters;
  std::map<std::string, std::vector<std::size_t>> shapes;
  std::map<std::string, Expansion> expansions;

  const InputSpace& space() const { return inputs->plan().space(); }
};

namespace {

const std::string ending = "_chaos";

MultiIndexSet terms_of(const ResultsReader& results) {
  const ResultsVariable* index = results.find("chaos_index");
  const std::vector<double> degrees = results.numbers("chaos_index");
  const std::size_t germs = index->sizes.at(1);
  std::vector<std::vector<MultiIndexSet::Degree>> terms;
  for (std::size_t first = 0; first < degrees.size(); first += germs)
    terms.emplace_back(degrees.begin() + static_cast<std::ptrdiff_t>(first),
                       degrees.begin() + static_cast<std::ptrdiff_t>(first + germs));
  return MultiIndexSet::of(germs, std::move(terms));  // stored in the order that it has
}

/// Each germ the law of one parameter, or none of them.
std::vector<std::string> parameters_of(const ChaosInputs& inputs) {
  const RandomLaws& laws = inputs.laws();
  if (!laws.bodies().empty() || !laws.correlations().empty() ||
      laws.scalars().size() != inputs.plan().space().size())
    return {};
  std::vector<std::string> paths;
  for (const ScalarVariable& variable : laws.scalars()) {
    if (variable.paths.empty() || is_germ(variable.name)) return {};
    paths.push_back(variable.paths.front());
  }
  return paths;
}

}  // namespace

Surrogate::Surrogate(const std::filesystem::path& results) {
  const ResultsReader reader(results);
  if (reader.find("chaos_index") == nullptr)
    throw std::runtime_error(fmt::format(
        "{} has no polynomials: it is not of a study by polynomial chaos", results.string()));
  auto state = std::make_unique<State>();
  state->file = read_model_text(reader.attribute("model"), results.string());
  const Study& study = state->file.study->study;
  state->inputs = std::make_unique<ChaosInputs>(state->file.model, *state->file.uncertainty,
                                                study.chaos.value_or(ChaosRequest{}),
                                                static_cast<std::uint64_t>(study.seed));
  state->germs = reader.text("germ");
  const PolynomialBasis basis(state->space(), terms_of(reader));
  for (const ResultsVariable& variable : reader.variables()) {
    if (!variable.name.ends_with(ending) || variable.dimensions.empty() ||
        variable.dimensions.front() != "term")
      continue;
    const std::string name = variable.name.substr(0, variable.name.size() - ending.size());
    const std::vector<double> numbers = reader.numbers(variable.name);
    DenseMatrix coefficients(basis.size(), numbers.size() / basis.size());
    std::copy(numbers.begin(), numbers.end(), coefficients.data());
    state->outputs.push_back(name);
    state->shapes[name] = {variable.sizes.begin() + 1, variable.sizes.end()};
    state->expansions.emplace(name, Expansion(basis, std::move(coefficients)));
  }
  state->parameters = parameters_of(*state->inputs);
  state_ = std::move(state);
}

Surrogate::~Surrogate() = default;
Surrogate::Surrogate(Surrogate&&) noexcept = default;

const std::vector<std::string>& Surrogate::germs() const { return state_->germs; }
const std::vector<std::string>& Surrogate::outputs() const { return state_->outputs; }
const std::vector<std::string>& Surrogate::parameters() const { return state_->parameters; }

const std::vector<std::size_t>& Surrogate::shape(const std::string& output) const {
  const auto found = state_->shapes.find(output);
  if (found == state_->shapes.end())
    throw std::invalid_argument(fmt::format("there are no polynomials of {}; there are those of {}",
                                            output, fmt::join(state_->outputs, ", ")));
  return found->second;
}

std::vector<double> Surrogate::evaluate(const std::string& output,
                                        std::span<const double> points) const {
  shape(output);
  const Expansion& expansion = state_->expansions.at(output);
  const std::size_t germs = state_->germs.size();
  if (points.size() % germs != 0)
    throw std::invalid_argument(
        fmt::format("{} numbers make no points of {} germs", points.size(), germs));
  if (!std::ranges::all_of(points, [](double u) { return u > 0 && u < 1; }))
    throw std::invalid_argument("points are probabilities, above 0 and below 1");
  std::vector<double> values(points.size() / germs * expansion.outputs()), at(germs);
  for (std::size_t i = 0; i * germs < points.size(); ++i) {
    state_->space().germs_from_uniforms(points.subspan(i * germs, germs), at);
    expansion.evaluate(at, {&values[i * expansion.outputs()], expansion.outputs()});
  }
  return values;
}

std::vector<double> Surrogate::points_of(std::span<const double> values) const {
  const std::size_t count = state_->parameters.size();
  if (count == 0)
    throw std::invalid_argument(
        "the inputs of this study are no independent numbers: give points of the unit cube, a "
        "probability for each germ");
  if (values.size() % count != 0)
    throw std::invalid_argument(
        fmt::format("{} numbers make no rows of {} parameters", values.size(), count));
  std::vector<double> points(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const ScalarVariable& variable = state_->inputs->laws().scalars()[i % count];
    points[i] = variable.law.cdf(values[i]);
    if (!(points[i] > 0 && points[i] < 1))
      throw std::invalid_argument(
          fmt::format("{} = {} is where its law never is", variable.name, values[i]));
  }
  return points;
}

}  // namespace tumble
