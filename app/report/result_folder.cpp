#include "app/report/result_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>

#include "app/csv.hpp"
#include "app/json_member.hpp"
#include "core/error.hpp"

namespace headroom::app {
namespace {

namespace fs = std::filesystem;

// What the program writes as "schema", up to the version, and the newest version this program reads.
struct KnownSchema {
  std::string_view name;
  int version;
  ResultKind kind;
};
constexpr KnownSchema known_schemas[] = {
    {"headroom.verdicts", 1, ResultKind::verify},       {"headroom.run", 1, ResultKind::verify},
    {"headroom.reproduce", 1, ResultKind::reproduce},   {"headroom.compare", 1, ResultKind::compare},
    {"headroom.diagnose_run", 1, ResultKind::diagnose}, {"headroom.frontier_run", 1, ResultKind::frontier},
    {"headroom.sweep", 1, ResultKind::sweep},
};

[[noreturn]] void throw_no_result(const fs::path& folder, const std::string& problem) {
  throw_input(problem, folder.string(),
              "name a folder that reproduce, verify, compare, diagnose, frontier or sweep wrote");
}

ResultKind kind_of_schema(const Json& document, const fs::path& file) {
  const std::string schema = text_member(document, "schema");
  const std::size_t slash = schema.find('/');
  for (const KnownSchema& known : known_schemas) {
    if (slash == std::string::npos || schema.substr(0, slash) != known.name) continue;
    int version = 0;
    std::from_chars(schema.data() + slash + 1, schema.data() + schema.size(), version);
    if (version > known.version) {
      throw_input(
          fmt::format("the schema {} is newer than this program, which reads {}/{}", schema, known.name, known.version),
          file.string(), "use the headroom that wrote it, or a later one");
    }
    return known.kind;
  }
  throw_no_result(file, schema.empty() ? "the file says no schema" : "the schema " + schema + " is none of a result");
}

// Three commands write a heads.csv; what only one of them has in it tells which.
ResultKind kind_of_heads(const std::string& text) {
  const std::vector<std::string> names = csv_header(text, "heads.csv");
  const auto has = [&](const char* name) { return std::find(names.begin(), names.end(), name) != names.end(); };
  if (has("fired")) return ResultKind::diagnose;
  return has("normalizer") ? ResultKind::compare : ResultKind::reproduce;
}

// Half a JSON file is no object either.
std::optional<Json> parse_object(const std::string& text) {
  Json document = Json::parse(text, nullptr, false);
  if (document.is_discarded() || !document.is_object()) return std::nullopt;
  return document;
}

}  // namespace

std::string_view name(ResultKind kind) {
  switch (kind) {
    case ResultKind::reproduce:
      return "reproduce";
    case ResultKind::compare:
      return "compare";
    case ResultKind::diagnose:
      return "diagnose";
    case ResultKind::frontier:
      return "frontier";
    case ResultKind::sweep:
      return "sweep";
    case ResultKind::verify:
      break;
  }
  return "verify";
}

std::string file_content(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw_input("cannot read the file", file.string(), "check that it is there and may be read");
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

ResultFolder::ResultFolder(const fs::path& path) : path_(path), kind_(recognise()) {}

ResultKind ResultFolder::recognise() {
  std::error_code ignored;
  if (!fs::exists(path_, ignored)) throw_no_result(path_, "there is no such folder");
  if (!fs::is_directory(path_, ignored)) throw_no_result(path_, "this is a file, not a folder of results");
  if (has("run.json")) {
    if (const auto run = json("run.json")) run_ = *run;
  }
  if (has("verdicts.json")) {
    if (const auto verdicts = parse_object(file_content(path_ / "verdicts.json"))) {
      return kind_of_schema(*verdicts, path_ / "verdicts.json");
    }
    return ResultKind::verify;
  }
  if (!run_.is_null()) return kind_of_schema(run_, path_ / "run.json");
  if (!has("run.json")) miss("run.json", "not there; the run may have been stopped before its end");
  if (has("cells.jsonl")) return ResultKind::verify;
  std::error_code none;
  if (has("grid.toml") || fs::is_directory(path_ / "cells", none)) return ResultKind::sweep;
  if (has("curves.csv") || has("frontier.csv")) return ResultKind::frontier;
  if (has("normalizers.csv")) return ResultKind::compare;
  for (const char* file : {"figure2a.csv", "figure2b.csv", "figure2c.csv", "figure3.csv", "figure4.csv"}) {
    if (has(file)) return ResultKind::reproduce;
  }
  if (has("heads.csv")) return kind_of_heads(file_content(path_ / "heads.csv"));
  throw_no_result(path_, "the folder is no result: it has neither run.json nor verdicts.json");
}

bool ResultFolder::has(const std::string& file) const {
  std::error_code ignored;
  return fs::is_regular_file(path_ / file, ignored);
}

std::uintmax_t ResultFolder::bytes() const {
  std::uintmax_t sum = 0;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path_, ignored)) {
    if (entry.is_regular_file(ignored)) sum += entry.file_size(ignored);
  }
  return sum;
}

void ResultFolder::miss(const std::string& part, const std::string& why) { missing_.push_back({part, why}); }

std::optional<Json> ResultFolder::json(const std::string& file) {
  if (!has(file)) {
    miss(file, "not there");
    return std::nullopt;
  }
  std::optional<Json> document = parse_object(file_content(path_ / file));
  if (!document) miss(file, "no JSON object; it may be cut off");
  return document;
}

std::optional<Table> ResultFolder::table(const std::string& file, const ColumnKind& kind,
                                         const std::vector<std::string>& needed) {
  if (!has(file)) {
    miss(file, "not there");
    return std::nullopt;
  }
  try {
    const std::string text = file_content(path_ / file);
    std::vector<Column> columns;
    for (std::string& column : csv_header(text, file)) {
      const Column::Kind its = kind(column);
      columns.push_back({std::move(column), its});
    }
    for (const std::string& column : needed) {
      if (std::none_of(columns.begin(), columns.end(), [&](const Column& have) { return have.name == column; })) {
        throw_input("the column '" + column + "' is missing", file, "write the file again");
      }
    }
    return parse_csv(text, std::move(columns), file);
  } catch (const Error& error) {
    miss(file, error.what());
    return std::nullopt;
  }
}

}  // namespace headroom::app
