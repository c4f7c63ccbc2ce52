#include "sim/low_rank_norm.hpp"

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include "sim/low_rank_kernels.hpp"

namespace headroom::sim {
namespace {

double norm_of(std::span<const double> x) { return std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0)); }

/// C(σ) of the header, for |D| and columns whose v carry the signs of d: the singular values are the same.
template <std::size_t r>
class Pencil {
 public:
  Pencil(std::span<const double> d, std::span<const OuterProduct> products, double unit) : size_(d.size()) {
    diagonal_.assign(d.begin(), d.end());
    for (std::size_t k = 0; k < r; ++k) {
      // Of one size each; their product is what counts.
      const double left = norm_of(products[k].left);
      const double right = norm_of(products[k].right);
      const double balance = left > 0 && right > 0 ? std::sqrt(unit * right / left) : 0;
      columns_[k] = products[k].left;
      columns_[r + k] = products[k].right;
      for (double& x : columns_[k]) x *= balance / unit;
      for (double& x : columns_[r + k]) x *= balance > 0 ? 1 / balance : 0;
    }
    for (std::size_t i = 0; i < size_; ++i) {
      diagonal_[i] /= unit;
      if (diagonal_[i] >= 0) continue;
      diagonal_[i] = -diagonal_[i];
      for (std::size_t k = 0; k < r; ++k) columns_[r + k][i] = -columns_[r + k][i];
    }
    take_out_largest();
  }

  /// What the norm is at least.
  [[nodiscard]] double pole() const { return pole_; }

  /// The (r+1)-th largest eigenvalue of C(σ), up to a positive factor, and how it changes with σ.
  struct Value {
    double value;
    double slope;
  };
  [[nodiscard]] Value operator()(double sigma) const {
    std::array<const double*, 2 * r> columns;
    for (std::size_t k = 0; k < 2 * r; ++k) columns[k] = columns_[k].data();
    const LowRankSums<r> sums = low_rank_sums<r>(diagonal_.data(), columns, size_, sigma);
    Matrix c = Matrix::Zero();
    Matrix change = Matrix::Zero();
    std::size_t at = 0;
    for (Eigen::Index k = 0; k < 2 * rank; ++k) {
      for (Eigen::Index l = k; l < 2 * rank; ++l, ++at) {
        c(rank + k, rank + l) = sums.value[at] + (l == k + rank ? 1 : 0);
        change(rank + k, rank + l) = sums.slope[at];
      }
    }
    for (std::size_t t = 0; t < taken_.size(); ++t)
      add_taken(taken_[t], static_cast<Eigen::Index>(t), sigma, c, change);
    // Without a token to take out the row and column are that of one far below, which changes no sign.
    for (auto t = static_cast<Eigen::Index>(taken_.size()); t < rank; ++t) c(t, t) = -1;
    return middle_eigenvalue(c, change);
  }

 private:
  static constexpr auto rank = static_cast<Eigen::Index>(r);
  using Matrix = Eigen::Matrix<double, 3 * rank, 3 * rank>;

  /// One of the r largest |d|, with its part of u_1, …, v_r.
  struct Taken {
    std::size_t index;
    double diagonal;
    std::array<double, 2 * r> columns;
  };

  void take_out_largest() {
    for (std::size_t t = 0; t < std::min(r, size_); ++t) {
      const auto largest =
          static_cast<std::size_t>(std::max_element(diagonal_.begin(), diagonal_.end()) - diagonal_.begin());
      Taken taken = {largest, diagonal_[largest], {}};
      diagonal_[largest] = 0;
      for (std::size_t k = 0; k < 2 * r; ++k) std::swap(taken.columns[k], columns_[k][largest]);
      taken_.push_back(taken);
    }
    pole_ = *std::max_element(diagonal_.begin(), diagonal_.end());
    // One that equals the next has no place of its own: the norm, if it is that, would be a double root.
    while (!taken_.empty() && taken_.back().diagonal == pole_) {
      put_back(taken_.back());
      taken_.pop_back();
    }
  }

  void put_back(const Taken& taken) {
    diagonal_[taken.index] = taken.diagonal;
    for (std::size_t k = 0; k < 2 * r; ++k) columns_[k][taken.index] = taken.columns[k];
  }

