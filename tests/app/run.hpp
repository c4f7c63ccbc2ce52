#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "app/temporary_folder.hpp"

namespace headroom::app::test {

/// The path of a file in the folder.
inline std::string operator/(const TemporaryFolder& folder, const std::string& name) {
  return (folder.path() / name).string();
}

struct Outcome {
  int status = 0;
  std::string out;
  std::string err;
};

/// Runs a command line in this process with both streams captured.
Outcome run(const std::vector<std::string>& arguments);

/// About a thousand words for a model to read.
std::string sample_text();

/// The lines of a CSV file without quotes, as maps from column to cell.
std::vector<std::map<std::string, std::string>> csv_rows(const std::filesystem::path& file);

/// Writes float64 values as a .npy file.
void write_array(const std::string& file, const std::vector<std::size_t>& shape, const std::vector<double>& values);

}  // namespace headroom::app::test
