#pragma once

#include <filesystem>
#include <string>

namespace headroom::app::test {

/// Writes a folder as reproduce leaves it: tables of a made-up model of 2 × 3 heads, run.json naming it.
void write_reproduce_folder(const std::filesystem::path& folder, const std::string& model = "/models/gpt2/model.onnx");

/// Writes a folder as verify leaves it: two claims with their verdicts and cells.
void write_verify_folder(const std::filesystem::path& folder);

}  // namespace headroom::app::test
