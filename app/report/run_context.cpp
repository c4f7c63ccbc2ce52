#include "app/report/run_context.hpp"

#include <algorithm>
#include <filesystem>
#include <string>

#include "app/csv.hpp"
#include "app/json_member.hpp"

namespace headroom::app {
namespace {

namespace fs = std::filesystem;

std::string file_of(const Json& entry) { return text_member(entry, "file"); }

std::size_t count_of(const Json& object, const char* key) {
  if (!object.is_object() || !object.contains(key) || !object[key].is_number_unsigned()) return 0;
  return object[key].get<std::size_t>();
}

}  // namespace

FigureContext run_context(const Json& run) {
  FigureContext context;
  if (!run.is_object()) return context;
  const Json model = run.value("model", Json::object());
  const fs::path onnx = file_of(model);
  context.model = (onnx.extension() == ".onnx" ? onnx.parent_path() : onnx).filename().string();
  Json texts = run.value("texts", Json::array());
  if (!texts.is_array()) texts = Json::array();
  context.text = texts.size() > 1
                     ? std::to_string(texts.size()) + " texts"
                     : fs::path(file_of(texts.empty() ? run.value("text", Json()) : texts[0])).stem().string();
  context.length = count_of(run, "length");
  context.heads = count_of(model, "heads");
  context.windows = std::max<std::size_t>(1, count_of(run.value("windows", Json()), "done"));
  const Json tried = run.value("critical_tops", Json::object());
  for (const auto& [length, top] : tried.items()) {
    const std::optional<double> number = parse_number(length);
    if (number && top.is_number_unsigned())
      context.largest_top[static_cast<std::size_t>(*number)] = top.get<std::size_t>();
  }
  return context;
}

}  // namespace headroom::app
