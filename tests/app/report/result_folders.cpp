#include "app/report/result_folders.hpp"

#include "app/csv.hpp"
#include "app/figure_tables.hpp"
#include "app/json.hpp"
#include "app/output.hpp"
#include "verify/quantity.hpp"

namespace headroom::app::test {
namespace {

Table heads_table() {
  std::vector<Column> columns = {{"layer"}, {"head"}, {"length"}, {"top"}, {"rows"}};
  for (const std::string_view name : verify::quantity_names) columns.push_back({std::string(name)});
  Table table(columns, "heads.csv");
  for (const double layer : {0.0, 1.0}) {
    for (const double head : {0.0, 1.0, 2.0}) {
      for (const double length : {32.0, 64.0, 128.0}) {
        for (const double top : {1.0, 4.0, 16.0}) {
          std::vector<Cell> row = {layer, head, length, top, length - top};
          for (std::size_t q = 0; q < verify::quantity_count; ++q) {
            row.emplace_back(1.0 / (1 + layer + head + top + static_cast<double>(q)));
          }
          table.add(std::move(row));
        }
      }
    }
  }
  return table;
}

}  // namespace

void write_reproduce_folder(const std::filesystem::path& folder, const std::string& model) {
  create_output_folder(folder);
  write_file(folder / "figure2a.csv", to_csv(figure2a_table()));
  write_file(folder / "figure2b.csv", to_csv(figure2b_table()));
  write_file(folder / "figure2c.csv", to_csv(figure2c_table()));
  write_file(folder / "figure3.csv", to_csv(figure3_table()));
  write_file(folder / "figure4.csv", to_csv(figure4_table()));
  write_file(folder / "heads.csv", to_csv(heads_table()));
  const Json run = {{"schema", "headroom.reproduce/1"},
                    {"headroom", "0.1.0"},
                    {"compiler", "GNU"},
                    {"date", "2026-01-02T03:04:05Z"},
                    {"command_line", {"headroom", "reproduce"}},
                    {"model", {{"file", model}, {"sha256", std::string(64, 'a')}, {"layers", 2}, {"heads", 6}}},
                    {"text", {{"file", "/texts/novel.txt"}, {"sha256", std::string(64, 'b')}}},
                    {"length", 128},
                    {"seed", 1}};
  write_file(folder / "run.json", run.dump());
}

void write_verify_folder(const std::filesystem::path& folder) {
  create_output_folder(folder);
  const Json tightness = {{"q50", 0.5}, {"q95", 0.9}, {"max", 1.0}};
  const Json holds = {{"id", "lemma1"},        {"verdict", "holds"}, {"expected", "holds"},   {"kind", "pointwise"},
                      {"reason", "no reason"}, {"trials", 10},       {"tightness", tightness}};
  const Json refuted = {{"id", "cor3"},        {"verdict", "refuted"},   {"expected", "refuted"},
                        {"kind", "pointwise"}, {"reason", "violations"}, {"trials", 20}};
  const Json document = {
      {"schema", "headroom.verdicts/1"}, {"preset", "quick"}, {"seed", 1}, {"claims", {holds, refuted}}};
  write_file(folder / "verdicts.json", document.dump());
  const Json cell = {{"claim", "lemma1"}, {"parameters", {{"length", 2}}}, {"trials", 10}, {"tightness", tightness}};
  write_file(folder / "cells.jsonl", cell.dump() + "\n" + cell.dump() + "\n");
  write_file(folder / "run.json", Json{{"schema", "headroom.run/1"}, {"headroom", "0.1.0"}, {"seed", 1}}.dump());
}

}  // namespace headroom::app::test
