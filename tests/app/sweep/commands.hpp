#pragma once

#include <string>
#include <vector>

#include "app/run.hpp"

namespace headroom::app::test {

/// The text with the first `what` in it, which has to be there, replaced.
std::string replaced(std::string text, const std::string& what, const std::string& with);

/// The file grid.toml of the folder, written anew.
std::string write_grid(const TemporaryFolder& folder, const std::string& grid);

/// `headroom sweep` of the grid into `out` of the folder, in this process.
Outcome run_sweep(const TemporaryFolder& folder, const std::string& grid, const std::string& out,
                  const std::vector<std::string>& more = {});

/// What `headroom results export` makes of `out` as CSV; checks that it succeeds.
std::string exported(const TemporaryFolder& folder, const std::string& out);

}  // namespace headroom::app::test
