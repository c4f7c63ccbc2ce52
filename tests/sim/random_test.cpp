#include "sim/random.hpp"

#include <algorithm>
#include <array>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <set>
#include <vector>

#include "catch.hpp"
#include "statistics.hpp"

using headroom::MatrixView;
using headroom::sim::fill_sphere;
using headroom::sim::Stream;
using headroom::sim::test::chi_square_p;
using headroom::sim::test::ks_p;

namespace {

// Every statistical test below has significance level 1e-4 and a fixed seed; the wrong samplers must fall below it.
constexpr double level = 1e-4;
constexpr std::size_t sample_size = 200000;

double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }
double uniform_cdf(double x) { return std::clamp(x, 0.0, 1.0); }

std::vector<double> normals(std::uint64_t seed, std::size_t n) {
  std::vector<double> sample(n);
  Stream(seed, 1, 0).normals(sample);
  return sample;
}

/// χ² over `bins` equally likely bins of a distribution function.
double binned_p(const std::vector<double>& sample, double (*cdf)(double), std::size_t bins) {
  std::vector<std::size_t> counts(bins);
  for (const double x : sample)
    ++counts[std::min(bins - 1, static_cast<std::size_t>(cdf(x) * static_cast<double>(bins)))];
  return chi_square_p(counts);
}

/// The law of ⟨x, y⟩ of two independent uniform points on S²: uniform on [−1, 1].
std::vector<double> inner_products(const std::vector<double>& points) {
  std::vector<double> products;
  for (std::size_t i = 0; i + 5 < points.size(); i += 6) {
    products.push_back((1 + points[i] * points[i + 3] + points[i + 1] * points[i + 4] + points[i + 2] * points[i + 5]) /
                       2);
  }
  return products;
}

}  // namespace

TEST_CASE("how draws are grouped into calls changes nothing") {
  std::vector<double> whole(1000);
  Stream(7, 8, 9).normals(whole);
  for (const std::size_t step : {1u, 3u, 15u, 16u, 17u, 100u, 999u}) {
    Stream stream(7, 8, 9);
    std::vector<double> parts(1000);
    for (std::size_t at = 0; at < parts.size(); at += step) {
      stream.normals(std::span(parts).subspan(at, std::min(step, parts.size() - at)));
      static_cast<void>(stream.word());  // another kind of draw in between
    }
    CHECK(parts == whole);
  }
}

TEST_CASE("seed, cell and block each give another stream, and the same ones the same") {
  std::set<std::uint64_t> first;
  for (std::uint64_t seed : {0u, 1u}) {
    for (std::uint64_t cell : {0u, 1u}) {
      for (std::uint64_t block : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 32}) {
        first.insert(Stream(seed, cell, block).word());
        CHECK(Stream(seed, cell, block).word() == Stream(seed, cell, block).word());
      }
    }
  }
  CHECK(first.size() == 12);
}

TEST_CASE("uniforms pass KS and chi-square, a slight power of them fails both") {
  std::vector<double> sample(sample_size);
  Stream(1, 2, 3).uniforms(sample);
  CHECK(*std::min_element(sample.begin(), sample.end()) >= 0);
  CHECK(*std::max_element(sample.begin(), sample.end()) < 1);
  CHECK(ks_p(sample, uniform_cdf) > level);
  CHECK(binned_p(sample, uniform_cdf, 100) > level);
  for (double& x : sample) x = std::pow(x, 1.02);
  CHECK(ks_p(sample, uniform_cdf) < level);
  CHECK(binned_p(sample, uniform_cdf, 100) < level);
}

TEST_CASE("bounded integers are uniform, a remainder of a narrow word is not") {
  Stream stream(4, 5, 6);
  std::vector<std::size_t> right(11);
  std::vector<std::size_t> wrong(11);
  for (std::size_t i = 0; i < sample_size; ++i) {
    ++right[stream.below(11)];
    ++wrong[(stream.word() >> 57) % 11];
  }
  CHECK(chi_square_p(right) > level);
  CHECK(chi_square_p(wrong) < level);
  CHECK(stream.below(1) == 0);
}

