#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "sim/normalizers.hpp"
#include "sim/scaled_row.hpp"

namespace headroom::sim {
namespace {

constexpr DoubleDouble one = {1, 0};

std::vector<double> softmax_of(std::span<const double> logits, DoubleDouble c, double temperature) {
  std::vector<double> weights(logits.begin(), logits.end());
  scaled_softmax(weights, c, temperature);
  return weights;
}

class ScaledSoftmax final : public Normalizer {
 public:
  ScaledSoftmax(std::string name, EmptyRow empty_row, const LengthScale& scale)
      : Normalizer(std::move(name), empty_row), scale_(scale) {}

 private:
  void apply(std::span<double> row, double temperature) const override {
    scaled_softmax(row, to_factor(scale_.of(row.size())), temperature);
  }

  [[nodiscard]] Jacobian linearize(std::span<const double> logits, double temperature) const override {
    const DoubleDouble c = to_factor(scale_.of(logits.size()));
    return Jacobian::symmetric(softmax_of(logits, c, temperature), 1, 0, finite_ratio(c.hi, temperature));
  }

  LengthScale scale_;
};

/// Softmax with one more token of logit 0 whose weight is thrown away.
class Softmax1 final : public Normalizer {
 public:
  using Normalizer::Normalizer;
  [[nodiscard]] bool sums_to_one() const override { return false; }

 private:
  /// Returns the weight of the token thrown away.
  static double reduce(std::span<double> row, double temperature) {
    const double top = std::max(0.0, top_logit(row, one));
    const double extra = exp_of(scaled_difference(0, top, one, temperature));
    for (double& x : row) x = exp_of(scaled_difference(x, top, one, temperature));
    const double sum = (sum_of(row) + DoubleDouble{extra, 0}).hi;
    for (double& x : row) x /= sum;
    return extra / sum;
  }

  void apply(std::span<double> row, double temperature) const override { reduce(row, temperature); }

  [[nodiscard]] Jacobian linearize(std::span<const double> logits, double temperature) const override {
    std::vector<double> weights(logits.begin(), logits.end());
    const double gap = reduce(weights, temperature);
    return Jacobian::symmetric(std::move(weights), 1, gap, finite_ratio(1, temperature));
  }
};

class TopK final : public Normalizer {
 public:
  TopK(std::string name, EmptyRow empty_row, std::size_t k) : Normalizer(std::move(name), empty_row), k_(k) {}

 private:
  /// Positions of the k largest, the lower of equals first.
  [[nodiscard]] std::vector<std::size_t> selected(std::span<const double> row) const {
    std::vector<std::size_t> order(row.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (k_ < order.size()) {
      std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(k_), order.end(),
                       [&](std::size_t a, std::size_t b) { return row[a] > row[b] || (row[a] == row[b] && a < b); });
      order.resize(k_);
    }
    return order;
  }

  void apply(std::span<double> row, double temperature) const override {
    const std::vector<std::size_t> kept = selected(row);
    std::vector<double> values;
    for (const std::size_t i : kept) values.push_back(row[i]);
    scaled_softmax(values, one, temperature);
    std::fill(row.begin(), row.end(), 0.0);
    for (std::size_t k = 0; k < kept.size(); ++k) row[kept[k]] = values[k];
  }

  [[nodiscard]] Jacobian linearize(std::span<const double> logits, double temperature) const override {
    std::vector<double> weights(logits.begin(), logits.end());
    apply(weights, temperature);
    return Jacobian::symmetric(std::move(weights), 1, 0, finite_ratio(1, temperature));
  }

  std::size_t k_;
};

/// z∘softmax(z); ∂/∂z = diag(p∘(1+z)) − (z∘p)pᵀ.
class SelfAdjust final : public Normalizer {
 public:
  using Normalizer::Normalizer;
  [[nodiscard]] bool sums_to_one() const override { return false; }
  [[nodiscard]] bool nonnegative() const override { return false; }

 private:
  void apply(std::span<double> row, double temperature) const override {
    const double top = top_logit(row, one);
    std::vector<double> p(row.begin(), row.end());
    const double sum = scaled_exponentials(p, one, temperature);
    for (std::size_t i = 0; i < row.size(); ++i) {
      const double z = row[i] / temperature;
      if (p[i] >= std::numeric_limits<double>::min()) {
        row[i] = z * (p[i] / sum);
      } else {  // z may lift what has underflowed back into range
        const double root = exp_of(scaled_difference(row[i], top, {0.5, 0}, temperature));
        row[i] = root == 0 ? 0.0 : z * root / sum * root;
      }
    }
  }

