#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace headroom::model {

/// Offset of the first byte that is not part of well-formed UTF-8 (Unicode 15, table 3-7: no overlong forms, no
/// surrogates, nothing above U+10FFFF): of the first byte of the bad sequence. Empty when all of it is well formed.
[[nodiscard]] std::optional<std::size_t> first_invalid_utf8(std::string_view text);

/// @throws Error (input) naming `name` and the byte offset when `text` is not UTF-8
void require_utf8(std::string_view text, const std::string& name);

/// Largest text read: 1 GiB, some 300 times the longest of novels.
inline constexpr std::uint64_t text_limit = std::uint64_t{1} << 30U;

/// The bytes of a whole text file, unchanged (a byte-order mark and line ends stay), once they are known to be UTF-8.
/// @throws Error (input) when the file cannot be read, is larger than `limit` bytes or is not UTF-8
[[nodiscard]] std::string read_text(const std::filesystem::path& file, std::uint64_t limit = text_limit);

}  // namespace headroom::model
