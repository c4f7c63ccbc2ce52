#include "app/reproduce/tables.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "app/figures.hpp"
#include "theory/gradient.hpp"
#include "verify/critical_top.hpp"

namespace headroom::app {
namespace {

using verify::Quantity;
using verify::TopMeans;

constexpr std::array figure2_means = {Quantity::distance,
                                      Quantity::expected,
                                      Quantity::expected_full,
                                      Quantity::expected_upper,
                                      Quantity::distance_upper,
                                      Quantity::distance_lower_sharp,
                                      Quantity::distance_upper_sharp};

const TopMeans* find_top(const std::vector<TopMeans>& means, std::size_t top) {
  const auto found = std::find_if(means.begin(), means.end(), [top](const TopMeans& m) { return m.top == top; });
  return found == means.end() || found->rows == 0 ? nullptr : &*found;
}

// One value per head, of the heads that have it at this length and N.
std::vector<double> over_heads(std::span<const HeadRecord> heads, std::size_t length_index, std::size_t top,
                               Quantity quantity) {
  std::vector<double> values;
  for (const HeadRecord& head : heads) {
    if (const TopMeans* means = find_top(head.at_length[length_index], top)) values.push_back((*means)[quantity]);
  }
  return values;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (double v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

double standard_deviation(const std::vector<double>& values) {
  const double center = mean(values);
  double squares = 0;
  for (double v : values) squares += (v - center) * (v - center);
  return values.size() < 2 ? 0.0 : std::sqrt(squares / static_cast<double>(values.size() - 1));
}

void add_figure2_row(Table& table, std::span<const HeadRecord> heads, const Grids& grids, std::size_t length_index,
                     std::size_t top) {
  const std::size_t length = grids.lengths[length_index];
  if (top >= length) return;
  std::vector<Cell> row = {static_cast<double>(length), static_cast<double>(top)};
  std::vector<Cell> spread;
  for (Quantity quantity : figure2_means) {
    const std::vector<double> values = over_heads(heads, length_index, top, quantity);
    if (values.empty()) return;
    row.emplace_back(mean(values));
    spread.emplace_back(standard_deviation(values));
  }
  row.insert(row.end(), spread.begin(), spread.end());
  table.add(std::move(row));
}

void add_critical_row(Table& table, std::span<const HeadRecord> heads, const Grids& grids, std::size_t length_index,
                      Quantity against) {
  const std::size_t length = grids.lengths[length_index];
  std::vector<verify::HeadMeans> means;
  for (std::size_t top : grids.critical_tops(length)) {
    verify::HeadMeans at{top, over_heads(heads, length_index, top, Quantity::distance),
                         over_heads(heads, length_index, top, against)};
    if (!at.distance.empty()) means.push_back(std::move(at));
  }
  std::vector<Cell> row = {static_cast<double>(length), std::string(verify::name(against))};
  if (const auto found = verify::critical_top(means, grids.critical_level)) {
    const auto top = static_cast<double>(found->top);
    row.insert(row.end(), {top, top / static_cast<double>(length), found->test.statistic, found->test.p_value});
  } else {
    row.insert(row.end(), {Cell{}, Cell{}, Cell{}, Cell{}});
  }
  table.add(std::move(row));
}

}  // namespace

Table figure2a_table(std::span<const HeadRecord> heads, const Grids& grids) {
  Table table(figure2_columns(), "figure2a.csv");
  for (std::size_t l = 0; l < grids.lengths.size(); ++l) add_figure2_row(table, heads, grids, l, grids.distance_top);
  return table;
}

Table figure2b_table(std::span<const HeadRecord> heads, const Grids& grids) {
  Table table(figure2_columns(), "figure2b.csv");
  for (std::size_t top : grids.distance_tops) add_figure2_row(table, heads, grids, grids.lengths.size() - 1, top);
  return table;
}

Table figure2c_table(std::span<const HeadRecord> heads, const Grids& grids) {
  Table table(figure2c_columns(), "figure2c.csv");
  for (Quantity against : {Quantity::expected_full, Quantity::expected}) {
    for (std::size_t l = 0; l < grids.lengths.size(); ++l) add_critical_row(table, heads, grids, l, against);
  }
  return table;
}

Table figure3_table(std::span<const HeadRecord> heads, const Grids& grids) {
  Table table(figure3_columns(), "figure3.csv");
  for (std::size_t top : grids.separable_tops) {
    for (const HeadRecord& head : heads) {
      const TopMeans* means = find_top(head.at_length.back(), top);
      if (means == nullptr) continue;
      table.add({static_cast<double>(top), static_cast<double>(head.layer), static_cast<double>(head.head),
                 (*means)[Quantity::separable], (*means)[Quantity::separable_lower],
                 (*means)[Quantity::separable_upper], (*means)[Quantity::separable_law]});
    }
  }
  return table;
}

Table figure4_table(std::span<const HeadRecord> heads, const Grids& grids) {
  Table table(figure4_columns(), "figure4.csv");
  const std::size_t count = grids.epsilons.size();
  for (std::size_t e = 0; e < count; ++e) {
    for (std::size_t t = 0; t < grids.temperatures.size(); ++t) {
      double g = 0;
      double worst = 0;
      double norm = 0;
      for (const HeadRecord& head : heads) {
        g = std::max(g, head.sensitivity.g[t * count + e]);
        worst = std::max(worst, head.sensitivity.g_worst[t * count + e]);
        norm = std::max(norm, head.sensitivity.jacobian_norm[t]);
      }
      const double temperature = grids.temperatures[t];
      const double epsilon = grids.epsilons[e];
      table.add({temperature, epsilon, g, worst, theory::softmax_jacobian_bound_printed(temperature),
                 theory::softmax_response_bound(temperature, epsilon), norm});
    }
  }
  return table;
}

Table heads_table(std::span<const HeadRecord> heads, const Grids& grids) {
  std::vector<Column> columns = {{"layer"}, {"head"}, {"length"}, {"top"}, {"rows"}};
  for (std::string_view name : verify::quantity_names) columns.push_back({std::string(name)});
  Table table(std::move(columns), "heads.csv");
  const std::vector<std::size_t> tops = grids.figure_tops();
  for (const HeadRecord& head : heads) {
    for (std::size_t l = 0; l < grids.lengths.size(); ++l) {
      for (std::size_t top : tops) {
        const TopMeans* means = find_top(head.at_length[l], top);
        if (means == nullptr) continue;
        std::vector<Cell> row = {static_cast<double>(head.layer), static_cast<double>(head.head),
                                 static_cast<double>(grids.lengths[l]), static_cast<double>(top),
                                 static_cast<double>(means->rows)};
        for (double value : means->mean) row.emplace_back(value);
        table.add(std::move(row));
      }
    }
  }
  return table;
}

}  // namespace headroom::app
