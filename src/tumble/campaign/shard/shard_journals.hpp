// The journals of shards: what they belong to, whether they are complete, and one made of all.
//
// A shard is a directory with two files. study.journal holds its leaves; the identity of the study,
// to which `shard` and `realisations` are added, says which they are. shard.json holds the model.
#pragma once
#include <filesystem>
#include <functional>
#include <vector>

#include "tumble/campaign/output_directory.hpp"
#include "tumble/campaign/shard/shard_leaves.hpp"
#include "tumble/study/journal/journal.hpp"

namespace tumble {

/// The identity of one shard's journal.
JournalIdentity shard_identity(JournalIdentity study, const Shard& shard,
                               std::uint64_t realizations);

/// What shard.json says.
struct ShardModel {
  std::string effective_yaml;
  std::string path;     ///< of the model file, absolute
  std::string command;  ///< that runs the whole study
};

void write_shard_model(const std::filesystem::path& directory, const ShardModel& model);

/// All shards of one study, each complete.
struct ShardJournals {
  std::vector<std::filesystem::path> directories;  ///< in the order of their shards
  JournalIdentity study;                           ///< without what makes it a shard's
  std::uint64_t realizations = 0;                  ///< of the study
  ShardModel model;
};

/// Looks at them, changing nothing.
/// @throws RequestError if one is missing, unfinished, given twice, or of another study
ShardJournals inspect_shards(const std::vector<std::filesystem::path>& directories);

/// Makes the journal of the study in `directory` of those of its shards, record by record. If it
/// throws, there is none. `going_on` is called now and then, and may throw.
void gather_shards(const ShardJournals& shards, const OutputDirectory& directory,
                   Journal::Start start, const std::function<void()>& going_on);

}  // namespace tumble
