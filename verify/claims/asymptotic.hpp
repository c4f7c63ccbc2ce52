#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "verify/claims/expectation.hpp"

namespace headroom::verify {

/// Means y at growing x, and what their extrapolation is stated to be.
struct Series {
  enum class Form {
    limit,     ///< y → limit: y = limit + amplitude·x^{−rate}
    exponent,  ///< y = prefactor·x^exponent
  };
  enum class Stated {
    equal,     ///< the limit or exponent is `value`
    negative,  ///< the exponent is below 0: y vanishes
    nothing,   ///< reported only
  };

  Parameters parameters;
  Form form = Form::limit;
  Stated stated = Stated::equal;
  double value = 0.0;
  RateRange rates;
  std::vector<double> x;
  std::vector<MeanCell> cells;  ///< one per x; y is the mean of the first thing measured, the others are reported
};

/// The limit of values at x, 2x, 4x, … that are computed, not drawn: Aitken's extrapolation of the last three, give or
/// take three times what the last value changed it by. At least four values.
[[nodiscard]] Interval aitken_interval(std::span<const double> y);

/// from, √2·from, 2·from, … up to `to`, rounded.
[[nodiscard]] std::vector<std::size_t> growing_lengths(std::size_t from, std::size_t to);

/// The p-value of a stated limit or exponent: one minus the largest confidence whose interval of the extrapolation
/// leaves it out, down to 1e-12. For `negative`, one-sided.
[[nodiscard]] double p_stated(const Series& series, const GrowingGrid& grid);

/// A claim about what happens as something grows. Refuted when the interval of an extrapolation excludes what is
/// stated.
class AsymptoticClaim : public Claim {
 public:
  AsymptoticClaim(ClaimText text, std::function<std::vector<Series>(Preset)> grid,
                  std::shared_ptr<const CellFamily> family = nullptr)
      : Claim(std::move(text)), grid_(std::move(grid)), family_(std::move(family)) {}

  /// Single cells, of which a series has one per x, at other parameters too; null: none.
  [[nodiscard]] const CellFamily* family() const { return family_.get(); }

  [[nodiscard]] std::size_t hypotheses(Preset preset) const override;
  [[nodiscard]] ClaimResult run(const RunContext& context) const override;

 private:
  std::function<std::vector<Series>(Preset)> grid_;
  std::shared_ptr<const CellFamily> family_;
};

}  // namespace headroom::verify
