#include "verify/pair_kernels.hpp"

#include <limits>

#include "verify/row_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "verify/pair_kernels.cpp"
#include <hwy/foreach_target.h>  // NOLINT: must come before highway.h
#include <hwy/highway.h>

#include "verify/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace headroom::verify {
namespace HWY_NAMESPACE {

// As many vectors as hide the latency of a comparison, beside those a logical group has.
constexpr std::size_t kStep = 4 * kLanes;

// The tail of a row, filled up with what changes nothing.
HWY_INLINE V load_tail(const double* p, std::size_t count, double filler) {
  double whole[kLanes];
  for (std::size_t k = 0; k < kLanes; ++k) whole[k] = k < count ? p[k] : filler;
  return load(whole);
}

// use(lane vector number 0 … 3, inner, norm2) for all of a row.
template <class Use>
HWY_INLINE void for_vectors(const double* inner, const double* norm2, std::size_t size, double filler, Use use) {
  std::size_t i = 0;
  for (; i + kStep <= size; i += kStep) {
    for (std::size_t v = 0; v < 4; ++v) use(v, load(inner + i + v * kLanes), load(norm2 + i + v * kLanes));
  }
  for (; i < size; i += kLanes) {
    const std::size_t count = size - i < kLanes ? size - i : kLanes;
    use(0, load_tail(inner + i, count, 0.0), load_tail(norm2 + i, count, filler));
  }
}

double farthest_of(const double* inner, const double* norm2, std::size_t size) {
  const Tag tag;
  const V two = set(2.0);
  V most[4] = {set(0.0), set(0.0), set(0.0), set(0.0)};
  for_vectors(inner, norm2, size, 0.0, [&](std::size_t v, V product, V square) HWY_ATTR {
    most[v] = hn::Max(most[v], hn::NegMulAdd(two, product, square));
  });
  const V all = hn::Max(hn::Max(most[0], most[1]), hn::Max(most[2], most[3]));
  return hn::GetLane(hn::MaxOfLanes(tag, all));
}

NearestPair nearest_of(const double* inner, const double* norm2, double own, std::size_t size) {
  const Tag tag;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const V none = set(infinity);
  const V two = set(2.0);
  const V share = set(cancellation_share);
  const V self = set(own);
  V least[4] = {none, none, none, none};
  V slack[4] = {none, none, none, none};
  for_vectors(inner, norm2, size, infinity, [&](std::size_t v, V product, V square_j) HWY_ATTR {
    const V sizes = hn::Add(self, square_j);
    const V square = hn::NegMulAdd(two, product, sizes);
    least[v] = hn::Min(least[v], square);
    // NaN for the filler, whose comparison is false.
    const V above = hn::Sub(square, hn::Mul(share, sizes));
    slack[v] = hn::IfThenElse(hn::Lt(above, slack[v]), above, slack[v]);
  });
  const V nearest = hn::Min(hn::Min(least[0], least[1]), hn::Min(least[2], least[3]));
  const V worst = hn::Min(hn::Min(slack[0], slack[1]), hn::Min(slack[2], slack[3]));
  return {hn::GetLane(hn::MinOfLanes(tag, nearest)), hn::GetLane(hn::MinOfLanes(tag, worst)) < 0};
}

}  // namespace HWY_NAMESPACE
}  // namespace headroom::verify
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headroom::verify {
HWY_EXPORT(farthest_of);
HWY_EXPORT(nearest_of);

double farthest_excess(const double* inner, const double* norm2, std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(farthest_of)(inner, norm2, size);
}

NearestPair nearest_square(const double* inner, const double* norm2, double own, std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(nearest_of)(inner, norm2, own, size);
}

}  // namespace headroom::verify
#endif
