#include "verify/row_distance.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "verify/vector_ops.hpp"

namespace headroom::verify {
namespace {

// The slow sibling of the kernels' root sums: `square(i)` and `size(i)` give the squared length and the size of its
// terms, `direct(i)` the length from the vectors.
template <class Real, class Square, class Size, class Direct, class Weight>
double repaired_sum(std::size_t size, const Real* counts, Square square, Size terms, Direct direct, Weight weight) {
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i) {
    if (counts[i] == 0) continue;
    const double q = square(i);
    sum += weight(i) * (q < cancellation_share_of<Real> * terms(i) ? direct(i) : std::sqrt(q));
  }
  return sum;
}

double one(std::size_t) { return 1.0; }

// Brings row.far up to date where G is at hand. A token no farther from any other than the farthest pair already found
// cannot change it and waits: a handful of the selected tokens is looked at.
template <class Real>
double widen_where_needed(Row<Real>& row) {
  const Embeddings& embeddings = row.embeddings();
  const RowKernels<Real>& kernels = row_kernels<Real>();
  constexpr double rounding = sizeof(Real) == sizeof(double) ? 1e-12 : 1e-6;
  double best = kernels.farthest(row.arrays(), row.far.data());
  const auto widened = [&](std::size_t rank) {
    const std::size_t position = row.order(rank);
    const std::size_t token = row.token(position);
    if (embeddings.reach2()[token] * (1 + rounding) <= best) return false;
    kernels.widen(embeddings.norm2()[token], row.gram(position), row.far.data(), row.far.size());
    best = kernels.farthest(row.arrays(), row.far.data());
    return true;
  };
  // Those that waited before may go on waiting unless the farthest pair of then is gone.
  if (best < row.waited_for) std::erase_if(row.unwidened, widened);
  for (; row.offered < row.selected(); ++row.offered) {
    if (!widened(row.offered)) row.unwidened.push_back(row.offered);
  }
  row.waited_for = best;
  return best;
}

// d₁², or from the vectors where that has cancelled.
template <class Real>
double farthest2(Row<Real>& row, double longest) {
  const RowArrays<Real> a = row.arrays();
  const double widened =
      row.embeddings().has_gram() ? widen_where_needed(row) : row_kernels<Real>().farthest(a, row.far.data());
  if (widened >= cancellation_share_of<Real> * longest) return widened;
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

template <class Real>
double distance(const Row<Real>& row) {
  const RowArrays<Real> a = row.arrays();
  const double s2 = row.s2();
  const Sum sum = row_kernels<Real>().distance_sum(a, s2);
  if (!sum.cancelled) return sum.value;
  return repaired_sum(
      row.size(), a.outside, [&](std::size_t i) { return s2 + a.y2[i] - 2 * row.alpha()[i] * a.sx[i]; },
      [&](std::size_t i) { return s2 + a.y2[i]; },
      [&](std::size_t i) { return difference_norm(1.0, row.s(), row.alpha()[i], row.vector(i)); }, one);
}

template <class Real>
double expected_terms(const Row<Real>& row, double p) {
  const RowArrays<Real> a = row.arrays();
  const ExpectedTerms terms = ExpectedTerms::at(p, row.c2);
  const double constant = terms.constant;
  const double cross = terms.cross;
  const double square = terms.square;
  const Sum sum = row_kernels<Real>().expected_sum(a, terms);
  if (!sum.cancelled) return sum.value;
  return repaired_sum(
      row.size(), a.visible, [&](std::size_t i) { return constant + square * a.y2[i] - cross * a.cy[i]; },
      [&](std::size_t i) { return constant + square * a.y2[i]; },
      [&](std::size_t i) { return difference_norm(p, row.c, (1 + p) * row.alpha()[i], row.vector(i)); }, one);
}

template <class Real>
void find_spread(Row<Real>& row) {
  const auto k = static_cast<double>(row.size());
  if (row.size() <= 2) return;
  const RowArrays<Real> a = row.arrays();
  bool cancelled = false;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const double others = row.y2_sum - a.y2[i];
    const double mean = (row.c2 - 2 * a.cy[i] + a.y2[i]) / (k - 1);
    row.spread[i] = static_cast<Real>((others - mean) / (k - 2));
    cancelled = cancelled || others - mean < cancellation_share_of<Real> * row.y2_sum;
  }
  if (!cancelled) return;
  // About the mean y = c/k nothing large is subtracted: Σ_{j≠i}‖y_j − (c−y_i)/(k−1)‖² = Σ_j‖y_j−y‖² − k/(k−1)·‖y_i−y‖².
  double total = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const double length = difference_norm(row.alpha()[i], row.vector(i), 1 / k, row.c);
    row.spread[i] = static_cast<Real>(length * length);
    total += length * length;
  }
  for (std::size_t i = 0; i < row.size(); ++i) {
    row.spread[i] = static_cast<Real>(std::max(0.0, total - row.spread[i] * k / (k - 1)) / (k - 2));
  }
}

