#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "model/vocabulary.hpp"

namespace headroom::model {

/// The encodings of short words met before. A text repeats its words, so most of it is never merged twice.
class WordCache {
 public:
  /// The words that are kept have at most this many bytes.
  static constexpr std::size_t longest_word = 15;

  /// A word's bytes, padded with zeros, and its length in the last byte.
  struct Key {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    friend bool operator==(const Key&, const Key&) = default;
  };

  WordCache();

  /// Requires word.size() <= longest_word. `rest` is the text from the word on.
  static Key key(std::string_view word, std::string_view rest);

  [[nodiscard]] std::optional<std::span<const TokenId>> find(const Key& key) const;

  /// Requires that find(key) is empty and that the word has 1 to longest_word tokens. Forgets all words when full.
  void add(const Key& key, std::span<const TokenId> tokens);

 private:
  struct Entry {
    Key key;
    std::uint32_t begin = 0;
    std::uint32_t size = 0;  // 0 when the slot is free
  };
  [[nodiscard]] std::size_t slot(const Key& key) const;
  void resize(std::size_t slots);

  std::vector<Entry> table_;  // open addressing; a power of two, at most half full
  std::size_t words_ = 0;
  std::vector<TokenId> tokens_;
};

}  // namespace headroom::model
