#include "sim/jacobian.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

#include "sim/golub_kahan.hpp"
#include "sim/secular.hpp"

namespace headroom::sim {
namespace {

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

std::vector<double> spread(std::span<const double> values, std::span<const std::size_t> kept, std::size_t size) {
  std::vector<double> result(size);
  for (std::size_t k = 0; k < kept.size(); ++k) result[kept[k]] = values[k];
  return result;
}

}  // namespace

Jacobian Jacobian::symmetric(std::vector<double> w, double rho, double gap, double scale) {
  Jacobian j;
  j.weights_ = std::move(w);
  j.rho_ = rho;
  j.gap_ = gap;
  j.scale_ = scale;
  return j;
}

Jacobian Jacobian::diagonal(std::vector<double> diagonal) { return symmetric(std::move(diagonal), 0, 1, 1); }

void Jacobian::subtract(std::vector<double> left, std::vector<double> right) {
  assert(rho_ == 0 && left.size() == size() && right.size() == size());
  products_.push_back({std::move(left), std::move(right)});
}

void Jacobian::multiply(std::span<const double> v, std::span<double> out) const {
  assert(v.size() == size() && out.size() == size());
  if (rho_ > 0) return multiply_symmetric(v, out);
  std::vector<double> factors;
  for (const OuterProduct& product : products_) factors.push_back(dot(product.right, v));
  for (std::size_t i = 0; i < size(); ++i) {
    double sum = scale_ * weights_[i] * v[i];
    for (std::size_t k = 0; k < products_.size(); ++k) sum -= products_[k].left[i] * factors[k];
    out[i] = sum;
  }
}

// w_i(v_i − ρ w·v), with v taken relative to its element under the largest weight: exact where one weight is nearly
// all of the sum and the plain difference would vanish.
void Jacobian::multiply_symmetric(std::span<const double> v, std::span<double> out) const {
  const auto top = static_cast<std::size_t>(std::max_element(weights_.begin(), weights_.end()) - weights_.begin());
  const double pivot = v[top];
  double mean = -gap_ * pivot;
  for (std::size_t i = 0; i < size(); ++i) mean += rho_ * weights_[i] * (v[i] - pivot);
  for (std::size_t i = 0; i < size(); ++i) out[i] = scale_ * (weights_[i] * ((v[i] - pivot) - mean));
}

void Jacobian::multiply_transposed(std::span<const double> u, std::span<double> out) const {
  if (products_.empty()) return multiply(u, out);
  Jacobian transposed = diagonal(weights_);
  for (const OuterProduct& product : products_) transposed.subtract(product.right, product.left);
  transposed.multiply(u, out);
}

double Jacobian::spectral_norm() const {
  // So few that Golub–Kahan costs little; it keeps the last digits also where the norm equals a diagonal element.
  constexpr std::size_t few = 32;
  if (size() > few && !products_.empty() && products_.size() <= 3) return low_rank_norm(weights_, products_);
  if (!products_.empty()) {
    return largest_singular_value(
        size(), [this](std::span<const double> in, std::span<double> out) { multiply(in, out); },
        [this](std::span<const double> in, std::span<double> out) { multiply_transposed(in, out); });
  }
  if (rho_ > 0) return std::abs(scale_) * secular_norm(weights_, rho_, gap_);
  double norm = 0;
  for (const double d : weights_) norm = std::max(norm, std::abs(d));
  return std::abs(scale_) * norm;
}

Jacobian Jacobian::embedded(std::span<const std::size_t> kept, std::size_t size) const {
  Jacobian j = *this;
  j.weights_ = spread(weights_, kept, size);
  for (OuterProduct& product : j.products_) {
    product.left = spread(product.left, kept, size);
    product.right = spread(product.right, kept, size);
  }
  return j;
}

}  // namespace headroom::sim
