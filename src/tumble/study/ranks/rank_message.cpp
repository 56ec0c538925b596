#include "tumble/study/ranks/rank_message.hpp"

#include "tumble/study/journal/byte_stream.hpp"

namespace tumble {
namespace {

enum class Kind : std::uint8_t { work_wanted, leaf_finished, departure, round_wanted };

void put(ByteWriter& out, const std::string& text) {
  out.number(static_cast<std::uint64_t>(text.size()));
  out.array(std::span<const char>(text));
}

std::string get(ByteReader& in) {
  const auto text = in.array<char>(in.number<std::uint64_t>());
  return {text.begin(), text.end()};
}

void put(ByteWriter& out, const WorkWanted& question) {
  out.number(static_cast<std::uint8_t>(Kind::work_wanted));
  put(out, question.identity);
}

void put(ByteWriter& out, const LeafFinished& question) {
  const EncodedLeaf& leaf = question.leaf;
  out.reserve(leaf.record.size() + leaf.statistics.size() + 64);
  out.number(static_cast<std::uint8_t>(Kind::leaf_finished));
  out.number(question.realizations);
  out.number(question.failed);
  out.number(leaf.leaf);
  out.number(leaf.times.integration);
  out.number(leaf.times.statistics);
  put(out, leaf.record);
  put(out, leaf.statistics);
}

void put(ByteWriter& out, const Departure& question) {
  out.number(static_cast<std::uint8_t>(Kind::departure));
  out.number(static_cast<std::uint8_t>(question.why));
  put(out, question.message);
}

void put(ByteWriter& out, const RoundWanted& question) {
  out.number(static_cast<std::uint8_t>(Kind::round_wanted));
  out.number(question.done);
}

LeafFinished get_leaf(ByteReader& in) {
  LeafFinished question;
  question.realizations = in.number<std::uint64_t>();
  question.failed = in.number<std::uint64_t>();
  question.leaf.leaf = in.number<std::uint64_t>();
  question.leaf.times.integration = in.number<double>();
  question.leaf.times.statistics = in.number<double>();
  question.leaf.record = get(in);
  question.leaf.statistics = get(in);
  return question;
}

Departure get_departure(ByteReader& in) {
  Departure question;
  const auto why = in.number<std::uint8_t>();
  in.require(why <= static_cast<std::uint8_t>(Departure::Why::failed), "gives an unknown reason");
  question.why = static_cast<Departure::Why>(why);
  question.message = get(in);
  return question;
}

}  // namespace

std::string encode(const RankQuestion& question) {
  ByteWriter out;
  std::visit([&out](const auto& q) { put(out, q); }, question);
  return out.take();
}

RankQuestion decode_question(std::string_view bytes) {
  ByteReader in(bytes, "message of a rank");
  const auto kind = in.number<std::uint8_t>();
  in.require(kind <= static_cast<std::uint8_t>(Kind::round_wanted), "is of an unknown kind");
  RankQuestion question;
  switch (static_cast<Kind>(kind)) {
    case Kind::work_wanted:
      question = WorkWanted{get(in)};
      break;
    case Kind::leaf_finished:
      question = get_leaf(in);
      break;
    case Kind::departure:
      question = get_departure(in);
      break;
    case Kind::round_wanted:
      question = RoundWanted{in.number<std::uint64_t>()};
      break;
  }
  in.expect_end();
  return question;
}

std::string encode(const std::optional<LeafTask>& answer) {
  ByteWriter out;
  if (!answer) return out.take();
  out.number(answer->leaf);
  out.number(answer->count);
  if (answer->germs) out.array(*answer->germs);
  return out.take();
}

std::optional<LeafTask> decode_answer(std::string_view bytes) {
  if (bytes.empty()) return std::nullopt;
  ByteReader in(bytes, "answer of rank 0");
  LeafTask task;
  task.leaf = in.number<std::uint64_t>();
  task.count = in.number<std::uint64_t>();
  if (const std::size_t germs = in.rest().size() / sizeof(double); germs > 0)
    task.germs = std::make_shared<const std::vector<double>>(in.array<double>(germs));
  in.expect_end();
  return task;
}

std::string encode(const RoundAnswer& answer) {
  ByteWriter out;
  out.number(static_cast<std::uint8_t>(answer.kind));
  out.number(answer.round);
  put(out, answer.description);
  return out.take();
}

RoundAnswer decode_round(std::string_view bytes) {
  ByteReader in(bytes, "answer of rank 0");
  RoundAnswer answer;
  const auto kind = in.number<std::uint8_t>();
  in.require(kind <= static_cast<std::uint8_t>(RoundAnswer::Kind::finished),
             "is of an unknown kind");
  answer.kind = static_cast<RoundAnswer::Kind>(kind);
  answer.round = in.number<std::uint64_t>();
  answer.description = get(in);
  in.expect_end();
  return answer;
}

}  // namespace tumble