TEST_CASE("normals pass KS and chi-square in float64 and float32") {
  const std::vector<double> sample = normals(11, sample_size);
  CHECK(ks_p(sample, normal_cdf) > level);
  CHECK(binned_p(sample, normal_cdf, 200) > level);
  std::vector<float> narrow(sample_size);
  Stream(12, 1, 0).normals(narrow);
  const std::vector<double> wide(narrow.begin(), narrow.end());
  CHECK(ks_p(wide, normal_cdf) > level);
  CHECK(binned_p(wide, normal_cdf, 200) > level);
}

TEST_CASE("a sum of six uniforms, and normals 2 % too wide, fail the same tests") {
  Stream stream(13, 1, 0);
  std::vector<double> sums(sample_size);
  for (double& sum : sums) {
    std::array<double, 6> parts;
    stream.uniforms(parts);
    sum = -3;
    for (const double part : parts) sum += part;
    sum *= std::numbers::sqrt2;
  }
  CHECK(binned_p(sums, normal_cdf, 200) < level);
  std::vector<double> wide = normals(14, 2 * sample_size);
  for (double& x : wide) x *= 1.02;
  CHECK(ks_p(wide, normal_cdf) < level);
}

TEST_CASE("the two normals of a pair, and neighbours, are independent: their angle is uniform") {
  const std::vector<double> sample = normals(15, sample_size);
  for (const std::size_t lag : {1u, 8u, 16u}) {
    std::vector<double> turns;
    for (std::size_t i = 0; i + lag < sample.size(); i += 2 * lag) {
      turns.push_back(std::atan2(sample[i], sample[i + lag]) / (2 * std::numbers::pi) + 0.5);
    }
    CHECK(ks_p(turns, uniform_cdf) > level);
  }
}

TEST_CASE("the tail of the normals is there") {
  const std::vector<double> sample = normals(16, 4000000);
  const auto beyond = std::count_if(sample.begin(), sample.end(), [](double x) { return std::abs(x) > 4; });
  const double expected = 4e6 * 2 * normal_cdf(-4);  // 253
  CHECK(std::abs(static_cast<double>(beyond) - expected) < 4 * std::sqrt(expected));
}

TEST_CASE("sphere points have norm 1 and uniform inner products, normalised cubes do not") {
  std::vector<double> points(3 * sample_size);
  Stream stream(17, 1, 0);
  fill_sphere(stream, MatrixView<double>(points.data(), sample_size, 3));
  for (std::size_t i = 0; i < points.size(); i += 3) {
    const double square = points[i] * points[i] + points[i + 1] * points[i + 1] + points[i + 2] * points[i + 2];
    REQUIRE(std::abs(square - 1) < 8 * 2.3e-16);
  }
  CHECK(ks_p(inner_products(points), uniform_cdf) > level);
  CHECK(binned_p(inner_products(points), uniform_cdf, 50) > level);
  // Archimedes: each coordinate is uniform.
  std::vector<double> heights;
  for (std::size_t i = 0; i < points.size(); i += 3) heights.push_back((points[i] + 1) / 2);
  CHECK(ks_p(heights, uniform_cdf) > level);

  std::vector<double> cube(3 * sample_size);
  stream.uniforms(cube);
  heights.clear();
  for (std::size_t i = 0; i < cube.size(); i += 3) {
    for (std::size_t k = 0; k < 3; ++k) cube[i + k] = 2 * cube[i + k] - 1;
    const double norm = std::hypot(cube[i], cube[i + 1], cube[i + 2]);
    for (std::size_t k = 0; k < 3; ++k) cube[i + k] /= norm;
    heights.push_back((cube[i] + 1) / 2);
  }
  CHECK(ks_p(heights, uniform_cdf) < level);
  CHECK(binned_p(heights, uniform_cdf, 50) < level);
}

TEST_CASE("float32 sphere points have the same law and leave the gaps of a wider row alone") {
  std::vector<float> points(4 * sample_size, 9.0f);
  Stream stream(18, 1, 0);
  fill_sphere(stream, MatrixView<float>(points.data(), sample_size, 3, 4));
  std::vector<double> heights;
  for (std::size_t i = 0; i < points.size(); i += 4) {
    REQUIRE(points[i + 3] == 9.0f);
    heights.push_back((double{points[i + 2]} + 1) / 2);
  }
  CHECK(ks_p(heights, uniform_cdf) > level);
}
