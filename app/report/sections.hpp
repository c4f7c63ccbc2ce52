#pragma once

#include <cstddef>

#include "app/json.hpp"
#include "app/report/result_folder.hpp"

namespace headroom::app {

// One part of the page per folder, as app/report/page/ reads it. Each takes a folder of its kind, notes in it what is
// missing, and keeps its tables within `cells` cells.

/// {"tables": {"figure2a": TABLE, …, "heads": TABLE}}, tables as in table_json().
[[nodiscard]] Json reproduce_section(ResultFolder& folder, std::size_t cells);

/// {"verdicts": verdicts.json, "texts": {id: statement, source, assumptions}, "cells": lines of cells.jsonl,
///  "inputs": {id: the counterexample with its weights}}.
[[nodiscard]] Json verify_section(ResultFolder& folder, std::size_t cells);

/// {"short": {normalizer: short name}, "tables": {"normalizers": TABLE, "heads": TABLE, and of the closed forms that
///  frontier writes, for the same normalizers, "curves": TABLE, "frontier": TABLE}}
[[nodiscard]] Json compare_section(ResultFolder& folder, std::size_t cells);

/// {"tables": {"heads": TABLE}}
[[nodiscard]] Json diagnose_section(ResultFolder& folder, std::size_t cells);

/// {"short": {normalizer: short name}, "tables": {"frontier": TABLE, "curves": TABLE}}
[[nodiscard]] Json frontier_section(ResultFolder& folder, std::size_t cells);

/// {"axes": [key, …], "constants": {key: value}, "quantities": [name, …], "said": [name, …], "counts": {done, begun,
///  missing, failed}, "short": {normalizer: short name}, "tables": {"cells": TABLE}} as in SweptGrid; without a grid
/// {"tables": {"records": TABLE}}.
[[nodiscard]] Json sweep_section(ResultFolder& folder, std::size_t cells);

}  // namespace headroom::app
