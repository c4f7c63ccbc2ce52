#include "model/word_cache.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "catch.hpp"

using namespace headroom::model;

namespace {

WordCache::Key key_of(const std::string& word, const std::string& after) { return WordCache::key(word, word + after); }

}  // namespace

TEST_CASE("a word's key depends on its bytes and length and on nothing that follows") {
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::string> owners;
  std::string word;
  for (std::size_t size = 0; size <= WordCache::longest_word; ++size) {
    for (const std::string& variant : {word, word + "z", word + std::string(1, '\0')}) {
      if (variant.size() > WordCache::longest_word) continue;
      const WordCache::Key alone = key_of(variant, "");
      for (const std::string after : {"x", "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"}) {
        CHECK(key_of(variant, after) == alone);
      }
      const auto [owner, is_new] = owners.emplace(std::pair(alone.low, alone.high), variant);
      CHECK(owner->second == variant);
    }
    word += static_cast<char>(0xF0U + size);
  }
}

TEST_CASE("a word is found with its own tokens or not at all, however many there are") {
  WordCache cache;
  CHECK_FALSE(cache.find(key_of("absent", "")));
  std::size_t forgotten = 0;
  std::size_t wrong = 0;
  const auto tokens_of = [](int word) { return std::vector<TokenId>(static_cast<std::size_t>(1 + word % 3), word); };
  for (int word = 0; word < 200000; ++word) {
    const WordCache::Key key = key_of(std::to_string(word), "");
    if (cache.find(key)) ++wrong;
    cache.add(key, tokens_of(word));
    const int earlier = word / 2;
    const auto found = cache.find(key_of(std::to_string(earlier), ""));
    if (!found) {
      ++forgotten;
    } else {
      const std::vector<TokenId> expected = tokens_of(earlier);
      if (!std::equal(found->begin(), found->end(), expected.begin(), expected.end())) ++wrong;
    }
  }
  CHECK(wrong == 0);
  CHECK(forgotten > 0);
  CHECK(cache.find(key_of("199999", "")));
}
