#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace headroom::theory {

/// Elementary symmetric sums of a list with one element left out, for every element:
/// first[i] = Σ_{j≠i} a_j and second[i] = Σ_{j<k; j,k≠i} a_j a_k.
template <class Real>
struct ExcludedSums {
  std::vector<Real> first;
  std::vector<Real> second;
};

/// From the sums before and after each element: nothing is subtracted, so that non-negative elements lose no digits and
/// a single element gives exactly 0. O(n).
template <class Real>
[[nodiscard]] ExcludedSums<Real> excluded_sums(std::span<const Real> elements) {
  const std::size_t count = elements.size();
  ExcludedSums<Real> sums{std::vector<Real>(count), std::vector<Real>(count)};
  Real first(0);
  Real second(0);
  for (std::size_t i = 0; i < count; ++i) {
    sums.first[i] = first;
    sums.second[i] = second;
    second += elements[i] * first;
    first += elements[i];
  }
  first = Real(0);
  second = Real(0);
  for (std::size_t i = count; i-- > 0;) {
    sums.second[i] += second + sums.first[i] * first;
    sums.first[i] += first;
    second += elements[i] * first;
    first += elements[i];
  }
  return sums;
}

}  // namespace headroom::theory
