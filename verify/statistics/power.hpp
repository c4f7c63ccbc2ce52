#pragma once

#include <cstdint>

namespace headroom::verify {

/// Which deviations of the mean a test answers to: those above only, or both ways.
enum class Sides { one, two };

/// What a test of a mean is asked to detect.
struct MeanTest {
  double level;               ///< significance level in (0, 1), after any correction for multiple tests
  double standard_deviation;  ///< of one trial, ≥ 0
  Sides sides = Sides::one;
};

/// Probability that the Student t test of `trials` values rejects when the expectation is off by `violation` ≥ 0:
/// P(T' > t_{1−level, n−1}) for the noncentral t law T' with n−1 degrees of freedom and noncentrality
/// violation·√n/standard_deviation; for two sides t_{1−level/2} and both tails.
/// Fewer than two trials: 0. No spread: 1 if violation > 0, else 0. Error (usage) outside the domain.
[[nodiscard]] double mean_test_power(const MeanTest& test, double violation, std::uint64_t trials);

/// The smallest number of trials (at least 2) whose power to detect `violation` > 0 is at least `power` in (0, 1).
/// Error (usage) outside the domain, or when more than 2⁵³ trials would be needed.
[[nodiscard]] std::uint64_t trials_needed(const MeanTest& test, double violation, double power);

}  // namespace headroom::verify
