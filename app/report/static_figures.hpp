#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/plot/drawing.hpp"
#include "app/report/result_folder.hpp"

namespace headroom::app {

/// A figure of a folder for a paper's column, and what its files are called.
struct StaticFigure {
  std::string name;
  plot::Drawing drawing;
};

/// The figures of one folder; parts that are missing are left out (the page says which).
[[nodiscard]] std::vector<StaticFigure> static_figures(ResultFolder& folder);

/// Writes NAME.svg and NAME.pdf of every figure of these folders into `output`; NAME begins with the kind of its folder
/// and, where several folders are of one kind, its number. Returns how many figures there are.
std::size_t write_static_figures(const std::vector<std::filesystem::path>& folders,
                                 const std::filesystem::path& output);

// Of each kind.
[[nodiscard]] std::vector<StaticFigure> reproduce_figures(ResultFolder& folder);
[[nodiscard]] std::vector<StaticFigure> verify_figures(ResultFolder& folder);
[[nodiscard]] std::vector<StaticFigure> compare_figures(ResultFolder& folder);
[[nodiscard]] std::vector<StaticFigure> diagnose_figures(ResultFolder& folder);
[[nodiscard]] std::vector<StaticFigure> frontier_figures(ResultFolder& folder);
[[nodiscard]] std::vector<StaticFigure> sweep_figures(ResultFolder& folder);

}  // namespace headroom::app
