#include "tumble/study/statistics/leaf_statistics.hpp"

#include "tumble/study/journal/record_head.hpp"

namespace tumble {
namespace {
constexpr std::uint32_t tag = 0x53464c54;  // "TLFS"
}

LeafStatistics::LeafStatistics(std::uint64_t realizations, Moments moments,
                               std::optional<QuantileSketch> sketch,
                               std::optional<CopyMoments> copies)
    : realizations_(realizations),
      moments_(std::move(moments)),
      sketch_(std::move(sketch)),
      copies_(std::move(copies)) {}

LeafStatistics LeafStatistics::merge(const LeafStatistics& left, const LeafStatistics& right) {
  if (left.sketch_.has_value() != right.sketch_.has_value())
    throw std::logic_error("statistics with and without quantile sketches cannot be merged");
  std::optional<QuantileSketch> sketch;
  if (left.sketch_) sketch = QuantileSketch::merge(*left.sketch_, *right.sketch_);
  if (left.copies_.has_value() != right.copies_.has_value())
    throw std::logic_error("statistics with and without independent copies cannot be merged");
  std::optional<CopyMoments> copies;
  if (left.copies_) copies = CopyMoments::merge(*left.copies_, *right.copies_);
  return LeafStatistics(left.realizations_ + right.realizations_,
                        Moments::merge(left.moments_, right.moments_), std::move(sketch),
                        std::move(copies));
}

std::string LeafStatistics::serialize() const {
  ByteWriter out;
  out.reserve(bytes() + 256);
  write_record_head(out, tag, moments_.layout());
  out.number(realizations_);
  moments_.write(out);
  out.number(static_cast<std::uint32_t>(sketch_ ? 1 : 0));
  if (sketch_) sketch_->write(out);
  out.number(static_cast<std::uint32_t>(copies_ ? 1 : 0));
  if (copies_) copies_->write(out);
  return out.take();
}

LeafStatistics LeafStatistics::deserialize(std::string_view bytes, LayoutPointer layout) {
  ByteReader in(bytes, "record of statistics");
  read_record_head(in, tag, *layout);
  const auto realizations = in.number<std::uint64_t>();
  Moments moments = Moments::read(in, layout);
  if (layout->times() > 0)
    in.require(moments.count(0) <= realizations, "counts more than its realisations");
  std::optional<QuantileSketch> sketch;
  const auto has_sketch = in.number<std::uint32_t>();
  in.require(has_sketch <= 1, "is damaged");
  if (has_sketch == 1) {
    sketch = QuantileSketch::read(in, layout);
    in.require(sketch->realizations() == realizations, "has a sketch of other realisations");
    for (std::size_t t = 0; t < layout->times(); ++t)
      in.require(sketch->count(t) == moments.count(t), "has moments and sketches of other counts");
  }
  std::optional<CopyMoments> copies;
  const auto has_copies = in.number<std::uint32_t>();
  in.require(has_copies <= 1, "is damaged");
  if (has_copies == 1) copies = CopyMoments::read(in, layout);
  in.expect_end();
  return LeafStatistics(realizations, std::move(moments), std::move(sketch), std::move(copies));
}

std::size_t LeafStatistics::bytes() const {
  return moments_.bytes() + (sketch_ ? sketch_->bytes() : 0) + (copies_ ? copies_->bytes() : 0);
}

}  // namespace tumble
