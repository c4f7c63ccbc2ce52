#include "tests/repository/doc_paths.hpp"

#include <algorithm>
#include <regex>
#include <sstream>

namespace headroom::repository {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> matches(const std::string& text, const std::regex& pattern) {
  std::vector<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) found.push_back((*it)[1]);
  return found;
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> list;
  for (std::string word; stream >> word;) list.push_back(word);
  return list;
}

bool names_a_path(std::string word, const fs::path& root) {
  static const std::regex path(R"(\.?[\w.-]+(/[\w.-]+)*/?)");
  static const std::regex source(R"(.*\.(hpp|cpp|md|cmake|txt|json|toml|cff))");
  if (word.starts_with("./")) word.erase(0, 2);
  const std::size_t slash = word.find('/');
  if (slash == std::string::npos || !std::regex_match(word, path)) return false;
  const std::string first = word.substr(0, slash);
  return first != "build" && (fs::is_directory(root / first) || std::regex_match(word, source));
}

bool lists_a_folder(const std::string& line) {
  static const std::regex folder(R"([\w.-]+/(\s.*)?)");
  return std::regex_match(line, folder) && !line.starts_with("build/");
}

}  // namespace

std::vector<std::string> stale_paths(const SourceFile& document, const fs::path& root) {
  static const std::regex link(R"(\]\(([^)#\s]+)(#[^)]*)?\))");
  static const std::regex span("`([^`]+)`");
  const fs::path folder = fs::path(document.path).parent_path();

  std::vector<std::string> findings;
  const std::vector<std::string> lines = lines_of(document.text);
  bool in_block = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].starts_with("```")) {
      in_block = !in_block;
      continue;
    }
    std::vector<std::string> paths;
    for (const std::string& code : in_block ? std::vector<std::string>{lines[i]} : matches(lines[i], span)) {
      std::ranges::copy_if(words(code), std::back_inserter(paths),
                           [&](const std::string& word) { return names_a_path(word, root); });
    }
    if (in_block && lists_a_folder(lines[i])) paths.push_back(words(lines[i]).front());
    for (const std::string& path : paths) {
      if (!fs::exists(root / path)) findings.push_back(finding(document.path, i, "there is no " + path));
    }
    for (const std::string& target : in_block ? std::vector<std::string>{} : matches(lines[i], link)) {
      if (target.find(':') == std::string::npos && !fs::exists(root / folder / target)) {
        findings.push_back(finding(document.path, i, "a link leads nowhere: " + target));
      }
    }
  }
  return findings;
}

}  // namespace headroom::repository
