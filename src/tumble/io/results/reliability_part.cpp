#include "tumble/io/results/reliability_part.hpp"

#include <fmt/format.h>

#include <cmath>

namespace tumble {

ReliabilityPart::ReliabilityPart(NetcdfWriter& file, const ReliabilityResults& found)
    : file_(file), found_(found) {
  const auto name_of = [](ReliabilityMethod method) {
    return std::string(reliability_method_names[static_cast<std::size_t>(method)]);
  };
  const ReliabilityRequest& request = found.request;
  const ProbabilityEstimate& e = found.estimate;
  file.attribute("reliability_method", name_of(request.method));
  file.attribute("reliability_quantity", request.quantity);
  file.attribute("reliability_side", found.side());
  file.attribute("reliability_limit", found.limit());
  file.attribute("reliability_unit", found.unit);
  file.attribute("reliability_confidence", found.confidence);
  const std::string event = fmt::format("that {} is {} {:g} {}", request.quantity, found.side(),
                                        found.limit(), found.unit);
  const auto ends = [&](const std::string& stem, const ProbabilityEstimate& estimate) {
    if (estimate.is_approximation()) return;
    const std::string with =
        fmt::format("of the interval with {:.4g} % confidence", 100 * found.confidence);
    number(stem + "_lower", estimate.lower, "lower end " + with);
    number(stem + "_upper", estimate.upper, "upper end " + with);
    number(stem + "_cv", estimate.cv, "standard error of the estimate over the estimate");
  };
  number("probability", e.probability,
         "probability " + event +
             (e.is_approximation() ? ", an approximation without an interval" : ""));
  ends("probability", e);
  number("reliability_index", reliability_index(e.probability),
         "distance of a plane in the space of germs beyond which the probability is the same");
  count("runs", e.runs, "runs of the method, of its search too");
  count("search_runs", e.search_runs, "of these, for levels or design points");
  count("failed_runs", e.failed, "runs without a value");
  if (!std::isnan(e.error_lower)) {
    number("probability_output_lower", e.error_lower,
           "the estimate if every value were farther from the limit by its output error");
    number("probability_output_upper", e.error_upper,
           "the estimate if every value were nearer to the limit, or beyond it, by its output "
           "error");
  }
  if (!std::isnan(e.effective_runs)) {
    number("effective_runs", e.effective_runs, "independent draws that the weights are worth");
    number("nominal_share_of_estimate", e.nominal_share,
           "share of the estimate from failures that no design point stands for");
  }
  if (request.method == ReliabilityMethod::sorm) {
    number("probability_breitung", e.breitung, "second order by Breitung");
    number("probability_hohenbichler", e.hohenbichler, "second order by Hohenbichler and Rackwitz");
    if (!e.curvatures.empty())
      array("curvature", {file.dimension("curvature", e.curvatures.size())}, e.curvatures,
            "principal curvatures of the limit state at the design point, positive away from the "
            "origin");
  }
  define_levels();
  define_design_points();
  if (!e.replicas.empty())
    array("replica_probability", {file.dimension("replica", e.replicas.size())}, e.replicas,
          "estimates of independent repetitions");
  if (!found.cross_check) return;
  file.attribute("reliability_cross_check", name_of(*request.cross_check));
  number("cross_check_probability", found.cross_check->probability,
         "the probability by another method");
  ends("cross_check_probability", *found.cross_check);
  count("cross_check_runs", found.cross_check->runs, "runs of that method");
}

void ReliabilityPart::define_levels() {
  const std::vector<SubsetLevel>& levels = found_.estimate.levels;
  if (levels.empty()) return;
  const int level = file_.dimension("level", levels.size());
  const auto all = [&](const auto& get) {
    std::vector<double> values;
    for (const SubsetLevel& one : levels) values.push_back(get(one));
    return values;
  };
  array("level_threshold", {level},
        all([&](const SubsetLevel& one) { return found_.request.value_at(one.threshold); }),
        "value of the quantity that a level begins at; the last is the limit", found_.unit);
  array("level_conditional_probability", {level},
        all([](const SubsetLevel& one) { return one.probability; }),
        "of passing it, on condition of the level before");
  array("level_acceptance", {level}, all([](const SubsetLevel& one) { return one.acceptance; }),
        "share of moves accepted by the chains of the level before");
  array("level_runs", {level},
        all([](const SubsetLevel& one) { return static_cast<double>(one.runs); }),
        "runs at the level before");
}

void ReliabilityPart::define_design_points() {
  const std::vector<DesignPoint>& points = found_.estimate.design_points;
  if (points.empty()) return;
  design_point_ = file_.dimension("design_point", points.size());
  const int germ = file_.dimension("germ", found_.germs.size());
  const int names = file_.variable("germ", NC_STRING, {germ});
  file_.attribute(names, "long_name", "independent standard normal numbers");
  puts_.push_back([this, names] {
    std::vector<const char*> shown;
    for (const std::string& name : found_.germs) shown.push_back(name.c_str());
    file_.put(names, shown);
  });
  std::vector<double> germs, importance, index, share, converged;
  for (const DesignPoint& point : points) {
    germs.insert(germs.end(), point.germs.begin(), point.germs.end());
    importance.insert(importance.end(), point.importance.begin(), point.importance.end());
    index.push_back(point.index);
    share.push_back(point.share);
    converged.push_back(point.converged ? 1 : 0);
  }
  array("design_point_germs", {design_point_, germ}, germs,
        "points of the limit nearest to the origin of the germs");
  array("design_point_importance", {design_point_, germ}, importance,
        "squares of the direction cosines of the limit state there: shares that sum to 1");
  array("design_point_index", {design_point_}, index, "distance from the origin, beta");
  array("design_point_share", {design_point_}, share, "share of the draws around it");
  array("design_point_converged", {design_point_}, converged, "1 if the search converged");
}

void ReliabilityPart::define_inputs(int input) {
  if (input < 0 || design_point_ < 0) return;
  std::vector<double> all;
  for (const std::vector<double>& row : found_.design_point_inputs)
    all.insert(all.end(), row.begin(), row.end());
  array("design_point_inputs", {design_point_, input}, all,
        "numbers of the model at the design points, in the units of `tumble parameters`", "");
}

void ReliabilityPart::put() const {
  for (const auto& put_variable : puts_) put_variable();
}

void ReliabilityPart::number(const std::string& name, double value, const std::string& what,
                             const std::string& unit) {
  array(name, {}, {value}, what, unit);
}

void ReliabilityPart::count(const std::string& name, std::uint64_t value, const std::string& what) {
  const int id = file_.variable(name, NC_INT64, {});
  file_.attribute(id, "long_name", what);
  puts_.push_back(
      [this, id, value] { file_.put(id, std::vector<long long>{static_cast<long long>(value)}); });
}

void ReliabilityPart::array(const std::string& name, const std::vector<int>& dimensions,
                            std::vector<double> values, const std::string& what,
                            const std::string& unit) {
  const int id = file_.variable(name, NC_DOUBLE, dimensions);
  file_.attribute(id, "long_name", what);
  if (!unit.empty()) file_.attribute(id, "units", unit);
  puts_.push_back([this, id, values = std::move(values)] { file_.put(id, values); });
}

}  // namespace tumble
