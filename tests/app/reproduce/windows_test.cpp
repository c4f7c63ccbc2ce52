#include "app/reproduce/windows.hpp"

#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "app/csv.hpp"
#include "app/reproduce/synthetic_records.hpp"
#include "app/reproduce/tables.hpp"
#include "catch.hpp"

using namespace headroom::app;
using headroom::app::test::small_grids;
using headroom::app::test::uniform_record;
using headroom::verify::Quantity;

namespace {

const FigureChoice no_critical{true, true, false, true, true};

double standard_normal(std::mt19937_64& random) {
  const auto uniform = [&] { return (static_cast<double>(random() >> 11U) + 0.5) * 0x1p-53; };
  return std::sqrt(-2 * std::log(uniform())) * std::cos(2 * std::numbers::pi * uniform());
}

// The window moves all of its heads alike, as its words do; every mean is 0.
std::vector<std::vector<double>> draw_windows(std::mt19937_64& random, std::size_t windows, std::size_t heads) {
  std::vector<std::vector<double>> values(windows);
  for (std::vector<double>& window : values) {
    const double shared = standard_normal(random);
    for (std::size_t h = 0; h < heads; ++h) window.push_back(shared + standard_normal(random));
  }
  return values;
}

struct Estimate {
  double mean;
  double half_width;
};

Estimate pooled(const std::vector<std::vector<double>>& values) {
  Grids grids = small_grids();
  grids.lengths = {4};
  WindowPool pool(grids, no_critical);
  double mean = 0;
  for (std::size_t w = 0; w < values.size(); ++w) {
    std::vector<HeadRecord> heads;
    for (std::size_t h = 0; h < values[w].size(); ++h) heads.push_back(uniform_record(grids, h, values[w][h]));
    pool.add({w, "text", w * 4}, heads);
  }
  const std::vector<HeadRecord> means = pool.means();
  for (const HeadRecord& head : means) mean += head.at_length[0][0][Quantity::distance];
  const double error = pool.standard_error_over_heads().at_length[0][0][Quantity::distance];
  return {mean / static_cast<double>(means.size()), interval_half_width(error, pool.count())};
}

// Wrong on purpose: the normal quantile where the few windows ask for Student's.
Estimate with_normal_quantile(const std::vector<std::vector<double>>& values) {
  const Estimate right = pooled(values);
  const double reach = interval_half_width(1, values.size());
  return {right.mean, right.half_width / reach * 1.959964};
}

// Wrong on purpose: every head of every window taken for an observation of its own.
Estimate with_heads_as_units(const std::vector<std::vector<double>>& values) {
  headroom::verify::Moments all;
  for (const std::vector<double>& window : values) {
    for (double value : window) all.add(value);
  }
  return {all.mean, interval_half_width(all.standard_error(), static_cast<std::size_t>(all.count))};
}

double coverage(Estimate (*estimate)(const std::vector<std::vector<double>>&)) {
  constexpr int repetitions = 3000;
  std::mt19937_64 random(20);
  int covered = 0;
  for (int i = 0; i < repetitions; ++i) {
    const Estimate e = estimate(draw_windows(random, 4, 6));
    covered += std::abs(e.mean) <= e.half_width ? 1 : 0;
  }
  return covered / static_cast<double>(repetitions);
}

}  // namespace

TEST_CASE("one window is kept bit for bit and its error is unknown") {
  const Grids grids = small_grids();
  WindowPool pool(grids, no_critical);
  const std::vector<HeadRecord> heads = {uniform_record(grids, 0, -0.0), uniform_record(grids, 1, NAN)};
  pool.add({0, "text", 0}, heads);
  CHECK(pool.count() == 1);
  const std::vector<HeadRecord> means = pool.means();
  CHECK(std::signbit(means[0].at_length[1][0][Quantity::distance]));
  CHECK(std::isnan(means[1].at_length[1][0][Quantity::distance]));
  CHECK(to_csv(heads_table(means, grids)) == to_csv(heads_table(heads, grids)));
  CHECK(std::isinf(pool.standard_errors()[0].at_length[0][0][Quantity::distance]));
  CHECK(std::isinf(pool.standard_error_over_heads().sensitivity.g[0]));
}

