#pragma once

#include <filesystem>
#include <string>

namespace headroom::app {

/// Creates the output folder of a command (create_output_folder), into which the same command may write again.
/// Throws Error(Fault::input) when the folder's run.json is another's, which would be lost and whose other files would
/// be taken for this run's.
/// @param schema that of run.json, as in "headroom.reproduce/1"; any version of it is the command's own
void create_command_folder(const std::filesystem::path& folder, const std::string& schema);

}  // namespace headroom::app
