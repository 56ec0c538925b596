// A directory per test and process, a small journal, and what is in it.
#pragma once
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tumble/study/journal/journal.hpp"

namespace tumble {

using Content = std::vector<std::pair<RecordKey, std::string>>;

class JournalFixture : public testing::Test {
 protected:
  JournalFixture() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    directory_ = std::filesystem::path(testing::TempDir()) /
                 (std::string("tumble_") + std::to_string(::getpid()) + "_" +
                  test->test_suite_name() + "_" + test->name());
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directories(directory_);
  }
  ~JournalFixture() override { std::filesystem::remove_all(directory_); }

  std::filesystem::path path() const { return directory_ / Journal::file_name; }

  std::unique_ptr<Journal> open(Journal::Start start = Journal::Start::resume,
                                const RecordVisitor& visit = {},
                                JournalOptions options = {}) const {
    return std::make_unique<Journal>(directory_, identity_, start, visit, std::move(options));
  }

  /// Resumes; what is in the journal, and the report.
  std::pair<Content, JournalReport> resume() const {
    Content content;
    const auto journal = open(Journal::Start::resume, collect(content));
    return {content, journal->report()};
  }

  static RecordVisitor collect(Content& content) {
    return [&content](const RecordInfo& info, std::string_view payload) {
      content.emplace_back(info.key, payload);
    };
  }

  /// Five records of various sizes, one of them empty.
  static Content sample() {
    return {{{record_kind::node, 0, 0}, "first leaf"},
            {{record_kind::node, 0, 1}, ""},
            {{record_kind::leaf_data, 0, 1}, std::string("\0\n\xff", 3)},
            {{record_kind::node, 1, 0}, "the two merged, with some more bytes"},
            {{77, 1, ~std::uint64_t{0}}, "x"}};
  }

  /// Writes the sample; the ends of the records, the identity's first.
  std::vector<std::uint64_t> write_sample(JournalOptions options = {}) const {
    const auto journal = open(Journal::Start::overwrite, {}, std::move(options));
    std::vector<std::uint64_t> ends{journal->bytes()};
    for (const auto& [key, payload] : sample()) {
      journal->append(key, payload);
      ends.push_back(journal->bytes());
    }
    return ends;
  }

  std::string bytes() const {
    std::ifstream file(path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  /// In a new file: some file systems bring one that was emptied and refilled to the disk at once,
  /// which takes long.
  void set_bytes(const std::string& bytes) const {
    std::filesystem::remove(path());
    std::ofstream(path(), std::ios::binary | std::ios::trunc) << bytes;
  }

  /// Message of the JournalError with the given reason, or a failure.
  std::string refusal(JournalError::Reason reason,
                      Journal::Start start = Journal::Start::resume) const {
    try {
      open(start);
    } catch (const JournalError& error) {
      EXPECT_EQ(error.reason(), reason) << error.what();
      return error.what();
    }
    ADD_FAILURE() << "not refused";
    return {};
  }

  std::filesystem::path directory_;
  JournalIdentity identity_{{"model_sha256", "ab12"}, {"seed", "1"}, {"tumble_version", "0.1.0"}};
};

inline Content first_of(const Content& content, std::size_t count) {
  return {content.begin(), content.begin() + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace tumble
