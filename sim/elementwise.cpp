#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "sim/normalizers.hpp"
#include "sim/scaled_row.hpp"

namespace headroom::sim {
namespace {

constexpr DoubleDouble one = {1, 0};

/// Each weight of its own logit: no competition, so no maximum to subtract. With b = −log n the weight is
/// 1/(1 + n·e^{−z}), which needs no logarithm and is exact where z = 0.
class Sigmoid final : public Normalizer {
 public:
  Sigmoid(std::string name, EmptyRow empty_row, std::optional<double> bias)
      : Normalizer(std::move(name), empty_row), bias_(bias) {}
  [[nodiscard]] bool sums_to_one() const override { return false; }

 private:
  /// The odds against the likelier side, at most about n: never an overflow. `positive` says which side that is.
  struct Odds {
    double against;
    bool positive;
  };

  [[nodiscard]] Odds odds(double logit, double temperature, std::size_t n) const {
    DoubleDouble x = scaled_difference(logit, 0, one, temperature);
    if (bias_) x = x + DoubleDouble{*bias_, 0};
    const double tokens = bias_ ? 1.0 : static_cast<double>(n);
    return x.hi >= 0 ? Odds{tokens * exp_of(-x), true} : Odds{exp_of(x) / tokens, false};
  }

  void apply(std::span<double> row, double temperature) const override {
    for (double& x : row) {
      const auto [against, positive] = odds(x, temperature, row.size());
      x = (positive ? 1 : against) / (1 + against);
    }
  }

  [[nodiscard]] Jacobian linearize(std::span<const double> logits, double temperature) const override {
    std::vector<double> diagonal;
    for (const double x : logits) {
      const double against = odds(x, temperature, logits.size()).against;
      diagonal.push_back(against / ((1 + against) * (1 + against)) * finite_ratio(1, temperature));
    }
    return Jacobian::diagonal(std::move(diagonal));
  }

  std::optional<double> bias_;
};

/// log(1+eˣ)/eˣ for x <= 0, between log 2 and 1.
double softplus_ratio(double x) {
  const double e = std::exp(x);
  return e == 0 ? 1.0 : std::log1p(e) / e;
}

/// F/ΣF. Each function is divided by something near its largest value before anything can overflow or vanish.
class Power final : public Normalizer {
 public:
  Power(std::string name, EmptyRow empty_row, PowerFunction function)
      : Normalizer(std::move(name), empty_row), function_(function) {}

 private:
  void apply(std::span<double> row, double temperature) const override {
    switch (function_) {
      case PowerFunction::softplus:
        softplus(row, temperature);
        break;
      case PowerFunction::square:
        square(row, temperature);
        break;
      case PowerFunction::cosh:
        cosh(row, temperature);
        break;
    }
    const double sum = sum_of(row).hi;
    for (double& x : row) x /= sum;
  }

  static void softplus(std::span<double> row, double temperature) {
    const double top = *std::max_element(row.begin(), row.end());
    for (double& x : row) {
      const DoubleDouble z = scaled_difference(x, 0, one, temperature);
      if (top <= 0) {
        x = exp_of(scaled_difference(x, top, one, temperature)) * softplus_ratio(z.hi);
      } else if (top <= temperature) {
        x = z.hi <= 0 ? std::log1p(exp_of(z)) : z.hi + std::log1p(exp_of(-z));
      } else {  // in units of top/T
        x = z.hi <= 0 ? std::log1p(exp_of(z)) * (temperature / top)
                      : x / top + std::log1p(exp_of(-z)) * (temperature / top);
      }
    }
  }

  static void square(std::span<double> row, double temperature) {
    double most = temperature;
    for (const double x : row) most = std::max(most, std::abs(x));
    const double unit = temperature / most;
    for (double& x : row) {
      const double ratio = x / most;
      x = unit * unit + ratio * ratio;
    }
  }

  static void cosh(std::span<double> row, double temperature) {
    double most = 0;
    for (const double x : row) most = std::max(most, std::abs(x));
    for (double& x : row) {
      const double size = std::abs(x);
      const double low = std::exp(-2 * (size / temperature));
      const double high = exp_of(scaled_difference(size, most, one, temperature));
      x = high * (1 + low);
    }
  }

  /// F'/F at z.
  [[nodiscard]] double slope(double z) const {
    switch (function_) {
      case PowerFunction::softplus:
        return z <= 0 ? 1 / ((1 + std::exp(z)) * softplus_ratio(z))
                      : 1 / ((1 + std::exp(-z)) * (z + std::log1p(std::exp(-z))));
      case PowerFunction::square:
        return std::abs(z) > 1 ? 2 / (z + 1 / z) : 2 * z / (1 + z * z);
      case PowerFunction::cosh:
        return std::tanh(z);
    }
    return 0;
  }

  [[nodiscard]] Jacobian linearize(std::span<const double> logits, double temperature) const override {
    std::vector<double> weights(logits.begin(), logits.end());
    apply(weights, temperature);
    std::vector<double> diagonal(weights.size());
    for (std::size_t i = 0; i < weights.size(); ++i) {
      diagonal[i] = weights[i] * slope(logits[i] / temperature) * finite_ratio(1, temperature);
    }
    Jacobian j = Jacobian::diagonal(diagonal);
    j.subtract(std::move(weights), std::move(diagonal));
    return j;
  }

  PowerFunction function_;
};

}  // namespace

NormalizerPointer make_sigmoid(std::string name, EmptyRow empty_row, std::optional<double> bias) {
  return std::make_unique<Sigmoid>(std::move(name), empty_row, bias);
}
NormalizerPointer make_power(std::string name, EmptyRow empty_row, PowerFunction function) {
  return std::make_unique<Power>(std::move(name), empty_row, function);
}

}  // namespace headroom::sim
