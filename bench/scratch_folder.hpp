#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace headroom::bench {

/// A new folder for files that are gone with it.
class ScratchFolder {
 public:
  /// @param parent empty for the system's folder of temporary files
  explicit ScratchFolder(const std::filesystem::path& parent = {}) {
    const auto where = parent.empty() ? std::filesystem::temp_directory_path() : parent;
    std::string name = (where / "headroom-bench-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a folder in " + where.string());
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace headroom::bench
