#include "model/tokenizer.hpp"

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "tests/fuzz/target.hpp"

using namespace headroom;  // NOLINT(google-build-using-namespace)

namespace {

/// What stands before the next NUL, which is cut off with it.
std::string_view next_part(std::string_view& rest) {
  const std::string_view part = rest.substr(0, rest.find('\0'));
  rest.remove_prefix(std::min(part.size() + 1, rest.size()));
  return part;
}

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

/// A vocabulary of the 256 bytes and of what merges of printable tokens make, as GPT-2 spells them.
std::string vocabulary_for(std::string_view merges) {
  nlohmann::json ids = nlohmann::json::object();
  unsigned next = 256;
  for (unsigned byte = 0; byte < 256; ++byte) {
    const bool visible = (byte > 32 && byte < 127) || (byte > 160 && byte != 173);
    const unsigned code = visible ? byte : next++;
    std::string spelling(1, static_cast<char>(code));
    if (code >= 0x80) spelling = {static_cast<char>(0xC0U | code >> 6U), static_cast<char>(0x80U | (code & 0x3FU))};
    ids.emplace(spelling, ids.size());
  }
  ids.emplace("<|endoftext|>", ids.size());
  while (!merges.empty()) {
    std::string product(merges.substr(0, merges.find('\n')));
    merges.remove_prefix(std::min(product.size() + 1, merges.size()));
    if (const std::size_t space = product.find(' '); space != std::string::npos) product.erase(space, 1);
    ids.emplace(product, ids.size());
  }
  return ids.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

/// vocab.json, NUL, merges.txt, NUL, a text to encode. An empty vocab.json stands for one that suits the merges.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest = fuzz::text_of(data, size);
  std::string vocab(next_part(rest));
  const std::string_view merges = next_part(rest);
  if (vocab.empty()) vocab = vocabulary_for(merges);
  fuzz::loads([&] {
    const model::Tokenizer tokenizer(
        model::parse_vocabulary(bytes_of(vocab), "vocab.json", bytes_of(merges), "merges.txt"));
    fuzz::require(tokenizer.decode(tokenizer.encode(rest)) == rest);
  });
  return 0;
}
