#include "model/pair_merger.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>

#include "catch.hpp"

using namespace headroom::model;

namespace {

/// Random merges over the letters a, b, … with the tokens spelled out, so that different merges may give one token and
/// an early merge may need the product of a late one.
struct Alphabet {
  std::vector<std::string> spellings;
  std::vector<Merge> merges;

  Alphabet(std::mt19937& random, int letters, int wanted) {
    for (int i = 0; i < letters; ++i) spellings.emplace_back(1, static_cast<char>('a' + i));
    std::set<std::pair<TokenId, TokenId>> seen;
    for (int i = 0; i < wanted; ++i) {
      const auto pick = [&] { return static_cast<TokenId>(random() % spellings.size()); };
      const TokenId left = pick();
      const TokenId right = pick();
      if (!seen.emplace(left, right).second) continue;
      const std::string product =
          spellings[static_cast<std::size_t>(left)] + spellings[static_cast<std::size_t>(right)];
      auto found = std::find(spellings.begin(), spellings.end(), product);
      if (found == spellings.end()) found = spellings.insert(spellings.end(), product);
      merges.push_back({left, right, static_cast<TokenId>(found - spellings.begin())});
    }
    std::shuffle(merges.begin(), merges.end(), random);
  }
};

/// The definition, step by step; the wrong kind merges one occurrence at a time.
std::vector<TokenId> merge_plainly(std::vector<TokenId> word, const std::vector<Merge>& merges, bool all_occurrences) {
  for (std::size_t rank = 0; rank < merges.size();) {
    std::vector<TokenId> next;
    bool merged = false;
    for (std::size_t at = 0; at < word.size(); ++at) {
      const bool here = at + 1 < word.size() && word[at] == merges[rank].left && word[at + 1] == merges[rank].right;
      if (here && (all_occurrences || !merged)) {
        next.push_back(merges[rank].product);
        merged = true;
        ++at;
      } else {
        next.push_back(word[at]);
      }
    }
    word = std::move(next);
    rank = merged ? 0 : rank + 1;
  }
  return word;
}

}  // namespace

TEST_CASE("short and long words merge as the definition says, whatever the list of merges") {
  std::mt19937 random(1);
  std::size_t wrong = 0;
  std::size_t told_apart = 0;
  for (int round = 0; round < 300; ++round) {
    const Alphabet alphabet(random, 2 + round % 3, 5 + round % 40);
    const PairMerger merger(alphabet.merges);
    PairMerger::Scratch scratch;
    for (std::size_t size = 0; size < 120; size += 1 + size / 4) {
      std::vector<TokenId> word(size);
      for (TokenId& token : word) token = static_cast<TokenId>(random() % static_cast<unsigned>(2 + round % 3));
      const std::vector<TokenId> expected = merge_plainly(word, alphabet.merges, true);
      if (merge_plainly(word, alphabet.merges, false) != expected) ++told_apart;
      merger.merge(word, scratch);
      if (word != expected) ++wrong;
    }
  }
  CHECK(wrong == 0);
  CHECK(told_apart > 0);
}

TEST_CASE("without merges a word stays as it is") {
  const PairMerger merger({});
  PairMerger::Scratch scratch;
  std::vector<TokenId> word(1000, 7);
  merger.merge(word, scratch);
  CHECK(word == std::vector<TokenId>(1000, 7));
}

TEST_CASE("a run of a million equal tokens is merged without looking at it again and again") {
  // Doubling merges: a quadratic method would need hours.
  std::vector<Merge> merges;
  for (TokenId id = 0; id < 10; ++id) merges.push_back({id, id, id + 1});
  const PairMerger merger(merges);
  PairMerger::Scratch scratch;
  std::vector<TokenId> word((std::size_t{1} << 20U) + 5, 0);
  merger.merge(word, scratch);
  REQUIRE(word.size() == 1024 + 2);
  CHECK(word[1023] == 10);
  CHECK(word[1024] == 2);
  CHECK(word[1025] == 0);
}
