#include "tumble/report/inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tumble/base/diagnostic.hpp"
#include "tumble/io/model/study_sections.hpp"
#include "tumble/math/special_functions.hpp"
#include "tumble/model/parameters.hpp"
#include "tumble/report/laws.hpp"

namespace tumble::report {
namespace {

constexpr std::size_t density_points = 200;

/// One number of each realisation: an input, or what follows from some of them.
struct Column {
  Json json;
  std::function<double(const double* row)> value;
  InputLaw law;
  DensityPoints density;  ///< if it is not a function
};

class Histogram {
 public:
  void include(double value) {
    if (!std::isfinite(value)) return;
    low_ = std::min(low_, value);
    high_ = std::max(high_, value);
    ++total_;
  }
  /// After all values are included: about 2 n^(1/3) bins, as many as the eye can use.
  void divide() {
    const auto bins =
        static_cast<std::size_t>(std::clamp(2 * cube_root(static_cast<double>(total_)), 5.0, 60.0));
    const bool single = !(low_ < high_);
    counts_.assign(total_ == 0 ? 0 : single ? 1 : bins, 0);
    if (single && total_ > 0) {
      const double width = low_ == 0 ? 1 : std::abs(low_);
      low_ -= 0.05 * width;
      high_ += 0.05 * width;
    }
  }
  void count(double value) {
    if (!std::isfinite(value)) return;
    const double place = (value - low_) / (high_ - low_) * static_cast<double>(counts_.size());
    ++counts_[std::min(static_cast<std::size_t>(place), counts_.size() - 1)];
  }
  std::vector<double> edges() const {
    std::vector<double> all;
    const auto bins = static_cast<double>(counts_.size());
    for (std::size_t i = 0; i <= counts_.size() && !counts_.empty(); ++i)
      all.push_back(low_ + (high_ - low_) * static_cast<double>(i) / bins);
    return all;
  }
  const std::vector<std::int64_t>& counts() const { return counts_; }
  double low() const { return low_; }
  double high() const { return high_; }

 private:
  double low_ = std::numeric_limits<double>::infinity(), high_ = -low_;
  std::size_t total_ = 0;
  std::vector<std::int64_t> counts_;
};

/// Where the six entries of a body's inertia and its mass are in a row.
struct InertiaPlaces {
  std::array<std::size_t, 6> inertia{};
  std::optional<std::size_t> mass;
};

class InputPart {
 public:
  explicit InputPart(const ResultsView& results)
      : results_(results), paths_(results.text("input")) {
    add_paths();
    if (results.model()) add_traces();
  }

  Json make(const ShownRealizations& shown, Blob& blob) {
    const NetcdfReader::Variable* variable = results_.file().find("inputs");
    const std::size_t size = paths_.size();
    std::vector<Histogram> histograms(columns_.size());
    const auto each = [&](auto f) {
      results_.for_each_realization(*variable,
                                    [&](std::size_t, const double* values, std::size_t count) {
                                      for (std::size_t i = 0; i < count; ++i)
                                        for (std::size_t c = 0; c < columns_.size(); ++c)
                                          f(histograms[c], columns_[c].value(values + i * size));
                                    });
    };
    each([](Histogram& h, double value) { h.include(value); });
    if (results_.holds_draws()) {
      for (Histogram& h : histograms) h.divide();
      each([](Histogram& h, double value) { h.count(value); });
    }
    const std::vector<double> rows = shown.rows(results_, *variable);
    Json all = Json::array();
    for (std::size_t c = 0; c < columns_.size(); ++c)
      all.push_back(describe(columns_[c], histograms[c], rows, blob));
    return all;
  }

 private:
  void add_paths() {
    std::map<std::string, InputLaw> known;
    std::optional<ParameterTable> table;
    std::optional<Realization> nominal;
    if (results_.model()) {
      const ModelFile& file = *results_.model();
      table.emplace(file.model);
      nominal.emplace(file.model);
      if (results_.method() != "table" && !file.uncertainty->empty()) {
        laws_.emplace(file.model, *file.uncertainty);
        known = input_laws(*laws_);
      }
    }
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      Column column;
      const int slot = table ? table->find(paths_[i]) : -1;
      column.json = {{"path", paths_[i]}, {"unit", ""}, {"nominal", nullptr}};
      if (slot >= 0) {
        column.json["unit"] = table->slots()[static_cast<std::size_t>(slot)].unit;
        column.json["nominal"] = nominal->get(slot);
      }
      column.value = [i](const double* row) { return row[i]; };
      if (const auto law = known.find(paths_[i]); law != known.end()) column.law = law->second;
      columns_.push_back(std::move(column));
    }
  }

