#include "core/visibility.hpp"

#include <cassert>
#include <utility>

namespace headroom {

Visibility Visibility::all(std::size_t queries, std::size_t tokens) {
  return ranges(std::vector<Range>(queries, Range{0, tokens}), tokens);
}

Visibility Visibility::causal(std::size_t queries, std::size_t tokens) {
  assert(queries <= tokens);
  std::vector<Range> rows(queries);
  for (std::size_t r = 0; r < queries; ++r) rows[r] = {0, tokens - queries + r + 1};
  return ranges(std::move(rows), tokens);
}

Visibility Visibility::ranges(std::vector<Range> ranges, std::size_t tokens) {
  Visibility v;
  v.tokens_ = tokens;
  v.ranges_ = std::move(ranges);
  for ([[maybe_unused]] const Range& r : v.ranges_) assert(r.begin <= r.end && r.end <= tokens);
  return v;
}

Visibility Visibility::mask(std::size_t queries, std::size_t tokens, std::vector<std::uint8_t> bits) {
  assert(bits.size() == queries * tokens);
  std::vector<Range> rows(queries);
  std::vector<std::size_t> counts(queries, 0);
  bool holes = false;
  for (std::size_t q = 0; q < queries; ++q) {
    const std::uint8_t* row = bits.data() + q * tokens;
    Range& range = rows[q];
    for (std::size_t i = 0; i < tokens; ++i) {
      if (row[i] == 0) continue;
      if (counts[q] == 0) range.begin = i;
      range.end = i + 1;
      ++counts[q];
    }
    holes = holes || counts[q] != range.size();
  }
  Visibility v = ranges(std::move(rows), tokens);
  if (holes) {
    v.bits_ = std::make_shared<const std::vector<std::uint8_t>>(std::move(bits));
    v.counts_ = std::make_shared<const std::vector<std::size_t>>(std::move(counts));
  }
  return v;
}

Visibility Visibility::slice(std::size_t first, std::size_t count) const {
  assert(first + count <= queries());
  Visibility v;
  v.tokens_ = tokens_;
  v.first_ = first_ + first;
  const auto begin = ranges_.begin() + static_cast<std::ptrdiff_t>(first);
  v.ranges_.assign(begin, begin + static_cast<std::ptrdiff_t>(count));
  v.bits_ = bits_;
  v.counts_ = counts_;
  return v;
}

std::size_t Visibility::count(std::size_t query) const {
  return counts_ ? (*counts_)[first_ + query] : ranges_[query].size();
}

bool Visibility::contiguous(std::size_t query) const { return count(query) == ranges_[query].size(); }

bool Visibility::visible(std::size_t query, std::size_t token) const {
  if (bits_) return (*bits_)[(first_ + query) * tokens_ + token] != 0;
  return token >= ranges_[query].begin && token < ranges_[query].end;
}

}  // namespace headroom
