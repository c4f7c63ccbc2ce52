#include "app/head_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "model/npy.hpp"

namespace headroom::app {

HeadFile::HeadFile(const std::string& file, std::string what, const std::string& shapes)
    : file_(file), what_(std::move(what)) {
  const std::vector<std::size_t>& shape = file_.shape();
  if (shape.size() != 2 && shape.size() != 3) {
    throw_input(fmt::format("the {} have shape {}", what_, model::index_text(shape)), file, "expected " + shapes);
  }
  if (std::find(shape.begin(), shape.end(), 0U) != shape.end()) {
    throw_input(fmt::format("the {} have shape {} and so no element", what_, model::index_text(shape)), file,
                "expected " + shapes);
  }
}

MatrixView<const double> HeadFile::read(std::size_t head, std::size_t first, std::size_t count,
                                        std::vector<double>& strip) const {
  const std::size_t matrix = heads() == 1 ? 0 : head;
  strip.resize(count * cols());
  const MatrixView<double> rows(strip.data(), count, cols());
  file_.read_rows(matrix, first, rows);
  require_finite(matrix, first, strip);
  return rows;
}

void HeadFile::require_finite(std::size_t matrix, std::size_t first, const std::vector<double>& strip) const {
  const auto bad = std::find_if_not(strip.begin(), strip.end(), [](double value) { return std::isfinite(value); });
  if (bad == strip.end()) return;
  const auto at = static_cast<std::size_t>(bad - strip.begin());
  std::vector<std::size_t> index = {matrix, first + at / cols(), at % cols()};
  if (file_.shape().size() == 2) index.erase(index.begin());
  throw_input(fmt::format("the {} hold a NaN or an infinity", what_),
              fmt::format("{} at {}", name(), model::index_text(index)), "every element must be a finite number");
}

}  // namespace headroom::app