  [[nodiscard]] Jacobian linearize(std::span<const double> logits, double temperature) const override {
    std::vector<double> p = softmax_of(logits, one, temperature);
    std::vector<double> weights(logits.begin(), logits.end());
    apply(weights, temperature);
    const double scale = finite_ratio(1, temperature);
    std::vector<double> diagonal(p.size());
    for (std::size_t i = 0; i < p.size(); ++i) {
      diagonal[i] = scale * (p[i] + weights[i]);
      weights[i] *= scale;
    }
    Jacobian j = Jacobian::diagonal(std::move(diagonal));
    j.subtract(std::move(weights), std::move(p));
    return j;
  }
};

/// q∘softmax(z) with q = (z−a)/R, a = min(zmin, 0), b = max(zmax, 0), R = b − a. With w the weights and p the softmax,
/// ∂/∂z = diag(p/R + w) − w pᵀ − [zmin < 0] ((1−q)p/R) e_minᵀ − [zmax > 0] (q p/R) e_maxᵀ. At equal extremes the first
/// of them is taken to move alone, which is one of the one-sided derivatives; at a row of zeros, 0/0, J is 0. On the
/// diagonal of a moving extreme, p/R cancels: it is left out, or 1/R of logits almost equal would drown the rest.
class SelfAdjustNormalized final : public Normalizer {
 public:
  using Normalizer::Normalizer;
  [[nodiscard]] bool sums_to_one() const override { return false; }

 private:
  struct Extremes {
    std::size_t lowest;
    std::size_t highest;
    double low;   // half of min(lmin, 0): halves, so that the range of any two doubles is finite
    double high;  // half of max(lmax, 0)
    [[nodiscard]] DoubleDouble range() const { return two_sum(high, -low); }
  };

  static Extremes extremes(std::span<const double> row) {
    const auto [low, high] = std::minmax_element(row.begin(), row.end());
    const auto highest = std::max_element(row.begin(), row.end());  // the first of equals
    return {static_cast<std::size_t>(low - row.begin()), static_cast<std::size_t>(highest - row.begin()),
            std::min(*low, 0.0) / 2, std::max(*high, 0.0) / 2};
  }

  static std::vector<double> positions(std::span<const double> row, const Extremes& e) {
    std::vector<double> q;
    for (const double x : row) q.push_back((two_sum(x / 2, -e.low) / e.range()).hi);
    return q;
  }

  void apply(std::span<double> row, double temperature) const override {
    const Extremes e = extremes(row);
    if (e.range().hi == 0) return std::fill(row.begin(), row.end(), 0.0);
    const std::vector<double> q = positions(row, e);
    const double sum = scaled_exponentials(row, one, temperature);
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = q[i] * row[i] / sum;
  }

  [[nodiscard]] Jacobian linearize(std::span<const double> logits, double temperature) const override {
    const Extremes e = extremes(logits);
    if (e.range().hi == 0) return Jacobian::diagonal(std::vector<double>(logits.size()));
    const std::vector<double> q = positions(logits, e);
    std::vector<double> p = softmax_of(logits, one, temperature);
    const double scale = finite_ratio(1, temperature);
    const std::size_t n = p.size();
    std::vector<double> diagonal(n), left(n), falling(n), rising(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double slope = p[i] / 2 / e.range().hi;  // p/R of the logits
      left[i] = scale * q[i] * p[i];
      diagonal[i] = slope + left[i];
      falling[i] = (1 - q[i]) * slope;
      rising[i] = q[i] * slope;
    }
    const auto leave_out = [&](std::vector<double>& moving, std::size_t at) {
      moving[at] = 0;
      diagonal[at] = left[at];
    };
    if (e.low < 0) leave_out(falling, e.lowest);
    if (e.high > 0) leave_out(rising, e.highest);
    Jacobian j = Jacobian::diagonal(std::move(diagonal));
    j.subtract(std::move(left), std::move(p));
    const auto unit = [n](std::size_t at) {
      std::vector<double> basis(n);
      basis[at] = 1;
      return basis;
    };
    if (e.low < 0) j.subtract(std::move(falling), unit(e.lowest));
    if (e.high > 0) j.subtract(std::move(rising), unit(e.highest));
    return j;
  }
};

}  // namespace

NormalizerPointer make_scaled_softmax(std::string name, EmptyRow empty_row, const LengthScale& scale) {
  return std::make_unique<ScaledSoftmax>(std::move(name), empty_row, scale);
}
NormalizerPointer make_softmax1(std::string name, EmptyRow empty_row) {
  return std::make_unique<Softmax1>(std::move(name), empty_row);
}
NormalizerPointer make_top_k(std::string name, EmptyRow empty_row, std::size_t k) {
  return std::make_unique<TopK>(std::move(name), empty_row, k);
}
NormalizerPointer make_self_adjust(std::string name, EmptyRow empty_row) {
  return std::make_unique<SelfAdjust>(std::move(name), empty_row);
}
NormalizerPointer make_self_adjust_normalized(std::string name, EmptyRow empty_row) {
  return std::make_unique<SelfAdjustNormalized>(std::move(name), empty_row);
}

}  // namespace headroom::sim
