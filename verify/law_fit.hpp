#pragma once

#include <array>
#include <cstddef>

namespace headroom::verify {

/// log₂(−log F_d) as one polynomial, F_d the law of a coordinate (theory::CoordinateLaw): −log F_d falls from 9 to 1e-6
/// over an interval and is held at its ends outside.
struct LawFit {
  static constexpr std::size_t high_degree = 11;
  static constexpr std::size_t low_degree = 7;
  /// Dimensions from which the low degree suffices.
  static constexpr std::size_t smooth_dim = 32;

  std::size_t dim = 0;
  std::size_t degree = 0;
  float inverse_half_width = 0;  // position = t·inverse_half_width + offset
  float offset = 0;
  std::array<float, high_degree + 1> coefficient{};  // of powers of the position in [−1, 1]
  double error = 0;                                  // largest seen, in log₂

  explicit LawFit(std::size_t dim);
};

/// The non-selected weights of a row, merged.
struct LawNodes {
  static constexpr std::size_t capacity = 256;

  std::size_t size = 0;
  bool zeros = false;  // some are 0, or too small to tell from it
  std::array<float, capacity> half;
  std::array<float, capacity> half_inverse;
  std::array<float, capacity> count;

  void add(double weight, double times) {
    half[size] = static_cast<float>(0.5 * weight);
    half_inverse[size] = static_cast<float>(0.5 / weight);
    count[size] = static_cast<float>(times);
    ++size;
  }
};

/// ∫ dF_d(u) Π_j F_d((α_j² + B)/(2α_j S))^count_j with B = α² + 2ασu, S² = B + σ²: the probability that a selected
/// token of weight α separates, σ² = Σ of the other selected weights squared. Weights relative to the largest.
[[nodiscard]] double binned_separation(const LawFit& fit, const LawNodes& rest, double weight, double others2);

}  // namespace headroom::verify
