#include "tumble/campaign/shard/shard_leaves.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tumble/campaign/errors.hpp"
#include "tumble/study/layout.hpp"

namespace tumble {

std::string to_string(const Shard& shard) {
  return fmt::format("{}/{}", shard.number, shard.count);
}

ShardRange shard_range(const Shard& shard, std::uint64_t realizations) {
  if (shard.number < 1 || shard.number > shard.count)
    throw RequestError(fmt::format("there is no shard {}: they are 1/{} to {}/{}", to_string(shard),
                                   std::max<std::uint64_t>(shard.count, 1),
                                   std::max<std::uint64_t>(shard.count, 1),
                                   std::max<std::uint64_t>(shard.count, 1)));
  const std::uint64_t leaves = (realizations + realizations_per_leaf - 1) / realizations_per_leaf;
  if (shard.count > leaves)
    throw RequestError(fmt::format(
        "{} realisations are {} block{} of {}, which is as many shards as there can be; {} were "
        "asked for",
        realizations, leaves, leaves == 1 ? "" : "s", realizations_per_leaf, shard.count));
  // Both factors are below 2^32: there are at most 1e9 realisations, and no more shards.
  const auto begin = [&](std::uint64_t number) {
    return std::min(number * leaves / shard.count * realizations_per_leaf, realizations);
  };
  return {begin(shard.number - 1), begin(shard.number)};
}

void refuse_unless_divisible(const Study& study) {
  const auto refuse = [](const std::string& why) {
    throw RequestError(
        fmt::format("this study cannot be divided into shards: {}. Several machines can share it "
                    "under mpirun",
                    why));
  };
  const std::string_view method = study_method_names[static_cast<std::size_t>(study.method)];
  if (study.method == StudyMethod::reliability)
    refuse(fmt::format("method: {} chooses its points as it goes", method));
  if (study.method == StudyMethod::multilevel)
    refuse(fmt::format("method: {} chooses how many runs each level has as it goes", method));
  if (study.method == StudyMethod::worst_case)
    refuse(fmt::format("method: {} searches where the runs before point to", method));
  if (study.until)
    refuse(
        "whether study.until is met depends on all realisations; give their number by -n, "
        "without study.until");
}

}  // namespace tumble
