#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace headroom::repository {

/// The text of a file beside its path from the root of the repository, as "theory/bounds.hpp".
struct SourceFile {
  std::string path;
  std::string text;
};

/// One file of the repository; an empty text when there is none.
[[nodiscard]] SourceFile read_file(const std::filesystem::path& root, const std::string& path);

/// Every file below root/folder whose extension is one of `extensions` (".hpp"), in order of path; none when there is
/// no such folder.
[[nodiscard]] std::vector<SourceFile> read_tree(const std::filesystem::path& root, const std::string& folder,
                                                const std::vector<std::string>& extensions);

/// The lines of a text, without their ends.
[[nodiscard]] std::vector<std::string> lines_of(const std::string& text);

/// "path:line: what" with the line counted from 1: the form in which every check of this folder reports.
[[nodiscard]] std::string finding(const std::string& path, std::size_t line_index, const std::string& what);

/// One finding a line, for the message of a failed test.
[[nodiscard]] std::string joined(const std::vector<std::string>& findings);

}  // namespace headroom::repository
