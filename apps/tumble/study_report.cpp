#include "study_report.hpp"

#include <fmt/format.h>

#include "multilevel_table.hpp"
#include "quantity_table.hpp"
#include "reliability_table.hpp"
#include "sensitivity_table.hpp"
#include "study_summary.hpp"
#include "tumble/campaign/times/time_grid.hpp"
#include "worst_case_table.hpp"

namespace tumble::app {
namespace {

/// How the study came to have so many realisations.
void print_rule(const StoppingRequest& until, const StudyResults& results) {
  const auto show = [](const char* what, double found, const std::optional<double>& limit) {
    if (limit) fmt::print("{}: {:.3g}, limit {}\n", what, found, format_number(*limit));
  };
  show("relative error of the mean", results.relative_mean_error, until.relative_mean_error);
  show("relative width of quantile intervals", results.relative_quantile_width,
       until.relative_quantile_width);
}

void print_chaos(const ChaosSummary& chaos) {
  fmt::print("polynomial chaos: {}\n", chaos.method);
  if (chaos.validation > 0)
    fmt::print("errors by {} of {} runs that were kept out of the fit\n",
               chaos.validation - chaos.validation_failed, chaos.validation);
}

}  // namespace

void print_study(const std::string& model, const ModelFile& file, const StudyResults& results,
                 bool json) {
  const Study& study = file.study->study;
  fmt::print("{}{}{}\n", model, file.model.title.empty() ? "" : ": ", file.model.title);
  fmt::print("{} realisations, {} computed in {:.3g} s", results.realizations, results.computed,
             results.wall_time);
  const double rate =
      results.wall_time > 0 ? static_cast<double>(results.computed) / results.wall_time : 0.0;
  if (results.computed > 0) fmt::print(" ({:.4g} per second)", rate);
  fmt::print("\n{}failed: {}\n", describe_time_grid(results.simulation), results.failed);
  for (const std::string& reason : results.first_failures) fmt::print("  {}\n", reason);
  if (results.failed < results.realizations)
    fmt::print("energy accounts: off by at most {:.1g} of the energy exchanged (realisation {})\n",
               results.energy_mismatch, results.energy_mismatch_of);
  if (!results.generated_code.empty()) fmt::print("{}\n", results.generated_code);
  if (!results.devices.empty()) fmt::print("{}\n", results.devices);
  for (const std::string& note : results.input_notes) fmt::print("{}\n", note);
  if (study.until) print_rule(*study.until, results);
  if (results.chaos) print_chaos(*results.chaos);
  const TimeSplit& t = results.times;
  fmt::print("seconds: {:.3f} start-up, {:.3f} integration, {:.3f} statistics, {:.3f} output\n",
             t.start_up, t.integration, t.statistics, t.output);
  if (json)
    fmt::print(stderr,
               R"({{"done": {0}, "total": {0}, "failed": {1}, "per_second": {2:.6g}, )"
               R"("seconds_left": 0, "seconds": {{"start_up": {3:.6f}, "integration": {4:.6f}, )"
               R"("statistics": {5:.6f}, "output": {6:.6f}}}}})"
               "\n",
               results.realizations, results.failed, rate, t.start_up, t.integration, t.statistics,
               t.output);
  const auto& sensitivity = results.details->sensitivity;
  if (sensitivity) fmt::print("{}", sensitivity_table(*sensitivity, results.nominal));
  if (results.details->reliability)
    fmt::print("{}", reliability_table(*results.details->reliability));
  if (const auto& multilevel = results.details->multilevel)
    fmt::print("{}", multilevel_table(*multilevel));
  if (const auto& bounds = results.details->worst_case) fmt::print("{}", worst_case_table(*bounds));
  const std::string table = study_table(results.file, results.nominal);
  if (!table.empty()) fmt::print("\n{}", table);
  const std::string scalars = quantity_table(results.details->quantities, study.confidence);
  if (!scalars.empty()) fmt::print("\n{}", scalars);
  const bool draws =
      study.method != StudyMethod::chaos && study.method != StudyMethod::reliability &&
      study.method != StudyMethod::multilevel && study.method != StudyMethod::worst_case &&
      !(sensitivity && sensitivity->method == "morris");
  if (!(table.empty() && scalars.empty()) && draws)
    fmt::print("{}", error_notes(results.file, study, results.details->sampling,
                                 results.realizations, results.failed));
  fmt::print("\nresults: {}\n", results.file.string());
}

}  // namespace tumble::app
