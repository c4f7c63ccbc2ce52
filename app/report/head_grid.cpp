#include "app/report/head_grid.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "app/csv.hpp"
#include "app/figures/common.hpp"

namespace headroom::app {

plot::HeatMap head_grid(const Table& heads, const std::string& column,
                        const std::function<bool(std::size_t row)>& chosen) {
  const std::vector<double> layer = heads.numbers("layer");
  const std::vector<double> head = heads.numbers("head");
  const std::vector<std::optional<double>> value = heads.optional_numbers(column);
  const std::vector<double> layers = figures::distinct(layer);
  const std::vector<double> numbers = figures::distinct(head);
  plot::HeatMap map;
  map.x_label = "head";
  map.y_label = "layer";
  for (const double one : numbers) map.x.push_back(number_text(one));
  for (const double one : layers) map.y.push_back(number_text(one));
  map.values.assign(layers.size(), std::vector<double>(numbers.size(), std::nan("")));
  for (std::size_t i = 0; i < layer.size(); ++i) {
    if (!chosen(i)) continue;
    const auto row = std::lower_bound(layers.begin(), layers.end(), layer[i]) - layers.begin();
    const auto place = std::lower_bound(numbers.begin(), numbers.end(), head[i]) - numbers.begin();
    map.values[static_cast<std::size_t>(row)][static_cast<std::size_t>(place)] = value[i].value_or(std::nan(""));
  }
  return map;
}

}  // namespace headroom::app
