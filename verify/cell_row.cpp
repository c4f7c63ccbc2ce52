#include "verify/cell_row.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "theory/jacobian_norm.hpp"
#include "verify/cell_kernels.hpp"
#include "verify/row_separability.hpp"

namespace headroom::verify {
namespace {

using Q = Quantity;

const QuantitySet needs_xi = {Q::xi_mean, Q::separable_lower, Q::separable_upper, Q::separable_lower_sharp};
const QuantitySet needs_radius = needs_xi | QuantitySet{Q::radius, Q::separable};

/// Below this a product of weights may have been rounded to a subnormal number.
constexpr double underflow_guard = 1e-290;

struct NearestOutside {
  std::size_t token = 0;
  std::size_t closer = 0;  ///< selected tokens strictly nearer to s than it
};

/// By u_i = α_i(α_i − 2 s·x_i); where that may underflow, in the wider exponent range of long double.
NearestOutside nearest_outside(const RowArrays<double>& row, std::span<const std::uint32_t> selected, double* u) {
  const Nearest found = row_kernels<double>().separation(row, u);
  NearestOutside nearest{found.token, 0};
  if (std::abs(found.u) >= underflow_guard) {
    for (const std::uint32_t i : selected) nearest.closer += u[i] < found.u ? 1 : 0;
    return nearest;
  }
  const auto wide = [&](std::size_t i) {
    const long double alpha = row.alpha[i];
    return alpha * (alpha - 2 * static_cast<long double>(row.sx[i]));
  };
  long double least = std::numeric_limits<long double>::infinity();
  for (std::size_t i = 0; i < row.padded; ++i) {
    if (row.outside[i] == 0 || !(wide(i) < least)) continue;
    least = wide(i);
    nearest.token = i;
  }
  for (const std::uint32_t i : selected) nearest.closer += wide(i) < least ? 1 : 0;
  return nearest;
}

}  // namespace

/// Where the values at one N go.
class CellRow::Writer {
 public:
  Writer(const Plan& plan, std::size_t request, double scale, std::span<double> out)
      : plan_(plan), request_(request), scale_(scale), out_(out) {}

  [[nodiscard]] bool wants(QuantitySet any) const { return plan_.requests()[request_].quantities.any_of(any); }
  [[nodiscard]] std::size_t top() const { return plan_.requests()[request_].top; }

  void number(Quantity quantity, double value) {
    if (const std::size_t slot = plan_.slot(request_, quantity); slot != Plan::none) out_[slot] = value;
  }
  void length(Quantity quantity, double value) { number(quantity, scale_ * value); }

 private:
  const Plan& plan_;
  std::size_t request_;
  double scale_;
  std::span<double> out_;
};

QuantitySet CellRow::supported() {
  QuantitySet set = QuantitySet::all();
  set.erase(Q::distance_upper);
  set.erase(Q::expected_upper);
  return set;
}

CellRow::CellRow(const Cell& cell, const theory::ResolutionLaw* law)
    : cell_(cell),
      law_(law),
      size_(cell.parameters().length),
      padded_(padded_size<double>(size_)),
      alpha_(padded_),
      ones_(padded_, 1.0),
      y2_(padded_),
      visible_(padded_),
      outside_(padded_),
      u_(padded_) {
  std::fill_n(visible_.begin(), size_, 1.0);
}

void CellRow::load(std::span<const double> weights) {
  std::copy(weights.begin(), weights.end(), alpha_.begin());
  const Range range = range_of(alpha_.data(), padded_);
  int exponent = 0;
  std::frexp(std::max(std::abs(range.least), std::abs(range.largest)), &exponent);
  exponent = std::clamp(exponent, -1000, 1000);  // so that the scales themselves stay in range
  scale_ = std::ldexp(1.0, exponent);
  const double inverse = std::ldexp(1.0, -exponent);
  for (std::size_t i = 0; i < size_; ++i) {
    alpha_[i] *= inverse;
    y2_[i] = alpha_[i] * alpha_[i];
  }
  outside_ = visible_;
  selected_ = 0;
  mass_ = 0;
  find_order(cell_.plan().requests().back().top);
}

void CellRow::find_order(std::size_t top) {
  const auto before = [this](std::uint32_t a, std::uint32_t b) {
    return alpha_[a] > alpha_[b] || (alpha_[a] == alpha_[b] && a < b);
  };
  order_.resize(size_);
  // Candidates: what is well above the N-th weight of the row before, which usually holds the N largest and few more.
  std::size_t count = 0;
  if (likely_ > 0) {
    const double least = likely_ / scale_;
    for (std::uint32_t i = 0; i < size_; ++i) {
      order_[count] = i;
      count += alpha_[i] > least ? 1 : 0;
    }
  }
  if (count < top) {
    count = size_;
    std::iota(order_.begin(), order_.end(), 0U);
  }
  const auto middle = order_.begin() + static_cast<std::ptrdiff_t>(top);
  const auto end = order_.begin() + static_cast<std::ptrdiff_t>(count);
  if (count > 2 * top) std::nth_element(order_.begin(), middle, end, before);
  std::sort(order_.begin(), count > 2 * top ? middle : end, before);
  constexpr double margin = 0.8;
  likely_ = margin * scale_ * alpha_[order_[top - 1]];
}

void CellRow::select(std::size_t top) {
  for (; selected_ < top; ++selected_) {
    const std::size_t token = order_[selected_];
    mass_ += alpha_[token];
    outside_[token] = 0.0;
  }
}

void CellRow::set_context(double c2, double* cx) {
  for (std::size_t i = 0; i < size_; ++i) cx[i] *= alpha_[i];
  c2_ = c2;
  cy_ = cx;
}

RowArrays<double> CellRow::arrays(const double* sx) const {
  return {padded_, alpha_.data(), ones_.data(), y2_.data(), cy_, visible_.data(), outside_.data(), nullptr, sx};
}

bool CellRow::evaluate(std::size_t request, const Products& products, std::span<double> out) {
  Writer put(cell_.plan(), request, scale_, out);
  if (!put_distances(products, put) || !put_separation(products, put) || !put_expectations(put)) return false;
  put_weights(put);
  return true;
}

bool CellRow::put_distances(const Products& products, Writer& put) {
  const RowArrays<double> row = arrays(products.sx);
  const double s = std::sqrt(products.s2);
  // Σ over the non-selected of weight(i)·‖a·s − b_i·x_i‖, from (a‖s‖ − b)² + 2ab(‖s‖ − s·x_i).
  const auto independent_sum = [&](double a, auto b, auto weight) {
    double sum = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      if (outside_[i] == 0) continue;
      const double along = a * s - b(i);
      sum += weight(i) * std::sqrt(along * along + 2 * a * b(i) * std::max(0.0, s - products.sx[i]));
    }
    return sum;
  };
  const auto one = [](std::size_t) { return 1.0; };
  const auto weight = [&](std::size_t i) { return alpha_[i]; };

