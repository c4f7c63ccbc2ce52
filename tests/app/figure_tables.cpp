#include "app/figure_tables.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <random>
#include <utility>
#include <vector>

namespace headroom::app::test {
namespace {

void add_distances(Table& table, double length, double top, const std::array<double, 7>& means) {
  std::vector<Cell> row = {length, top};
  for (const double mean : means) row.emplace_back(mean);
  const std::array<double, 7> spread = {0.3, 0.35, 0.45, 0.35, 0.25, 0.3, 0.3};
  for (std::size_t i = 0; i < means.size(); ++i) row.emplace_back(spread[i] * means[i]);
  table.add(std::move(row));
}

}  // namespace

Table figure2a_table() {
  Table table(figure2_columns(), "figure2a.csv");
  for (const double length : {32.0, 64.0, 128.0, 256.0, 512.0, 1024.0}) {
    const double d = 86 * std::pow(length / 1024, 0.93);
    const double full = 162 * std::pow(length / 1024, 0.98);
    const double e0 = 2.1 - 4 / length;
    add_distances(table, length, 5, {d, e0, full, 1.5 * e0, 2.6 * d, 0.88 * d, 1.06 * d});
  }
  return table;
}

Table figure2b_table() {
  Table table(figure2_columns(), "figure2b.csv");
  const std::array<std::array<double, 4>, 5> rows = {
      {{1, 36, 1.2, 164}, {5, 86, 2.1, 162}, {10, 106, 3.4, 160}, {20, 122, 6.3, 157}, {100, 140, 28, 147}}};
  for (const auto& [top, d, e0, full] : rows) {
    add_distances(table, 1024, top, {d, e0, full, 1.4 * e0, 3.2 * d, 0.7 * d, 1.08 * d});
  }
  return table;
}

Table figure2c_table() {
  Table table(figure2c_columns(), "figure2c.csv");
  const std::array<double, 6> lengths = {32, 64, 128, 256, 512, 1024};
  const std::array<double, 6> full = {17, 21, 23, 31, 36, 44};
  const std::array<double, 2> expected = {30, 55};
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    table.add({lengths[i], std::string("expected_full"), full[i], full[i] / lengths[i], 0.19, 0.011});
    if (i < expected.size()) {
      table.add({lengths[i], std::string("expected"), expected[i], expected[i] / lengths[i], 0.18, 0.014});
    } else {
      table.add({lengths[i], std::string("expected"), std::monostate{}, std::monostate{}, std::monostate{},
                 std::monostate{}});
    }
  }
  return table;
}

Table figure3_table() {
  Table table(figure3_columns(), "figure3.csv");
  std::mt19937_64 random(3);
  const std::array<double, 9> means = {1.00, 0.91, 0.80, 0.71, 0.62, 0.56, 0.51, 0.47, 0.45};
  for (std::size_t k = 0; k < means.size(); ++k) {
    const double top = std::exp2(static_cast<double>(k));
    for (int head = 0; head < 144; ++head) {
      // A sum of uniform draws: the normal distribution of the standard library differs between libraries.
      double noise = -6;
      for (int i = 0; i < 12; ++i) noise += std::ldexp(static_cast<double>(random() >> 11U), -53);
      const double separable = k == 0 ? 1 : std::clamp(means[k] + 0.08 * noise, 0.02, 1.0);
      const double lower = 1 - 0.75 * static_cast<double>(k);
      table.add({top, static_cast<double>(head / 12), static_cast<double>(head % 12), separable, lower,
                 std::max(0.93, separable), std::clamp(separable - 0.015, 0.0, 1.0)});
    }
  }
  return table;
}

Table figure4_table() {
  Table table(figure4_columns(), "figure4.csv");
  for (int i = 0; i < 16; ++i) {
    const double t = std::pow(10.0, -3 + i / 3.0);
    for (const double epsilon : {1e-3, 1e-1, 10.0}) {
      const double cap = std::sqrt(2.0) / epsilon;
      const double worst = std::min({0.47 / t, 0.2 / t / (1 + 0.3 * t), 0.9 * cap});
      const double g = std::min(0.02 / t / (1 + t), 0.3 * cap) * (1 + 0.2 / (1 + t / epsilon));
      table.add({t, epsilon, g, worst, std::min(0.25 / t, std::sqrt(2.0)), std::min(0.5 / t, cap), 0.2 / t});
    }
  }
  return table;
}

Table over_windows(const Table& table, std::vector<Column> columns) {
  Table result(columns, table.source());
  const auto column_of = [&](const std::string& name) {
    const auto own = table.columns();
    const auto found = std::find_if(own.begin(), own.end(), [&](const Column& c) { return c.name == name; });
    return static_cast<std::size_t>(found - own.begin());
  };
  for (std::size_t row = 0; row < table.rows(); ++row) {
    std::vector<Cell> cells;
    for (std::size_t c = 0; c < table.columns().size(); ++c) cells.push_back(table.cell(row, c));
    for (std::size_t c = cells.size(); c < columns.size(); ++c) {
      const std::string& name = columns[c].name;
      if (name == "windows_found") {
        cells.emplace_back(6.0);
        continue;
      }
      double factor = 1;
      if (name.ends_with("_low")) factor = 0.93;
      if (name.ends_with("_high")) factor = 1.07;
      if (name.ends_with("_smallest")) factor = 0.7;
      if (name.ends_with("_largest")) factor = 1.4;
      std::size_t source = column_of("separable");
      for (const std::string ending : {"_ci_low", "_ci_high", "_smallest", "_largest"}) {
        if (!name.ends_with(ending) || name.starts_with("separable_over_heads")) continue;
        source = column_of(name.substr(0, name.size() - ending.size()));
      }
      cells.push_back(table.cell(row, source));
      if (double* number = std::get_if<double>(&cells.back())) *number *= factor;
    }
    result.add(std::move(cells));
  }
  return result;
}

FigureContext figure_context() {
  FigureContext context{"gpt2-wp", "moby-dick", 1024, 144, {}};
  for (const std::size_t length : {32U, 64U}) context.largest_top[length] = length - 1;
  for (const std::size_t length : {128U, 256U, 512U, 1024U})
    context.largest_top[length] = std::max<std::size_t>(100, length / 2);
  return context;
}

}  // namespace headroom::app::test
