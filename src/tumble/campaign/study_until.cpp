#include "tumble/campaign/study_until.hpp"

#include <algorithm>
#include <set>

#include "tumble/io/model/study_sections.hpp"

namespace tumble {

StoppingRule stopping_rule_of(const ModelFile& file, const StatisticsLayout& layout) {
  const StoppingRequest& until = *file.study->study.until;
  StoppingRule rule;
  rule.relative_mean_error = until.relative_mean_error;
  rule.relative_quantile_width = until.relative_quantile_width;
  rule.check_every = static_cast<std::uint64_t>(until.check_every);
  std::set<std::size_t> quantities;
  for (const std::string& name : until.probes)
    for (const std::size_t q : named_quantities(file.model, name)) quantities.insert(q);
  if (until.probes.empty() && looks_at_probes(until))
    for (std::size_t q = 0; q < layout.quantities(); ++q) quantities.insert(q);
  rule.quantities.assign(quantities.begin(), quantities.end());
  for (std::size_t q = 0; q < file.quantities->size(); ++q)
    if (std::ranges::find(until.quantities, (*file.quantities)[q].name) != until.quantities.end())
      rule.scalars.push_back(q);
  return rule;
}

}  // namespace tumble
