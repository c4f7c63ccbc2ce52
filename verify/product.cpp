#include "verify/product.hpp"

#include <algorithm>
#include <cassert>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "verify/product.cpp"
#include <hwy/foreach_target.h>  // NOLINT: must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace headroom::verify {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
constexpr std::size_t kLanes = hn::MaxLanes(Tag());
constexpr std::size_t kVectors = 3;
constexpr std::size_t kPanel = kLanes * kVectors;

// `rows` rows of C over one panel of kPanel columns of B, whose rows are `panel_stride` apart.
template <std::size_t rows>
HWY_INLINE void tile(const double* a, std::size_t a_stride, const double* panel, std::size_t panel_stride,
                     std::size_t inner, double* out) {
  const Tag tag;
  using V = hn::Vec<Tag>;
  V sum[rows][kVectors];
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t v = 0; v < kVectors; ++v) sum[r][v] = hn::Zero(tag);
  }
  for (std::size_t t = 0; t < inner; ++t) {
    V b[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) b[v] = hn::LoadU(tag, panel + t * panel_stride + v * kLanes);
    for (std::size_t r = 0; r < rows; ++r) {
      const V x = hn::Set(tag, a[r * a_stride + t]);
      for (std::size_t v = 0; v < kVectors; ++v) sum[r][v] = hn::MulAdd(x, b[v], sum[r][v]);
    }
  }
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t v = 0; v < kVectors; ++v) hn::StoreU(sum[r][v], tag, out + r * kPanel + v * kLanes);
  }
}

// All rows of C over one panel.
HWY_INLINE void panel_product(MatrixView<const double> a, const double* panel, std::size_t panel_stride,
                              std::size_t width, std::size_t first, MatrixView<double> c) {
  constexpr std::size_t kRows = 4;
  double out[kRows * kPanel];
  for (std::size_t r = 0; r < a.rows; r += kRows) {
    const std::size_t height = std::min(kRows, a.rows - r);
    const double* rows = a.row_data(r);
    switch (height) {
      case 1:
        tile<1>(rows, a.stride, panel, panel_stride, a.cols, out);
        break;
      case 2:
        tile<2>(rows, a.stride, panel, panel_stride, a.cols, out);
        break;
      case 3:
        tile<3>(rows, a.stride, panel, panel_stride, a.cols, out);
        break;
      default:
        tile<4>(rows, a.stride, panel, panel_stride, a.cols, out);
        break;
    }
    for (std::size_t i = 0; i < height; ++i) std::copy_n(out + i * kPanel, width, c.row_data(r + i) + first);
  }
}

void product_kernel(MatrixView<const double> a, MatrixView<const double> b, MatrixView<double> c) {
  static thread_local std::vector<double> packed;
  // Packing a panel pays once enough rows use it; a ragged last panel is packed always, so that nothing is read past B.
  const bool pack_all = a.rows >= 12;
  for (std::size_t first = 0; first < b.cols; first += kPanel) {
    const std::size_t width = std::min(kPanel, b.cols - first);
    if (width == kPanel && !pack_all) {
      panel_product(a, b.data + first, b.stride, width, first, c);
      continue;
    }
    packed.assign(b.rows * kPanel, 0.0);
    for (std::size_t t = 0; t < b.rows; ++t) std::copy_n(b.row_data(t) + first, width, packed.data() + t * kPanel);
    panel_product(a, packed.data(), kPanel, width, first, c);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace headroom::verify
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headroom::verify {
HWY_EXPORT(product_kernel);

void product(MatrixView<const double> a, MatrixView<const double> b, MatrixView<double> c) {
  assert(a.cols == b.rows && a.rows == c.rows && b.cols == c.cols);
  HWY_DYNAMIC_DISPATCH(product_kernel)(a, b, c);
}

}  // namespace headroom::verify
#endif
