// The shards of a study, put together: the results that one run would have given.
#pragma once
#include "tumble/campaign/observer.hpp"
#include "tumble/campaign/shard/shard_journals.hpp"
#include "tumble/campaign/study_run.hpp"
#include "tumble/io/model_reader.hpp"

namespace tumble {

/// As the shards know it, with the files it refers to as they are now.
ModelFile model_of(const ShardJournals& shards);

/// `file` is that of model_of(). `options.model` and `options.command` are taken from the shards.
/// @throws as run_study(), and RequestError if this build or the files that the model refers to are
/// not those of the shards
StudyResults merge_shards(const ModelFile& file, const ShardJournals& shards, StudyOptions options,
                          Observer& observer);

}  // namespace tumble
