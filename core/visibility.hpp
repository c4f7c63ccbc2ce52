#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace headroom {

/// Which tokens each query sees: one contiguous range per query, or a bit per (query, token) for padding
/// and sliding windows with holes. Cheap to copy: the bits are shared.
class Visibility {
 public:
  /// Tokens [begin, end).
  struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
    [[nodiscard]] std::size_t size() const { return end - begin; }
  };

  /// Every query sees every token.
  static Visibility all(std::size_t queries, std::size_t tokens);

  /// The queries are the last `queries` of `tokens`: query r sees the first tokens − queries + r + 1.
  /// Requires queries <= tokens.
  static Visibility causal(std::size_t queries, std::size_t tokens);

  /// One range per query, each within [0, tokens).
  static Visibility ranges(std::vector<Range> ranges, std::size_t tokens);

  /// `bits[query * tokens + token]` says whether the token is visible. Rows that are contiguous are stored as ranges
  /// by the queries below just the same; holes make range() unavailable.
  static Visibility mask(std::size_t queries, std::size_t tokens, std::vector<std::uint8_t> bits);

  /// What queries [first, first + count) see, as queries 0, 1, … of a visibility of their own.
  [[nodiscard]] Visibility slice(std::size_t first, std::size_t count) const;

  [[nodiscard]] std::size_t queries() const { return ranges_.size(); }
  [[nodiscard]] std::size_t tokens() const { return tokens_; }

  /// Number of tokens the query sees: L of the theory, k in a causal row.
  [[nodiscard]] std::size_t count(std::size_t query) const;

  /// True when the query's visible tokens are exactly range(query).
  [[nodiscard]] bool contiguous(std::size_t query) const;

  /// True when that holds for every query, known at once; false may still hold for some or all of them.
  [[nodiscard]] bool contiguous() const { return bits_ == nullptr; }

  /// The smallest range holding every visible token of the query.
  [[nodiscard]] Range range(std::size_t query) const { return ranges_[query]; }
  [[nodiscard]] std::span<const Range> ranges() const { return ranges_; }

  [[nodiscard]] bool visible(std::size_t query, std::size_t token) const;

 private:
  std::size_t tokens_ = 0;
  std::size_t first_ = 0;  // where the queries start in bits_ and counts_
  std::vector<Range> ranges_;
  std::shared_ptr<const std::vector<std::uint8_t>> bits_;   // null when every row is contiguous
  std::shared_ptr<const std::vector<std::size_t>> counts_;  // with bits_ only
};

}  // namespace headroom
