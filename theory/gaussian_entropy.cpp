#include "theory/gaussian_entropy.hpp"

#include <algorithm>
#include <boost/math/constants/constants.hpp>
#include <boost/math/interpolators/pchip.hpp>
#include <cassert>
#include <cmath>
#include <numbers>
#include <utility>

namespace headroom::theory {
namespace {

/// φ(x) and ∂φ/∂β.
struct Transform {
  double value = 0;
  double slope = 0;
};

double normal_density(double x) { return std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi); }

/// β ≤ 1: over g, on which exp(−e^{x+βg}) changes slowly.
Transform over_normal(double x, double beta) {
  constexpr double end = 9;
  constexpr double step = 0.25;
  Transform sum;
  for (double g = -end; g <= end; g += step) {
    const double e = std::exp(x + beta * g);
    const double term = step * normal_density(g) * std::exp(-e);
    sum.value += term;
    sum.slope -= term * e * g;
  }
  return sum;
}

/// β > 1: φ(x) = P(x + βg < y) with e^y exponential, over y, on which the normal law changes slowly.
Transform over_exponential(double x, double beta) {
  constexpr double low = -36;
  constexpr double high = 4;
  constexpr double step = 0.25;
  Transform sum;
  for (double y = low; y <= high; y += step) {
    const double density = step * std::exp(y - std::exp(y));
    const double t = (y - x) / beta;
    sum.value += density * 0.5 * std::erfc(-t * std::numbers::sqrt2 / 2);
    sum.slope -= density * normal_density(t) * t / beta;
  }
  return sum;
}

}  // namespace

double gaussian_entropy(std::span<const std::size_t> lengths, double temperature) {
  assert(!lengths.empty() && temperature >= EffectiveTemperature::lowest &&
         temperature <= EffectiveTemperature::highest);
  const double beta = 1 / temperature;
  const auto longest = static_cast<double>(*std::max_element(lengths.begin(), lengths.end()));
  // Wide enough that φ^k is 1 at one end and 0 at the other; 0 is a node, where the indicator of x < 0 jumps.
  const double step = 0.2 * std::max(1.0, beta / 4);
  const auto below = static_cast<int>((10 * beta + std::log(longest) + 30) / step);
  const auto above = static_cast<int>((10 * beta + 5) / step);
  double log_sum = 0;  // k-average of E log Z + γ
  double slope = 0;    // of its derivative
  for (int i = -below; i <= above; ++i) {
    const double x = i * step;
    const Transform phi = beta <= 1 ? over_normal(x, beta) : over_exponential(x, beta);
    if (!(phi.value > 0)) continue;
    const double log_phi = std::log(std::min(phi.value, 1.0));
    const double inside = i < 0 ? 1.0 : i == 0 ? 0.5 : 0.0;
    double powers = 0;
    double slopes = 0;
    for (const std::size_t length : lengths) {
      const auto k = static_cast<double>(length);
      const double power = std::exp(k * log_phi);
      powers += inside - power;
      slopes += k * power;
    }
    log_sum += powers;
    slope -= slopes * phi.slope / phi.value;
  }
  // Where φ vanishes the integrand on x < 0 is 1, but only x > 0 comes that far.
  const double scale = step / static_cast<double>(lengths.size());
  return scale * (log_sum - beta * slope) - boost::math::constants::euler<double>();
}

EffectiveTemperature::EffectiveTemperature(std::span<const std::size_t> lengths) {
  constexpr int per_decade = 10;
  const double first = std::log10(lowest);
  const int nodes = per_decade * static_cast<int>(std::lround(std::log10(highest) - first));
  for (int i = 0; i <= nodes; ++i) {
    const double temperature = std::clamp(std::pow(10.0, first + static_cast<double>(i) / per_decade), lowest, highest);
    const double entropy = gaussian_entropy(lengths, temperature);
    if (!(entropy > 0)) continue;
    const double value = std::log(entropy);
    // At high temperatures it nears its limit within rounding.
    if (!log_entropy_.empty() && !(value > log_entropy_.back())) break;
    log_entropy_.push_back(value);
    log_temperature_.push_back(std::log(temperature));
  }
  assert(log_entropy_.size() >= 4);
}

double EffectiveTemperature::of(double entropy) const {
  if (!(entropy > 0) || std::log(entropy) <= log_entropy_.front()) return std::exp(log_temperature_.front());
  const double value = std::log(entropy);
  if (value >= log_entropy_.back()) return std::exp(log_temperature_.back());
  std::vector<double> x = log_entropy_;
  std::vector<double> y = log_temperature_;
  const boost::math::interpolators::pchip<std::vector<double>> table(std::move(x), std::move(y));
  return std::exp(table(value));
}

}  // namespace headroom::theory