  /// tr(G) of every random inertia, the paper's Figure 17.
  void add_traces() {
    if (!laws_) return;
    for (const BodyLaws& body : laws_->bodies()) {
      if (!body.inertia) continue;
      const auto places = places_of(body.body);
      if (!places) continue;
      Column column;
      column.json = {
          {"path", "tr(G) of bodies." + body.body + ".inertia"}, {"unit", ""}, {"nominal", 3.0}};
      column.value = [law = body.inertia->law, mass = body.nominal_mass,
                      places = *places](const double* row) {
        const auto& at = places.inertia;
        Mat3d J;
        for (int k = 0; k < 3; ++k) J(k, k) = row[at[static_cast<std::size_t>(k)]];
        J(0, 1) = J(1, 0) = row[at[3]];
        J(0, 2) = J(2, 0) = row[at[4]];
        J(1, 2) = J(2, 1) = row[at[5]];
        const Mat3d G = law.scale().normalized_from(
            moments_from_inertia(places.mass ? row[*places.mass] : mass, J));
        return G(0, 0) + G(1, 1) + G(2, 2);
      };
      column.law.words =
          "trace of the normalised second moments of the mass; its density is a "
          "saddlepoint approximation";
      column.density = trace_density(body.inertia->law);
      columns_.push_back(std::move(column));
    }
  }

  std::optional<InertiaPlaces> places_of(const std::string& body) const {
    const auto find = [&](const std::string& path) -> std::optional<std::size_t> {
      const auto found = std::ranges::find(paths_, path);
      if (found == paths_.end()) return std::nullopt;
      return static_cast<std::size_t>(found - paths_.begin());
    };
    InertiaPlaces places;
    for (std::size_t i = 0; i < 6; ++i) {
      const auto place = find(fmt::format("bodies.{}.inertia[{}]", body, i));
      if (!place) return std::nullopt;
      places.inertia[i] = *place;
    }
    places.mass = find(fmt::format("bodies.{}.mass", body));
    return places;
  }

  Json describe(const Column& column, const Histogram& histogram, const std::vector<double>& rows,
                Blob& blob) const {
    Json json{{"path", column.json["path"]},
              {"unit", column.json["unit"]},
              {"law", column.law.words},
              {"nominal", column.json["nominal"]}};
    std::vector<double> values;
    for (std::size_t at = 0; at < rows.size(); at += paths_.size())
      values.push_back(column.value(&rows[at]));
    json["values"] = blob.f64(values, {values.size()});
    const std::vector<double> edges = histogram.edges();
    json["edges"] = blob.f64(edges, {edges.size()});
    json["counts"] = blob.i32(histogram.counts(), {histogram.counts().size()});
    if (results_.method() == "worst-case") {
      json["law"] = "an interval: of the law the ends alone count";
      json["parameters"] = Json::array();
      return json;
    }
    const DensityPoints curve = density_of(column, histogram);
    if (!curve.x.empty())
      json["density"] = {{"x", blob.f64(curve.x, {curve.x.size()})},
                         {"y", blob.f64(curve.y, {curve.y.size()})}};
    json["parameters"] = Json::array();
    for (const auto& [name, value] : column.law.parameters)
      json["parameters"].push_back({name, value});
    return json;
  }

  static DensityPoints density_of(const Column& column, const Histogram& histogram) {
    if (!column.density.x.empty() || !column.law.density) return column.density;
    const double low = std::min(column.law.low, histogram.low());
    const double high = std::max(column.law.high, histogram.high());
    DensityPoints curve;
    for (std::size_t i = 0; i < density_points; ++i) {
      curve.x.push_back(low + (high - low) * static_cast<double>(i) / (density_points - 1));
      curve.y.push_back(column.law.density(curve.x.back()));
    }
    return curve;
  }

  const ResultsView& results_;
  std::vector<std::string> paths_;
  std::optional<RandomLaws> laws_;
  std::vector<Column> columns_;
};

}  // namespace

Json inputs(const ResultsView& results, const ShownRealizations& shown, Blob& blob) {
  // The germ of a flexibility says how a wave was made, and is no random input.
  if (results.file().find("inputs") == nullptr || results.method() == "variability-response")
    return Json::array();
  return InputPart(results).make(shown, blob);
}

Json correlations(const ResultsView& results, Blob& blob) {
  const NetcdfReader::Variable* variable = results.file().find("inputs");
  if (variable == nullptr || !results.holds_draws()) return nullptr;
  const std::size_t n = variable->sizes.at(1);
  std::vector<double> mean(n, 0.0), products(n * n, 0.0);
  double good = 0;
  // Welford's update of means and sums of products.
  std::vector<double> before(n);
  const auto add = [&](const double* x) {
    good += 1;
    for (std::size_t j = 0; j < n; ++j) {
      before[j] = x[j] - mean[j];
      mean[j] += before[j] / good;
    }
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k) products[j * n + k] += before[j] * (x[k] - mean[k]);
  };
  const auto visit = [&](std::size_t first, const double* rows, std::size_t count) {
    const std::vector<std::uint8_t> status = results.status(first, count);
    for (std::size_t i = 0; i < count; ++i)
      if (status[i] == 0) add(rows + i * n);
  };
  results.for_each_realization(*variable, visit);
  if (good < 3) return nullptr;
  std::vector<double> result(n * n);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = 0; k < n; ++k)
      result[j * n + k] =
          products[j * n + k] / std::sqrt(products[j * n + j] * products[k * n + k]);
  return blob.f64(result, {n, n});
}

}  // namespace tumble::report
