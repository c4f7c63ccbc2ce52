#include "sim/hard_sphere_chain.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "sim/hard_spheres.hpp"
#include "sim/hash.hpp"
#include "sim/mixing.hpp"

namespace headroom::sim {
namespace {

constexpr std::size_t chain_count = 4;
constexpr std::size_t statistic_count = 3;
constexpr std::size_t first_sweeps = 200;
constexpr double mixed_r_hat = 1.01;
constexpr double mixed_sample_size = 400;

/// One Markov chain whose stationary law is that of independent uniform points given their separation.
class Chain {
 public:
  Chain(Stream& stream, const SphereProblem& problem, bool unlike)
      : stream_(stream),
        data_(problem.length * problem.dim),
        candidate_(problem.dim),
        points_(data_.data(), problem.length, problem.dim),
        squared_(problem.separation * problem.separation) {
    if (adsorb(stream_, points_, problem.separation, 2000, unlike)) return;
    if (!push_apart(stream_, points_, problem.separation)) {
      throw_usage("no configuration with separation " + std::to_string(problem.separation) + " was found",
                  std::to_string(problem.length) + " points in dimension " + std::to_string(problem.dim),
                  "take a smaller --separation");
    }
  }

  /// Offers every point one move, in order; returns how many were taken. A move is the point plus a Gaussian step of
  /// size `step` per unit, brought back to the sphere: symmetric, since its density depends on the angle alone. Every
  /// fourth is a fresh uniform point.
  std::size_t sweep(double step) {
    std::size_t taken = 0;
    const double scale = step / std::sqrt(static_cast<double>(points_.cols));
    for (std::size_t i = 0; i < points_.rows; ++i) {
      double* const point = points_.row_data(i);
      stream_.normals(candidate_);
      if (++moves_ % 4 != 0) {
        for (std::size_t k = 0; k < candidate_.size(); ++k) candidate_[k] = point[k] + scale * candidate_[k];
      }
      kernels::normalize_rows(candidate_.data(), 1, candidate_.size(), candidate_.size());
      if (is_clear(candidate_.data(), points_, 0, i, squared_) &&
          is_clear(candidate_.data(), points_, i + 1, points_.rows, squared_)) {
        std::copy(candidate_.begin(), candidate_.end(), point);
        ++taken;
      }
    }
    return taken;
  }

  /// Statistics that neither rotation nor a change of names alters: ‖Σx‖²/L, the mean distance to the nearest
  /// neighbour, and Σ(x_i·x_j)²/L.
  [[nodiscard]] std::array<double, statistic_count> statistics() const {
    const std::size_t n = points_.rows;
    std::vector<double> closest(n, -1);  // largest inner product
    double dipole = 0;
    double quadrupole = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const double* a = points_.row_data(i);
        const double product = std::inner_product(a, a + points_.cols, points_.row_data(j), 0.0);
        dipole += product;
        quadrupole += product * product;
        closest[i] = std::max(closest[i], product);
        closest[j] = std::max(closest[j], product);
      }
    }
    double neighbour = 0;
    for (const double c : closest) neighbour += std::sqrt(std::max(0.0, 2 - 2 * c));
    const auto count = static_cast<double>(n);
    return {dipole / count, neighbour / count, quadrupole / count};
  }

  /// Copies the points out under random names.
  void copy_shuffled(MatrixView<double> out) {
    std::vector<std::size_t> order(points_.rows);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[stream_.below(i)]);
    for (std::size_t i = 0; i < order.size(); ++i) std::ranges::copy(points_.row(order[i]), out.row_data(i));
  }

 private:
  Stream& stream_;
  std::vector<double> data_;
  std::vector<double> candidate_;
  MatrixView<double> points_;
  double squared_;
  std::size_t moves_ = 0;
};

class HardSphereChain final : public SphereSampler {
 public:
  HardSphereChain(std::string name, const SphereProblem& problem, std::size_t most_sweeps)
      : SphereSampler(std::move(name), problem) {
    if (problem.length < 2) return;
    tune();
    pilot(most_sweeps);
  }

  void fill(Stream& stream, MatrixView<double> points) const override {
    if (problem().length < 2) return fill_sphere(stream, points);
    Chain chain(stream, problem(), false);
    for (std::size_t k = 0; k < report_.sweeps; ++k) chain.sweep(step_);
    chain.copy_shuffled(points);
  }

