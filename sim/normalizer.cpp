#include "sim/normalizer.hpp"

#include <algorithm>
#include <cassert>
#include <vector>

#include "sim/normalizer_checks.hpp"

namespace headroom::sim {
namespace {

std::vector<std::size_t> kept_tokens(std::span<const double> logits, std::size_t row) {
  std::vector<std::size_t> kept;
  kept.reserve(logits.size());
  for (std::size_t i = 0; i < logits.size(); ++i) {
    if (is_logit(logits[i], row, i)) kept.push_back(i);
  }
  return kept;
}

std::vector<std::size_t> kept_tokens(std::span<const double> logits, const Visibility& visibility, std::size_t row) {
  std::vector<std::size_t> kept;
  const auto [begin, end] = visibility.range(row);
  kept.reserve(end - begin);
  for (std::size_t i = begin; i < end; ++i) {
    if (visibility.visible(row, i) && is_logit(logits[i], row, i)) kept.push_back(i);
  }
  return kept;
}

}  // namespace

void Normalizer::weights(std::span<const double> logits, double temperature, std::span<double> weights,
                         std::size_t row) const {
  assert(weights.size() == logits.size());
  check_temperature(temperature);
  weigh(logits, kept_tokens(logits, row), temperature, weights, row);
}

void Normalizer::weights(MatrixView<const double> logits, const Visibility& visibility, double temperature,
                         MatrixView<double> weights) const {
  assert(logits.rows == visibility.queries() && logits.cols == visibility.tokens());
  assert(weights.rows == logits.rows && weights.cols == logits.cols);
  check_temperature(temperature);
  for (std::size_t r = 0; r < logits.rows; ++r) {
    weigh(logits.row(r), kept_tokens(logits.row(r), visibility, r), temperature, weights.row(r), r);
  }
}

/// The kept logits are moved to the front, become weights there, and are moved back from the last to the first.
void Normalizer::weigh(std::span<const double> logits, std::span<const std::size_t> kept, double temperature,
                       std::span<double> weights, std::size_t row) const {
  check_not_empty(kept.size(), empty_row_, row);
  for (std::size_t k = 0; k < kept.size(); ++k) weights[k] = logits[kept[k]];
  if (!kept.empty()) apply(weights.first(kept.size()), temperature);
  std::size_t end = weights.size();
  for (std::size_t k = kept.size(); k-- > 0;) {
    const double weight = weights[k];
    std::fill(weights.begin() + static_cast<std::ptrdiff_t>(kept[k]),
              weights.begin() + static_cast<std::ptrdiff_t>(end), 0.0);
    weights[kept[k]] = weight;
    end = kept[k];
  }
  std::fill_n(weights.begin(), end, 0.0);
}

Jacobian Normalizer::jacobian(std::span<const double> logits, double temperature, std::size_t row) const {
  check_temperature(temperature);
  const std::vector<std::size_t> kept = kept_tokens(logits, row);
  check_not_empty(kept.size(), empty_row_, row);
  if (kept.empty()) return Jacobian::diagonal(std::vector<double>(logits.size()));
  if (kept.size() == logits.size()) return linearize(logits, temperature);
  std::vector<double> dense;
  for (const std::size_t token : kept) dense.push_back(logits[token]);
  return linearize(dense, temperature).embedded(kept, logits.size());
}

}  // namespace headroom::sim
