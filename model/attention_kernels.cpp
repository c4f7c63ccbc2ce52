#include "model/attention_kernels.hpp"

#include <algorithm>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "model/attention_kernels.cpp"
#include <hwy/foreach_target.h>  // NOLINT: must come before highway.h
#include <hwy/highway.h>
// after highway.h
#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace headroom::model {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
using V = hn::Vec<Tag>;
constexpr std::size_t kLanes = hn::MaxLanes(Tag());
constexpr std::size_t kRows = 4;

// `rows` rows of the product with the transposed keys, whose rows are `stride` apart and padded to whole vectors.
template <std::size_t rows>
HWY_INLINE void product_rows(MatrixView<const float> queries, std::size_t first, const double* transposed,
                             std::size_t stride, MatrixView<double> out) {
  const Tag tag;
  for (std::size_t j = 0; j < out.cols; j += kLanes) {
    V sum[rows];
    for (V& s : sum) s = hn::Zero(tag);
    for (std::size_t c = 0; c < queries.cols; ++c) {
      const V key = hn::LoadU(tag, transposed + c * stride + j);
      for (std::size_t r = 0; r < rows; ++r) {
        sum[r] = hn::MulAdd(hn::Set(tag, static_cast<double>(queries(first + r, c))), key, sum[r]);
      }
    }
    for (std::size_t r = 0; r < rows; ++r) {
      double* to = out.row_data(first + r) + j;
      if (j + kLanes <= out.cols) {
        hn::StoreU(sum[r], tag, to);
      } else {
        HWY_ALIGN double last[kLanes];
        hn::Store(sum[r], tag, last);
        std::copy_n(last, out.cols - j, to);
      }
    }
  }
}

void product_kernel(MatrixView<const float> queries, const double* transposed, std::size_t stride,
                    MatrixView<double> out) {
  std::size_t i = 0;
  for (; i + kRows <= out.rows; i += kRows) product_rows<kRows>(queries, i, transposed, stride, out);
  for (; i < out.rows; ++i) product_rows<1>(queries, i, transposed, stride, out);
}

void exp_kernel(double* x, std::size_t n, double shift) {
  const Tag tag;
  const V most = hn::Set(tag, shift);
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) hn::StoreU(hn::Exp(tag, hn::Sub(hn::LoadU(tag, x + i), most)), tag, x + i);
  if (i == n) return;
  HWY_ALIGN double last[kLanes] = {};
  std::copy_n(x + i, n - i, last);
  hn::Store(hn::Exp(tag, hn::Sub(hn::Load(tag, last), most)), tag, last);
  std::copy_n(last, n - i, x + i);
}

}  // namespace HWY_NAMESPACE
}  // namespace headroom::model
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headroom::model {

HWY_EXPORT(product_kernel);
HWY_EXPORT(exp_kernel);

void inner_products(MatrixView<const float> queries, MatrixView<const float> keys, MatrixView<double> out) {
  constexpr std::size_t kPadding = 8;
  const std::size_t stride = (out.cols + kPadding - 1) / kPadding * kPadding;
  std::vector<double> transposed(stride * keys.cols, 0.0);
  for (std::size_t j = 0; j < out.cols; ++j) {
    for (std::size_t c = 0; c < keys.cols; ++c) transposed[c * stride + j] = static_cast<double>(keys(j, c));
  }
  HWY_DYNAMIC_DISPATCH(product_kernel)(queries, transposed.data(), stride, out);
}

void softmax(double* x, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(exp_kernel)(x, n, *std::max_element(x, x + n));
  // Eight running sums: as quick as memory, and the same on every machine.
  constexpr std::size_t kSums = 8;
  double sums[kSums] = {};
  std::size_t i = 0;
  for (; i + kSums <= n; i += kSums) {
    for (std::size_t s = 0; s < kSums; ++s) sums[s] += x[i + s];
  }
  for (; i < n; ++i) sums[i % kSums] += x[i];
  double total = 0.0;
  for (const double sum : sums) total += sum;
  const double factor = 1.0 / total;
  for (std::size_t j = 0; j < n; ++j) x[j] *= factor;
}

}  // namespace headroom::model
#endif  // HWY_ONCE
