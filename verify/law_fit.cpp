#include "verify/law_fit.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "theory/boundary.hpp"
#include "theory/coordinate_law.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "verify/law_fit.cpp"
#include <hwy/foreach_target.h>  // NOLINT: must come before highway.h
#include <hwy/highway.h>

#include "verify/lanes-inl.hpp"

#if !defined(HEADROOM_LAW_FIT_POINTS)
#define HEADROOM_LAW_FIT_POINTS
namespace headroom::verify {
namespace {

constexpr std::size_t point_count = 16;
constexpr std::size_t points_below = 2;
constexpr double grading = 3.0;              // spacings grow by e^grading from the jump to the far end
constexpr double reach_in_deviations = 4.0;  // how far the rule goes, in standard deviations of u

/// Points of the rule: jump + (jump − end)·below and jump + (end − jump)·above, or evenly over everything.
struct Points {
  float below[point_count] = {};
  float above[point_count] = {};
  float even[point_count] = {};

  Points() {
    const auto graded = [](double s) { return static_cast<float>(std::expm1(grading * s) / std::expm1(grading)); };
    for (std::size_t k = 0; k < point_count; ++k) {
      even[k] = static_cast<float>(k) / static_cast<float>(point_count - 1);
      if (k < points_below) {
        below[k] = -graded(static_cast<double>(points_below - k) / static_cast<double>(points_below));
      } else {
        above[k] = graded(static_cast<double>(k - points_below) / static_cast<double>(point_count - 1 - points_below));
      }
    }
  }
};
const Points points;

}  // namespace
}  // namespace headroom::verify
#endif

