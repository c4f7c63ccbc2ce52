#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "app/plot/drawing.hpp"
#include "app/table.hpp"

namespace headroom::app {

/// What the figures say about their origin; names are shown as they are, whatever they hold.
struct FigureContext {
  std::string model;
  std::string text;
  std::size_t length = 0;  // tokens of the window
  std::size_t heads = 0;   // 0: not said
  /// Figure 2c: the largest N tried at each L, where "no critical N" is marked; L − 1 where it is not given.
  std::map<std::size_t, std::size_t> largest_top;
  std::size_t windows = 1;  // pooled
};

/// Whether a table pools several windows: then columns for what they say of the means' accuracy follow the others.
enum class WindowCount { one, several };

/// The columns of the CSV beside each figure, in order: make the table with them and read it back with them.
[[nodiscard]] std::vector<Column> figure2_columns(WindowCount windows = WindowCount::one);  // 2a and 2b
[[nodiscard]] std::vector<Column> figure2c_columns(WindowCount windows = WindowCount::one);
[[nodiscard]] std::vector<Column> figure3_columns(WindowCount windows = WindowCount::one);
[[nodiscard]] std::vector<Column> figure4_columns(WindowCount windows = WindowCount::one);

/// The columns among them that have an interval over windows, `_ci_low` and `_ci_high`, in its order.
[[nodiscard]] std::vector<std::string> figure2_measures();
[[nodiscard]] std::vector<std::string> figure3_measures();
[[nodiscard]] std::vector<std::string> figure4_measures();

/// The figures of arXiv 2508.17821 from the table of their CSV, sized for a paper column; plot::to_svg writes them.
/// A table without rows gives empty axes that say so. Where the table has intervals over windows they are drawn, as
/// error bars or as bands. Throws Error(Fault::input) when a column is missing.

/// D of the top N, E₀, E₁ and the bounds of D (docs/derivations.md, Section 2) over L at the table's N.
[[nodiscard]] plot::Drawing figure2a(const Table& table, const FigureContext& context);
/// The same over N at the table's L.
[[nodiscard]] plot::Drawing figure2b(const Table& table, const FigureContext& context);
/// The critical N over L against both expectations, with the paper's 0.06·L.
[[nodiscard]] plot::Drawing figure2c(const Table& table, const FigureContext& context);
/// N_s/N of every head per N as box plots (quartiles of type 7, whiskers to 1.5 IQR), with the means over heads of the
/// printed bounds of Theorem 2 and of the resolution law, and the paper's band of 0.70 to 0.85.
[[nodiscard]] plot::Drawing figure3(const Table& table, const FigureContext& context);
/// g(T, ε) over T in a random and in the worst direction, with the printed and the sharp bound.
[[nodiscard]] plot::Drawing figure4(const Table& table, const FigureContext& context);

}  // namespace headroom::app
