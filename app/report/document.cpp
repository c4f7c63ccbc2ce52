#include "app/report/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "app/report/page.hpp"
#include "app/report/result_folder.hpp"
#include "app/report/sections.hpp"
#include "app/run_record.hpp"

namespace headroom::app {
namespace {

// Of the 8 MB that a page may have, Plotly and the page's own program take 1.6.
constexpr std::size_t data_bytes = 6'200'000;
// A number in full takes at most some 20 bytes.
constexpr std::size_t cell_bytes = 20;

Json section_content(ResultFolder& folder, std::size_t cells) {
  switch (folder.kind()) {
    case ResultKind::reproduce:
      return reproduce_section(folder, cells);
    case ResultKind::compare:
      return compare_section(folder, cells);
    case ResultKind::diagnose:
      return diagnose_section(folder, cells);
    case ResultKind::frontier:
      return frontier_section(folder, cells);
    case ResultKind::sweep:
      return sweep_section(folder, cells);
    case ResultKind::verify:
      break;
  }
  return verify_section(folder, cells);
}

Json section_of(ResultFolder& folder, std::size_t cells, std::vector<std::string>& warnings) {
  Json section = {{"kind", name(folder.kind())}, {"folder", folder.path().string()}, {"run", folder.run()}};
  section.update(section_content(folder, cells));
  Json missing = Json::array();
  for (const ResultFolder::Missing& one : folder.missing()) {
    missing.push_back({{"part", one.part}, {"why", one.why}});
    warnings.push_back(fmt::format("{} is missing from {}: {}", one.part, folder.path().string(), one.why));
  }
  section["missing"] = std::move(missing);
  section["notes"] = folder.notes();
  return section;
}

}  // namespace

Json report_document(const std::vector<std::filesystem::path>& paths, std::vector<std::string>& warnings) {
  std::vector<ResultFolder> folders;
  for (const std::filesystem::path& path : paths) folders.emplace_back(path);
  // The small ones first, so that what they leave is shared by the large ones.
  std::vector<std::size_t> order(folders.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return folders[a].bytes() < folders[b].bytes(); });
  std::vector<Json> made(folders.size());
  std::size_t left = data_bytes;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t share = left / (order.size() - k);
    Json& section = made[order[k]];
    section = section_of(folders[order[k]], share / cell_bytes, warnings);
    left -= std::min(left, script_safe_json(section).size());
  }
  Json sections = Json::array();
  for (Json& section : made) sections.push_back(std::move(section));
  Json document = RunRecord("headroom.report/1").document();
  document["sections"] = std::move(sections);
  return document;
}

}  // namespace headroom::app
