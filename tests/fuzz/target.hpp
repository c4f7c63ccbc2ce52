#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "tests/model/scratch_folder.hpp"

namespace headroom::fuzz {

/// The contract of every target: what is read loads, or throws headroom::Error. True when it loaded. Any other
/// exception ends the program, which is a finding.
template <class Load>
bool loads(Load load) {
  try {
    load();
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// Two ways of reading the same bytes must agree; ends the program where they do not.
inline void require(bool agrees) {
  if (!agrees) std::abort();
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// A file that holds the bytes of the present input, for what reads files by name.
class FileOfInput {
 public:
  explicit FileOfInput(const std::string& name) : path_(folder_ / name) {}

  const std::filesystem::path& hold(std::string_view bytes) const {
    std::ofstream(path_, std::ios::binary) << bytes;
    return path_;
  }

 private:
  test::ScratchFolder folder_;
  std::filesystem::path path_;
};

}  // namespace headroom::fuzz
