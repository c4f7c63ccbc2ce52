#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/json.hpp"

namespace headroom::app {

/// run.json: what a run needs to explain itself. Timings stay in their own object, out of what two runs are compared
/// by.
class RunRecord {
 public:
  explicit RunRecord(const std::string& schema);

  template <class T>
  void set(const std::string& key, const T& value) {
    document_[key] = value;
  }
  void seconds(const std::string& stage, double value) { seconds_[stage] = value; }

  /// File, SHA-256 and size of the model, and the files of external data beside it, if any, with theirs.
  void model(const std::filesystem::path& onnx, const std::vector<std::string>& data_files, std::size_t layers,
             std::size_t heads);
  /// File and SHA-256 of the text.
  void text(const std::filesystem::path& file);
  /// The same for one of several texts, with its number of tokens.
  void add_text(const std::filesystem::path& file, std::size_t tokens);

  /// What has been set so far, without the timings.
  [[nodiscard]] const Json& document() const { return document_; }

  void write(const std::filesystem::path& file) const;

  /// The command line of this process, set once by main().
  static std::vector<std::string>& command_line();

 private:
  Json document_;
  Json seconds_ = Json::object();
};

}  // namespace headroom::app
