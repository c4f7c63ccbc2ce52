#include "sim/golub_kahan.hpp"

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "sim/random.hpp"

namespace headroom::sim {
namespace {

using Vector = Eigen::VectorXd;

std::span<double> as_span(Vector& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }
std::span<const double> as_span(const Vector& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

/// Twice is enough (Kahan, Parlett).
void orthogonalize(Vector& x, const std::vector<Vector>& basis) {
  for (int pass = 0; pass < 2; ++pass) {
    for (const Vector& b : basis) x -= b.dot(x) * b;
  }
}

/// Norm of the upper bidiagonal B, from the tridiagonal BᵀB; the entries are scaled so that squares keep their range.
double bidiagonal_norm(const std::vector<double>& diagonal, const std::vector<double>& upper) {
  const auto k = static_cast<Eigen::Index>(diagonal.size());
  double unit = 0;
  for (std::size_t i = 0; i < diagonal.size(); ++i) {
    unit = std::max({unit, diagonal[i], i + 1 < diagonal.size() ? upper[i] : 0.0});
  }
  if (unit == 0) return 0;
  const Vector a = Eigen::Map<const Vector>(diagonal.data(), k) / unit;
  const Vector b = Eigen::Map<const Vector>(upper.data(), k - 1) / unit;
  Vector squares = a.cwiseAbs2();
  squares.tail(k - 1) += b.cwiseAbs2();
  const Vector products = a.head(k - 1).cwiseProduct(b);
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(squares, products, Eigen::EigenvaluesOnly);
  return unit * std::sqrt(std::max(0.0, solver.eigenvalues()(k - 1)));
}

}  // namespace

double largest_singular_value(std::size_t n, const LinearMap& multiply, const LinearMap& multiply_transposed) {
  if (n == 0) return 0;
  const auto size = static_cast<Eigen::Index>(n);
  Vector v(size);
  Stream(0, 0, 0).normals(as_span(v));
  v.normalize();
  std::vector<Vector> left;
  std::vector<Vector> right;
  std::vector<double> diagonal;
  std::vector<double> upper;
  double norm = 0;
  int settled = 0;
  Vector u(size);
  for (std::size_t k = 1; k <= n; ++k) {
    right.push_back(v);
    multiply(as_span(std::as_const(v)), as_span(u));
    orthogonalize(u, left);
    const double alpha = u.norm();
    diagonal.push_back(alpha);
    if (alpha > 0) u /= alpha;
    left.push_back(u);
    multiply_transposed(as_span(std::as_const(u)), as_span(v));
    orthogonalize(v, right);
    const double beta = v.norm();
    upper.push_back(beta);

    const bool last = k == n || beta <= std::numeric_limits<double>::epsilon() * norm || beta == 0;
    if (last || k % 4 == 0) {
      const double value = bidiagonal_norm(diagonal, upper);
      settled = value - norm <= 1e-13 * value ? settled + 1 : 0;
      norm = value;
      if (last || settled == 2) break;
    }
    v /= beta;
  }
  return norm;
}

}  // namespace headroom::sim