  static void add_taken(const Taken& taken, Eigen::Index t, double sigma, Matrix& c, Matrix& change) {
    c(t, t) = taken.diagonal - sigma;
    change(t, t) = -1;
    const double opposite = 1 / (sigma + taken.diagonal);
    for (Eigen::Index k = 0; k < 2 * rank; ++k) {
      const double x = taken.columns[static_cast<std::size_t>(k)];
      c(t, rank + k) = x * std::sqrt(0.5);
      for (Eigen::Index l = k; l < 2 * rank; ++l) {
        const double sign = k < rank && l >= rank ? -0.5 : 0.5;
        const double term = sign * x * taken.columns[static_cast<std::size_t>(l)] * opposite;
        c(rank + k, rank + l) += term;
        change(rank + k, rank + l) -= term * opposite;
      }
    }
  }

  /// Of S·C·S, S diagonal so that no entry drowns another: the signs are those of C (Sylvester).
  static Value middle_eigenvalue(const Matrix& upper, const Matrix& change) {
    Eigen::Matrix<double, 3 * rank, 1> scale;
    const Matrix c = upper.template selfadjointView<Eigen::Upper>();
    for (Eigen::Index i = 0; i < 3 * rank; ++i) {
      const double size = c.row(i).cwiseAbs().maxCoeff();
      scale(i) = size > 0 ? 1 / std::sqrt(size) : 1;
    }
    const Matrix scaled = scale.asDiagonal() * c * scale.asDiagonal();
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(scaled);
    const Eigen::Index which = 3 * rank - 1 - rank;  // ascending
    const Eigen::Matrix<double, 3 * rank, 1> x = scale.cwiseProduct(solver.eigenvectors().col(which));
    return {solver.eigenvalues()(which), x.dot(change.template selfadjointView<Eigen::Upper>() * x)};
  }

  std::size_t size_;
  std::vector<double> diagonal_;
  std::array<std::vector<double>, 2 * r> columns_;
  std::vector<Taken> taken_;
  double pole_ = 0;
};

/// Where a falling function passes 0 between low, which it is not asked at, and high, about 1: to a few units of
/// rounding of high. Newton's method, with every fourth step a bisection lest it creeps.
template <class Function>
double crossing(const Function& function, double low, double high, double start) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  double at = start;
  for (int step = 1; high - low > epsilon; ++step) {
    if (!(at > low && at < high)) at = low + (high - low) / 2;
    const auto [value, slope] = function(at);
    (value > 0 ? low : high) = at;
    const double next = at - value / slope;
    if (std::abs(next - at) <= epsilon * at) return std::clamp(next, low, high);
    at = step % 4 == 0 ? low + (high - low) / 2 : next;
  }
  return high;
}

/// The norm of the longest column, which J's is at least.
double longest_column(std::span<const double> d, std::span<const OuterProduct> products) {
  const std::size_t r = products.size();
  double inner[3][3] = {};
  for (std::size_t k = 0; k < r; ++k) {
    for (std::size_t l = 0; l < r; ++l) {
      inner[k][l] = std::inner_product(products[k].left.begin(), products[k].left.end(), products[l].left.begin(), 0.0);
    }
  }
  double most = 0;
  for (std::size_t j = 0; j < d.size(); ++j) {
    double squares = d[j] * d[j];
    for (std::size_t k = 0; k < r; ++k) {
      squares -= 2 * d[j] * products[k].left[j] * products[k].right[j];
      for (std::size_t l = 0; l < r; ++l) squares += inner[k][l] * products[k].right[j] * products[l].right[j];
    }
    most = std::max(most, squares);
  }
  return std::sqrt(most);
}

}  // namespace

double low_rank_norm(std::span<const double> d, std::span<const OuterProduct> products) {
  assert(products.size() >= 1 && products.size() <= 3);
  if (d.size() == 1) {
    double sum = d[0];
    for (const OuterProduct& p : products) sum -= p.left[0] * p.right[0];
    return std::abs(sum);
  }
  double most = 0;
  for (const double x : d) most = std::max(most, std::abs(x));
  double bound = most;
  for (const OuterProduct& p : products) bound += norm_of(p.left) * norm_of(p.right);
  if (!(bound > 0) || !std::isfinite(bound)) return bound;
  const auto norm = [&](const auto& pencil) {
    const double longest = longest_column(d, products) / bound;
    return bound * crossing(pencil, pencil.pole(), 1 + 1e-12, longest);
  };
  if (products.size() == 1) return norm(Pencil<1>(d, products, bound));
  if (products.size() == 2) return norm(Pencil<2>(d, products, bound));
  return norm(Pencil<3>(d, products, bound));
}

}  // namespace headroom::sim
