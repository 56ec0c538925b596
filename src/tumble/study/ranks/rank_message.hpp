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

using RankQuestion = std::variant<WorkWanted, LeafFinished, Departure>;

std::string encode(const RankQuestion& question);
/// @throws std::runtime_error for bytes that are no question.
RankQuestion decode_question(std::string_view bytes);

/// The answer to every question: a leaf, or nothing if there are no more.
std::string encode(const std::optional<LeafTask>& answer);
std::optional<LeafTask> decode_answer(std::string_view bytes);

}  // namespace tumble
