#include "verify/row_sweep.hpp"

#include <cassert>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "verify/row_sweep.cpp"
#include <hwy/foreach_target.h>  // NOLINT: must come before highway.h
#include <hwy/highway.h>

#include "verify/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace headroom::verify {
namespace HWY_NAMESPACE {

// One vector of tokens through all steps; the sums of each step stay in registers.
template <class Real, std::size_t count>
struct SweepState {
  using L = Lanes<Real>;
  using VR = typename L::V;
  VR distance[count][L::groups];
  VR expected[count][L::groups];
  VR distance_slack[count];
  VR expected_slack[count];
};

template <class Real, std::size_t count>
void sweep_steps(const RowArrays<Real>& row, Real* sx, const SweepStep<Real>* steps, SweepSums* sums) {
  using L = Lanes<Real>;
  using VR = typename L::V;
  const typename L::Tag tag;
  const VR zero = L::zero();
  const VR two = L::set(2.0);
  const VR share = L::set(cancellation_share_of<Real>);
  SweepState<Real, count> state;
  for (std::size_t n = 0; n < count; ++n) {
    state.distance_slack[n] = state.expected_slack[n] = L::set(std::numeric_limits<Real>::infinity());
    sums[n] = {};
  }
  for (std::size_t begin = 0; begin < row.padded;) {
    const std::size_t end = row.padded - begin > chunk<Real> ? begin + chunk<Real> : row.padded;
    for (std::size_t n = 0; n < count; ++n) {
      for (std::size_t g = 0; g < L::groups; ++g) state.distance[n][g] = state.expected[n][g] = zero;
    }
    for (std::size_t i = begin; i < end; i += lane_group_of<Real>) {
      for (std::size_t g = 0; g < L::groups; ++g) {
        const std::size_t at = i + g * L::size;
        const VR rank = L::load(row.rank + at);
        const VR cross = hn::Mul(two, L::load(row.alpha + at));
        const VR y2 = L::load(row.y2 + at);
        const VR cy = L::load(row.cy + at);
        const auto visible = hn::Ge(rank, zero);
        VR inner = L::load(sx + at);
        for (std::size_t n = 0; n < count; ++n) {
          const SweepStep<Real>& step = steps[n];
          inner = hn::MulAdd(L::set(step.weight), L::load(step.gram + at), inner);
          const auto outside = hn::Ge(rank, L::set(static_cast<double>(step.top)));
          const VR d2 = hn::NegMulAdd(cross, inner, hn::Add(L::set(step.s2), y2));
          const VR d2_slack = hn::NegMulAdd(share, y2, d2);
          state.distance_slack[n] =
              hn::IfThenElse(outside, hn::Min(state.distance_slack[n], d2_slack), state.distance_slack[n]);
          state.distance[n][g] = hn::Add(state.distance[n][g], hn::IfThenElseZero(outside, root<Real>(d2)));
          const VR own = hn::Mul(L::set(step.terms.square), y2);
          const VR m2 = hn::NegMulAdd(L::set(step.terms.cross), cy, hn::Add(L::set(step.terms.constant), own));
          // The padding's slack is the constant's own and never the least.
          state.expected_slack[n] = hn::Min(state.expected_slack[n], hn::NegMulAdd(share, own, m2));
          state.expected[n][g] = hn::Add(state.expected[n][g], hn::IfThenElseZero(visible, root<Real>(m2)));
        }
        L::store(inner, sx + at);
      }
    }
    for (std::size_t n = 0; n < count; ++n) {
      sums[n].distance.value += L::total(state.distance[n]);
      sums[n].expected.value += L::total(state.expected[n]);
    }
    begin = end;
  }
  const auto cancelled = [&](VR slack, double constant) {
    const auto least = static_cast<double>(hn::GetLane(hn::MinOfLanes(tag, slack)));
    return least < cancellation_share_of<Real> * constant;
  };
  for (std::size_t n = 0; n < count; ++n) {
    sums[n].distance.cancelled = cancelled(state.distance_slack[n], steps[n].s2);
    sums[n].expected.cancelled = cancelled(state.expected_slack[n], steps[n].terms.constant);
  }
}

template <class Real>
void sweep_any(const RowArrays<Real>& row, Real* sx, const SweepStep<Real>* steps, std::size_t count, SweepSums* sums) {
  switch (count) {
    case 1:
      return sweep_steps<Real, 1>(row, sx, steps, sums);
    case 2:
      return sweep_steps<Real, 2>(row, sx, steps, sums);
    case 3:
      return sweep_steps<Real, 3>(row, sx, steps, sums);
    default:
      return sweep_steps<Real, 4>(row, sx, steps, sums);
  }
}

void sweep_single(const RowArrays<float>& row, float* sx, const SweepStep<float>* steps, std::size_t count,
                  SweepSums* sums) {
  sweep_any(row, sx, steps, count, sums);
}
void sweep_double(const RowArrays<double>& row, double* sx, const SweepStep<double>* steps, std::size_t count,
                  SweepSums* sums) {
  sweep_any(row, sx, steps, count, sums);
}

}  // namespace HWY_NAMESPACE
}  // namespace headroom::verify
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headroom::verify {
HWY_EXPORT(sweep_single);
HWY_EXPORT(sweep_double);

template <>
void sweep<float>(const RowArrays<float>& row, float* sx, const SweepStep<float>* steps, std::size_t count,
                  SweepSums* sums) {
  assert(count >= 1 && count <= sweep_width);
  HWY_DYNAMIC_DISPATCH(sweep_single)(row, sx, steps, count, sums);
}
template <>
void sweep<double>(const RowArrays<double>& row, double* sx, const SweepStep<double>* steps, std::size_t count,
                   SweepSums* sums) {
  assert(count >= 1 && count <= sweep_width);
  HWY_DYNAMIC_DISPATCH(sweep_double)(row, sx, steps, count, sums);
}

}  // namespace headroom::verify
#endif
