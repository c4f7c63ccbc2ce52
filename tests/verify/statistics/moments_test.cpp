#include "verify/statistics/moments.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "catch.hpp"
#include "random.hpp"

using namespace headroom::verify;
using headroom::verify::testing::normal;

namespace {

Moments of(const std::vector<double>& values, std::size_t begin, std::size_t end) {
  Moments result;
  for (std::size_t i = begin; i < end; ++i) result.add(values[i]);
  return result;
}

std::vector<double> normals(std::size_t count, double offset) {
  std::mt19937_64 bits(11);
  std::vector<double> values(count);
  for (double& value : values) value = offset + normal(bits);
  return values;
}

bool same_bytes(const Moments& a, const Moments& b) {
  return a.count == b.count && std::memcmp(&a.mean, &b.mean, sizeof(double)) == 0 &&
         std::memcmp(&a.squared_deviations, &b.squared_deviations, sizeof(double)) == 0;
}

}  // namespace

TEST_CASE("moments of few values are the textbook ones") {
  const Moments m = of({2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0}, 0, 8);
  CHECK(m.count == 8);
  CHECK(m.mean == 5.0);
  CHECK(m.squared_deviations == 32.0);
  CHECK(m.variance() == Approx(32.0 / 7.0));
  CHECK(m.standard_deviation() == Approx(std::sqrt(32.0 / 7.0)));
  CHECK(m.standard_error() == Approx(std::sqrt(32.0 / 56.0)));
}

TEST_CASE("merging blocks gives the moments of the whole, wherever the cuts are") {
  const std::vector<double> values = normals(1000, 3.0);
  const Moments whole = of(values, 0, 1000);
  for (const std::size_t cut : {0U, 1U, 7U, 500U, 999U, 1000U}) {
    Moments merged = of(values, 0, cut);
    merged.merge(of(values, cut, 1000));
    CHECK(merged.count == whole.count);
    CHECK(merged.mean == Approx(whole.mean).epsilon(1e-14));
    CHECK(merged.squared_deviations == Approx(whole.squared_deviations).epsilon(1e-13));
  }
}

TEST_CASE("topping a cell up ends in the bytes of one run") {
  const std::vector<double> values = normals(1000, 3.0);
  std::vector<Moments> blocks;
  for (std::size_t begin = 0; begin < 1000; begin += 100) blocks.push_back(of(values, begin, begin + 100));
  const Moments at_once = merge_in_order(blocks);
  Moments saved = merge_in_order(std::span(blocks).first(4));
  for (std::size_t block = 4; block < blocks.size(); ++block) saved.merge(blocks[block]);
  CHECK(same_bytes(saved, at_once));
}

TEST_CASE("a large common offset costs no digits of the spread") {
  const std::vector<double> plain = normals(1000, 0.0);
  std::vector<double> shifted = plain;
  double sum = 0.0;
  double sum_of_squares = 0.0;
  for (double& value : shifted) {
    value += 0x1p27;
    sum += value;
    sum_of_squares += value * value;
  }
  const Moments truth = of(plain, 0, 1000);
  Moments merged = of(shifted, 0, 300);
  merged.merge(of(shifted, 300, 1000));
  CHECK(merged.variance() == Approx(truth.variance()).epsilon(1e-7));
  const double naive = (sum_of_squares - sum * sum / 1000.0) / 999.0;  // the wrong implementation
  CHECK_FALSE(naive == Approx(truth.variance()).epsilon(1e-3));
}

TEST_CASE("equal values have no spread at all") {
  Moments merged = of(std::vector<double>(10, 0.1), 0, 10);
  merged.merge(of(std::vector<double>(7, 0.1), 0, 7));
  CHECK(merged.mean == 0.1);
  CHECK(merged.squared_deviations == 0.0);
}

TEST_CASE("with fewer than two values the spread is unknown, and bad values are not hidden") {
  Moments moments;
  CHECK(moments.mean == 0.0);
  CHECK(std::isinf(moments.standard_error()));
  moments.add(4.0);
  CHECK(std::isinf(moments.variance()));
  moments.merge({});
  CHECK(moments.count == 1);
  moments.add(std::numeric_limits<double>::quiet_NaN());
  moments.add(1.0);
  CHECK(std::isnan(moments.mean));
  CHECK(std::isnan(moments.standard_error()));
  CHECK(merge_in_order({}).count == 0);
}
