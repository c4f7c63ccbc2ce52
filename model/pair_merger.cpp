#include "model/pair_merger.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <functional>

namespace headroom::model {
namespace {

// Up to here looking at every pair again for each merge is faster than a queue.
constexpr std::size_t short_word = 24;

std::uint64_t pair_key(TokenId left, TokenId right) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32U | static_cast<std::uint32_t>(right);
}

// Knuth's multiplicative hash: the upper bits of the product with 2^64 over the golden ratio.
std::size_t slot(std::uint64_t key, unsigned shift) {
  return static_cast<std::size_t>((key * 0x9E3779B97F4A7C15U) >> shift);
}

}  // namespace

PairMerger::PairMerger(std::span<const Merge> merges) {
  const std::size_t size = std::bit_ceil(std::max<std::size_t>(16, 2 * merges.size()));
  table_.resize(size);
  shift_ = 64U - static_cast<unsigned>(std::countr_zero(size));
  for (std::size_t rank = 0; rank < merges.size(); ++rank) {
    const std::uint64_t key = pair_key(merges[rank].left, merges[rank].right);
    std::size_t at = slot(key, shift_);
    while (table_[at].rank != no_rank) at = (at + 1) & (size - 1);
    table_[at] = {key, static_cast<std::uint32_t>(rank), merges[rank].product};
  }
}

const PairMerger::Entry& PairMerger::find(TokenId left, TokenId right) const {
  const std::uint64_t key = pair_key(left, right);
  std::size_t at = slot(key, shift_);
  while (table_[at].rank != no_rank && table_[at].pair != key) at = (at + 1) & (table_.size() - 1);
  return table_[at];
}

void PairMerger::merge(std::vector<TokenId>& word, Scratch& scratch) const {
  if (word.size() <= short_word) {
    merge_short(word);
  } else {
    merge_long(word, scratch);
  }
}

void PairMerger::merge_short(std::vector<TokenId>& word) const {
  std::array<std::uint32_t, short_word> rank;
  const auto pair = [&](std::size_t at) -> const Entry& { return find(word[at], word[at + 1]); };
  std::size_t size = word.size();
  for (std::size_t at = 0; at + 1 < size; ++at) rank[at] = pair(at).rank;
  while (size > 1) {
    const std::uint32_t lowest = *std::min_element(rank.begin(), rank.begin() + static_cast<std::ptrdiff_t>(size - 1));
    if (lowest == no_rank) break;
    // One pass: pairs that a merge of this pass creates have another rank, since their tokens are longer.
    std::size_t kept = 0;
    for (std::size_t at = 0; at < size; ++at, ++kept) {
      word[kept] = word[at];
      if (at + 1 < size && rank[at] == lowest) word[kept] = pair(at++).product;
    }
    size = kept;
    for (std::size_t at = 0; at + 1 < size; ++at) rank[at] = pair(at).rank;
  }
  word.resize(size);
}

void PairMerger::merge_long(std::vector<TokenId>& word, Scratch& scratch) const {
  assert(word.size() < no_rank);
  auto& nodes = scratch.nodes_;
  auto& queue = scratch.queue_;
  auto& batch = scratch.batch_;
  const auto none = static_cast<std::uint32_t>(word.size());
  const std::greater<> first_is_lowest;

  const auto rank_pair = [&](std::uint32_t at) {
    const std::uint32_t next = nodes[at].next;
    nodes[at].rank = next == none ? no_rank : find(nodes[at].token, nodes[next].token).rank;
    if (nodes[at].rank != no_rank) queue.push_back(std::uint64_t{nodes[at].rank} << 32U | at);
    return nodes[at].rank != no_rank;
  };

  nodes.resize(word.size());
  queue.clear();
  for (std::uint32_t at = 0; at < none; ++at) nodes[at] = {word[at], at == 0 ? none : at - 1, at + 1, no_rank};
  for (std::uint32_t at = 0; at < none; ++at) rank_pair(at);
  std::make_heap(queue.begin(), queue.end(), first_is_lowest);

  while (!queue.empty()) {
    // All occurrences of the lowest pair first, then their merges: those may create pairs of lower rank still.
    const auto rank = static_cast<std::uint32_t>(queue.front() >> 32U);
    batch.clear();
    while (!queue.empty() && queue.front() >> 32U == rank) {
      batch.push_back(static_cast<std::uint32_t>(queue.front()));
      std::pop_heap(queue.begin(), queue.end(), first_is_lowest);
      queue.pop_back();
    }
    for (const std::uint32_t at : batch) {
      Scratch::Node& node = nodes[at];
      if (node.rank != rank) continue;  // a merge has meanwhile taken one of the two
      Scratch::Node& taken = nodes[node.next];
      node.token = find(node.token, taken.token).product;
      node.next = taken.next;
      taken.rank = no_rank;
      if (node.next != none) nodes[node.next].previous = at;
      if (rank_pair(at)) std::push_heap(queue.begin(), queue.end(), first_is_lowest);
      if (node.previous != none && rank_pair(node.previous))
        std::push_heap(queue.begin(), queue.end(), first_is_lowest);
    }
  }
  word.clear();
  for (std::uint32_t at = 0; at != none; at = nodes[at].next) word.push_back(nodes[at].token);
}

}  // namespace headroom::model
