#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tests/repository/source_tree.hpp"

namespace headroom::repository {

/// The .cpp files that no CMakeLists.txt in their folder or above (as far as the root) names: they would be neither
/// built nor, if they are tests, run.
[[nodiscard]] std::vector<std::string> unbuilt_sources(const std::vector<SourceFile>& files,
                                                       const std::filesystem::path& root);

}  // namespace headroom::repository
