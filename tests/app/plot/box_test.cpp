#include "app/plot/box.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "catch.hpp"

using headroom::app::plot::BoxSummary;
using headroom::app::plot::quantile;
using headroom::app::plot::summarize;

namespace {

/// Type 6 of Hyndman and Fan, which places the p-quantile at (n+1)p: what an off-by-one would give.
double wrong_quantile(const std::vector<double>& ascending, double p) {
  const double place =
      std::clamp(p * static_cast<double>(ascending.size() + 1) - 1, 0.0, static_cast<double>(ascending.size() - 1));
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, ascending.size() - 1);
  return std::lerp(ascending[below], ascending[above], place - static_cast<double>(below));
}

}  // namespace

TEST_CASE("quartiles are those of type 7") {
  // By hand from the definition: n = 4, (n−1)p = 0.75, 1.5, 2.25.
  const std::vector<double> sample = {1, 2, 3, 4};
  CHECK(quantile(sample, 0.25) == 1.75);
  CHECK(quantile(sample, 0.5) == 2.5);
  CHECK(quantile(sample, 0.75) == 3.25);
  CHECK(wrong_quantile(sample, 0.25) != 1.75);
  CHECK(quantile({7}, 0.25) == 7);
}

TEST_CASE("the (k/(n−1))-quantile of type 7 is the k-th order statistic") {
  std::mt19937_64 random(5);
  std::vector<double> sample;
  for (int i = 0; i < 41; ++i) sample.push_back(std::ldexp(static_cast<double>(random() >> 11U), -53));
  std::sort(sample.begin(), sample.end());
  bool wrong_passes = true;
  for (std::size_t k = 0; k <= 40; ++k) {
    const double p = static_cast<double>(k) / 40;
    CHECK(quantile(sample, p) == Approx(sample[k]).epsilon(1e-12));
    wrong_passes = wrong_passes && wrong_quantile(sample, p) == Approx(sample[k]).epsilon(1e-12);
  }
  CHECK_FALSE(wrong_passes);
}

TEST_CASE("whiskers end at the last values within 1.5 interquartile ranges, what lies beyond is listed") {
  const BoxSummary box = summarize({9, 1, 2, 3, 4, 5, 6, 7, 8, 30, -20});
  CHECK(box.lower_quartile == 2.5);
  CHECK(box.median == 5);
  CHECK(box.upper_quartile == 7.5);
  CHECK(box.lower_whisker == 1);
  CHECK(box.upper_whisker == 9);
  CHECK(box.outliers == std::vector<double>{-20, 30});
}

TEST_CASE("a value exactly at the reach of a whisker is no outlier") {
  // Quartiles 0 and 4 (n = 5: the second and the fourth value), reach 6.
  const BoxSummary box = summarize({-6, 0, 2, 4, 10});
  CHECK(box.outliers.empty());
  CHECK(box.lower_whisker == -6);
  CHECK(box.upper_whisker == 10);
}

TEST_CASE("a whisker never ends inside its box") {
  const BoxSummary box = summarize({0, 0, 0, 100});
  CHECK(box.upper_quartile == 25);
  CHECK(box.upper_whisker == 25);
  CHECK(box.outliers == std::vector<double>{100});
}

TEST_CASE("values that are not finite are left out of a box") {
  const BoxSummary box = summarize({1, NAN, 2, HUGE_VAL, 3, -HUGE_VAL});
  CHECK(box.median == 2);
  CHECK(box.outliers.empty());
}
