#include "verify/sensitivity.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <type_traits>
#include <vector>

#include "catch.hpp"
#include "theory/jacobian_norm.hpp"
#include "verify/sensitivity_kernels.hpp"

using namespace headroom;
using namespace headroom::verify;

namespace {

std::vector<long double> softmax(const std::vector<long double>& z) {
  long double largest = z[0];
  for (long double x : z) largest = std::max(largest, x);
  long double total = 0;
  std::vector<long double> out;
  for (long double x : z) total += out.emplace_back(std::exp(x - largest));
  for (long double& x : out) x /= total;
  return out;
}

// ‖softmax((l+εv)/T) − softmax(l/T)‖ formed in long double, from logits and a direction.
double direct_change(const std::vector<double>& logits, const std::vector<double>& direction, double epsilon,
                     double temperature) {
  std::vector<long double> before;
  std::vector<long double> after;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    before.push_back(static_cast<long double>(logits[i]) / temperature);
    after.push_back((logits[i] + static_cast<long double>(epsilon) * direction[i]) / temperature);
  }
  const auto a = softmax(before);
  const auto b = softmax(after);
  long double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return static_cast<double>(std::sqrt(sum));
}

HeadView logits_head(const std::vector<double>& logits, std::size_t rows, bool causal) {
  const std::size_t tokens = logits.size() / rows;
  return {
      {}, {logits.data(), rows, tokens}, {}, causal ? Visibility::causal(rows, tokens) : Visibility::all(rows, tokens)};
}

