#include "app/recorded_heads.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "model/npy.hpp"

namespace headroom::app {

std::shared_ptr<const sim::LogitModel> read_recorded(const std::string& logits) {
  const std::string path = sim::recorded_path(logits);
  if (path.empty()) return nullptr;
  const model::NpyArray array = model::read_npy(path);
  if (array.shape.size() != 2 && array.shape.size() != 3) {
    throw_input(fmt::format("the logits have shape {}", model::index_text(array.shape)), path,
                "expected (rows, tokens) or (heads, rows, tokens)");
  }
  const std::size_t tokens = array.shape.back();
  std::vector<std::vector<double>> rows;
  for (std::size_t begin = 0; tokens > 0 && begin < array.values.size(); begin += tokens) {
    std::vector<double> row(array.values.begin() + static_cast<std::ptrdiff_t>(begin),
                            array.values.begin() + static_cast<std::ptrdiff_t>(begin + tokens));
    while (!row.empty() && row.back() == -std::numeric_limits<double>::infinity()) row.pop_back();
    rows.push_back(std::move(row));
  }
  return sim::recorded_logits(logits, std::move(rows));
}

}  // namespace headroom::app
