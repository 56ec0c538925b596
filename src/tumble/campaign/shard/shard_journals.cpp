#include "tumble/campaign/shard/shard_journals.hpp"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "tumble/base/atomic_file.hpp"
#include "tumble/base/read_file.hpp"
#include "tumble/campaign/errors.hpp"
#include "tumble/study/journal/index_set.hpp"
#include "tumble/study/layout.hpp"

namespace tumble {

namespace fs = std::filesystem;

namespace {

constexpr const char* shard_entry = "shard";
constexpr const char* realizations_entry = "realisations";
constexpr const char* model_file = "shard.json";
/// A model file may have 16 MiB; as text in JSON it can become larger.
constexpr std::size_t most_model_bytes = std::size_t{256} << 20;

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

struct ShardJournal {
  fs::path directory;
  Shard shard;
  std::uint64_t realizations = 0;
  JournalIdentity study;
  std::uint64_t finished = 0;  ///< of its realisations
};

/// Leaves are counted by the nodes of statistics, which make them count.
ShardJournal inspect_shard(const fs::path& directory) {
  const fs::path path = directory / Journal::file_name;
  std::error_code ignored;
  if (!fs::exists(path, ignored))
    throw RequestError(
        fmt::format("{} holds no shard: there is no {}", directory.string(), Journal::file_name));
  std::vector<RecordKey> nodes;
  ScanResult scan;
  try {
    // Headers alone: payloads are read, and checked, when they are copied.
    const auto file = JournalFile::open(path, JournalFile::Access::read);
    const auto note = [&](const RecordInfo& info) {
      if (info.key.kind == record_kind::node) nodes.push_back(info.key);
      return false;
    };
    if (file) scan = scan_journal(*file, file->size(), {}, {}, note);
  } catch (const JournalError& error) {
    throw RequestError(error.what());
  }
  ShardJournal found{directory, {}, 0, scan.identity};
  const auto shard = found.study.extract(shard_entry);
  const auto realizations = found.study.extract(realizations_entry);
  if (!shard || !realizations)
    throw RequestError(
        fmt::format("{} holds no shard, but {}", directory.string(),
                    scan.has_identity ? "a whole study" : "a journal that was not begun properly"));
  const std::string_view text = shard.mapped();
  const std::size_t slash = text.find('/');
  const auto number = whole_number(text.substr(0, slash));
  const auto count = slash == text.npos ? std::nullopt : whole_number(text.substr(slash + 1));
  const auto all = whole_number(realizations.mapped());
  if (!number || !count || !all)
    throw RequestError(fmt::format("{} has the unknown shard {} of {} realisations", path.string(),
                                   text, realizations.mapped()));
  found.shard = {*number, *count};
  found.realizations = *all;

  const ShardRange range = shard_range(found.shard, found.realizations);
  const std::uint64_t first = range.first / realizations_per_leaf;
  const std::uint64_t end = (range.end + realizations_per_leaf - 1) / realizations_per_leaf;
  IndexSet leaves;
  for (const RecordKey& node : nodes) {
    if (node.level > 40) continue;  // no study has so many leaves
    const std::uint64_t begin = node.index << node.level;
    for (std::uint64_t leaf = begin; leaf < begin + (std::uint64_t{1} << node.level); ++leaf) {
      if (leaf < first || leaf >= end || !leaves.insert(leaf)) continue;
      const std::uint64_t at = leaf * realizations_per_leaf;
      found.finished += std::min(realizations_per_leaf, found.realizations - at);
    }
  }
  return found;
}

ShardModel read_shard_model(const fs::path& directory) {
  const fs::path path = directory / model_file;
  const auto refuse = [&](const char* why) {
    return RequestError(
        fmt::format("{} {}: the same command as before with --resume writes it "
                    "again",
                    path.string(), why));
  };
  std::string error;
  const std::string text = read_file(path, most_model_bytes, error);
  if (!error.empty()) throw refuse("cannot be read");
  const auto json = nlohmann::json::parse(text, nullptr, false);
  const auto entry = [&](const char* name) {
    if (!json.is_object() || !json.contains(name) || !json.at(name).is_string())
      throw refuse("is damaged");
    return json.at(name).get<std::string>();
  };
  return {entry("model"), entry("model_path"), entry("command")};
}

}  // namespace

JournalIdentity shard_identity(JournalIdentity study, const Shard& shard,
                               std::uint64_t realizations) {
  study.insert_or_assign(shard_entry, to_string(shard));
  study.insert_or_assign(realizations_entry, std::to_string(realizations));
  return study;
}

void write_shard_model(const fs::path& directory, const ShardModel& model) {
  AtomicFile file(directory / model_file);
  file.write(nlohmann::ordered_json{{"model", model.effective_yaml},
                                    {"model_path", model.path},
                                    {"command", model.command}}
                 .dump(1) +
             "\n");
  file.commit();
}

ShardJournals inspect_shards(const std::vector<fs::path>& directories) {
  std::map<std::uint64_t, ShardJournal> by_number;
  std::optional<ShardJournal> first;
  for (const fs::path& directory : directories) {
    ShardJournal shard = inspect_shard(directory);
    if (!first) first = shard;
    const auto differ = [&](const std::string& how) {
      throw RequestError(fmt::format("{} and {} are not shards of one study: {}",
                                     first->directory.string(), directory.string(), how));
    };
    if (shard.shard.count != first->shard.count)
      differ(fmt::format("one is shard {}, the other {}", to_string(first->shard),
                         to_string(shard.shard)));
    if (shard.realizations != first->realizations)
      differ(fmt::format("one is of {} realisations, the other of {}", first->realizations,
                         shard.realizations));
    if (const std::string how = describe_difference(first->study, shard.study); !how.empty())
      differ(fmt::format("{} (there: {}, here: {})", how, first->directory.string(),
                         directory.string()));
    const auto [place, is_new] = by_number.emplace(shard.shard.number, std::move(shard));
    if (!is_new)
      throw RequestError(fmt::format("{} and {} are both shard {}",
                                     place->second.directory.string(), directory.string(),
                                     to_string(place->second.shard)));
  }
  if (!first) throw RequestError("no shards were given");

  std::string missing;
  std::uint64_t how_many = 0;
  for (std::uint64_t number = 1; number <= first->shard.count; ++number)
    if (!by_number.contains(number) && ++how_many <= 8)
      missing += (missing.empty() ? "" : ", ") + to_string(Shard{number, first->shard.count});
  if (how_many > 0)
    throw RequestError(fmt::format("shard{} {}{} {} missing", how_many == 1 ? "" : "s", missing,
                                   how_many > 8 ? fmt::format(" and {} more", how_many - 8) : "",
                                   how_many == 1 ? "is" : "are"));
  ShardJournals all;
  for (const auto& [number, shard] : by_number) {
    const std::uint64_t wanted = shard_range(shard.shard, shard.realizations).size();
    if (shard.finished < wanted)
      throw RequestError(fmt::format(
          "{} is not finished: it has {} of the {} realisations of shard {}. The same command as "
          "before with --resume continues it",
          shard.directory.string(), shard.finished, wanted, to_string(shard.shard)));
    all.directories.push_back(shard.directory);
  }
  all.study = first->study;
  all.realizations = first->realizations;
  all.model = read_shard_model(all.directories.front());
  return all;
}

void gather_shards(const ShardJournals& shards, const OutputDirectory& directory,
                   Journal::Start start, const std::function<void()>& going_on) {
  // What is killed here is copied again; only the end has to be on the disk.
  JournalOptions options;
  options.sync_interval = std::chrono::hours(1);
  Journal whole(directory.path(), shards.study, start, {}, options);
  try {
    for (const fs::path& shard : shards.directories) {
      const fs::path path = shard / Journal::file_name;
      const ScanResult scan =
          inspect_journal(path, [&](const RecordInfo& info, std::string_view payload) {
            going_on();
            whole.append(info.key, payload);
          });
      if (scan.torn_bytes > 0)
        throw RequestError(
            fmt::format("{} has a record with bad bytes at byte {}. The same command as before "
                        "with --resume computes again what is lost",
                        path.string(), scan.good_bytes));
    }
    whole.sync();
  } catch (...) {
    std::error_code ignored;
    fs::remove(whole.path(), ignored);
    throw;
  }
}

}  // namespace tumble
