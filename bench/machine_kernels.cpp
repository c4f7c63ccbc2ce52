#include "bench/machine_kernels.hpp"

#include <hwy/cache_control.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/machine_kernels.cpp"
#include <hwy/foreach_target.h>  // NOLINT: must come before highway.h
#include <hwy/highway.h>
// After highway.h: it is included once per target.
#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace headroom::bench {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Tag = hn::CappedTag<T, 64 / sizeof(T)>;

// Enough independent chains to hide the latency of any of these operations.
constexpr std::size_t kChains = 16;

template <class T>
T add_up(const hn::Vec<Tag<T>> (&chain)[kChains]) {
  auto sum = chain[0];
  for (std::size_t c = 1; c < kChains; ++c) sum = hn::Add(sum, chain[c]);
  return hn::GetLane(hn::SumOfLanes(Tag<T>(), sum));
}

template <class T>
T fma_chains(T start, std::size_t count) {
  const Tag<T> tag;
  hn::Vec<Tag<T>> chain[kChains];
  for (std::size_t c = 0; c < kChains; ++c) chain[c] = hn::Set(tag, start + static_cast<T>(c));
  // Towards the fixed point 2·start: no overflow, no denormal numbers.
  const auto half = hn::Set(tag, static_cast<T>(0.5));
  const auto add = hn::Set(tag, start);
  for (std::size_t i = 0; i < count; i += kChains * hn::Lanes(tag)) {
    for (auto& x : chain) x = hn::MulAdd(x, half, add);
  }
  return add_up<T>(chain);
}

template <class T, class Function>
T sum_of(const T* x, std::size_t count, Function function) {
  const Tag<T> tag;
  constexpr std::size_t kUnroll = 4;
  hn::Vec<Tag<T>> chain[kChains];
  for (auto& sum : chain) sum = hn::Zero(tag);
  for (std::size_t i = 0; i < count; i += kUnroll * hn::Lanes(tag)) {
    for (std::size_t c = 0; c < kUnroll; ++c) {
      chain[c] = hn::Add(chain[c], function(tag, hn::LoadU(tag, x + i + c * hn::Lanes(tag))));
    }
  }
  return add_up<T>(chain);
}

double fma64(double start, std::size_t count) { return fma_chains(start, count); }
float fma32(float start, std::size_t count) { return fma_chains(start, count); }

double inverse64(const double* x, std::size_t count) {
  return sum_of(x, count, [](auto tag, auto v) { return hn::Div(hn::Set(tag, 1.0), v); });
}
double sqrt64(const double* x, std::size_t count) {
  return sum_of(x, count, [](auto, auto v) { return hn::Sqrt(v); });
}
float sqrt32(const float* x, std::size_t count) {
  return sum_of(x, count, [](auto, auto v) { return hn::Sqrt(v); });
}
double exp64(const double* x, std::size_t count) {
  return sum_of(x, count, [](auto tag, auto v) { return hn::Exp(tag, v); });
}
float exp32(const float* x, std::size_t count) {
  return sum_of(x, count, [](auto tag, auto v) { return hn::Exp(tag, v); });
}

void copy_kernel(const double* from, double* to, std::size_t count, bool past_caches) {
  const Tag<double> tag;
  constexpr std::size_t kUnroll = 4;
  const std::size_t step = kUnroll * hn::Lanes(tag);
  if (past_caches) {
    for (std::size_t i = 0; i < count; i += step) {
      for (std::size_t c = i; c < i + step; c += hn::Lanes(tag)) hn::Stream(hn::Load(tag, from + c), tag, to + c);
    }
    hwy::FlushStream();
    return;
  }
  for (std::size_t i = 0; i < count; i += step) {
    for (std::size_t c = i; c < i + step; c += hn::Lanes(tag)) hn::Store(hn::Load(tag, from + c), tag, to + c);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace headroom::bench
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headroom::bench {
HWY_EXPORT(fma64);
HWY_EXPORT(fma32);
HWY_EXPORT(inverse64);
HWY_EXPORT(sqrt64);
HWY_EXPORT(sqrt32);
HWY_EXPORT(exp64);
HWY_EXPORT(exp32);
HWY_EXPORT(copy_kernel);

double fma_loop(double start, std::size_t count) { return HWY_DYNAMIC_DISPATCH(fma64)(start, count); }
float fma_loop(float start, std::size_t count) { return HWY_DYNAMIC_DISPATCH(fma32)(start, count); }
double inverse_sum(const double* x, std::size_t count) { return HWY_DYNAMIC_DISPATCH(inverse64)(x, count); }
double sqrt_sum(const double* x, std::size_t count) { return HWY_DYNAMIC_DISPATCH(sqrt64)(x, count); }
float sqrt_sum(const float* x, std::size_t count) { return HWY_DYNAMIC_DISPATCH(sqrt32)(x, count); }
double exp_sum(const double* x, std::size_t count) { return HWY_DYNAMIC_DISPATCH(exp64)(x, count); }
float exp_sum(const float* x, std::size_t count) { return HWY_DYNAMIC_DISPATCH(exp32)(x, count); }
void copy(const double* from, double* to, std::size_t count, bool past_caches) {
  HWY_DYNAMIC_DISPATCH(copy_kernel)(from, to, count, past_caches);
}

}  // namespace headroom::bench
#endif
