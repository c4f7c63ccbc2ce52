#include "verify/cell_kernels.hpp"

#include "verify/row_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "verify/cell_kernels.cpp"
#include <hwy/foreach_target.h>  // NOLINT: must come before highway.h
#include <hwy/highway.h>
// After highway.h: it is included once per target.
#include <hwy/contrib/math/math-inl.h>

#include "verify/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace headroom::verify {
namespace HWY_NAMESPACE {
HWY_INLINE V load(const float* p) { return hn::PromoteTo(Tag(), hn::LoadU(hn::Rebind<float, Tag>(), p)); }

HWY_INLINE double fold_lanes(const V (&sum)[kGroups]) {
  double lanes[lane_group];
  for (std::size_t g = 0; g < kGroups; ++g) hn::StoreU(sum[g], Tag(), lanes + g * kLanes);
  for (std::size_t half = lane_group / 2; half > 0; half /= 2) {
    for (std::size_t k = 0; k < half; ++k) lanes[k] += lanes[k + half];
  }
  return lanes[0];
}

Range range_kernel(const double* values, std::size_t count) {
  V least = load(values);
  V largest = least;
  for (std::size_t i = kLanes; i < count; i += kLanes) {
    const V v = load(values + i);
    least = hn::Min(least, v);
    largest = hn::Max(largest, v);
  }
  return {hn::GetLane(hn::MinOfLanes(Tag(), least)), hn::GetLane(hn::MaxOfLanes(Tag(), largest))};
}

template <class T>
HWY_INLINE void inverse_norms_of(const T* g, std::size_t dim, std::size_t width, double* inverse) {
  for (std::size_t j = 0; j < width; j += lane_group) {
    V sum[kGroups];
    for (V& s : sum) s = hn::Zero(Tag());
    for (std::size_t k = 0; k < dim; ++k) {
      for (std::size_t v = 0; v < kGroups; ++v) {
        const V x = load(g + k * width + j + v * kLanes);
        sum[v] = hn::MulAdd(x, x, sum[v]);
      }
    }
    for (std::size_t v = 0; v < kGroups; ++v) {
      hn::StoreU(hn::Div(set(1.0), hn::Sqrt(sum[v])), Tag(), inverse + j + v * kLanes);
    }
  }
}

template <class T>
HWY_INLINE void add_context_of(const T* g, std::size_t dim, std::size_t width, const double* weight, double* c) {
  for (std::size_t k = 0; k < dim; ++k) {
    V sum[kGroups];
    for (V& s : sum) s = hn::Zero(Tag());
    for (std::size_t j = 0; j < width; j += lane_group) {
      for (std::size_t v = 0; v < kGroups; ++v) {
        const std::size_t at = j + v * kLanes;
        sum[v] = hn::MulAdd(load(weight + at), load(g + k * width + at), sum[v]);
      }
    }
    c[k] += fold_lanes(sum);
  }
}

// `directions` of them, over `groups` groups of lanes at once.
template <std::size_t directions, std::size_t groups, class T>
HWY_INLINE void project_group(const T* g, std::size_t dim, std::size_t width, const double* inverse,
                              const double* const (&direction)[directions], double* const (&out)[directions],
                              std::size_t at) {
  constexpr std::size_t vectors = groups * kGroups;
  V sum[directions][vectors];
  for (std::size_t i = 0; i < directions; ++i) {
    for (std::size_t v = 0; v < vectors; ++v) sum[i][v] = hn::Zero(Tag());
  }
  for (std::size_t k = 0; k < dim; ++k) {
    for (std::size_t v = 0; v < vectors; ++v) {
      const V x = load(g + k * width + at + v * kLanes);
      for (std::size_t i = 0; i < directions; ++i) sum[i][v] = hn::MulAdd(set(direction[i][k]), x, sum[i][v]);
    }
  }
  for (std::size_t v = 0; v < vectors; ++v) {
    const V scale = load(inverse + at + v * kLanes);
    for (std::size_t i = 0; i < directions; ++i) {
      hn::StoreU(hn::Mul(scale, sum[i][v]), Tag(), out[i] + at + v * kLanes);
    }
  }
}

template <std::size_t directions, class T>
HWY_INLINE void project_all(const T* g, std::size_t dim, std::size_t width, const double* inverse,
                            const double* const (&direction)[directions], double* const (&out)[directions]) {
  std::size_t at = 0;
  for (; at + 2 * lane_group <= width; at += 2 * lane_group) {
    project_group<directions, 2>(g, dim, width, inverse, direction, out, at);
  }
  if (at < width) project_group<directions, 1>(g, dim, width, inverse, direction, out, at);
}

template <class T>
HWY_INLINE void project_of(const T* g, std::size_t dim, std::size_t width, const double* inverse, const double* first,
                           double* first_out, const double* second, double* second_out) {
  if (second == nullptr) {
    const double* const direction[] = {first};
    double* const out[] = {first_out};
    project_all<1>(g, dim, width, inverse, direction, out);
  } else {
    const double* const directions[] = {first, second};
    double* const outs[] = {first_out, second_out};
    project_all<2>(g, dim, width, inverse, directions, outs);
  }
}

void inverse_norms64(const double* g, std::size_t dim, std::size_t width, double* inverse) {
  inverse_norms_of(g, dim, width, inverse);
}
void inverse_norms32(const float* g, std::size_t dim, std::size_t width, double* inverse) {
  inverse_norms_of(g, dim, width, inverse);
}
void add_context64(const double* g, std::size_t dim, std::size_t width, const double* weight, double* c) {
  add_context_of(g, dim, width, weight, c);
}
void add_context32(const float* g, std::size_t dim, std::size_t width, const double* weight, double* c) {
  add_context_of(g, dim, width, weight, c);
}
void project64(const double* g, std::size_t dim, std::size_t width, const double* inverse, const double* first,
               double* first_out, const double* second, double* second_out) {
  project_of(g, dim, width, inverse, first, first_out, second, second_out);
}
void project32(const float* g, std::size_t dim, std::size_t width, const double* inverse, const double* first,
               double* first_out, const double* second, double* second_out) {
  project_of(g, dim, width, inverse, first, first_out, second, second_out);
}

void sphere_coordinates_kernel(const float* first, const float* second, std::size_t dim, double scale,
                               std::size_t count, double* out) {
  const Tag tag;
  const V factor = set(scale);
  const V rate = set(dim > 2 ? -1.0 / static_cast<double>(dim - 2) : 0.0);
  for (std::size_t j = 0; j < count; j += kLanes) {
    const V z = load(first + j);
    const V other = load(second + j);
    const V square = hn::MulAdd(z, z, hn::Mul(other, other));
    const V length2 = dim > 2 ? hn::Neg(hn::Expm1(tag, hn::Mul(rate, square))) : set(1.0);
    hn::StoreU(hn::Mul(factor, hn::Mul(z, hn::Sqrt(hn::Div(length2, square)))), tag, out + j);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace headroom::verify
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headroom::verify {
HWY_EXPORT(range_kernel);
HWY_EXPORT(inverse_norms64);
HWY_EXPORT(inverse_norms32);
HWY_EXPORT(add_context64);
HWY_EXPORT(add_context32);
HWY_EXPORT(project64);
HWY_EXPORT(project32);
HWY_EXPORT(sphere_coordinates_kernel);

Range range_of(const double* values, std::size_t count) { return HWY_DYNAMIC_DISPATCH(range_kernel)(values, count); }
void inverse_norms(const double* g, std::size_t dim, std::size_t width, double* inverse) {
  HWY_DYNAMIC_DISPATCH(inverse_norms64)(g, dim, width, inverse);
}
void inverse_norms(const float* g, std::size_t dim, std::size_t width, double* inverse) {
  HWY_DYNAMIC_DISPATCH(inverse_norms32)(g, dim, width, inverse);
}
void add_context(const double* g, std::size_t dim, std::size_t width, const double* weight, double* c) {
  HWY_DYNAMIC_DISPATCH(add_context64)(g, dim, width, weight, c);
}
void add_context(const float* g, std::size_t dim, std::size_t width, const double* weight, double* c) {
  HWY_DYNAMIC_DISPATCH(add_context32)(g, dim, width, weight, c);
}
void project(const double* g, std::size_t dim, std::size_t width, const double* inverse, const double* first,
             double* first_out, const double* second, double* second_out) {
  HWY_DYNAMIC_DISPATCH(project64)(g, dim, width, inverse, first, first_out, second, second_out);
}
void project(const float* g, std::size_t dim, std::size_t width, const double* inverse, const double* first,
             double* first_out, const double* second, double* second_out) {
  HWY_DYNAMIC_DISPATCH(project32)(g, dim, width, inverse, first, first_out, second, second_out);
}
void sphere_coordinates(const float* first, const float* second, std::size_t dim, double scale, std::size_t count,
                        double* out) {
  HWY_DYNAMIC_DISPATCH(sphere_coordinates_kernel)(first, second, dim, scale, count, out);
}

}  // namespace headroom::verify
#endif
