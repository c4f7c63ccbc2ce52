#pragma once

#include <string>
#include <vector>

#include "tests/repository/source_tree.hpp"

namespace headroom::repository {

/// The folders that are rooms: one library or program each.
[[nodiscard]] const std::vector<std::string>& rooms();

/// The includes that cross rooms against the arrows
///
///     core <- theory, sim, model;   core, theory, sim <- verify;   all <- app, bench
///
/// or name a file of the repository other than from its root. A bound must not share code with the simulation that
/// checks it, so theory and sim never meet below verify.
[[nodiscard]] std::vector<std::string> forbidden_includes(const std::vector<SourceFile>& files);

}  // namespace headroom::repository
