#include "sim/low_rank_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/low_rank_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// After the two above.
#include "sim/vector_row-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace headroom::sim {
namespace HWY_NAMESPACE {
namespace {

template <std::size_t r>
LowRankSums<r> sums_of(const double* d, const std::array<const double*, 2 * r>& columns, std::size_t n, double sigma) {
  using Sums = LowRankSums<r>;
  const VectorTag<double> tag;
  const std::size_t step = hn::Lanes(tag);
  constexpr std::size_t group = LaneSum<double>::vectors;
  const Vector<double> at = set<double>(sigma);
  const Vector<double> one = set<double>(1);
  const Vector<double> two = set<double>(2);
  std::array<LaneSum<double>, Sums::count> value, slope;
  const auto take = [&](std::size_t g, Vector<double> diagonal, const auto& load) {
    const Vector<double> inverse = hn::Div(one, hn::Mul(hn::Sub(at, diagonal), hn::Add(at, diagonal)));
    const Vector<double> same = hn::Mul(at, inverse);
    const Vector<double> mixed = hn::Mul(diagonal, inverse);
    const Vector<double> same_slope = hn::NegMulAdd(same, same, hn::Neg(hn::Mul(mixed, mixed)));
    const Vector<double> mixed_slope = hn::Neg(hn::Mul(two, hn::Mul(same, mixed)));
    Vector<double> x[2 * r];
    for (std::size_t k = 0; k < 2 * r; ++k) x[k] = load(columns[k]);
    std::size_t at_sum = 0;
    for (std::size_t k = 0; k < 2 * r; ++k) {
      for (std::size_t l = k; l < 2 * r; ++l, ++at_sum) {
        const bool across = k < r && l >= r;
        const Vector<double> product = hn::Mul(x[k], x[l]);
        value[at_sum].add(g, hn::Mul(product, across ? mixed : same));
        slope[at_sum].add(g, hn::Mul(product, across ? mixed_slope : same_slope));
      }
    }
  };
  std::size_t i = 0;
  for (std::size_t g = 0; i + step <= n; i += step, g = (g + 1) % group) {
    take(g, hn::LoadU(tag, d + i), [&](const double* column) { return hn::LoadU(tag, column + i); });
  }
  if (i < n) {
    const Vector<double> none = hn::Zero(tag);
    take((i / step) % group, load_first<double>(d + i, n - i, none),
         [&](const double* column) { return load_first<double>(column + i, n - i, none); });
  }
  Sums sums;
  for (std::size_t s = 0; s < Sums::count; ++s) {
    sums.value[s] = value[s].total();
    sums.slope[s] = slope[s].total();
  }
  return sums;
}

LowRankSums<1> sums_of_one(const double* d, const std::array<const double*, 2>& columns, std::size_t n, double sigma) {
  return sums_of<1>(d, columns, n, sigma);
}
LowRankSums<2> sums_of_two(const double* d, const std::array<const double*, 4>& columns, std::size_t n, double sigma) {
  return sums_of<2>(d, columns, n, sigma);
}

LowRankSums<3> sums_of_three(const double* d, const std::array<const double*, 6>& columns, std::size_t n,
                             double sigma) {
  return sums_of<3>(d, columns, n, sigma);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace headroom::sim
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headroom::sim {

HWY_EXPORT(sums_of_one);
HWY_EXPORT(sums_of_two);
HWY_EXPORT(sums_of_three);

template <>
LowRankSums<1> low_rank_sums<1>(const double* d, const std::array<const double*, 2>& columns, std::size_t n,
                                double sigma) {
  return HWY_DYNAMIC_DISPATCH(sums_of_one)(d, columns, n, sigma);
}
template <>
LowRankSums<2> low_rank_sums<2>(const double* d, const std::array<const double*, 4>& columns, std::size_t n,
                                double sigma) {
  return HWY_DYNAMIC_DISPATCH(sums_of_two)(d, columns, n, sigma);
}

template <>
LowRankSums<3> low_rank_sums<3>(const double* d, const std::array<const double*, 6>& columns, std::size_t n,
                                double sigma) {
  return HWY_DYNAMIC_DISPATCH(sums_of_three)(d, columns, n, sigma);
}

}  // namespace headroom::sim
#endif