// Kernels of one precision against long double, `tolerance` relative plus `margin` absolute.
template <class Real>
void check_changes(double tolerance, double margin) {
  constexpr std::size_t size = 32;
  const SensitivityKernels<Real>& kernels = sensitivity_kernels<Real>();
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal;
  for (double spread : {0.1, 3.0, 40.0}) {
    std::vector<double> logits(size);
    std::vector<double> direction(size);
    for (double& l : logits) l = spread * normal(engine);
    for (double& v : direction) v = normal(engine) / 5;
    std::sort(logits.begin(), logits.end(), std::greater<>());
    const double largest = logits.front();
    std::vector<Real> depth;
    std::vector<Real> steps;
    for (std::size_t i = 0; i < size; ++i) {
      depth.push_back(static_cast<Real>(logits[i] - largest));
      steps.push_back(static_cast<Real>(direction[i]));
      // Both sides take the rounded numbers.
      logits[i] = static_cast<double>(depth[i]);
      direction[i] = static_cast<double>(steps[i]);
    }
    std::vector<Real> alpha(size);
    std::vector<Real> change(size);
    std::vector<double> wide(size);
    for (double temperature : {0.5, 1.0, 8.0}) {
      kernels.softmax(depth.data(), size, temperature, alpha.data(), wide.data());
      const bool dominant = wide[0] > 0.5;
      for (double epsilon : {0.002, 0.05, 0.2, 1.0, 10.0}) {
        const double expected = direct_change(logits, direction, epsilon, temperature);
        INFO("spread " << spread << " T " << temperature << " epsilon " << epsilon);
        const double longest = epsilon / temperature * kernels.longest_component(steps.data(), size);
        const bool small = longest <= 0.5;
        if (!small || std::is_same_v<Real, double>) {
          CHECK(kernels.large_change(depth.data(), alpha.data(), steps.data(), temperature, epsilon / temperature, size,
                                     dominant, change.data()) == Approx(expected).epsilon(tolerance).margin(margin));
        }
        if (small) {
          CHECK(kernels.small_change(alpha.data(), steps.data(), epsilon / temperature, size, dominant, longest <= 0.01,
                                     change.data()) == Approx(expected).epsilon(tolerance).margin(margin));
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("the change of the weights is exact for steps of every size") {
  check_changes<double>(1e-10, 1e-18);  // what long double leaves of 1
  check_changes<float>(2e-5, 1e-12);
}

TEST_CASE("single precision moves the mean sensitivity of a head by less than 1e-5") {
  std::mt19937_64 engine(11);
  std::normal_distribution<double> normal;
  constexpr std::size_t tokens = 160;
  std::vector<double> logits(tokens * tokens);
  for (double& l : logits) l = 3 * normal(engine);
  const SensitivityPlan plan{{1e-3, 0.02, 0.3, 1.0, 30.0}, {1e-3, 0.1, 10.0}, 3, 5};
  const HeadView head = logits_head(logits, tokens, true);
  const Sensitivity full = measure_sensitivity(head, plan, Precision::full);
  const Sensitivity single = measure_sensitivity(head, plan, Precision::single);
  for (std::size_t t = 0; t < full.jacobian_norm.size(); ++t) {
    CHECK(single.jacobian_norm[t] == Approx(full.jacobian_norm[t]).epsilon(1e-5));
  }
  for (std::size_t i = 0; i < full.g.size(); ++i) {
    CHECK(single.g[i] == Approx(full.g[i]).epsilon(1e-5));
    CHECK(single.g_worst[i] == Approx(full.g_worst[i]).epsilon(1e-5));
  }
}

TEST_CASE("two equal logits reach the sharp bound 1/(2T) and pass the printed 1/(4T)") {
  const std::vector<double> logits = {0.0, 0.0};
  const Sensitivity s = measure_sensitivity(logits_head(logits, 1, false), {{0.5, 2.0}, {1e-4}, 1, 1});
  CHECK(s.jacobian_norm[0] == Approx(1.0));
  CHECK(s.jacobian_norm[1] == Approx(0.25));
  CHECK(s.g_worst[0] == Approx(1.0).epsilon(1e-6));
  CHECK(s.g[0] <= s.g_worst[0] * (1 + 1e-9));
  CHECK(s.g_worst[1] > 1 / (4 * 2.0));
}

TEST_CASE("a step in the top singular direction moves the weights by the Jacobian norm") {
  std::mt19937_64 engine(3);
  std::normal_distribution<double> normal;
  std::vector<double> logits(4 * 19);
  for (double& l : logits) l = 2 * normal(engine);
  const Sensitivity s = measure_sensitivity(logits_head(logits, 4, true), {{0.3, 1.0, 5.0}, {1e-6}, 2, 3});
  for (std::size_t t = 0; t < 3; ++t) CHECK(s.g_worst[t] == Approx(s.jacobian_norm[t]).epsilon(1e-5));
}

TEST_CASE("a random direction understates the Jacobian norm by its Frobenius share") {
  // E g² = ‖J‖_F²/L over 4,000 directions (random-direction); a sampler that draws v on a coordinate axis of the first
  // token would give the norm of one column instead.
  const std::size_t tokens = 12;
  const std::size_t rows = 4000;
  std::vector<double> row(tokens);
  std::mt19937_64 engine(4);
  std::normal_distribution<double> normal;
  for (double& l : row) l = normal(engine);
  std::vector<double> logits;
  for (std::size_t r = 0; r < rows; ++r) logits.insert(logits.end(), row.begin(), row.end());
  double square_sum = 0;
  for (std::size_t block = 0; block < 40; ++block) {
    // One-row heads give g itself; many cells give many directions.
    for (std::size_t i = 0; i < 100; ++i) {
      const Sensitivity s = measure_sensitivity(logits_head(row, 1, false), {{1.0}, {1e-5}, 5, block * 100 + i});
      square_sum += s.g[0] * s.g[0];
    }
  }
  std::vector<double> alpha(16);
  std::vector<double> padded = row;
  padded.resize(16, -1e300);
  softmax_row(padded.data(), 16, *std::max_element(row.begin(), row.end()), 1.0, alpha.data());
  const double frobenius = theory::jacobian_frobenius_norm({alpha.data(), tokens});
  const double expected = frobenius * frobenius / static_cast<double>(tokens);
  CHECK(square_sum / 4000 == Approx(expected).epsilon(0.06));
  double column = 0;
  for (std::size_t i = 0; i < tokens; ++i) column += std::pow(alpha[i] * ((i == 0 ? 1 : 0) - alpha[0]), 2.0);
  CHECK_FALSE(column == Approx(expected).epsilon(0.06));
}

TEST_CASE("a row that sees one token or is one-hot does not move") {
  const std::vector<double> logits = {0.0, -1e300, 1e4, 0.0};
  const Sensitivity s = measure_sensitivity(logits_head(logits, 2, true), {{1e-3}, {1e-3, 10.0}, 1, 1});
  CHECK(s.jacobian_norm[0] == 0.0);
  CHECK(s.g[0] == 0.0);
  CHECK(std::isfinite(s.g[1]));
}