  if (put.wants({Q::distance})) {
    Sum sum = row_kernels<double>().distance_sum(row, products.s2);
    if (sum.cancelled && !products.independent) return false;
    if (sum.cancelled) sum.value = independent_sum(1.0, weight, one);
    put.length(Q::distance, sum.value);
  }
  if (put.wants({Q::distance_lower_sharp, Q::distance_upper_sharp})) {
    double center = 0;
    Sum sum;
    if (mass_ > 0) {
      center = s / mass_ * row_kernels<double>().outside_mass(row, mass_).deficit;
      sum = row_kernels<double>().spread_sum(row, products.s2, mass_);
      if (sum.cancelled && !products.independent) return false;
      if (sum.cancelled) sum.value = independent_sum(1 / mass_, one, weight);
    }
    put.length(Q::distance_lower_sharp, std::max(0.0, center - sum.value));
    put.length(Q::distance_upper_sharp, center + sum.value);
  }
  return true;
}

bool CellRow::put_separation(const Products& products, Writer& put) {
  if (!put.wants(needs_radius)) return true;
  const RowArrays<double> row = arrays(products.sx);
  const NearestOutside nearest = nearest_outside(row, selected(), u_.data());
  const double alpha = alpha_[nearest.token];
  const double along = products.sx[nearest.token];
  double square = products.s2 + alpha * alpha - 2 * alpha * along;
  if (square < cancellation_share * (products.s2 + alpha * alpha)) {
    if (!products.independent) return false;
    const double s = std::sqrt(products.s2);
    square = (s - alpha) * (s - alpha) + 2 * alpha * std::max(0.0, s - along);
  }
  const double radius = scale_ * std::sqrt(square);
  put.number(Q::radius, radius);
  put.number(Q::separable, static_cast<double>(nearest.closer) / static_cast<double>(selected_));
  if (put.wants(needs_xi)) {
    decreasing_.resize(selected_);
    for (std::size_t rank = 0; rank < selected_; ++rank) decreasing_[rank] = scale_ * alpha_[order_[rank]];
    const SeparabilityBounds bounds =
        separability_bounds(decreasing_, 1.0, cell_.parameters().separation, radius, scratch_);
    put.number(Q::xi_mean, bounds.xi_mean);
    put.number(Q::separable_lower, bounds.lower);
    put.number(Q::separable_upper, bounds.upper);
    put.number(Q::separable_lower_sharp, bounds.lower_sharp);
  }
  return true;
}

bool CellRow::put_expectations(Writer& put) {
  const auto k = static_cast<double>(size_);
  const auto n = static_cast<double>(put.top());
  const auto terms = [&](Quantity quantity, double p) {
    if (!put.wants({quantity})) return true;
    const Sum sum = row_kernels<double>().expected_sum(arrays(nullptr), ExpectedTerms::at(p, c2_));
    put.length(quantity, (k - n) / k * sum.value);
    return !sum.cancelled;
  };
  return terms(Q::expected, n / (k - 1)) && terms(Q::expected_full, 1.0);
}

void CellRow::put_weights(Writer& put) {
  put.length(Q::mass, mass_);
  put.length(Q::max_weight, alpha_[order_.front()]);
  if (put.wants({Q::entropy, Q::jacobian_norm, Q::separable_law})) {
    decreasing_.assign(alpha_.begin(), alpha_.begin() + static_cast<std::ptrdiff_t>(size_));
  }
  if (put.wants({Q::entropy})) {
    double entropy = 0;
    for (const double scaled : decreasing_) {
      const double a = scale_ * scaled;
      if (a > 0) entropy -= a * std::log(a);
    }
    put.number(Q::entropy, entropy);
  }
  if (put.wants({Q::separable_law})) {
    std::sort(decreasing_.begin(), decreasing_.end(), std::greater<>());
    put.number(Q::separable_law, law_->separable(decreasing_, put.top()));
  }
  if (put.wants({Q::jacobian_norm})) {
    for (double& a : decreasing_) a *= scale_;
    put.number(Q::jacobian_norm, theory::jacobian_norm(decreasing_) / cell_.parameters().temperature);
  }
}

}  // namespace headroom::verify
