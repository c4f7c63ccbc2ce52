#pragma once

#include <optional>
#include <string>

#include "app/figures.hpp"
#include "app/report/result_folder.hpp"
#include "app/table.hpp"

namespace headroom::app {

/// One figure of reproduce: its file, its option and how it is drawn.
struct FigureFile {
  const char* name;  ///< without .csv
  const char* option;
  std::vector<Column> (*columns)(WindowCount);
  plot::Drawing (*draw)(const Table&, const FigureContext&);
};
inline constexpr FigureFile figure_files[] = {{"figure2a", "2a", figure2_columns, figure2a},
                                              {"figure2b", "2b", figure2_columns, figure2b},
                                              {"figure2c", "2c", figure2c_columns, figure2c},
                                              {"figure3", "3", figure3_columns, figure3},
                                              {"figure4", "4", figure4_columns, figure4}};

/// The table of a figure; nothing where the run was not to make it, or where it is missing, which is noted.
[[nodiscard]] std::optional<Table> figure_table(ResultFolder& folder, const FigureFile& figure);

/// heads.csv.
[[nodiscard]] std::optional<Table> heads_of(ResultFolder& folder);

}  // namespace headroom::app
