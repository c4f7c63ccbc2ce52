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

constexpr std::size_t coarse_steps = 8;
constexpr std::size_t coarse_nodes = coarse_steps + 1;
/// How far the quadrature goes, in standard deviations of u.
constexpr double reach_in_deviations = 4.4;
/// Grids kept, each with half the step of the one before: the last resolves 1/60 of a standard deviation of u.
constexpr std::size_t level_count = 7;
/// Halvings, beyond those, of the interval in which a product goes from 0 to 1.
constexpr int step_levels = 8;
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
  precision_ = options_.tolerance * (dim == 2 ? 0.1 : dim == 3 ? 0.25 : 1.0);
  power_ = static_cast<double>(dim) - 2.0;
  factor_ = std::exp(std::lgamma(0.5 * power_ + 1.0) - std::lgamma(0.5 * power_ + 0.5)) / std::sqrt(std::numbers::pi);
  end_ = std::min(std::numbers::pi / 2, reach_in_deviations / std::sqrt(static_cast<double>(dim)));
  for (std::size_t level = 0; level < level_count; ++level) {
    const std::size_t cells = coarse_steps << level;
    const std::size_t stride = level == 0 ? 1 : 2;
    std::vector<Node> nodes;
    for (std::size_t k = stride - 1; k <= cells; k += stride) {
      const double position = 2.0 * static_cast<double>(k) / static_cast<double>(cells) - 1.0;
      const double phi = end_ * position;
      const double edge = k == 0 || k == cells ? 0.5 : 1.0;
      nodes.push_back({std::sin(phi), edge * std::pow(std::max(0.0, std::cos(phi)), power_), 0.0});
    }
    double tail = 0.0;
    for (std::size_t k = nodes.size(); k-- > 0;) nodes[k].tail = tail += nodes[k].density;
    levels_.push_back(std::move(nodes));
  }
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

