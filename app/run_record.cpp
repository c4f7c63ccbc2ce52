#include "app/run_record.hpp"

#include <omp.h>

#include <chrono>
#include <ctime>

#include "app/output.hpp"
#include "app/version.hpp"
#include "model/digest.hpp"
#include "sim/vector_target.hpp"

namespace headroom::app {
namespace {

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  const std::size_t size = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return {text, size};
}

}  // namespace

RunRecord::RunRecord(const std::string& schema) {
  document_ = {{"schema", schema},
               {"headroom", version()},
               {"compiler", build_compiler()},
               {"date", utc_now()},
               {"command_line", command_line()},
               {"threads", omp_get_max_threads()},
               {"vector_target", sim::vector_target()}};
}

void RunRecord::model(const std::filesystem::path& onnx, const std::vector<std::string>& data_files, std::size_t layers,
                      std::size_t heads) {
  document_["model"] = {
      {"file", onnx.string()}, {"sha256", model::sha256_file(onnx)}, {"layers", layers}, {"heads", heads}};
  for (const std::string& name : data_files) {
    const std::filesystem::path file = onnx.parent_path() / name;
    document_["model"]["data"].push_back({{"file", file.string()}, {"sha256", model::sha256_file(file)}});
  }
}

void RunRecord::text(const std::filesystem::path& file) {
  document_["text"] = {{"file", file.string()}, {"sha256", model::sha256_file(file)}};
}

void RunRecord::add_text(const std::filesystem::path& file, std::size_t tokens) {
  document_["texts"].push_back({{"file", file.string()}, {"sha256", model::sha256_file(file)}, {"tokens", tokens}});
}

void RunRecord::write(const std::filesystem::path& file) const {
  Json document = document_;
  document["seconds"] = seconds_;
  write_file(file, document.dump(1) + "\n");
}

std::vector<std::string>& RunRecord::command_line() {
  static std::vector<std::string> arguments;
  return arguments;
}

}  // namespace headroom::app