  [[nodiscard]] SamplerReport report() const override { return report_; }

 private:
  /// The pilot depends on the problem alone, so that every thread and rank prepares the same sampler.
  static Stream pilot_stream(std::size_t chain) { return {0, hash64("hard-sphere pilot"), chain}; }

  /// The largest step that keeps acceptance between 0.3 and 0.5, or a step as wide as the sphere.
  void tune() {
    Stream stream = pilot_stream(chain_count);
    Chain chain(stream, problem(), false);
    for (int round = 0; round < 40; ++round) {
      std::size_t taken = 0;
      for (int k = 0; k < 5; ++k) taken += chain.sweep(step_);
      const double rate = static_cast<double>(taken) / (5 * static_cast<double>(problem().length));
      if (rate > 0.5) step_ = std::min(4.0, step_ * 1.5);
      if (rate < 0.3) step_ /= 1.5;
    }
  }

  void pilot(std::size_t most_sweeps) {
    std::vector<Stream> streams;
    for (std::size_t c = 0; c < chain_count; ++c) streams.push_back(pilot_stream(c));
    std::vector<Chain> chains;
    chains.reserve(chain_count);
    for (std::size_t c = 0; c < chain_count; ++c) chains.emplace_back(streams[c], problem(), c % 2 != 0);
    std::array<std::vector<std::vector<double>>, statistic_count> records;
    records.fill(std::vector<std::vector<double>>(chain_count));
    std::size_t taken = 0;
    std::size_t sweeps = 0;
    for (std::size_t target = std::min(first_sweeps, most_sweeps);; target = std::min(2 * target, most_sweeps)) {
      for (; sweeps < target; ++sweeps) {
        for (std::size_t c = 0; c < chain_count; ++c) {
          taken += chains[c].sweep(step_);
          const auto values = chains[c].statistics();
          for (std::size_t s = 0; s < statistic_count; ++s) records[s][c].push_back(values[s]);
        }
      }
      const auto moves = static_cast<double>(sweeps * chain_count * problem().length);
      assess(records, static_cast<double>(taken) / moves);
      if (report_.r_hat < mixed_r_hat && report_.effective_sample_size >= mixed_sample_size) return;
      if (target == most_sweeps) refuse(target);
    }
  }

  void assess(const std::array<std::vector<std::vector<double>>, statistic_count>& records, double acceptance) {
    report_.acceptance = acceptance;
    report_.r_hat = 0;
    report_.effective_sample_size = std::numeric_limits<double>::infinity();
    for (const auto& record : records) {
      // The first half of every chain is its way from the start.
      std::vector<std::vector<double>> settled;
      for (const auto& chain : record) {
        settled.emplace_back(chain.begin() + static_cast<std::ptrdiff_t>(chain.size() / 2), chain.end());
      }
      const Mixing m = mixing(settled);
      report_.r_hat = std::max(report_.r_hat, m.r_hat);
      report_.effective_sample_size = std::min(report_.effective_sample_size, m.effective_sample_size);
    }
    // Ten autocorrelation times from the start: what is left of it is e^{−10} or so.
    const auto kept = static_cast<double>(records[0][0].size() / 2 * chain_count);
    const double tau = std::max(1.0, kept / std::max(1.0, report_.effective_sample_size));
    report_.sweeps = static_cast<std::size_t>(std::ceil(10 * tau));
  }

  [[noreturn]] void refuse(std::size_t sweeps) const {
    throw_usage("the chains have not mixed after " + std::to_string(sweeps) + " sweeps: R-hat " +
                    std::to_string(report_.r_hat) + " (needs under 1.01), effective sample size " +
                    std::to_string(report_.effective_sample_size) + " (needs 400), acceptance " +
                    std::to_string(report_.acceptance),
                "sampler " + name(), "allow more with mcmc:sweeps=N, or take a smaller --separation");
  }

  double step_ = 1;
  SamplerReport report_;
};

}  // namespace

std::unique_ptr<const SphereSampler> make_hard_sphere_chain(std::string name, const SphereProblem& problem,
                                                            std::size_t most_sweeps) {
  return std::make_unique<HardSphereChain>(std::move(name), problem, most_sweeps);
}

}  // namespace headroom::sim