/// ∫ dF_d(u) Π_j F_d(...) for one selected weight and ‖s−y_i‖² given, by the trapezoidal rule in φ with the step halved
/// until the value settles. The product increases with u when ‖s−y_i‖ ≥ α_j for all j: then only the points between its
/// last 0 and its first 1 need evaluating.
double ResolutionLaw::separation(const Rest& rest, double weight, double reach_squared) const noexcept {
  if (!(weight > 0.0)) return 0.0;
  const double square = weight * weight;
  if (!(reach_squared > 0.0)) return product(rest, square, square);
  const double twice = 2.0 * weight * std::sqrt(reach_squared);
  const bool monotone = reach_squared >= rest.largest * rest.largest * (1.0 - 1e-12);
  const double one = 1.0 - 0.05 * precision_;
  const auto evaluate = [&](const Node& node) {
    const double b = square + twice * node.u;
    return product(rest, b, b + reach_squared);
  };

  // zero: every point up to it is 0. full: every point from it on is 1. Both in the present grid.
  std::ptrdiff_t zero = -1;
  std::ptrdiff_t full = coarse_nodes;
  double sum = 0.0;
  const std::vector<Node>& coarse = levels_.front();
  if (monotone) {
    // From the middle outwards, as far as the product keeps changing.
    constexpr std::ptrdiff_t middle = coarse_steps / 2;
    for (std::ptrdiff_t k = middle; k < static_cast<std::ptrdiff_t>(coarse_nodes); ++k) {
      const Node& node = coarse[static_cast<std::size_t>(k)];
      const double value = evaluate(node);
      if (value >= one) {
        full = k;
        sum += node.tail;
        break;
      }
      if (value == 0.0) zero = k;
      sum += node.density * value;
    }
    if (zero < 0) {
      for (std::ptrdiff_t k = middle - 1; k >= 0; --k) {
        const Node& node = coarse[static_cast<std::size_t>(k)];
        const double value = evaluate(node);
        if (value == 0.0) {
          zero = k;
          break;
        }
        if (value >= one) full = k;
        sum += node.density * value;
      }
    }
  } else {
    for (const Node& node : coarse) sum += node.density * evaluate(node);
  }

  // On the coarsest grids two sums may agree by chance, by more than a fine tolerance forgives.
  const bool fine = precision_ < 1e-3;
  const std::size_t least_level = fine ? 2 : 1;
  const std::ptrdiff_t narrow = fine ? 2 : 1;
  double norm = coarse.front().tail;
  double previous = sum / norm;
  const auto resolve = [&](std::size_t level) {
    const double step = 2.0 * end_ / static_cast<double>(coarse_steps << level);
    const auto angle = [&](std::ptrdiff_t k) { return std::clamp(static_cast<double>(k) * step - end_, -end_, end_); };
    return resolve_step([&](double u) { return evaluate({u, 0.0, 0.0}); }, angle(zero), angle(full));
  };
  for (std::size_t level = 1; level < levels_.size(); ++level) {
    // Where a cell or two hold the whole rise, the sums say little about it.
    const auto cells = static_cast<std::ptrdiff_t>(coarse_steps << (level - 1));
    if (monotone && std::min(full, cells) - std::max<std::ptrdiff_t>(zero, 0) <= narrow) return resolve(level - 1);
    const std::vector<Node>& nodes = levels_[level];
    const auto begin = static_cast<std::size_t>(std::max<std::ptrdiff_t>(zero, 0));
    const std::size_t end = std::min(static_cast<std::size_t>(full), nodes.size());
    std::ptrdiff_t next_zero = 2 * zero;
    std::ptrdiff_t next_full = 2 * full;
    for (std::size_t k = begin; k < end; ++k) {
      const double value = evaluate(nodes[k]);
      const auto here = static_cast<std::ptrdiff_t>(2 * k + 1);
      if (monotone && value == 0.0) next_zero = here;
      if (monotone && value >= one) {
        next_full = here;
        sum += nodes[k].tail - (end < nodes.size() ? nodes[end].tail : 0.0);
        break;
      }
      sum += nodes[k].density * value;
    }
    if (end < nodes.size()) sum += nodes[end].tail;
    zero = zero < 0 && next_zero < 0 ? -1 : next_zero;
    full = next_full;
    norm += nodes.front().tail;
    const double value = sum / norm;
    if (level >= least_level && std::abs(value - previous) < 0.5 * precision_) return value;
    previous = value;
  }
  return monotone ? resolve(levels_.size() - 1) : previous;
}

/// ∫ dF_d of a product that increases with u from 0 at φ = low to 1 at φ = high, or does so beyond the quadrature's
/// end: what lies above is known, and the step between is first enclosed by bisection, then integrated.
template <class Product>
double ResolutionLaw::resolve_step(Product product_at, double low, double high) const noexcept {
  const double one = 1.0 - 0.05 * precision_;
  const auto density = [&](double phi) { return factor_ * std::pow(std::max(0.0, std::cos(phi)), power_); };
  while (density(low + (high - low) / 2) * (high - low) > 0.2 * precision_) {
    const double middle = low + (high - low) / 2;
    const double value = product_at(std::sin(middle));
    if (value > 0.0 && value < one) break;
    (value > 0.0 ? high : low) = middle;
  }
  const double above = -std::expm1(coordinate_->log_cdf(std::sin(high)));
  double sum = 0.5 * (density(low) * product_at(std::sin(low)) + density(high) * product_at(std::sin(high)));
  double cell = high - low;
  double previous = above + sum * cell;
  for (int level = 0; level < step_levels; ++level) {
    const int middles = 1 << level;
    for (int k = 0; k < middles; ++k) {
      const double phi = low + (k + 0.5) * cell;
      sum += density(phi) * product_at(std::sin(phi));
    }
    cell *= 0.5;
    const double value = above + sum * cell;
    if (level > 1 && std::abs(value - previous) < 0.5 * precision_) return value;
    previous = value;
  }
  return previous;
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
  return sum / static_cast<double>(top);
}

}  // namespace headroom::theory
