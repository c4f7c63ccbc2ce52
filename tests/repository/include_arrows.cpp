#include "tests/repository/include_arrows.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>

namespace headroom::repository {
namespace {

const std::map<std::string, std::set<std::string>>& arrows() {
  static const std::map<std::string, std::set<std::string>> allowed = {
      {"core", {"core"}},
      {"theory", {"theory", "core"}},
      {"sim", {"sim", "core"}},
      {"model", {"model", "core"}},
      {"verify", {"verify", "theory", "sim", "core"}},
      {"app", {"app", "verify", "model", "theory", "sim", "core"}},
      {"bench", {"bench", "app", "verify", "model", "theory", "sim", "core"}},
  };
  return allowed;
}

std::string room_of(const std::string& path) { return path.substr(0, path.find('/')); }

}  // namespace

const std::vector<std::string>& rooms() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const auto& [room, _] : arrows()) list.push_back(room);
    return list;
  }();
  return names;
}

std::vector<std::string> forbidden_includes(const std::vector<SourceFile>& files) {
  static const std::regex include(R"re(^\s*#\s*include\s*(["<])([^">]+)[">])re");
  std::set<std::string> paths;
  for (const SourceFile& file : files) paths.insert(file.path);

  std::vector<std::string> findings;
  for (const SourceFile& file : files) {
    const std::string room = room_of(file.path);
    const std::vector<std::string> lines = lines_of(file.text);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      std::smatch match;
      if (!std::regex_search(lines[i], match, include)) continue;
      const std::string target = match[2];
      const std::filesystem::path beside = std::filesystem::path(file.path).parent_path() / target;
      if (match[1] == "\"" && paths.contains(beside.lexically_normal().generic_string())) {
        findings.push_back(finding(file.path, i, "includes " + target + " by a path not from the repository's root"));
      } else if (arrows().contains(room_of(target)) && !arrows().at(room).contains(room_of(target))) {
        findings.push_back(finding(file.path, i, std::string(room).append(" must not include ").append(target)));
      }
    }
  }
  return findings;
}

}  // namespace headroom::repository
