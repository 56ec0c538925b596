#include "tumble/campaign/shard/merge_run.hpp"

#include <utility>

#include "tumble/campaign/assemble.hpp"
#include "tumble/campaign/errors.hpp"
#include "tumble/campaign/prepared_study.hpp"

namespace tumble {

ModelFile model_of(const ShardJournals& shards) {
  ModelFile file = read_model_text(shards.model.effective_yaml, shards.model.path);
  if (!file.study) throw RequestError("the model of the shards has no section `study`");
  return file;
}

StudyResults merge_shards(const ModelFile& file, const ShardJournals& shards, StudyOptions options,
                          Observer& observer) {
  options.model = shards.model.path;
  options.command = shards.model.command;
  options.shard.reset();
  const Plan plan = assemble(file, options.model, observer);
  OutputDirectory directory(options.directory);
  directory.refuse_special_files(options.csv ? study_csv_names(file, true)
                                             : std::vector<std::string>{});
  directory.refuse_sweep();
  return run_study(file, plan, directory, options, observer, &shards);
}

}  // namespace tumble
