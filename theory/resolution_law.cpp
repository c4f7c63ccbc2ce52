#include "theory/resolution_law.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numbers>
#include <utility>

#include "theory/weight_nodes.hpp"

namespace headroom::theory {
namespace {

/// How far the quadrature goes, in standard deviations of u.
constexpr double reach_in_deviations = 4.4;
/// Panels of the integral over u to begin with.
constexpr double initial_panels = 4.0;
/// Panels of the integral over u are halved this often at most: to a width of no noticeable probability.
constexpr int panel_depth = 24;
/// The part of the tolerance by which halving a panel may change it; few panels come near.
constexpr double panel_share = 0.2;
/// No panel is done over which the probability times the change of the product exceeds this part of the tolerance.
constexpr double panel_change = 100.0;
/// Points of the coarsest sum over ‖s−y_i‖.
constexpr std::size_t coarse_steps = 8;
/// Halvings of the step of the integral over ‖s−y_i‖.
constexpr int reach_levels = 6;

/// Merging the non-selected, and the selected: their function of the weight is smoother, but each counts the same.
/// Widths are for a tolerance of 1 and scale with its fourth root. Found by experiment; the tests hold the outcome.
constexpr double rest_width = 0.9;
constexpr double rest_growth = 0.25;
constexpr double selected_width = 2.0;

double power_of_two_scale(double largest) {
  int exponent = 0;
  std::frexp(largest, &exponent);
  return std::ldexp(1.0, std::min(-exponent, 1022));
}

}  // namespace

/// The non-selected weights, merged, with what the factors need of each.
struct ResolutionLaw::Rest {
  std::size_t size = 0;
  bool zeros = false;  // some are 0, or too small to tell from it
  double largest = 0.0;
  std::array<double, WeightNodes::capacity> half;
  std::array<double, WeightNodes::capacity> half_inverse;
  std::array<double, WeightNodes::capacity> count;
};

/// The law of ‖s−y_i‖²: mean and variance, and the interval it lies in.
struct ResolutionLaw::Context {
  double mean = 0.0;
  double variance = 0.0;
  double lower = 0.0;
  double upper = 0.0;
};

ResolutionLaw::ResolutionLaw(std::size_t dim, ResolutionOptions options)
    : options_(options), coordinate_(std::make_shared<const CoordinateLaw>(dim)) {
  options_.tolerance = std::clamp(options_.tolerance, 1e-6, 0.1);
  // Averaging over ‖s−y_i‖ smooths what the steep ends of F_d do to a single value.
  precision_ = options_.tolerance * (options_.refined ? 1.0 : dim == 2 ? 0.1 : dim == 3 ? 0.25 : 1.0);
  power_ = static_cast<double>(dim) - 2.0;
  factor_ = std::exp(std::lgamma(0.5 * power_ + 1.0) - std::lgamma(0.5 * power_ + 0.5)) / std::sqrt(std::numbers::pi);
  end_ = std::min(std::numbers::pi / 2, reach_in_deviations / std::sqrt(static_cast<double>(dim)));
  panel_width_ = 2.0 * end_ / initial_panels;
}

double ResolutionLaw::density(double phi) const noexcept {
  return factor_ * std::pow(std::max(0.0, std::cos(phi)), power_);
}

/// Π_{j∈O} F_d((α_j² + B)/(2α_j S)), 0 once it is below what the tolerance can notice.
double ResolutionLaw::product(const Rest& rest, double b, double s_squared) const noexcept {
  if (rest.zeros && !(b > 0.0)) return 0.0;
  if (!(s_squared > 0.0)) return 0.0;
  const double inverse = 1.0 / std::sqrt(s_squared);
  const double upper = coordinate_->upper();
  const double floor = std::log(0.05 * precision_);
  double sum = 0.0;
  for (std::size_t k = 0; k < rest.size; ++k) {
    const double t = (rest.half[k] + b * rest.half_inverse[k]) * inverse;
    if (t >= upper) continue;
    sum += rest.count[k] * coordinate_->log_cdf(t);
    if (sum < floor) return 0.0;
  }
  return std::exp(sum);
}

/// ∫ dF_d(u) Π_j F_d(...) for one selected weight and ‖s−y_i‖² given, by adaptive Simpson's rule in φ. The factors of
/// weights much smaller than α_i all rise where B changes sign, each over a width of its own: that point is an end of
/// two panels, so that what happens there, however narrow, shows in a sampled value. The product increases with u when
/// ‖s−y_i‖ ≥ α_j for all j: then a panel that starts at 1 or ends at 0 is known.
double ResolutionLaw::separation(const Rest& rest, double weight, double reach_squared) const noexcept {
  if (!(weight > 0.0)) return 0.0;
  const double square = weight * weight;
  if (!(reach_squared > 0.0)) return product(rest, square, square);
  const double reach = std::sqrt(reach_squared);
  const double twice = 2.0 * weight * reach;
  const bool monotone = reach_squared >= rest.largest * rest.largest * (1.0 - 1e-12);
  const double one = 1.0 - 0.05 * precision_;
  const auto sample = [&](double phi) {
    const double u = std::sin(phi);
    const double b = square + twice * u;
    return Sample{phi, u, product(rest, b, b + reach_squared), density(phi)};
  };
  const auto panel = [&](auto& self, const Sample& low, const Sample& middle, const Sample& high, int depth) -> double {
    if (monotone && high.product == 0.0) return 0.0;
    if (monotone && low.product >= one) return coordinate_->table_cdf(high.u) - coordinate_->table_cdf(low.u);
    const double width = high.phi - low.phi;
    const double coarse = width / 6.0 * (low.value() + 4.0 * middle.value() + high.value());
    if (depth == 0 || width * middle.density < 0.2 * precision_) return coarse;
    const Sample left = sample(low.phi + 0.25 * width);
    const Sample right = sample(high.phi - 0.25 * width);
    const double fine =
        width / 12.0 * (low.value() + 4.0 * left.value() + 2.0 * middle.value() + 4.0 * right.value() + high.value());
    // Two sums may agree by chance, but not by more than the product changes over the panel.
    const double change = std::abs(high.product - low.product) * width * middle.density;
    if (std::abs(fine - coarse) < panel_share * precision_ && change < panel_change * precision_) return fine;
    return self(self, low, left, middle, depth - 1) + self(self, middle, right, high, depth - 1);
  };

  const double turn = weight < 2.0 * reach ? std::max(-end_, -std::asin(weight / (2.0 * reach))) : -end_;
  Sample high = sample(end_);
  double sum = high.product * (1.0 - coordinate_->table_cdf(high.u));
  for (const double start : {turn, -end_}) {
    const int panels = static_cast<int>(std::ceil((high.phi - start) / panel_width_));
    const double width = panels > 0 ? (high.phi - start) / panels : 0.0;
    for (int k = panels; k-- > 0;) {
      // The product is 0 from here down.
      if (monotone && high.product == 0.0) return sum;
      const Sample low = sample(start + k * width);
      sum += panel(panel, low, monotone && low.product >= one ? low : sample(low.phi + 0.5 * width), high, panel_depth);
      high = low;
    }
  }
  return sum;
}

/// separation() averaged over the beta law of ‖s−y_i‖², mapped to [lower, upper] by sin²θ, by the trapezoidal rule in
/// θ.
double ResolutionLaw::averaged_separation(const Rest& rest, double weight, const Context& context) const noexcept {
  const double width = context.upper - context.lower;
  const double relative = context.variance / (context.mean * context.mean);
  if (!(width > 0.0) || !(relative > 0.1 * precision_)) return separation(rest, weight, context.mean);
  const double mean = std::clamp((context.mean - context.lower) / width, 0.0, 1.0);
  const double variance = context.variance / (width * width);
  const double size = mean * (1.0 - mean) / variance - 1.0;
  // A valid beta law has both at least one half here, but for rounding.
  const double a = std::max(0.5, mean * size);
  const double b = std::max(0.5, (1.0 - mean) * size);

  const double deviation = std::sqrt(variance);
  const double low = std::asin(std::sqrt(std::clamp(mean - 6.0 * deviation, 0.0, 1.0)));
  const double high = std::asin(std::sqrt(std::clamp(mean + 12.0 * deviation, 0.0, 1.0)));
  const double mode_log =
      (2.0 * a - 1.0) * std::log(std::sqrt(a / (a + b))) + (2.0 * b - 1.0) * std::log(std::sqrt(b / (a + b)));
  double sum = 0.0;
  double norm = 0.0;
  const auto add = [&](double theta, double edge) {
    const double sine = std::sin(theta);
    const double cosine = std::cos(theta);
    const double up = a == 0.5 ? 0.0 : (2.0 * a - 1.0) * std::log(std::max(sine, 1e-300));
    const double down = b == 0.5 ? 0.0 : (2.0 * b - 1.0) * std::log(std::max(cosine, 1e-300));
    const double density = edge * std::exp(up + down - mode_log);
    if (density < 1e-3 * precision_) return;
    sum += density * separation(rest, weight, context.lower + width * sine * sine);
    norm += density;
  };
  std::size_t cells = coarse_steps;
  for (std::size_t k = 0; k <= cells; ++k) {
    const double theta = low + (high - low) * static_cast<double>(k) / static_cast<double>(cells);
    add(theta, k == 0 || k == cells ? 0.5 : 1.0);
  }
  double previous = norm > 0.0 ? sum / norm : -1.0;
  for (int level = 0; level < reach_levels; ++level) {
    cells *= 2;
    for (std::size_t k = 1; k < cells; k += 2) {
      add(low + (high - low) * static_cast<double>(k) / static_cast<double>(cells), 1.0);
    }
    const double value = norm > 0.0 ? sum / norm : -1.0;
    if (level > 0 && std::abs(value - previous) < 0.5 * precision_) return value;
    previous = value;
  }
  return previous;
}

double ResolutionLaw::separable(std::span<const double> decreasing, std::size_t top) const {
  assert(top >= 1 && top < decreasing.size());
  assert(std::is_sorted(decreasing.rbegin(), decreasing.rend()) && decreasing.back() >= 0.0);
  if (!(decreasing.front() > 0.0)) return 0.0;
  // One selected token is the context vector itself.
  if (top == 1) return 1.0;
  const double scale = power_of_two_scale(decreasing.front());
  const double dim = static_cast<double>(coordinate_->dim());
  const double width = (dim == 2.0 ? 0.7 : 1.0) * std::sqrt(std::sqrt(precision_));

  std::size_t positive = top;
  while (decreasing[positive - 1] * scale < 1e-200) --positive;
  const auto selected = decreasing.first(positive);
  const double largest = selected.front() * scale;
  const double smallest = selected.back() * scale;

  // Sums over the selected but the first, by adding from the smallest: the first may dwarf them.
  double squares = 0.0;
  double pairs = 0.0;
  double weights = 0.0;
  for (std::size_t k = positive; k-- > 1;) {
    const double weight = selected[k] * scale;
    pairs += weight * weight * squares;
    squares += weight * weight;
    weights += weight;
  }

  WeightNodes nodes;
  Rest rest;
  // A weight this far below the selected ones acts on a range of u of no noticeable probability.
  const double negligible = 0.1 * precision_ * precision_ * smallest;
  std::size_t end = decreasing.size();
  while (end > top && decreasing[end - 1] * scale <= negligible) --end;
  rest.zeros = end < decreasing.size();
  merge_weights(decreasing.subspan(top, end - top), scale, rest_width * width, rest_growth, nodes);
  rest.size = nodes.size;
  rest.largest = decreasing[top] * scale;
  for (std::size_t k = 0; k < nodes.size; ++k) {
    rest.half[k] = 0.5 * nodes.value[k];
    rest.half_inverse[k] = 0.5 / nodes.value[k];
    rest.count[k] = nodes.count[k];
  }

  const bool averaged = options_.refined && top >= 3;
  const auto value = [&](double weight, const Context& context) {
    return averaged ? averaged_separation(rest, weight, context) : separation(rest, weight, context.mean);
  };
  const auto support = [](double sum, double longest) {
    const double shortest = std::max(0.0, 2.0 * longest - sum);
    return std::pair{shortest * shortest, sum * sum};
  };

  const double second = positive > 1 ? selected[1] * scale : 0.0;
  const auto [first_lower, first_upper] = support(weights, second);
  double sum = value(largest, {squares, 4.0 / dim * pairs, first_lower, first_upper});
  merge_weights(selected.subspan(1), scale, selected_width * width, 0.0, nodes);
  for (std::size_t k = 0; k < nodes.size; ++k) {
    const double weight = nodes.value[k];
    const double others = std::max(0.0, squares - weight * weight);
    const double other_pairs = std::max(0.0, pairs - weight * weight * others);
    const auto [lower, upper] = support(largest + std::max(0.0, weights - weight), largest);
    const Context context{largest * largest + others, 4.0 / dim * (other_pairs + largest * largest * others), lower,
                          upper};
    sum += nodes.count[k] * value(weight, context);
  }
  return std::min(1.0, sum / static_cast<double>(top));
}

}  // namespace headroom::theory
