#include "verify/row.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>

#include "verify/weight_order.hpp"

namespace headroom::verify {

template <class Real>
void Row<Real>::load(const HeadView& head, std::size_t query, Context context, const Embeddings& embeddings,
                     std::size_t select) {
  embeddings_ = &embeddings;
  const Visibility& visibility = head.visibility;
  const double* weights = head.weights.row_data(query);
  const std::size_t tokens = head.weights.cols;
  const Visibility::Range range = context == Context::all ? Visibility::Range{0, tokens} : visibility.range(query);
  gathered_.clear();
  first_ = range.begin;
  size_ = range.size();
  if (context == Context::visible && !visibility.contiguous(query)) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      if (visibility.visible(query, i)) gathered_.push_back(i);
    }
    size_ = gathered_.size();
  }
  padded_ = padded_size<Real>(size_);

  alpha_.assign(padded_, 0.0);
  double largest = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    const std::size_t at = token(i);
    if (context == Context::all && !visibility.visible(query, at)) continue;
    alpha_[i] = weights[at];
    largest = std::max(largest, alpha_[i]);
  }
  exponent_ = 0;
  if (largest > 0) std::frexp(largest, &exponent_);
  factor_ = exponent_ > std::numeric_limits<double>::min_exponent ? std::ldexp(1.0, exponent_) : 0.0;
  if (factor_ > 0) {
    const double inverse = 1 / factor_;
    for (double& a : alpha_) a *= inverse;
  } else {
    for (double& a : alpha_) a = std::ldexp(a, -exponent_);
  }

  norm2_.assign(padded_, 0);
  y2_.assign(padded_, 0);
  visible_.assign(padded_, 0);
  y2_sum = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    const double norm2 = embeddings.norm2()[token(i)];
    const double y2 = alpha_[i] * alpha_[i] * norm2;
    norm2_[i] = static_cast<Real>(norm2);
    y2_[i] = static_cast<Real>(y2);
    visible_[i] = 1;
    y2_sum += y2;
  }
  if constexpr (narrow) {
    narrow_alpha_.assign(padded_, 0);
    for (std::size_t i = 0; i < size_; ++i) narrow_alpha_[i] = static_cast<Real>(alpha_[i]);
  }
  outside_ = visible_;
  sx.assign(padded_, 0);
  cy.assign(padded_, 0);
  far.assign(padded_, -std::numeric_limits<Real>::infinity());
  u.resize(padded_);
  spread.assign(padded_, 0);
  s_.assign(embeddings.padded_dim(), 0.0);
  summed_ = 0;
  s2_ = 0;
  c.assign(embeddings.padded_dim(), 0.0);
  longest2 = 0;
  unwidened.clear();
  offered = 0;
  waited_for = 0;
  mass = 0;
  selected_ = 0;
  select = std::min(select, size_);
  find_order(select);
  rank_.assign(padded_, -1);
  std::fill_n(rank_.begin(), size_, static_cast<Real>(size_));
  for (std::size_t rank = 0; rank < select; ++rank) rank_[order_[rank]] = static_cast<Real>(rank);
}

// Selecting few of many by comparisons is cheaper than sorting all.
template <class Real>
void Row<Real>::find_order(std::size_t select) {
  order_.resize(size_);
  if (select * 16 < size_) {
    std::iota(order_.begin(), order_.end(), 0U);
    const auto before = [this](std::uint32_t a, std::uint32_t b) {
      return alpha_[a] > alpha_[b] || (alpha_[a] == alpha_[b] && a < b);
    };
    const auto middle = order_.begin() + static_cast<std::ptrdiff_t>(select);
    std::nth_element(order_.begin(), middle, order_.end(), before);
    std::sort(order_.begin(), middle, before);
    return;
  }
  sort_descending({alpha_.data(), size_}, order_);
}

// ‖s+y‖² = ‖s‖² + 2s·y + ‖y‖².
template <class Real>
void Row<Real>::select_next(double inner) {
  const std::size_t position = order_[selected_++];
  const double a = alpha_[position];
  mass += a;
  outside_[position] = 0;
  const double norm2 = embeddings_->norm2()[token(position)];
  s2_ += a * (2 * inner + a * norm2);
  longest2 = std::max(longest2, norm2);
  repair_s2();
}

// Vectors that cancel have eaten the digits of a small ‖s‖².
template <class Real>
void Row<Real>::repair_s2() {
  const double largest = mass * embeddings_->largest_norm();
  if (s2_ < cancellation_share_of<Real> * largest * largest) s2_ = square_sum(s().data(), s_.size());
}

template <class Real>
void Row<Real>::select_up_to(std::size_t count, std::span<const Real> context) {
  for (; selected_ < count; ++selected_) {
    const std::size_t position = order_[selected_];
    mass += alpha_[position];
    outside_[position] = 0;
    longest2 = std::max(longest2, embeddings_->norm2()[token(position)]);
  }
  if (context.empty()) return;
  s2_ = 0;
  for (const Real component : context) s2_ += static_cast<double>(component) * static_cast<double>(component);
  repair_s2();
}

template <class Real>
const std::vector<double>& Row<Real>::s() const {
  for (; summed_ < selected_; ++summed_) {
    const std::size_t position = order_[summed_];
    add_scaled(alpha_[position], vector(position).data(), s_.data(), s_.size());
  }
  return s_;
}

template <class Real>
void Row<Real>::restart(std::size_t count) {
  while (selected_ > 0) outside_[order_[--selected_]] = 1;
  mass = 0;
  longest2 = 0;
  s2_ = 0;
  summed_ = 0;
  std::fill(s_.begin(), s_.end(), 0.0);
  std::fill(sx.begin(), sx.end(), Real{0});
  follow(count);
}

template <class Real>
void Row<Real>::follow(std::size_t count) {
  while (selected_ < count) {
    const std::size_t position = order_[selected_];
    select_next(static_cast<double>(sx[position]));
    row_kernels<Real>().add_scaled(alpha_[position], gram(position), sx.data(), sx.size());
  }
}

template <class Real>
const Real* Row<Real>::gram(std::size_t position, std::size_t scratch) {
  const Real* row = embeddings_->template gram_row<Real>(token(position));
  if (gathered_.empty()) return row + first_;
  std::vector<Real>& gathered = gram_scratch_[scratch];
  gathered.assign(padded_, 0);
  for (std::size_t i = 0; i < size_; ++i) gathered[i] = row[gathered_[i]];
  return gathered.data();
}

template <class Real>
RowArrays<Real> Row<Real>::arrays() const {
  const Real* alpha = nullptr;
  if constexpr (narrow) {
    alpha = narrow_alpha_.data();
  } else {
    alpha = alpha_.data();
  }
  return {padded_,         alpha,           norm2_.data(), y2_.data(), cy.data(),
          visible_.data(), outside_.data(), rank_.data(),  sx.data()};
}

template <class Real>
double Row<Real>::s2() const {
  return s2_;
}

template class Row<float>;
template class Row<double>;

}  // namespace headroom::verify
