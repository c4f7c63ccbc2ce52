#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "model/vocabulary.hpp"

namespace headroom::model {

/// Byte-pair encoding of one word: as long as some neighbouring pair is in the list of merges, every occurrence of the
/// earliest such pair is merged, from left to right.
class PairMerger {
 public:
  explicit PairMerger(std::span<const Merge> merges);

  /// Working space; one per thread, kept from word to word.
  class Scratch;

  /// Replaces the tokens of a word by the tokens they merge to. Takes O(n log n) for n tokens, whatever they are.
  /// Requires fewer than 2³² tokens.
  void merge(std::vector<TokenId>& word, Scratch& scratch) const;

 private:
  struct Entry {
    std::uint64_t pair = 0;
    std::uint32_t rank = no_rank;
    TokenId product = 0;
  };
  static constexpr std::uint32_t no_rank = std::numeric_limits<std::uint32_t>::max();

  [[nodiscard]] const Entry& find(TokenId left, TokenId right) const;
  void merge_short(std::vector<TokenId>& word) const;
  void merge_long(std::vector<TokenId>& word, Scratch& scratch) const;

  std::vector<Entry> table_;  // open addressing; a power of two, at most half full
  unsigned shift_ = 0;
};

class PairMerger::Scratch {
 private:
  friend class PairMerger;
  struct Node {
    TokenId token = 0;
    std::uint32_t previous = 0;
    std::uint32_t next = 0;
    std::uint32_t rank = no_rank;  // of the pair this node makes with the next
  };
  std::vector<Node> nodes_;
  std::vector<std::uint64_t> queue_;  // min-heap of rank · 2³² + position
  std::vector<std::uint32_t> batch_;
};

}  // namespace headroom::model
