#include "tests/repository/target_sources.hpp"

#include <algorithm>
#include <fstream>

namespace headroom::repository {
namespace {

namespace fs = std::filesystem;

bool names(const fs::path& list, const std::string& source) {
  std::ifstream stream(list);
  for (std::string word; stream >> word;) {
    word.erase(std::remove_if(word.begin(), word.end(), [](char c) { return c == '(' || c == ')'; }), word.end());
    if (word == source) return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> unbuilt_sources(const std::vector<SourceFile>& files, const fs::path& root) {
  std::vector<std::string> findings;
  for (const SourceFile& file : files) {
    const fs::path path = file.path;
    if (path.extension() != ".cpp") continue;
    bool built = false;
    for (fs::path folder = path.parent_path(); !folder.empty() && !built; folder = folder.parent_path()) {
      built = names(root / folder / "CMakeLists.txt", path.lexically_relative(folder).generic_string());
    }
    if (!built) findings.push_back(file.path + " is in no target");
  }
  return findings;
}

}  // namespace headroom::repository
