#include "verify/binned_law.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace headroom::verify {
namespace {

constexpr double bin_width = 0.7;  // in log α
constexpr double smallest_relative = 1e-25;
// A non-selected weight this far below the smallest selected one is as good as zero for all of them, …
constexpr double negligible = 2e-4;
// … and one this far below it jumps nearly where zero does, whatever its exact size.
constexpr double small = 0.3;
// Bins more narrowly filled than these shares of their mean are as good as one weight. A product over many non-selected
// is steep in their weight; the mean over the selected is not.
constexpr double narrow_bin = 0.03;
constexpr double narrow_small_bin = 0.3;
constexpr double narrow_selected_bin = 0.1;

/// Weights [begin, end) as one node where they lie within `narrow` of their mean, else as two of their mean and
/// variance.
template <class Use>
void use_nodes(const BinnedLaw::Workspace& workspace, std::size_t begin, std::size_t end, double narrow, Use use) {
  const auto count = static_cast<double>(end - begin);
  const double mean = (workspace.sums[end] - workspace.sums[begin]) / count;
  const double square = (workspace.squares[end] - workspace.squares[begin]) / count;
  const double deviation = std::sqrt(std::max(0.0, square - mean * mean));
  if (deviation < narrow * mean) {
    use(mean, count);
    return;
  }
  use(mean + deviation, count / 2);
  use(mean - deviation, count / 2);
}

void find_bins(std::span<const double> decreasing, std::span<const double> edges, double scale,
               BinnedLaw::Workspace& workspace) {
  const std::size_t size = decreasing.size();
  workspace.sums.resize(size + 1);
  workspace.squares.resize(size + 1);
  workspace.selected_squares.resize(size + 1);
  double sum = 0;
  double square = 0;
  double without_first = 0;
  workspace.sums[0] = workspace.squares[0] = workspace.selected_squares[0] = 0;
  for (std::size_t k = 0; k < size; ++k) {
    const double weight = decreasing[k] * scale;
    sum += weight;
    square += weight * weight;
    if (k > 0) without_first += weight * weight;
    workspace.sums[k + 1] = sum;
    workspace.squares[k + 1] = square;
    workspace.selected_squares[k + 1] = without_first;
  }
  workspace.ends.clear();
  std::size_t end = 0;
  for (const double edge : edges) {
    const std::size_t begin = end;
    while (end < size && decreasing[end] * scale > edge) ++end;
    if (end > begin) workspace.ends.push_back(end);
    if (end == size) break;
  }
}

}  // namespace

BinnedLaw::BinnedLaw(std::size_t dim) : fit_(dim) {
  assert(dim >= least_dim);
  for (double edge = std::exp(-bin_width); edge > smallest_relative; edge *= std::exp(-bin_width)) {
    edges_.push_back(edge);
  }
}

void BinnedLaw::separable(std::span<const double> decreasing, std::span<const std::size_t> tops, Workspace& workspace,
                          std::span<double> out) const {
  assert(out.size() == tops.size());
  if (!(decreasing.front() > 0)) {
    std::fill(out.begin(), out.end(), 0.0);
    return;
  }
  find_bins(decreasing, edges_, 1 / decreasing.front(), workspace);
  for (std::size_t t = 0; t < tops.size(); ++t) {
    assert(tops[t] >= 1 && tops[t] < decreasing.size());
    // One selected token is the context vector itself.
    out[t] = tops[t] == 1 ? 1.0 : separable_at(tops[t], workspace, decreasing);
  }
}

double BinnedLaw::separable_at(std::size_t top, Workspace& workspace, std::span<const double> decreasing) const {
  const std::vector<std::size_t>& ends = workspace.ends;
  // Selected weights too small for a bin never separate.
  const std::size_t selected = std::min(top, ends.back());
  LawNodes& rest = workspace.rest;
  rest.size = 0;
  const double smallest = decreasing[selected - 1] / decreasing.front();
  std::size_t begin = top;
  auto bin = std::upper_bound(ends.begin(), ends.end(), top);
  for (; bin != ends.end(); begin = *bin++) {
    const double sum = workspace.sums[*bin] - workspace.sums[begin];
    const double scale = smallest * static_cast<double>(*bin - begin);
    if (sum <= negligible * scale) break;
    use_nodes(workspace, begin, *bin, sum <= small * scale ? narrow_small_bin : narrow_bin,
              [&rest](double weight, double count) { rest.add(weight, count); });
  }
  rest.zeros = begin < decreasing.size();

  const double squares = workspace.selected_squares[selected];
  double sum = binned_separation(fit_, rest, 1.0, squares);
  begin = 1;
  for (std::size_t end : ends) {
    end = std::min(end, selected);
    if (end <= begin) continue;
    use_nodes(workspace, begin, end, narrow_selected_bin, [&](double weight, double count) {
      sum += count * binned_separation(fit_, rest, weight, 1 + std::max(0.0, squares - weight * weight));
    });
    begin = end;
    if (end == selected) break;
  }
  return std::min(1.0, sum / static_cast<double>(top));
}

}  // namespace headroom::verify
