#include "verify/claims/dense_norm.hpp"

#include <Eigen/SVD>
#include <algorithm>
#include <limits>
#include <vector>

namespace headroom::verify {
namespace {

// Zeroes element (p, q) of a symmetric matrix by a rotation of rows and columns p and q (Jacobi 1846).
void rotate(std::vector<Exact>& a, std::size_t n, std::size_t p, std::size_t q) {
  const Exact theta = (a[q * n + q] - a[p * n + p]) / (2 * a[p * n + q]);
  const Exact size = abs(theta) + sqrt(Exact(theta * theta + 1));
  const Exact t = theta < 0 ? Exact(-1 / size) : Exact(1 / size);
  const Exact c = 1 / sqrt(Exact(t * t + 1));
  const Exact s = t * c;
  for (std::size_t k = 0; k < n; ++k) {
    const Exact kp = a[k * n + p];
    const Exact kq = a[k * n + q];
    a[k * n + p] = c * kp - s * kq;
    a[k * n + q] = s * kp + c * kq;
  }
  for (std::size_t k = 0; k < n; ++k) {
    const Exact pk = a[p * n + k];
    const Exact qk = a[q * n + k];
    a[p * n + k] = c * pk - s * qk;
    a[q * n + k] = s * pk + c * qk;
  }
}

}  // namespace

Exact dense_norm(std::span<const Exact> matrix, std::size_t n) {
  std::vector<Exact> square(n * n, Exact(0));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < n; ++k) square[i * n + j] += matrix[k * n + i] * matrix[k * n + j];
    }
  }
  Exact trace(0);
  for (std::size_t i = 0; i < n; ++i) trace += square[i * n + i];
  // What is left off the diagonal moves no eigenvalue by more than itself.
  const Exact negligible = trace * std::numeric_limits<Exact>::epsilon() / static_cast<Exact>(n * n);
  for (bool rotated = true; rotated;) {
    rotated = false;
    for (std::size_t p = 0; p < n; ++p) {
      for (std::size_t q = p + 1; q < n; ++q) {
        if (abs(square[p * n + q]) <= negligible) continue;
        rotate(square, n, p, q);
        rotated = true;
      }
    }
  }
  Exact largest(0);
  for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, square[i * n + i]);
  return sqrt(largest);
}

double dense_norm(std::span<const double> matrix, std::size_t n) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto size = static_cast<Eigen::Index>(n);
  const Eigen::MatrixXd dense = Eigen::Map<const RowMajor>(matrix.data(), size, size);
  return Eigen::JacobiSVD<Eigen::MatrixXd>(dense).singularValues()(0);
}

}  // namespace headroom::verify
