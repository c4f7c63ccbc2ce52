#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/vocabulary.hpp"

namespace headroom::model {

/// GPT-2's byte-level byte-pair encoding. A text is split into words (word_split.hpp); the bytes of each word are
/// merged on their own (pair_merger.hpp). Every UTF-8 text has exactly one encoding, and decode(encode(text)) == text.
///
/// No token is added at either end, and the spelling of a special token in a text is encoded as the text it is. Whoever
/// wants a beginning-of-text token puts end_of_text() in front, as GPT-2 does.
/// Cheap to copy; any number of threads may use one at once.
class Tokenizer {
 public:
  /// @throws Error (input) as parse_vocabulary, or when a file cannot be read
  static Tokenizer load(const std::filesystem::path& vocab_json, const std::filesystem::path& merges_text);

  explicit Tokenizer(Vocabulary vocabulary);

  /// @param name what errors call the text
  /// @throws Error (input) when the text is not UTF-8, naming the byte offset
  [[nodiscard]] std::vector<TokenId> encode(std::string_view text, const std::string& name = "text") const;

  /// The bytes the tokens stand for, one after the other. They need not be UTF-8: a token may end within a character.
  /// @throws Error (input) naming the first id that is not in the vocabulary
  [[nodiscard]] std::string decode(std::span<const TokenId> ids) const;

  /// Number of tokens; the ids are 0 … vocabulary_size() − 1.
  [[nodiscard]] std::size_t vocabulary_size() const;

  /// The id of <|endoftext|>, where the vocabulary has it.
  [[nodiscard]] std::optional<TokenId> end_of_text() const;

 private:
  struct Parts;
  std::shared_ptr<const Parts> parts_;
};

}  // namespace headroom::model
