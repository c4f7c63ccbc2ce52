#include "verify/row.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "verify/weight_order.hpp"

namespace headroom::verify {

void Row::load(const HeadView& head, std::size_t query, Context context, const Embeddings& embeddings,
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
  padded_ = (size_ + lane_group - 1) / lane_group * lane_group;

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

  norm2_.assign(padded_, 0.0);
  y2_.assign(padded_, 0.0);
  visible_.assign(padded_, 0.0);
  y2_sum = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    norm2_[i] = embeddings.norm2()[token(i)];
    y2_[i] = alpha_[i] * alpha_[i] * norm2_[i];
    visible_[i] = 1.0;
    y2_sum += y2_[i];
  }
  outside_ = visible_;
  sx.assign(padded_, 0.0);
  cy.assign(padded_, 0.0);
  if (!embeddings.has_gram()) far.assign(padded_, -std::numeric_limits<double>::infinity());
  u.resize(padded_);
  spread.assign(padded_, 0.0);
  s.assign(embeddings.padded_dim(), 0.0);
  c.assign(embeddings.padded_dim(), 0.0);
  mass = 0;
  selected_ = 0;
  find_order(std::min(select, size_));
}

// Selecting few of many by comparisons is cheaper than sorting; beyond that, weights (whose bits order like their
// values) and inverted positions are sorted as one 128-bit key by the vector quicksort of Highway.
void Row::find_order(std::size_t select) {
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

std::optional<std::size_t> Row::position(std::size_t token) const {
  if (gathered_.empty()) {
    if (token < first_ || token >= first_ + size_) return std::nullopt;
    return token - first_;
  }
  const auto found = std::lower_bound(gathered_.begin(), gathered_.end(), token);
  if (found == gathered_.end() || *found != token) return std::nullopt;
  return static_cast<std::size_t>(found - gathered_.begin());
}

std::size_t Row::select_next() {
  const std::size_t position = order_[selected_++];
  const double a = alpha_[position];
  add_scaled(a, vector(position).data(), s.data(), s.size());
  mass += a;
  outside_[position] = 0.0;
  return position;
}

const double* Row::gram(std::size_t position) {
  const double* row = embeddings_->gram_row(token(position));
  if (gathered_.empty()) return row + first_;
  gram_scratch_.assign(padded_, 0.0);
  for (std::size_t i = 0; i < size_; ++i) gram_scratch_[i] = row[gathered_[i]];
  return gram_scratch_.data();
}

RowArrays Row::arrays() const {
  return {padded_, alpha_.data(), norm2_.data(), y2_.data(), cy.data(), visible_.data(), outside_.data(), sx.data()};
}

double Row::s2() const { return square_sum(s.data(), s.size()); }

double Row::unscale(double value) const { return factor_ > 0 ? value * factor_ : std::ldexp(value, exponent_); }

}  // namespace headroom::verify
