#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tests/repository/source_tree.hpp"

namespace headroom::repository {

/// What a Markdown document names that is not there: targets of relative links, and paths in code spans and code
/// blocks. A path is a word that starts with a folder at the root of the repository (`theory/bounds.hpp`), any word
/// with a folder that ends like a source file (`gone/bounds.hpp`), or a first word of a line of a code block that ends
/// in a slash, as in a listing of a tree (`theory/   the formulas`). Words with `*`, `<` or `$` are patterns, and what
/// stands below build/ is made by the build.
[[nodiscard]] std::vector<std::string> stale_paths(const SourceFile& document, const std::filesystem::path& root);

}  // namespace headroom::repository
