#include "tests/repository/source_tree.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace headroom::repository {

namespace fs = std::filesystem;

SourceFile read_file(const fs::path& root, const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(root / path, std::ios::binary).rdbuf();
  return {path, text.str()};
}

std::vector<SourceFile> read_tree(const fs::path& root, const std::string& folder,
                                  const std::vector<std::string>& extensions) {
  std::vector<SourceFile> files;
  if (!fs::is_directory(root / folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
    const std::string extension = entry.path().extension().string();
    if (!entry.is_regular_file() || std::ranges::find(extensions, extension) == extensions.end()) continue;
    files.push_back(read_file(root, entry.path().lexically_relative(root).generic_string()));
  }
  std::ranges::sort(files, {}, &SourceFile::path);
  return files;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string finding(const std::string& path, std::size_t line_index, const std::string& what) {
  return path + ":" + std::to_string(line_index + 1) + ": " + what;
}

std::string joined(const std::vector<std::string>& findings) {
  std::string text;
  for (const std::string& one : findings) text += one + '\n';
  return text;
}

}  // namespace headroom::repository
