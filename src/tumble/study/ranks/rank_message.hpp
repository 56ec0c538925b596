// What ranks ask rank 0, and its answers, as bytes.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "tumble/study/journal/encoded_leaf.hpp"

namespace tumble {

/// "Give me a leaf of this study."
struct WorkWanted {
  std::string identity;  ///< ranks that read another model must not mix in
};

/// "Here is one. The next, please."
struct LeafFinished {
  EncodedLeaf leaf;
  std::uint64_t realizations = 0;
  std::uint64_t failed = 0;
};

/// "I ask no more."
struct Departure {
  enum class Why : std::uint8_t {
    finished,     ///< there was nothing left to do
    interrupted,  ///< by a signal: the study is to end
    failed,
  };
  Why why = Why::finished;
  std::string message;  ///< of a failure
};

/// "Which ensemble comes next?" Of methods that need several, where one follows from the last.
struct RoundWanted {
  std::uint64_t done = 0;  ///< the round this rank has worked on; 0: none
};

using RankQuestion = std::variant<WorkWanted, LeafFinished, Departure, RoundWanted>;

std::string encode(const RankQuestion& question);
/// @throws std::runtime_error for bytes that are no question.
RankQuestion decode_question(std::string_view bytes);

/// The answer to questions about leaves: one, or nothing if there are no more.
std::string encode(const std::optional<LeafTask>& answer);
std::optional<LeafTask> decode_answer(std::string_view bytes);

/// The answer to RoundWanted.
struct RoundAnswer {
  enum class Kind : std::uint8_t {
    wait,  ///< it is not known yet: ask again in a moment
    work,
    finished,  ///< there are no more
  };
  Kind kind = Kind::finished;
  std::uint64_t round = 0;
  std::string description;  ///< by which the others make the same ensemble
};
std::string encode(const RoundAnswer& answer);
RoundAnswer decode_round(std::string_view bytes);

}  // namespace tumble