HWY_BEFORE_NAMESPACE();
namespace headroom::verify {
namespace HWY_NAMESPACE {
using F = Lanes<float>;
using VF = F::V;

// 2^x to 1e-4 relative; |x| < 126.
HWY_INLINE VF power_of_two(VF x) {
  const F::Tag tag;
  const hn::RebindToSigned<F::Tag> integers;
  const WholeNumber whole = nearest_whole(x, 1);
  const VF part = hn::Sub(x, whole.value);
  // Minimax over [−1/2, 1/2] with the constant 1.
  const VF slope = hn::MulAdd(part, hn::MulAdd(part, F::set(0.0550089), F::set(0.2422110)), F::set(0.6932829));
  const VF mantissa = hn::MulAdd(part, slope, F::set(1));
  return hn::BitCast(tag, hn::Add(hn::BitCast(integers, mantissa), whole.exponent));
}

// log₂ x to 1.5e-5; for normal x > 0.
HWY_INLINE VF log2_of(VF x) {
  const F::Tag tag;
  const hn::RebindToSigned<F::Tag> integers;
  const auto bits = hn::BitCast(integers, x);
  const auto root_half = hn::Set(integers, 0x3F3504F3);
  const auto exponent = hn::ShiftRight<23>(hn::Sub(bits, root_half));
  const VF part = hn::Sub(hn::BitCast(tag, hn::Sub(bits, hn::ShiftLeft<23>(exponent))), F::set(1));
  // Minimax for log₂(1 + part)/part over [√½ − 1, √2 − 1].
  VF sum = F::set(0.25266025);
  for (const double coefficient : {-0.39457537, 0.48668615, -0.7202418, 1.44257801}) {
    sum = hn::MulAdd(sum, part, F::set(coefficient));
  }
  return hn::MulAdd(sum, part, hn::ConvertTo(tag, exponent));
}

template <std::size_t degree>
HWY_INLINE VF minus_log_cdf(const LawFit& fit, VF t) {
  const VF inside = hn::MulAdd(t, F::set(fit.inverse_half_width), F::set(fit.offset));
  const VF x = hn::Min(hn::Max(inside, F::set(-1)), F::set(1));
  // In pairs, as few terms wait for each other.
  const auto pair = [&](std::size_t k) {
    return hn::MulAdd(F::set(fit.coefficient[k + 1]), x, F::set(fit.coefficient[k]));
  };
  const VF x2 = hn::Mul(x, x);
  const VF x4 = hn::Mul(x2, x2);
  VF sum = hn::MulAdd(hn::MulAdd(pair(6), x2, pair(4)), x4, hn::MulAdd(pair(2), x2, pair(0)));
  if constexpr (degree == LawFit::high_degree) {
    sum = hn::MulAdd(hn::MulAdd(pair(10), x2, pair(8)), hn::Mul(x4, x4), sum);
  }
  return power_of_two(sum);
}

// Mean of exp(−2^g) over a cell, g linear and the density of u linear between its ends.
HWY_INLINE VF cell_mean(VF g_low, VF g_high, VF density_low, VF density_high) {
  constexpr int steps = 4;
  const VF growth = hn::Sub(density_high, density_low);
  const VF step_rise = hn::Mul(hn::Sub(g_high, g_low), F::set(1.0 / steps));
  const VF ratio = power_of_two(step_rise);
  VF exponent = power_of_two(hn::MulAdd(step_rise, F::set(0.5), g_low));
  VF sum = F::zero();
  for (int step = 0; step < steps; ++step) {
    // exp(−84) is as good as 0, and 2 to that power still a number.
    const VF bounded = hn::Min(exponent, F::set(84));
    const VF product = power_of_two(hn::Mul(bounded, F::set(-std::numbers::log2e)));
    sum = hn::MulAdd(hn::MulAdd(growth, F::set((step + 0.5) / steps), density_low), product, sum);
    exponent = hn::Mul(exponent, ratio);
  }
  const VF total = hn::Mul(F::set(0.5 * steps), hn::Add(density_low, density_high));
  return hn::Div(sum, hn::Max(total, F::set(1e-30)));
}

template <std::size_t degree>
HWY_INLINE double separation_by(const LawFit& fit, const LawNodes& rest, double weight, double others2) {
  const F::Tag tag;
  // σ = 0 leaves B = α² for every u; this much below α² is the same.
  const double sigma2 = std::max(others2, 1e-12 * weight * weight);
  const double sigma = std::sqrt(sigma2);
  const double jump = -weight / (2 * sigma);
  const double end = std::min(1.0, reach_in_deviations / std::sqrt(static_cast<double>(fit.dim)));
  const bool split = jump > -end;
  // Weights this far below the token's own jump where zeros do, over a range of u of no noticeable probability.
  constexpr double negligible = 2e-4;
  std::size_t size = rest.size;
  while (size > 0 && 2 * static_cast<double>(rest.half[size - 1]) < negligible * weight) --size;
  const bool zeros = rest.zeros || size < rest.size;
  // One entry more than points: the end of the last cell.
  float log_exponent[point_count + 1];
  float cdf[point_count + 1];
  float density[point_count + 1];
  for (std::size_t k = 0; k < point_count; k += F::size) {
    const VF u = split ? hn::MulAdd(F::load(points.above + k), F::set(end - jump),
                                    hn::MulAdd(F::load(points.below + k), F::set(jump + end), F::set(jump)))
                       : hn::MulAdd(F::load(points.even + k), F::set(2 * end), F::set(-end));
    const VF b = hn::Mul(F::set(2 * weight * sigma), hn::Sub(u, F::set(jump)));
    const VF s2 = hn::Max(hn::Add(b, F::set(sigma2)), F::set(1e-30));
    const VF inverse = hn::Div(F::set(1), hn::Sqrt(s2));
    VF exponent = F::set(1e-30);
    for (std::size_t j = 0; j < size; ++j) {
      const VF t = hn::Mul(hn::MulAdd(b, hn::Set(tag, rest.half_inverse[j]), hn::Set(tag, rest.half[j])), inverse);
      exponent = hn::MulAdd(hn::Set(tag, rest.count[j]), minus_log_cdf<degree>(fit, t), exponent);
    }
    F::store(log2_of(exponent), log_exponent + k);
    F::store(power_of_two(hn::Mul(minus_log_cdf<degree>(fit, u), F::set(-std::numbers::log2e))), cdf + k);
    const VF left = hn::Max(hn::NegMulAdd(u, u, F::set(1)), F::set(1e-20));
    const VF power = F::set(0.5 * static_cast<double>(fit.dim) - 1.5);
    F::store(power_of_two(hn::Max(hn::Mul(power, log2_of(left)), F::set(-120))), density + k);
  }
  log_exponent[point_count] = log_exponent[point_count - 1];
  cdf[point_count] = 1;
  density[point_count] = density[point_count - 1];
  // Where B ≤ 0 a weight of zero is nearer than the token.
  if (split && zeros) std::fill_n(cdf, points_below, cdf[points_below]);
  VF sum = F::zero();
  for (std::size_t k = 0; k < point_count; k += F::size) {
    const VF mean = cell_mean(F::load(log_exponent + k), F::load(log_exponent + k + 1), F::load(density + k),
                              F::load(density + k + 1));
    sum = hn::MulAdd(hn::Sub(F::load(cdf + k + 1), F::load(cdf + k)), mean, sum);
  }
  return static_cast<double>(hn::GetLane(hn::SumOfLanes(tag, sum)));
}

double separation_kernel(const LawFit& fit, const LawNodes& rest, double weight, double others2) {
  return fit.degree == LawFit::low_degree ? separation_by<LawFit::low_degree>(fit, rest, weight, others2)
                                          : separation_by<LawFit::high_degree>(fit, rest, weight, others2);
}

}  // namespace HWY_NAMESPACE
}  // namespace headroom::verify
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headroom::verify {
HWY_EXPORT(separation_kernel);

double binned_separation(const LawFit& fit, const LawNodes& rest, double weight, double others2) {
  return HWY_DYNAMIC_DISPATCH(separation_kernel)(fit, rest, weight, others2);
}

namespace {

using Coefficients = std::array<double, LawFit::high_degree + 1>;

/// The polynomial through a function at the Chebyshev points of [−1, 1], in powers.
template <class Function>
Coefficients interpolate(std::size_t degree, Function f) {
  const std::size_t n = degree + 1;
  const auto angle = [n](std::size_t k) {
    return std::numbers::pi * (static_cast<double>(k) + 0.5) / static_cast<double>(n);
  };
  Coefficients powers{};
  Coefficients older{1.0};       // T_0
  Coefficients newer{0.0, 1.0};  // T_1
  for (std::size_t j = 0; j < n; ++j) {
    double projection = 0;
    for (std::size_t k = 0; k < n; ++k) {
      projection += f(std::cos(angle(k))) * std::cos(static_cast<double>(j) * angle(k));
    }
    projection *= (j == 0 ? 1.0 : 2.0) / static_cast<double>(n);
    for (std::size_t i = 0; i < n; ++i) powers[i] += projection * older[i];
    Coefficients next{};
    for (std::size_t i = 0; i < n; ++i) next[i] = (i > 0 ? 2 * newer[i - 1] : 0.0) - older[i];
    older = newer;
    newer = next;
  }
  return powers;
}

}  // namespace

LawFit::LawFit(std::size_t d) : dim(d), degree(d >= smooth_dim ? low_degree : high_degree) {
  constexpr double largest = 9;
  constexpr double smallest = 1e-6;
  const theory::CoordinateLaw law(dim);
  const auto minus_log = [&](double t) { return t > 0 ? -std::log1p(-law.cdf(-t)) : -std::log(law.cdf(t)); };
  const double first = theory::boundary(-1.0, 0.0, [&](double t) { return !(minus_log(t) <= largest); });
  const double last = theory::boundary(0.0, 1.0, [&](double t) { return minus_log(t) > smallest; });
  const double centre = (first + last) / 2;
  const double half = (last - first) / 2;
  const auto exact = [&](double x) { return std::log2(minus_log(centre + half * x)); };
  const Coefficients powers = interpolate(degree, exact);
  for (std::size_t k = 0; k <= degree; ++k) coefficient[k] = static_cast<float>(powers[k]);
  offset = static_cast<float>(-centre / half);
  inverse_half_width = static_cast<float>(1 / half);
  constexpr int checks = 1000;
  for (int i = 0; i <= checks; ++i) {
    const double x = 2.0 * i / checks - 1;
    double value = 0;
    for (std::size_t k = degree + 1; k-- > 0;) value = value * x + static_cast<double>(coefficient[k]);
    error = std::max(error, std::abs(value - exact(x)));
  }
}

}  // namespace headroom::verify
#endif
