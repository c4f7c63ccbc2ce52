#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/json.hpp"
#include "app/table.hpp"

namespace headroom::app {

/// Which command wrote a folder.
enum class ResultKind { reproduce, verify, compare, diagnose, frontier, sweep };

[[nodiscard]] std::string_view name(ResultKind kind);

/// A folder of results as a report reads it: what is missing or unreadable is noted, and the rest goes on.
class ResultFolder {
 public:
  /// Recognises the folder by the schema of verdicts.json or run.json, and where a run stopped before it wrote either,
  /// by the other files. Throws Error(Fault::input) for a folder that is no result and for a schema of a newer
  /// headroom.
  explicit ResultFolder(const std::filesystem::path& path);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] ResultKind kind() const { return kind_; }
  [[nodiscard]] const Json& run() const { return run_; }  ///< run.json, null where it is missing

  /// The kind of the column of this name.
  using ColumnKind = std::function<Column::Kind(std::string_view name)>;

  /// The CSV file of this name; nothing where it is missing, cut off or malformed, which is noted.
  [[nodiscard]] std::optional<Table> table(const std::string& file, const ColumnKind& kind,
                                           const std::vector<std::string>& needed);
  /// The same for a file of JSON.
  [[nodiscard]] std::optional<Json> json(const std::string& file);
  [[nodiscard]] bool has(const std::string& file) const;
  /// Size of all files in it, folders below included.
  [[nodiscard]] std::uintmax_t bytes() const;

  /// Something the reader should know is not there.
  void miss(const std::string& part, const std::string& why);
  /// Something else the reader should know, e.g. that data were thinned.
  void note(const std::string& text) { notes_.push_back(text); }

  struct Missing {
    std::string part;
    std::string why;
  };
  [[nodiscard]] const std::vector<Missing>& missing() const { return missing_; }
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  [[nodiscard]] ResultKind recognise();

  std::filesystem::path path_;
  Json run_;
  std::vector<Missing> missing_;
  std::vector<std::string> notes_;
  ResultKind kind_;
};

/// The whole content of a file. Throws Error(Fault::input) when it cannot be read.
[[nodiscard]] std::string file_content(const std::filesystem::path& file);

}  // namespace headroom::app