template <class Real>
double expected_upper_terms(const Row<Real>& row, double p, std::size_t top) {
  const RowArrays<Real> a = row.arrays();
  const double factor = static_cast<double>(top) * (1 - p);
  const ExpectedTerms terms = ExpectedTerms::at(p, row.c2);
  const double constant = terms.constant;
  const double cross = terms.cross;
  const double square = terms.square;
  const Sum sum = row_kernels<Real>().expected_upper_sum(a, terms, factor, row.spread.data());
  if (!sum.cancelled) return sum.value;
  return repaired_sum(
      row.size(), a.visible,
      [&](std::size_t i) {
        return std::max(0.0, constant + square * a.y2[i] - cross * a.cy[i]) + factor * row.spread[i];
      },
      [&](std::size_t i) { return constant + square * a.y2[i]; },
      [&](std::size_t i) {
        return std::hypot(difference_norm(p, row.c, (1 + p) * row.alpha()[i], row.vector(i)),
                          std::sqrt(factor * row.spread[i]));
      },
      one);
}

template <class Real>
SharpDistance sharp_distance(const Row<Real>& row) {
  const RowArrays<Real> a = row.arrays();
  if (!(row.mass > 0)) return {};
  const double s2 = row.s2();
  const double center = std::sqrt(s2) / row.mass * row_kernels<Real>().outside_mass(a, row.mass).deficit;
  const Sum sum = row_kernels<Real>().spread_sum(a, s2, row.mass);
  double spread = sum.value;
  if (sum.cancelled) {
    const double center2 = s2 / (row.mass * row.mass);
    spread = repaired_sum(
        row.size(), a.outside, [&](std::size_t i) { return center2 + a.norm2[i] - 2 * a.sx[i] / row.mass; },
        [&](std::size_t i) { return center2 + a.norm2[i]; },
        [&](std::size_t i) { return difference_norm(1 / row.mass, row.s(), 1.0, row.vector(i)); },
        [&](std::size_t i) { return row.alpha()[i]; });
  }
  return {std::max(0.0, center - spread), center + spread};
}

template <class Real>
double printed_distance(Row<Real>& row) {
  const RowArrays<Real> a = row.arrays();
  const double square = farthest2(row, row.longest2);
  const OutsideMass outside = row_kernels<Real>().outside_mass(a, row.mass);
  return std::sqrt(square) * outside.weight + std::abs(outside.deficit) * std::sqrt(row.longest2);
}

#define HEADROOM_INSTANTIATE(Real)                                             \
  template double distance(const Row<Real>&);                                  \
  template double expected_terms(const Row<Real>&, double);                    \
  template void find_spread(Row<Real>&);                                       \
  template double expected_upper_terms(const Row<Real>&, double, std::size_t); \
  template SharpDistance sharp_distance(const Row<Real>&);                     \
  template double printed_distance(Row<Real>&);
HEADROOM_INSTANTIATE(float)
HEADROOM_INSTANTIATE(double)
#undef HEADROOM_INSTANTIATE

}  // namespace headroom::verify
