#include "app/compare/candidate.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headroom::app {
namespace {

sim::Spec spec_of(const std::string& name) { return {name, "normalizer", sim::normalizer_list()}; }

}  // namespace

std::optional<double> Candidate::effective_scale(double temperature) const {
  const sim::Spec spec = spec_of(name());
  if (spec.id() == "ssmax") return spec.number("s") / temperature;
  if (spec.id() == "logn") return spec.number("kappa") / temperature;
  return std::nullopt;
}

void Candidate::weights(const HeadLogits& logits, double temperature, HeadWeights& weights) const {
  const MatrixView<const float> view = logits.view();
  weights.tokens = view.cols;
  weights.data.assign(view.rows * view.cols, 0.0F);
  normalizer_.weights(view, logits.visibility(), temperature, weights.view());
}

std::vector<double> Candidate::jacobian_norms(const HeadLogits& logits, const HeadWeights& weights,
                                              double temperature) const {
  return normalizer_.jacobian_norms(logits.view(), weights.view(), logits.visibility(), temperature);
}

std::vector<RowStatistics> statistics_of(const HeadWeights& weights, const Visibility& visibility) {
  const MatrixView<const float> view = weights.view();
  std::vector<RowStatistics> rows(view.rows);
#pragma omp parallel for schedule(dynamic, 16)
  for (std::ptrdiff_t at = 0; at < static_cast<std::ptrdiff_t>(view.rows); ++at) {
    const auto row = static_cast<std::size_t>(at);
    const Visibility::Range range = visibility.range(row);
    rows[row] = row_statistics({view.row_data(row) + range.begin, range.size()});
    if (visibility.contiguous(row)) continue;
    // Hidden tokens are zeros that are not the normalizer's.
    const auto size = static_cast<double>(range.size());
    const auto seen = static_cast<double>(visibility.count(row));
    rows[row].zeros = std::max(0.0, (rows[row].zeros * size - (size - seen)) / seen);
  }
  return rows;
}

}  // namespace headroom::app
