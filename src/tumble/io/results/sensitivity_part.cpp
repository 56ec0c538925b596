#include "tumble/io/results/sensitivity_part.hpp"

#include <fmt/format.h>

namespace tumble {

SensitivityPart::SensitivityPart(NetcdfWriter& file, const NominalPart& nominal,
                                 const EnsembleResults& results)
    : file_(file),
      nominal_(nominal),
      results_(results),
      sensitivity_(*results.sensitivity),
      layout_(results.statistics->moments().layout()) {
  file.attribute("sensitivity_method", sensitivity_.method);
  file.attribute("sensitivity_block_size", static_cast<long>(sensitivity_.block));
  file.attribute("sensitivity_blocks", static_cast<long>(sensitivity_.blocks));
  file.attribute("sensitivity_blocks_dropped", static_cast<long>(sensitivity_.dropped));
  factor_ = file.dimension(sensitivity_.dimension, sensitivity_.factors.size());
  const int names = file.variable(sensitivity_.dimension, NC_STRING, {factor_});
  file.attribute(names, "long_name",
                 sensitivity_.dimension == "group"
                     ? "random inputs that indices of sensitivity are of, those of a group as one"
                     : "independent random numbers that indices of sensitivity are of");
  puts_.push_back([this, names] {
    std::vector<const char*> shown;
    for (const std::string& name : sensitivity_.factors) shown.push_back(name.c_str());
    file_.put(names, shown);
  });
  for (std::size_t q = 0; q < layout_.quantities(); ++q)
    for (const SensitivityIndices& kind : sensitivity_.indices) define(q, kind);
}

void SensitivityPart::put() const {
  for (const auto& put_variable : puts_) put_variable();
}

void SensitivityPart::define(std::size_t q, const SensitivityIndices& kind) {
  const ProbeSeries& series = results_.nominal->series[q];
  const auto unit = kind.share ? std::optional<std::string>("1") : std::nullopt;
  const auto end = [&](const char* which) {
    return fmt::format(" ({}, {} end with {:.4g} % confidence)", kind.what, which,
                       100 * results_.interval_confidence);
  };
  const auto add = [&](const std::string& statistic, const std::string& remark, std::size_t times,
                       const std::vector<double>& values) {
    if (values.empty()) return;
    std::vector<int> dimensions{factor_};
    if (times > 1) dimensions.push_back(nominal_.time());
    const int id = nominal_.define(file_, series, statistic, dimensions, remark, {NC_DOUBLE, unit});
    if (sensitivity_.dropped > 0) file_.attribute(id, "conditional_on", "success");
    puts_.push_back([this, q, id, times, &values] {
      const std::size_t numbers = layout_.numbers(), first = layout_.number(q);
      std::vector<double> ordered;
      for (std::size_t row = 0; row < sensitivity_.factors.size() * times; ++row)
        for (std::size_t a = 0; a < layout_.size(q); ++a)
          ordered.push_back(values[row * numbers + first + a]);
      file_.put(id, ordered);
    });
  };
  const std::size_t times = layout_.times();
  add(kind.statistic, fmt::format(" ({})", kind.what), times, kind.values);
  add(kind.statistic + "_lower", end("lower"), times, kind.lower);
  add(kind.statistic + "_upper", end("upper"), times, kind.upper);
  const std::string all = kind.statistic + "_generalized";
  add(all, fmt::format(" ({}, integrated over time)", kind.what), 1, kind.generalized);
  add(all + "_lower", end("lower"), 1, kind.generalized_lower);
  add(all + "_upper", end("upper"), 1, kind.generalized_upper);
}

}  // namespace tumble
