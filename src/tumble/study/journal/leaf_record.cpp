#include "tumble/study/journal/leaf_record.hpp"

#include "tumble/study/journal/record_head.hpp"

namespace tumble {
namespace {
constexpr std::uint32_t tag = 0x52464c54;     // "TLFR"
constexpr std::uint8_t start_changed = 0x80;  // beside the status

std::string read_text(ByteReader& in) {
  const auto text = in.array<char>(in.number<std::uint32_t>());
  return {text.begin(), text.end()};
}

void write_text(ByteWriter& out, const std::string& text) {
  out.number(static_cast<std::uint32_t>(text.size()));
  out.array(std::span<const char>(text));
}

/// Inputs and outcomes: what does not depend on what was probed.
LeafRecord read_outcomes(ByteReader& in) {
  in.require(in.number<std::uint32_t>() == tag, "is of another kind");
  in.require(in.number<std::uint32_t>() == statistics_format_version, "has another format version");
  LeafRecord record;
  const auto count = in.number<std::uint32_t>();
  in.require(count <= realizations_per_leaf, "has more realisations than a leaf");
  record.input_count = in.number<std::uint32_t>();
  record.inputs = in.array<double>(count * record.input_count);
  for (std::uint32_t i = 0; i < count; ++i) {
    RealizationOutcome outcome;
    const auto status = in.number<std::uint8_t>();
    outcome.status = static_cast<RealizationStatus>(status & ~start_changed);
    outcome.energy_mismatch = in.number<double>();
    if (outcome.status != RealizationStatus::ok) {
      outcome.failure_time = in.number<double>();
      outcome.reason = read_text(in);
    }
    if ((status & start_changed) != 0) outcome.changed_start = read_text(in);
    record.outcomes.push_back(std::move(outcome));
  }
  return record;
}

}  // namespace

std::size_t LeafRecord::failures() const {
  std::size_t count = 0;
  for (const RealizationOutcome& outcome : outcomes)
    count += outcome.status == RealizationStatus::ok ? 0 : 1;
  return count;
}

void LeafRecord::append(const LeafRecord& next) {
  if (outcomes.empty()) {
    leaf = next.leaf;
    input_count = next.input_count;
  }
  const auto add = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  add(inputs, next.inputs);
  add(outcomes, next.outcomes);
  add(summaries.peaks, next.summaries.peaks);
  add(summaries.square_integrals, next.summaries.square_integrals);
  add(quantities, next.quantities);
}

void LeafRecord::truncate(std::size_t count) {
  if (count >= outcomes.size()) return;
  summaries.truncate(outcomes.size(), count);
  quantities.resize(quantities.size() / outcomes.size() * count);
  outcomes.resize(count);
  inputs.resize(count * input_count);
}

std::string LeafRecord::serialize() const {
  ByteWriter out;
  out.number(tag);
  out.number(statistics_format_version);
  out.number(static_cast<std::uint32_t>(outcomes.size()));
  out.number(static_cast<std::uint32_t>(input_count));
  out.array(inputs);
  for (const RealizationOutcome& outcome : outcomes) {
    const bool changed = !outcome.changed_start.empty();
    out.number(static_cast<std::uint8_t>(static_cast<std::uint8_t>(outcome.status) |
                                         (changed ? start_changed : 0)));
    out.number(outcome.energy_mismatch);
    if (outcome.status != RealizationStatus::ok) {
      out.number(outcome.failure_time);
      write_text(out, outcome.reason);
    }
    if (changed) write_text(out, outcome.changed_start);
  }
  summaries.write(out);
  out.number(static_cast<std::uint32_t>(quantities.size()));
  for (const QuantityValue& quantity : quantities) {
    out.number(quantity.value);
    out.number(quantity.output_error);
  }
  std::string bytes = out.take();
  bytes.push_back(values ? 1 : 0);
  if (values) bytes += values->serialize();
  return bytes;
}

LeafRecord LeafRecord::deserialize(std::uint64_t leaf, std::string_view bytes,
                                   LayoutPointer layout) {
  ByteReader in(bytes, "record of realisations");
  LeafRecord record = read_outcomes(in);
  record.leaf = leaf;
  const auto count = static_cast<std::uint32_t>(record.outcomes.size());
  record.summaries = RunSummaries::read(in, *layout, count);
  const auto quantities = in.number<std::uint32_t>();
  in.require(count == 0 ? quantities == 0 : quantities % count == 0,
             "has quantities of another number of runs");
  for (std::uint32_t i = 0; i < quantities; ++i) {
    const double value = in.number<double>();
    record.quantities.push_back({value, in.number<double>()});
  }
  if (in.number<std::uint8_t>() != 0) {
    record.values = LeafValues::deserialize(in.rest(), std::move(layout));
    in.require(record.values->realizations() == count, "has values of another number of runs");
  } else {
    in.expect_end();
  }
  return record;
}

std::vector<RealizationOutcome> LeafRecord::outcomes_in(std::string_view bytes) {
  ByteReader in(bytes, "record of realisations");
  return read_outcomes(in).outcomes;
}

}  // namespace tumble