TEST_CASE("windows of 1, 2 and 3 give 2 with standard error 1/sqrt(3) and the interval of Student with two degrees") {
  const Grids grids = small_grids();
  WindowPool pool(grids);
  for (std::size_t w = 0; w < 3; ++w) {
    const auto value = static_cast<double>(w + 1);
    pool.add({w, "text", w * 16}, {uniform_record(grids, 0, value - 5), uniform_record(grids, 1, value + 5)});
  }
  const std::vector<HeadRecord> means = pool.means();
  const std::vector<HeadRecord> errors = pool.standard_errors();
  const HeadRecord over_heads = pool.standard_error_over_heads();
  for (std::size_t l = 0; l < 2; ++l) {
    CHECK(means[0].at_length[l][1][Quantity::expected] == Approx(-3).epsilon(1e-14));
    CHECK(means[1].at_length[l][1][Quantity::expected] == Approx(7).epsilon(1e-14));
    CHECK(means[1].at_length[l][1].rows == 3 * grids.lengths[l]);
    CHECK(errors[1].at_length[l][1][Quantity::expected] == Approx(1 / std::sqrt(3.0)).epsilon(1e-14));
    CHECK(over_heads.at_length[l][1][Quantity::expected] == Approx(1 / std::sqrt(3.0)).epsilon(1e-14));
  }
  CHECK(means[1].sensitivity.g[0] == Approx(7));
  CHECK(errors[1].sensitivity.g_worst[0] == Approx(1 / std::sqrt(3.0)));
  // With two degrees of freedom the quantile is closed: t_p = (2p − 1)/sqrt(2p(1 − p)) = 4.3027 at p = 0.975.
  const double quantile = 0.95 / std::sqrt(2 * 0.975 * 0.025);
  CHECK(interval_half_width(1 / std::sqrt(3.0), 3) == Approx(quantile / std::sqrt(3.0)).epsilon(1e-12));
}

TEST_CASE("the interval over windows covers the mean as often as it says, where heads share their window") {
  // 3000 repetitions: 0.012 is three standard errors of a coverage of 0.95.
  CHECK(std::abs(coverage(pooled) - 0.95) < 0.012);
  CHECK_FALSE(std::abs(coverage(with_normal_quantile) - 0.95) < 0.012);
  CHECK_FALSE(std::abs(coverage(with_heads_as_units) - 0.95) < 0.012);
}

TEST_CASE("a mean over no row takes no part in what is pooled") {
  const Grids grids = small_grids();
  WindowPool pool(grids);
  for (std::size_t w = 0; w < 2; ++w) {
    HeadRecord narrow = uniform_record(grids, 0, 100);
    narrow.at_length[1][1].rows = 0;
    narrow.at_length[1][1].mean.fill(NAN);
    pool.add({w, "text", 0}, {narrow, uniform_record(grids, 1, static_cast<double>(w))});
  }
  CHECK(std::isnan(pool.means()[0].at_length[1][1][Quantity::distance]));
  CHECK(pool.means()[0].at_length[1][1].rows == 0);
  // The mean over heads is that of head 1 alone: 0 and 1, standard error 1/2.
  CHECK(pool.standard_error_over_heads().at_length[1][1][Quantity::distance] == Approx(0.5));
  CHECK(pool.standard_error_over_heads().at_length[1][0][Quantity::distance] == Approx(0.25));
}

TEST_CASE("the table of windows has each window's mean over heads and where it begins") {
  const Grids grids = small_grids();
  WindowPool pool(grids);
  pool.add({0, "a.txt", 0}, {uniform_record(grids, 0, 1), uniform_record(grids, 1, 2)});
  pool.add({1, "b.txt", 16}, {uniform_record(grids, 0, 5), uniform_record(grids, 1, 8)});
  const Table& table = pool.table();
  REQUIRE(table.rows() == 2 * 2 * 2);  // windows, lengths, N
  CHECK(table.texts("text")[3] == "a.txt");
  CHECK(table.texts("text")[4] == "b.txt");
  CHECK(table.numbers("window")[4] == 1);
  CHECK(table.numbers("first_token")[4] == 16);
  CHECK(table.numbers("length")[6] == 16);
  CHECK(table.numbers("top")[5] == 2);
  CHECK(table.numbers("distance")[0] == 1.5);
  CHECK(table.numbers("jacobian_norm")[7] == 6.5);
}
