#include "model/word_cache.hpp"

#include <bit>
#include <cassert>
#include <cstring>
#include <utility>

namespace headroom::model {
namespace {

constexpr std::size_t fewest_slots = std::size_t{1} << 12U;
constexpr std::size_t most_slots = std::size_t{1} << 18U;

// Keeps the bytes at addresses below `count`, 0 to 8.
std::uint64_t keep_bytes(std::uint64_t word, std::size_t count) {
  if (count >= 8) return word;
  const std::uint64_t kept = (std::uint64_t{1} << (8 * count)) - 1;
  return word & (std::endian::native == std::endian::little ? kept : ~(~std::uint64_t{0} >> (8 * count)));
}

}  // namespace

WordCache::WordCache() { resize(fewest_slots); }

WordCache::Key WordCache::key(std::string_view word, std::string_view rest) {
  assert(word.size() <= longest_word);
  Key key;
  if (rest.size() >= sizeof(Key)) {
    // Two whole loads and a mask are much cheaper than a copy of varying length.
    std::memcpy(&key, rest.data(), sizeof(Key));
    key.low = keep_bytes(key.low, word.size());
    key.high = keep_bytes(key.high, word.size() > 8 ? word.size() - 8 : 0);
  } else {
    std::memcpy(&key, word.data(), word.size());
  }
  const std::uint64_t length = word.size();
  key.high |= std::endian::native == std::endian::little ? length << 56U : length;
  return key;
}

std::size_t WordCache::slot(const Key& key) const {
  // Multiply and fold, twice: the folding brings the upper bits, on which all of the key acts, down to the slot.
  std::uint64_t hash = key.low * 0x9E3779B97F4A7C15U;
  hash = (hash ^ hash >> 32U ^ key.high) * 0x9E3779B97F4A7C15U;
  std::size_t at = static_cast<std::size_t>(hash ^ hash >> 32U) & (table_.size() - 1);
  while (table_[at].size != 0 && table_[at].key != key) at = (at + 1) & (table_.size() - 1);
  return at;
}

std::optional<std::span<const TokenId>> WordCache::find(const Key& key) const {
  const Entry& entry = table_[slot(key)];
  if (entry.size == 0) return std::nullopt;
  return std::span(tokens_).subspan(entry.begin, entry.size);
}

void WordCache::add(const Key& key, std::span<const TokenId> tokens) {
  assert(!tokens.empty());
  if (2 * (words_ + 1) > table_.size()) resize(table_.size() == most_slots ? fewest_slots : 2 * table_.size());
  table_[slot(key)] = {key, static_cast<std::uint32_t>(tokens_.size()), static_cast<std::uint32_t>(tokens.size())};
  tokens_.insert(tokens_.end(), tokens.begin(), tokens.end());
  ++words_;
}

/// To fewer slots it forgets all words, to more it keeps them.
void WordCache::resize(std::size_t slots) {
  const std::vector<Entry> old = std::exchange(table_, std::vector<Entry>(slots));
  if (slots < old.size()) {
    words_ = 0;
    tokens_.clear();
    return;
  }
  for (const Entry& entry : old) {
    if (entry.size != 0) table_[slot(entry.key)] = entry;
  }
}

}  // namespace headroom::model
