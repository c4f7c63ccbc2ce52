#include "verify/law_sample.hpp"

#include <algorithm>
#include <functional>
#include <limits>

namespace headroom::verify {
namespace {

struct Sampled {
  std::size_t row = 0;
  std::size_t band = 0;
};

std::vector<Sampled> spread_rows(std::span<const std::size_t> lengths, std::size_t rows_per_band) {
  std::vector<Sampled> rows;
  std::size_t begin = 0;
  for (std::size_t band = 0; band < lengths.size(); ++band) {
    const std::size_t size = lengths[band] - begin;
    const std::size_t count = std::min(size, rows_per_band);
    // The middle of each of `count` equal pieces.
    for (std::size_t i = 0; i < count; ++i) rows.push_back({begin + (2 * i + 1) * size / (2 * count), band});
    begin = lengths[band];
  }
  return rows;
}

std::vector<double> sorted_row(const HeadView& head, std::size_t query) {
  const Visibility::Range range = head.visibility.range(query);
  std::vector<double> weights;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    if (head.visibility.visible(query, i)) weights.push_back(head.weights(query, i));
  }
  std::sort(weights.begin(), weights.end(), std::greater<>());
  return weights;
}

}  // namespace

std::vector<std::vector<double>> sample_law(const HeadView& head, const theory::ResolutionLaw& law,
                                            std::span<const std::size_t> tops, std::span<const std::size_t> lengths,
                                            std::size_t rows_per_band) {
  const std::vector<Sampled> rows = spread_rows(lengths, rows_per_band);
  std::vector<double> values(rows.size() * tops.size(), std::numeric_limits<double>::quiet_NaN());
  std::vector<std::size_t> sizes(rows.size());
#pragma omp parallel for schedule(dynamic)
  for (std::ptrdiff_t i = static_cast<std::ptrdiff_t>(rows.size()) - 1; i >= 0; --i) {
    const auto at = static_cast<std::size_t>(i);
    const std::vector<double> weights = sorted_row(head, rows[at].row);
    sizes[at] = weights.size();
    for (std::size_t t = 0; t < tops.size(); ++t) {
      if (tops[t] < weights.size()) values[at * tops.size() + t] = law.separable(weights, tops[t]);
    }
  }

  std::vector<std::vector<double>> means(lengths.size(),
                                         std::vector<double>(tops.size(), std::numeric_limits<double>::quiet_NaN()));
  for (std::size_t t = 0; t < tops.size(); ++t) {
    double total = 0;
    double weight = 0;
    std::size_t next = 0;
    for (std::size_t band = 0; band < lengths.size(); ++band) {
      const std::size_t begin = band == 0 ? 0 : lengths[band - 1];
      double sum = 0;
      std::size_t eligible = 0;
      for (; next < rows.size() && rows[next].band == band; ++next) {
        if (sizes[next] <= tops[t]) continue;
        sum += values[next * tops.size() + t];
        ++eligible;
      }
      // How many rows of the band have more than N tokens: the sampled ones stand for them alike.
      std::size_t standing = 0;
      for (std::size_t row = begin; row < lengths[band]; ++row)
        standing += head.visibility.count(row) > tops[t] ? 1 : 0;
      if (eligible > 0) {
        total += sum / static_cast<double>(eligible) * static_cast<double>(standing);
        weight += static_cast<double>(standing);
      }
      if (weight > 0) means[band][t] = total / weight;
    }
  }
  return means;
}

}  // namespace headroom::verify
