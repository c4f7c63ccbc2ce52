#include "model/tokenizer.hpp"

#include <array>
#include <cstdint>
#include <utility>

#include "core/error.hpp"
#include "model/pair_merger.hpp"
#include "model/text.hpp"
#include "model/word_cache.hpp"
#include "model/word_split.hpp"

namespace headroom::model {
namespace {

// The largest vocabularies in use take a few MiB.
constexpr std::uint64_t vocabulary_file_limit = std::uint64_t{64} << 20U;

}  // namespace

struct Tokenizer::Parts {
  Vocabulary vocabulary;
  PairMerger merger;
  WordPattern pattern;
};

Tokenizer Tokenizer::load(const std::filesystem::path& vocab_json, const std::filesystem::path& merges_text) {
  const std::string vocab = read_text(vocab_json, vocabulary_file_limit);
  const std::string merges = read_text(merges_text, vocabulary_file_limit);
  return Tokenizer(parse_vocabulary(std::as_bytes(std::span(vocab)), vocab_json.string(),
                                    std::as_bytes(std::span(merges)), merges_text.string()));
}

Tokenizer::Tokenizer(Vocabulary vocabulary) {
  PairMerger merger(vocabulary.merges);
  parts_ = std::make_shared<const Parts>(Parts{std::move(vocabulary), std::move(merger), WordPattern()});
}

std::vector<TokenId> Tokenizer::encode(std::string_view text, const std::string& name) const {
  require_utf8(text, name);
  if (text.size() > text_limit) {
    throw_input("longer than " + std::to_string(text_limit) + " bytes", name, "encode it in parts");
  }
  const std::array<TokenId, 256>& byte_tokens = parts_->vocabulary.byte_tokens;
  PairMerger::Scratch scratch;
  WordCache cache;
  std::vector<TokenId> merged;
  std::vector<TokenId> ids;
  ids.reserve(text.size() / 3);
  Words words(parts_->pattern, text);
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    const bool is_short = word.size() <= WordCache::longest_word;
    WordCache::Key key;
    if (is_short) {
      key = WordCache::key(word, text.substr(static_cast<std::size_t>(word.data() - text.data())));
      if (const auto known = cache.find(key)) {
        for (const TokenId id : *known) ids.push_back(id);  // a call to copy one or two costs more
        continue;
      }
    }
    merged.clear();
    for (const char byte : word) merged.push_back(byte_tokens[static_cast<unsigned char>(byte)]);
    parts_->merger.merge(merged, scratch);
    ids.insert(ids.end(), merged.begin(), merged.end());
    if (is_short) cache.add(key, merged);
  }
  return ids;
}

std::string Tokenizer::decode(std::span<const TokenId> ids) const {
  const std::vector<std::string>& tokens = parts_->vocabulary.tokens;
  std::string text;
  for (std::size_t at = 0; at < ids.size(); ++at) {
    if (ids[at] < 0 || static_cast<std::size_t>(ids[at]) >= tokens.size()) {
      throw_input("id " + std::to_string(ids[at]) + " is none of the vocabulary's " + std::to_string(tokens.size()),
                  "token " + std::to_string(at), "use the tokenizer that belongs to the model");
    }
    text += tokens[static_cast<std::size_t>(ids[at])];
  }
  return text;
}

std::size_t Tokenizer::vocabulary_size() const { return parts_->vocabulary.tokens.size(); }

std::optional<TokenId> Tokenizer::end_of_text() const { return parts_->vocabulary.end_of_text; }

}  // namespace headroom::model
