#include "verify/row_distance.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "verify/vector_ops.hpp"

namespace headroom::verify {
namespace {

// The slow sibling of the kernels' root sums: `square(i)` and `size(i)` give the squared length and the size of its
// terms, `direct(i)` the length from the vectors.
template <class Square, class Size, class Direct, class Weight>
double repaired_sum(std::size_t size, const double* counts, Square square, Size terms, Direct direct, Weight weight) {
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i) {
    if (counts[i] == 0) continue;
    const double q = square(i);
    sum += weight(i) * (q < cancellation_share * terms(i) ? direct(i) : std::sqrt(q));
  }
  return sum;
}

double one(std::size_t) { return 1.0; }

// d₁²: for each selected token the first non-selected one in its list of farthest tokens, given up as soon as the list
// falls below what was found; where the list ends early, a search along its row of G.
double listed_farthest2(const Row& row) {
  const Embeddings& embeddings = row.embeddings();
  const RowArrays a = row.arrays();
  double best = 0;
  for (std::size_t rank = 0; rank < row.selected(); ++rank) {
    const std::size_t token = row.token(row.order(rank));
    bool settled = false;
    for (std::uint32_t other : embeddings.farthest(token)) {
      const double square = embeddings.distance2(token, other);
      const std::optional<std::size_t> position = row.position(other);
      settled = square <= best || (position && a.outside[*position] != 0);
      if (!settled) continue;
      best = std::max(best, square);
      break;
    }
    for (std::size_t i = 0; !settled && i < row.size(); ++i) {
      if (a.outside[i] != 0) best = std::max(best, embeddings.distance2(token, row.token(i)));
    }
  }
  return best;
}

// d₁² from row.far, or from the vectors where that has cancelled.
double widened_farthest2(const Row& row, double longest) {
  const RowArrays a = row.arrays();
  const double widened = farthest(a, row.far.data());
  if (widened >= cancellation_share * longest) return widened;
  double best = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (a.outside[i] == 0) continue;
    for (std::size_t rank = 0; rank < row.selected(); ++rank) {
      best = std::max(best, distance2(row.vector(i), row.vector(row.order(rank))));
    }
  }
  return best;
}

}  // namespace

double distance(const Row& row) {
  const RowArrays a = row.arrays();
  const double s2 = row.s2();
  const Sum sum = distance_sum(a, s2);
  if (!sum.cancelled) return sum.value;
  return repaired_sum(
      row.size(), a.outside, [&](std::size_t i) { return s2 + a.y2[i] - 2 * a.alpha[i] * a.sx[i]; },
      [&](std::size_t i) { return s2 + a.y2[i]; },
      [&](std::size_t i) { return difference_norm(1.0, row.s, a.alpha[i], row.vector(i)); }, one);
}

double expected_terms(const Row& row, double p) {
  const RowArrays a = row.arrays();
  const double constant = p * p * row.c2;
  const double cross = 2 * p * (1 + p);
  const double square = (1 + p) * (1 + p);
  const Sum sum = expected_sum(a, constant, cross, square);
  if (!sum.cancelled) return sum.value;
  return repaired_sum(
      row.size(), a.visible, [&](std::size_t i) { return constant + square * a.y2[i] - cross * a.cy[i]; },
      [&](std::size_t i) { return constant + square * a.y2[i]; },
      [&](std::size_t i) { return difference_norm(p, row.c, (1 + p) * a.alpha[i], row.vector(i)); }, one);
}

void find_spread(Row& row) {
  const auto k = static_cast<double>(row.size());
  if (row.size() <= 2) return;
  const RowArrays a = row.arrays();
  bool cancelled = false;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const double others = row.y2_sum - a.y2[i];
    const double mean = (row.c2 - 2 * a.cy[i] + a.y2[i]) / (k - 1);
    row.spread[i] = (others - mean) / (k - 2);
    cancelled = cancelled || others - mean < cancellation_share * row.y2_sum;
  }
  if (!cancelled) return;
  // About the mean y = c/k nothing large is subtracted: Σ_{j≠i}‖y_j − (c−y_i)/(k−1)‖² = Σ_j‖y_j−y‖² − k/(k−1)·‖y_i−y‖².
  double total = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const double length = difference_norm(a.alpha[i], row.vector(i), 1 / k, row.c);
    row.spread[i] = length * length;
    total += row.spread[i];
  }
  for (std::size_t i = 0; i < row.size(); ++i) {
    row.spread[i] = std::max(0.0, total - row.spread[i] * k / (k - 1)) / (k - 2);
  }
}

double expected_upper_terms(const Row& row, double p, std::size_t top) {
  const RowArrays a = row.arrays();
  const double factor = static_cast<double>(top) * (1 - p);
  const double constant = p * p * row.c2;
  const double cross = 2 * p * (1 + p);
  const double square = (1 + p) * (1 + p);
  const Sum sum = expected_upper_sum(a, constant, cross, square, factor, row.spread.data());
  if (!sum.cancelled) return sum.value;
  return repaired_sum(
      row.size(), a.visible,
      [&](std::size_t i) {
        return std::max(0.0, constant + square * a.y2[i] - cross * a.cy[i]) + factor * row.spread[i];
      },
      [&](std::size_t i) { return constant + square * a.y2[i]; },
      [&](std::size_t i) {
        return std::hypot(difference_norm(p, row.c, (1 + p) * a.alpha[i], row.vector(i)),
                          std::sqrt(factor * row.spread[i]));
      },
      one);
}

SharpDistance sharp_distance(const Row& row) {
  const RowArrays a = row.arrays();
  if (!(row.mass > 0)) return {};
  const double s2 = row.s2();
  const double center = std::sqrt(s2) / row.mass * outside_mass(a, row.mass).deficit;
  const Sum sum = spread_sum(a, s2, row.mass);
  double spread = sum.value;
  if (sum.cancelled) {
    const double center2 = s2 / (row.mass * row.mass);
    spread = repaired_sum(
        row.size(), a.outside, [&](std::size_t i) { return center2 + a.norm2[i] - 2 * a.sx[i] / row.mass; },
        [&](std::size_t i) { return center2 + a.norm2[i]; },
        [&](std::size_t i) { return difference_norm(1 / row.mass, row.s, 1.0, row.vector(i)); },
        [&](std::size_t i) { return a.alpha[i]; });
  }
  return {std::max(0.0, center - spread), center + spread};
}

double printed_distance(const Row& row) {
  const RowArrays a = row.arrays();
  double longest = 0;
  for (std::size_t rank = 0; rank < row.selected(); ++rank) longest = std::max(longest, a.norm2[row.order(rank)]);
  const double farthest2 = row.embeddings().has_gram() ? listed_farthest2(row) : widened_farthest2(row, longest);
  const OutsideMass outside = outside_mass(a, row.mass);
  return std::sqrt(farthest2) * outside.weight + std::abs(outside.deficit) * std::sqrt(longest);
}

}  // namespace headroom::verify
