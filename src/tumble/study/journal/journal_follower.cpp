#include "tumble/study/journal/journal_follower.hpp"

#include <stdexcept>

#include "tumble/study/journal/journal_file.hpp"
#include "tumble/study/journal/journal_scan.hpp"
#include "tumble/study/journal/leaf_record.hpp"

namespace tumble {

void JournalFollower::begin_anew() {
  end_ = 0;
  last_.reset();
  leaves_.clear();
  realizations_ = failed_ = 0;
}

void JournalFollower::look() {
  const auto file = JournalFile::open(path_, JournalFile::Access::read);
  if (!file) {
    begin_anew();
    return;
  }
  const std::uint64_t size = file->size();
  if (last_) {
    const auto header = read_header(*file, last_->offset, size);
    if (!header || !(header->info == *last_)) begin_anew();
  }
  std::string payload;
  while (const auto header = read_header(*file, end_, size)) {
    const RecordInfo& info = header->info;
    if (info.bytes() > size - end_) return;
    if (info.key.kind == record_kind::leaf_data) {
      if (!read_payload(*file, *header, size, payload)) return;
      Leaf leaf;
      try {
        for (const RealizationOutcome& outcome : LeafRecord::outcomes_in(payload)) {
          ++leaf.realizations;
          leaf.failed += outcome.status == RealizationStatus::ok ? 0 : 1;
        }
      } catch (const std::runtime_error&) {
        return;
      }
      // A leaf is written again when an incomplete last one is completed.
      Leaf& known = leaves_[info.key.index];
      realizations_ += leaf.realizations - known.realizations;
      failed_ += leaf.failed - known.failed;
      known = leaf;
    }
    last_ = info;
    end_ += info.bytes();
  }
}

}  // namespace tumble
