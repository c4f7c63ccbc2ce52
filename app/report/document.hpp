#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/json.hpp"

namespace headroom::app {

/// What a report shows: schema headroom.report/1, what made it, and one section per folder, each with its kind, folder,
/// run.json, missing parts, notes, and what app/report/sections.hpp adds.
/// Throws Error(Fault::input) for a folder that is no result and for a newer schema; what is merely missing is in the
/// document, and in `warnings` for standard error.
[[nodiscard]] Json report_document(const std::vector<std::filesystem::path>& folders,
                                   std::vector<std::string>& warnings);

}  // namespace headroom::app
