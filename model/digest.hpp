#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace headroom::model {

/// SHA-256 (FIPS 180-4) of bytes, as 64 lower-case hexadecimal digits.
[[nodiscard]] std::string sha256(std::span<const std::byte> bytes);

/// SHA-256 of a file's content, read in pieces: what `sha256sum` prints.
/// @throws Error (input) when the file cannot be read
[[nodiscard]] std::string sha256_file(const std::filesystem::path& file);

}  // namespace headroom::model
