#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "sim/normalizers.hpp"
#include "sim/scaled_row.hpp"
#include "sim/steep_entmax.hpp"

namespace headroom::sim {
namespace {

constexpr DoubleDouble one = {1, 0};

/// One logit as the threshold equation sees it: y = (α−1)·c·(l − top)/T, in (−1, 0].
struct Candidate {
  DoubleDouble y;
  std::size_t token;
};

/// Those that can have weight: the largest alone puts the threshold at y = −1 or above.
std::vector<Candidate> candidates(std::span<const double> row, DoubleDouble factor, double temperature) {
  const double top = top_logit(row, factor);
  std::vector<Candidate> found;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const DoubleDouble y = scaled_difference(row[i], top, factor, temperature);
    if (DoubleDouble{-1, 0} < y) found.push_back({y, i});
  }
  return found;
}

void sort_decreasing(std::vector<Candidate>& found) {
  std::sort(found.begin(), found.end(), [](const Candidate& a, const Candidate& b) { return b.y < a.y; });
}

/// α = 2, the projection on the simplex: weights y_i + A on the longest prefix of the sorted y with
/// 1 + k·y_k > Σ_{j<=k} y_j, A = (1 − Σ y)/k. In twice the precision, so that long sums keep their bits.
std::vector<double> project(std::vector<Candidate>& found) {
  sort_decreasing(found);
  DoubleDouble sum;
  DoubleDouble level = one;
  std::size_t support = 0;
  for (const Candidate& candidate : found) {
    const DoubleDouble count = {static_cast<double>(support + 1), 0};
    const DoubleDouble next = sum + candidate.y;
    if (!(next < one + count * candidate.y)) break;
    sum = next;
    level = (one - sum) / count;
    ++support;
  }
  found.resize(support);
  std::vector<double> p;
  for (const Candidate& candidate : found) p.push_back((candidate.y + level).hi);
  return p;
}

/// (hi + lo)^β without losing lo, which β may magnify.
double power_of(DoubleDouble a, double beta) {
  return a.hi > 0 ? std::pow(a.hi, beta) * std::exp(beta * (a.lo / a.hi)) : 0.0;
}

/// 1 < α < 2: weights (y_i + A)₊^β, β = 1/(α−1) > 1, with A between n^{1−α} and 1 so that they sum to 1.
/// Newton on log Σ against log A, which is nearly straight when β is large, kept within a bracket. A is carried to
/// twice the precision: near α = 1 the weights are its 10¹⁵th powers.
std::vector<double> solve_smooth(std::vector<Candidate>& found, double alpha) {
  const double beta = 1 / (alpha - 1);
  const auto n = static_cast<double>(found.size());
  DoubleDouble low = one + DoubleDouble{std::expm1(-(alpha - 1) * std::log(n)) * (1 + 1e-15), 0};
  DoubleDouble high = one;
  DoubleDouble level = low;
  std::vector<double> p(found.size());
  for (int step = 0; step < 200; ++step) {
    double slope = 0;  // Σ p/a
    for (std::size_t i = 0; i < found.size(); ++i) {
      const DoubleDouble a = found[i].y + level;
      p[i] = power_of(a, beta);
      if (p[i] > 0) slope += p[i] / a.hi;
    }
    const double sum = sum_of(p).hi;
    if (std::abs(sum - 1) <= 0x1p-52) break;
    (sum < 1 ? low : high) = level;
    const double change = sum > 0 ? std::expm1(-std::log(sum) * sum / (beta * slope * level.hi)) : 1.0;
    DoubleDouble next = level + level * DoubleDouble{change, 0};
    if (!(low < next) || !(next < high)) next = (low + high) * DoubleDouble{0.5, 0};
    if (next.hi == level.hi && next.lo == level.lo) break;
    level = next;
  }
  return p;
}

/// α > 2, by solve_steep. Distances are those of the logits themselves: weights differ widely for tokens whose y, taken
/// from the largest, are equal in twice the precision.
std::vector<double> project_steep(std::vector<Candidate>& found, std::span<const double> row, DoubleDouble factor,
                                  double temperature, double alpha) {
  std::sort(found.begin(), found.end(), [&](const Candidate& a, const Candidate& b) {
    return factor.hi < 0 ? row[a.token] < row[b.token] : row[b.token] < row[a.token];
  });
  const auto distance = [&](std::size_t i, std::size_t k) {
    return scaled_difference(row[found[i].token], row[found[k].token], factor, temperature).hi;
  };
  std::vector<double> p = solve_steep(found.size(), distance, alpha);
  found.resize(p.size());
  return p;
}

class Entmax final : public Normalizer {
 public:
  Entmax(std::string name, EmptyRow empty_row, double alpha, const LengthScale& scale)
      : Normalizer(std::move(name), empty_row), alpha_(alpha), scale_(scale) {}

 private:
  void apply(std::span<double> row, double temperature) const override {
    const DoubleDouble steepness = two_sum(alpha_, -1);
    const DoubleDouble total = to_factor(scale_.of(row.size())) * steepness;
    std::vector<Candidate> found = candidates(row, total, temperature);
    const std::vector<double> p = alpha_ == 2  ? project(found)
                                  : alpha_ < 2 ? solve_smooth(found, alpha_)
                                               : project_steep(found, row, total, temperature, alpha_);
    const double sum = sum_of(p).hi;
    std::fill(row.begin(), row.end(), 0.0);
    for (std::size_t i = 0; i < found.size(); ++i) row[found[i].token] = p[i] / sum;
  }

  /// diag(w) − wwᵀ/Σw, w = p^{2−α}. Beyond α = 2 the w of a vanishing weight grows without bound; it is capped where
  /// sums of a million still fit.
  [[nodiscard]] Jacobian linearize(std::span<const double> logits, double temperature) const override {
    std::vector<double> w(logits.begin(), logits.end());
    apply(w, temperature);
    for (double& x : w) x = x == 0 ? 0.0 : std::min(std::pow(x, 2 - alpha_), 1e300);
    const double sum = sum_of(w).hi;
    return Jacobian::symmetric(std::move(w), 1 / sum, 0,
                               finite_ratio(static_cast<double>(scale_.of(logits.size())), temperature));
  }

  double alpha_;
  LengthScale scale_;
};

}  // namespace

NormalizerPointer make_entmax(std::string name, EmptyRow empty_row, double alpha, const LengthScale& scale) {
  return std::make_unique<Entmax>(std::move(name), empty_row, alpha, scale);
}

}  // namespace headroom::sim
