#include "model/text.hpp"

#include <algorithm>
#include <cstring>

#include "core/error.hpp"
#include "model/input_file.hpp"

namespace headroom::model {
namespace {

/// Bytes in the well-formed sequence at the front of a non-empty `rest`; 0 when there is none.
std::size_t sequence_length(std::string_view rest) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned>(static_cast<unsigned char>(rest[at])); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (rest.size() < length) return 0;
  // The second byte's range excludes overlong forms (E0, F0), surrogates (ED) and what lies above U+10FFFF (F4).
  const unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (byte(1) < low || byte(1) > high) return 0;
  for (std::size_t at = 2; at < length; ++at) {
    if ((byte(at) & 0xC0U) != 0x80U) return 0;
  }
  return length;
}

bool eight_are_ascii(const char* from) {
  std::uint64_t word = 0;
  std::memcpy(&word, from, sizeof(word));
  return (word & 0x8080808080808080U) == 0;
}

}  // namespace

std::optional<std::size_t> first_invalid_utf8(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (text.size() - at >= 8 && eight_are_ascii(text.data() + at)) {
      at += 8;
      continue;
    }
    const std::size_t length = sequence_length(text.substr(at));
    if (length == 0) return at;
    at += length;
  }
  return std::nullopt;
}

void require_utf8(std::string_view text, const std::string& name) {
  const std::optional<std::size_t> bad = first_invalid_utf8(text);
  if (!bad) return;
  throw_input("not UTF-8 at byte " + std::to_string(*bad), name, "convert it to UTF-8, for example with iconv");
}

std::string read_text(const std::filesystem::path& file, std::uint64_t limit) {
  const InputFile input(file);
  input.require_at_most(limit, "take a part of it");
  std::string text = input.content();
  require_utf8(text, input.name());
  return text;
}

}  // namespace headroom::model
