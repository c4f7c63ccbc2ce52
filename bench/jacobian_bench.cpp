// ‖diag(α) − ααᵀ‖₂ beside a dense decomposition and power iteration.
#include <Eigen/Dense>
#include <cmath>
#include <stdexcept>

#include "bench/normalizer_subjects.hpp"
#include "sim/random.hpp"
#include "sim/row_normalizer.hpp"

namespace headroom::bench {
namespace {

constexpr std::size_t n = 1024;
constexpr std::size_t rows = 64;

/// Weights of rows of Gaussian logits of standard deviation 2.
struct Rows {
  Rows() : logits(rows * n), weights(rows * n), softmax("softmax") {
    sim::Stream(1, 3, 0).normals(logits);
    for (double& l : logits) l *= 2;
    softmax.weights(view(logits), all(), 1, {weights.data(), rows, n});
    norms = softmax.jacobian_norms(view(logits), view(weights), all(), 1);
  }
  static MatrixView<const double> view(const std::vector<double>& x) { return {x.data(), rows, n}; }
  static Visibility all() { return Visibility::all(rows, n); }
  [[nodiscard]] Eigen::Map<const Eigen::VectorXd> row(std::size_t r) const {
    return {weights.data() + r * n, static_cast<Eigen::Index>(n)};
  }

  std::vector<double> logits, weights;
  sim::RowNormalizer<double> softmax;
  std::vector<double> norms;
};

double by_decomposition(const Eigen::VectorXd& w) {
  const Eigen::MatrixXd jacobian = Eigen::MatrixXd(w.asDiagonal()) - w * w.transpose();
  return Eigen::BDCSVD<Eigen::MatrixXd>(jacobian).singularValues()(0);
}

/// Until the norm is as near the exact one as ours, which a user would not know: to the advantage of this side.
double by_power_iteration(const Eigen::VectorXd& w, double exact) {
  Eigen::VectorXd v = Eigen::VectorXd::LinSpaced(w.size(), 1, 2).cwiseProduct(w);
  double norm = 0;
  for (int step = 0; step < 100000 && std::abs(norm - exact) > 1e-14 * exact; ++step) {
    v.normalize();
    const double mean = w.dot(v);
    v = w.cwiseProduct((v.array() - mean).matrix());
    norm = v.norm();
  }
  return norm;
}

// Two sums a step over poles, three steps, and one over the row before.
const Work per_row = Work{{Limit::div64, 3}, {Limit::fma64, 20}, {Limit::copy_l1, 32}}.times(n);

void secular(benchmark::State& state, int threads) {
  const Rows x;
  require_close("the norm", x.norms[0], by_decomposition(x.row(0)), 1e-12);
  time_items(state, per_row.times(rows), threads, rows, [&] {
    benchmark::DoNotOptimize(x.softmax.jacobian_norms(Rows::view(x.logits), Rows::view(x.weights), Rows::all(), 1));
  });
}

void decomposition(benchmark::State& state, int threads) {
  const Rows x;
  time_items(state, per_row, threads, 1, [&] { benchmark::DoNotOptimize(by_decomposition(x.row(0))); });
}

void power_iteration(benchmark::State& state, int threads) {
  const Rows x;
  std::vector<double> found(rows);
  const auto run = [&] {
#pragma omp parallel for schedule(dynamic)
    for (std::size_t r = 0; r < rows; ++r) found[r] = by_power_iteration(x.row(r), x.norms[r]);
  };
  run();
  for (std::size_t r = 0; r < rows; ++r) require_close("the norm by power iteration", found[r], x.norms[r], 1e-12);
  time_items(state, per_row.times(rows), threads, rows, run);
}

}  // namespace

void add_jacobian() {
  add_benchmark("jacobian/n:1024/headroom", {1, 2}, secular);
  add_benchmark("jacobian/n:1024/power-iteration", {1, 2}, power_iteration);
  add_benchmark("jacobian/n:1024/eigen-svd", {1}, decomposition);
}

}  // namespace headroom::bench
