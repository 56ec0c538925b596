#include "tumble/study/journal/journal_record.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tumble/base/crc64.hpp"

namespace tumble {
namespace {

template <class Integer>
void put(char*& to, Integer value) {
  for (std::size_t i = 0; i < sizeof(Integer); ++i) {
    *to++ = static_cast<char>(static_cast<unsigned char>(value >> (8 * i)));
  }
}

template <class Integer>
Integer take(std::string_view& from) {
  Integer value = 0;
  for (std::size_t i = 0; i < sizeof(Integer); ++i) {
    value |= static_cast<Integer>(static_cast<unsigned char>(from[i])) << (8 * i);
  }
  from.remove_prefix(sizeof(Integer));
  return value;
}

void put_text(std::string& to, std::string_view text) {
  std::array<char, 8> size{};
  char* end = size.data();
  put<std::uint64_t>(end, text.size());
  to.append(size.data(), size.size());
  to.append(text);
}

std::optional<std::string> take_text(std::string_view& from) {
  if (from.size() < 8) return std::nullopt;
  const auto size = take<std::uint64_t>(from);
  if (size > from.size()) return std::nullopt;
  std::string text(from.substr(0, size));
  from.remove_prefix(size);
  return text;
}

// A value may be a whole file; a message holds its beginning.
std::string shown(const std::string& value) {
  constexpr std::size_t longest = 80;
  return value.size() <= longest ? value : value.substr(0, longest) + "...";
}

}  // namespace

std::array<char, record_header_bytes> encode_header(const RecordHeader& header) {
  std::array<char, record_header_bytes> bytes{};
  char* to = std::copy(journal_magic.begin(), journal_magic.end(), bytes.data());
  put(to, header.version);
  put(to, header.info.key.kind);
  put(to, header.info.key.level);
  put(to, header.info.key.index);
  put(to, header.info.sequence);
  put(to, header.synced);
  put(to, header.info.payload_bytes);
  put(to, header.payload_checksum);
  put(to, crc64({bytes.data(), record_header_bytes - 8}));
  return bytes;
}

std::optional<RecordHeader> decode_header(std::string_view bytes, std::uint64_t offset) {
  if (!bytes.starts_with(journal_magic)) return std::nullopt;
  const std::uint64_t sum = crc64(bytes.substr(0, record_header_bytes - 8));
  bytes.remove_prefix(journal_magic.size());
  RecordHeader header;
  header.version = take<std::uint32_t>(bytes);
  header.info.key.kind = take<std::uint32_t>(bytes);
  header.info.key.level = take<std::uint64_t>(bytes);
  header.info.key.index = take<std::uint64_t>(bytes);
  header.info.sequence = take<std::uint64_t>(bytes);
  header.synced = take<std::uint64_t>(bytes);
  header.info.payload_bytes = take<std::uint64_t>(bytes);
  header.payload_checksum = take<std::uint64_t>(bytes);
  header.info.offset = offset;
  if (take<std::uint64_t>(bytes) != sum) return std::nullopt;
  return header;
}

std::string encode_identity(const JournalIdentity& identity) {
  std::string bytes;
  for (const auto& [key, value] : identity) {
    put_text(bytes, key);
    put_text(bytes, value);
  }
  return bytes;
}

std::optional<JournalIdentity> decode_identity(std::string_view bytes) {
  JournalIdentity identity;
  while (!bytes.empty()) {
    auto key = take_text(bytes);
    if (!key) return std::nullopt;
    auto value = take_text(bytes);
    if (!value) return std::nullopt;
    if (!identity.emplace(std::move(*key), std::move(*value)).second) return std::nullopt;
  }
  return identity;
}

std::string describe_difference(const JournalIdentity& there, const JournalIdentity& here) {
  std::string text;
  const auto add = [&text](const std::string& item) { text += (text.empty() ? "" : "; ") + item; };
  for (const auto& [key, value] : there) {
    const auto other = here.find(key);
    if (other == here.end()) {
      add(fmt::format("{} is {} there and absent here", key, shown(value)));
    } else if (other->second != value) {
      add(fmt::format("{} is {} there and {} here", key, shown(value), shown(other->second)));
    }
  }
  for (const auto& [key, value] : here) {
    if (!there.contains(key)) add(fmt::format("{} is absent there and {} here", key, shown(value)));
  }
  return text;
}

}  // namespace tumble
