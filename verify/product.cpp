#include "verify/product.hpp"

#include <algorithm>
#include <cassert>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "verify/product.cpp"
#include <hwy/foreach_target.h>  // NOLINT: must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace headroom::verify {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
constexpr std::size_t kVectors = 3;
template <class Real>
using Tag = hn::CappedTag<Real, 64 / sizeof(Real)>;
template <class Real>
constexpr std::size_t kLanes = hn::MaxLanes(Tag<Real>());
template <class Real>
constexpr std::size_t kPanel = kLanes<Real>* kVectors;

// `rows` rows of C over one panel of kPanel columns of B.
template <std::size_t rows, class Real>
HWY_INLINE void tile(const Real* a, std::size_t a_stride, const Real* panel, std::size_t inner, Real* out) {
  const Tag<Real> tag;
  using V = hn::Vec<Tag<Real>>;
  V sum[rows][kVectors];
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t v = 0; v < kVectors; ++v) sum[r][v] = hn::Zero(tag);
  }
  for (std::size_t t = 0; t < inner; ++t) {
    V b[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) b[v] = hn::LoadU(tag, panel + t * kPanel<Real> + v * kLanes<Real>);
    for (std::size_t r = 0; r < rows; ++r) {
      const V x = hn::Set(tag, a[r * a_stride + t]);
      for (std::size_t v = 0; v < kVectors; ++v) sum[r][v] = hn::MulAdd(x, b[v], sum[r][v]);
    }
  }
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t v = 0; v < kVectors; ++v) hn::StoreU(sum[r][v], tag, out + r * kPanel<Real> + v * kLanes<Real>);
  }
}

// All rows of C over one panel.
template <class Real>
HWY_INLINE void panel_product(MatrixView<const Real> a, const Real* panel, std::size_t width, std::size_t first,
                              MatrixView<Real> c) {
  // As many rows as their sums have registers for: 32 of them on AVX-512, 16 before.
  constexpr std::size_t kRows = HWY_TARGET <= HWY_AVX3 ? 8 : 4;
  Real out[kRows * kPanel<Real>];
  for (std::size_t r = 0; r < a.rows; r += kRows) {
    const std::size_t height = std::min(kRows, a.rows - r);
    const Real* rows = a.row_data(r);
    switch (height) {
      case 1:
        tile<1>(rows, a.stride, panel, a.cols, out);
        break;
      case 2:
        tile<2>(rows, a.stride, panel, a.cols, out);
        break;
      case 3:
        tile<3>(rows, a.stride, panel, a.cols, out);
        break;
      case 4:
        tile<4>(rows, a.stride, panel, a.cols, out);
        break;
      case 5:
        tile<5>(rows, a.stride, panel, a.cols, out);
        break;
      case 6:
        tile<6>(rows, a.stride, panel, a.cols, out);
        break;
      case 7:
        tile<7>(rows, a.stride, panel, a.cols, out);
        break;
      default:
        tile<8>(rows, a.stride, panel, a.cols, out);
        break;
    }
    for (std::size_t i = 0; i < height; ++i) std::copy_n(out + i * kPanel<Real>, width, c.row_data(r + i) + first);
  }
}

template <class Real>
void product_of(MatrixView<const Real> a, const PackedMatrix<Real>& b, MatrixView<Real> c) {
  for (std::size_t first = 0; first < c.cols; first += kPanel<Real>) {
    const std::size_t width = std::min(kPanel<Real>, c.cols - first);
    panel_product(a, b.panel(first / kPanel<Real>), width, first, c);
  }
}

void product_double(MatrixView<const double> a, const PackedMatrix<double>& b, MatrixView<double> c) {
  product_of(a, b, c);
}
void product_single(MatrixView<const float> a, const PackedMatrix<float>& b, MatrixView<float> c) {
  product_of(a, b, c);
}
std::size_t panel_width_double() { return kPanel<double>; }
std::size_t panel_width_single() { return kPanel<float>; }

}  // namespace HWY_NAMESPACE
}  // namespace headroom::verify
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headroom::verify {
HWY_EXPORT(product_double);
HWY_EXPORT(product_single);
HWY_EXPORT(panel_width_double);
HWY_EXPORT(panel_width_single);

template <class Real>
PackedMatrix<Real>::PackedMatrix(std::size_t rows, std::size_t cols)
    : rows_(rows),
      cols_(cols),
      width_(std::is_same_v<Real, double> ? HWY_DYNAMIC_DISPATCH(panel_width_double)()
                                          : HWY_DYNAMIC_DISPATCH(panel_width_single)()),
      data_((cols_ + width_ - 1) / width_ * width_ * rows_) {}

// fill(first column, how many, where the panel lies), which leaves what is behind the last column to this.
template <class Real>
template <class Fill>
void PackedMatrix<Real>::fill_panels(Fill fill) {
  const auto panels = static_cast<std::ptrdiff_t>((cols_ + width_ - 1) / width_);
  constexpr std::size_t large = 1U << 15U;
#pragma omp parallel for if (data_.size() > large)
  for (std::ptrdiff_t p = 0; p < panels; ++p) {
    const std::size_t first = static_cast<std::size_t>(p) * width_;
    Real* const out = data_.data() + first * rows_;
    const std::size_t count = std::min(width_, cols_ - first);
    if (count < width_) std::fill_n(out, width_ * rows_, Real{0});
    fill(first, count, out);
  }
}

template <class Real>
PackedMatrix<Real> PackedMatrix<Real>::of(MatrixView<const double> b) {
  PackedMatrix packed(b.rows, b.cols);
  packed.fill_panels([&](std::size_t first, std::size_t count, Real* out) {
    for (std::size_t t = 0; t < b.rows; ++t, out += packed.width_) {
      const double* const from = b.row_data(t) + first;
      for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<Real>(from[i]);
    }
  });
  return packed;
}

template <class Real>
PackedMatrix<Real> PackedMatrix<Real>::of_transposed(MatrixView<const double> b) {
  PackedMatrix packed(b.cols, b.rows);
  packed.fill_panels([&](std::size_t first, std::size_t count, Real* out) {
    for (std::size_t i = 0; i < count; ++i) {
      const double* const from = b.row_data(first + i);
      for (std::size_t t = 0; t < b.cols; ++t) out[t * packed.width_ + i] = static_cast<Real>(from[t]);
    }
  });
  return packed;
}

template class PackedMatrix<float>;
template class PackedMatrix<double>;

void product(MatrixView<const double> a, const PackedMatrix<double>& b, MatrixView<double> c) {
  assert(a.cols <= b.rows() && a.rows == c.rows && c.cols <= b.cols());
  HWY_DYNAMIC_DISPATCH(product_double)(a, b, c);
}
void product(MatrixView<const float> a, const PackedMatrix<float>& b, MatrixView<float> c) {
  assert(a.cols <= b.rows() && a.rows == c.rows && c.cols <= b.cols());
  HWY_DYNAMIC_DISPATCH(product_single)(a, b, c);
}

}  // namespace headroom::verify
#endif
