#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace headroom::theory {

/// The law of one coordinate of a point uniform on the unit sphere of R^d, d ≥ 2: F_d(t) =
/// I_{(1+t)/2}((d−1)/2,(d−1)/2), density ∝ (1−t²)^{(d−3)/2} on [−1, 1], mean 0, variance 1/d. Built once per d and
/// shared: every member is const and safe to call from several threads.
class CoordinateLaw {
 public:
  /// Requires dim ≥ 2. Tabulates log F_d from Boost's incomplete beta function (about a millisecond).
  explicit CoordinateLaw(std::size_t dim);

  [[nodiscard]] std::size_t dim() const noexcept { return dim_; }

  /// F_d(t): 0 for t ≤ −1, 1 for t ≥ 1. To a few ULP.
  [[nodiscard]] double cdf(double t) const;

  /// log F_d(t), −∞ for t ≤ −1, by cubic interpolation between tabulated values. Absolute error at most table_error();
  /// values below log_floor may be returned as −∞.
  [[nodiscard]] double log_cdf(double t) const noexcept {
    if (t >= upper_) return 0.0;
    if (!(t >= lower_)) return log_cdf_below(t);
    const double position = half_integer_ ? std::sqrt(1.0 - t) * inverse_step_ : (t - lower_) * inverse_step_;
    const auto index = static_cast<std::size_t>(position);
    const double x = position - static_cast<double>(index);
    const Cubic& cell = cells_[index];
    return cell.c0 + x * (cell.c1 + x * (cell.c2 + x * cell.c3));
  }

  /// exp(log_cdf(t)): F_d as the table has it, to about table_error().
  [[nodiscard]] double table_cdf(double t) const noexcept { return std::exp(log_cdf(t)); }

  /// log_cdf(t) = 0 from here on: where 1 − F_d is below 1e-13.
  [[nodiscard]] double upper() const noexcept { return upper_; }

  /// The largest absolute error of log_cdf seen at the middle of every cell, where a cubic through both ends is worst.
  [[nodiscard]] double table_error() const noexcept { return table_error_; }

  /// log F_d below which log_cdf need not tell values apart.
  static constexpr double log_floor = -60.0;

 private:
  struct Cubic {
    double c0, c1, c2, c3;
  };

  [[nodiscard]] double log_cdf_below(double t) const noexcept;
  [[nodiscard]] double log_cdf_exact(double t) const;
  void tabulate();

  std::size_t dim_;
  bool half_integer_;  // d = 2 and 4: F_d has powers ½, 3/2 of 1−t, which only become smooth in sqrt(1−t)
  double log_tail_constant_ = 0.0;  // log of the factor in F_d(t) ~ C·((1+t)/2)^{(d−1)/2} as t → −1
  double lower_ = 1.0;
  double upper_ = 1.0;
  double inverse_step_ = 0.0;
  double table_error_ = 0.0;
  std::vector<Cubic> cells_;
};

}  // namespace headroom::theory
