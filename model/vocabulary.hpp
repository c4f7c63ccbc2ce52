#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headroom::model {

using TokenId = std::int32_t;

/// One step of byte-pair encoding: two neighbouring tokens become one.
struct Merge {
  TokenId left = 0;
  TokenId right = 0;
  TokenId product = 0;
};

/// What GPT-2's vocab.json and merges.txt say, with the tokens as the bytes they stand for.
struct Vocabulary {
  std::vector<std::string> tokens;            ///< by id
  std::array<TokenId, 256> byte_tokens = {};  ///< the token of each single byte
  std::vector<Merge> merges;                  ///< the earlier, the sooner applied
  std::optional<TokenId> end_of_text;         ///< the token spelled <|endoftext|>, if any
};

/// Parses the two files. vocab.json is one JSON object from token to id, the ids being 0 … n−1 in any order; a token is
/// spelled with one printable character per byte (GPT-2's table). One with any other character stands for its spelling.
/// merges.txt has one merge a line, two tokens parted by one space, after an optional first line `#version: …`.
/// @param vocab_name, merges_name what errors call the files
/// @throws Error (input) when a file is malformed (naming line, or token), when a byte has no token, or when a merge
/// needs
///         a token the vocabulary lacks
[[nodiscard]] Vocabulary parse_vocabulary(std::span<const std::byte> vocab_json, const std::string& vocab_name,
                                          std::span<const std::byte> merges_text, const std::string& merges_name);

}  // namespace headroom::model
