#include "app/reproduce/pooled_tables.hpp"

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "app/csv.hpp"
#include "app/figures.hpp"
#include "app/reproduce/synthetic_records.hpp"
#include "app/reproduce/tables.hpp"
#include "catch.hpp"

using namespace headroom::app;
using headroom::app::test::small_grids;
using headroom::app::test::uniform_record;
using headroom::verify::Quantity;

namespace {

// t_{0.975,2}/sqrt(3): half the interval of the windows 1, 2 and 3.
constexpr double half = 2.4841377118;

// Three windows of two heads: w+1 ± 5.
WindowPool three_windows(const Grids& grids) {
  WindowPool pool(grids);
  for (std::size_t w = 0; w < 3; ++w) {
    const auto value = static_cast<double>(w + 1);
    pool.add({w, "text", w * 16}, {uniform_record(grids, 0, value - 5), uniform_record(grids, 1, value + 5)});
  }
  return pool;
}

std::string header(const Table& table) {
  const std::string csv = to_csv(table);
  return csv.substr(0, csv.find('\n'));
}

std::string header(std::vector<Column> columns) { return header(Table(std::move(columns), "x")); }

}  // namespace

TEST_CASE("with one window every table is what it was without pooling") {
  const Grids grids = small_grids();
  const std::vector<HeadRecord> heads = {uniform_record(grids, 0, 0.1), uniform_record(grids, 1, 0.7)};
  WindowPool pool(grids);
  pool.add({0, "text", 0}, heads);
  CHECK(to_csv(figure2a_table(pool)) == to_csv(figure2a_table(heads, grids)));
  CHECK(to_csv(figure2b_table(pool)) == to_csv(figure2b_table(heads, grids)));
  CHECK(to_csv(figure2c_table(pool)) == to_csv(figure2c_table(heads, grids)));
  CHECK(to_csv(figure3_table(pool)) == to_csv(figure3_table(heads, grids)));
  CHECK(to_csv(figure4_table(pool)) == to_csv(figure4_table(heads, grids)));
  CHECK(to_csv(heads_table(pool)) == to_csv(heads_table(heads, grids)));
}

TEST_CASE("with several windows the columns are those of the figures") {
  const WindowPool pool = three_windows(small_grids());
  CHECK(header(figure2a_table(pool)) == header(figure2_columns(WindowCount::several)));
  CHECK(header(figure2b_table(pool)) == header(figure2_columns(WindowCount::several)));
  CHECK(header(figure2c_table(pool)) == header(figure2c_columns(WindowCount::several)));
  CHECK(header(figure3_table(pool)) == header(figure3_columns(WindowCount::several)));
  CHECK(header(figure4_table(pool)) == header(figure4_columns(WindowCount::several)));
}

TEST_CASE("the interval of a mean over heads comes from the windows, its spread from the heads") {
  const WindowPool pool = three_windows(small_grids());
  for (const Table& table : {figure2a_table(pool), figure2b_table(pool)}) {
    REQUIRE(table.rows() == 2);
    for (const std::string& measure : figure2_measures()) {
      for (std::size_t row = 0; row < 2; ++row) {
        CHECK(table.numbers(measure)[row] == Approx(2));
        CHECK(table.numbers(measure + "_sd")[row] == Approx(std::sqrt(50.0)));
        CHECK(table.numbers(measure + "_ci_low")[row] == Approx(2 - half));
        CHECK(table.numbers(measure + "_ci_high")[row] == Approx(2 + half));
      }
    }
  }
}

TEST_CASE("every head has its own interval, and the mean over heads one per N") {
  const Table table = figure3_table(three_windows(small_grids()));
  REQUIRE(table.rows() == 2 * 2);
  for (std::size_t row = 0; row < 4; ++row) {
    const double centre = table.numbers("head")[row] == 0 ? -3 : 7;
    for (const std::string& measure : figure3_measures()) {
      CHECK(table.numbers(measure)[row] == Approx(centre));
      CHECK(table.numbers(measure + "_ci_low")[row] == Approx(centre - half));
      CHECK(table.numbers(measure + "_ci_high")[row] == Approx(centre + half));
    }
    CHECK(table.numbers("separable_over_heads")[row] == Approx(2));
    CHECK(table.numbers("separable_over_heads_ci_low")[row] == Approx(2 - half));
    CHECK(table.numbers("separable_over_heads_ci_high")[row] == Approx(2 + half));
  }
}

TEST_CASE("the table of heads has a standard error for every measure and counts the rows of all windows") {
  const Table table = heads_table(three_windows(small_grids()));
  REQUIRE(table.rows() == 2 * 2 * 2);
  for (std::string_view measure : headroom::verify::quantity_names) {
    for (double error : table.numbers(std::string(measure) + "_se")) CHECK(error == Approx(1 / std::sqrt(3.0)));
  }
  CHECK(table.numbers("rows")[0] == 3 * 8);
  CHECK(table.numbers("rows")[2] == 3 * 16);
}

TEST_CASE("the largest sensitivity is the largest mean over windows, not the mean of the largest") {
  const Grids grids = small_grids();
  WindowPool pool(grids);
  const std::vector<double> unsteady = {1, 8, 3};
  for (std::size_t w = 0; w < 3; ++w) {
    pool.add({w, "text", 0}, {uniform_record(grids, 0, unsteady[w]), uniform_record(grids, 1, 5)});
  }
  const Table table = figure4_table(pool);
  REQUIRE(table.rows() == 1);
  // Head 1 has 5 in every window; window by window the largest are 5, 8, 5.
  for (const std::string& measure : figure4_measures()) {
    CHECK(table.numbers(measure)[0] == 5);
    CHECK(table.numbers(measure + "_ci_low")[0] == 5);
    CHECK(table.numbers(measure + "_ci_high")[0] == 5);
  }
}

TEST_CASE("the critical N of pooled means stands beside the smallest and the largest of single windows") {
  const Grids grids = small_grids();
  WindowPool pool(grids);
  // In window w the expectation meets D from this N on.
  const std::vector<std::size_t> meets = {2, 3, 1000};
  for (std::size_t w = 0; w < 3; ++w) {
    std::vector<HeadRecord> heads;
    for (std::size_t h = 0; h < 12; ++h) {
      heads.push_back(uniform_record(grids, h, static_cast<double>(h)));
      for (auto& length : heads.back().at_length) {
        for (auto& at : length) {
          if (at.top < meets[w]) at.mean[static_cast<std::size_t>(Quantity::expected)] += 100;
          at.mean[static_cast<std::size_t>(Quantity::expected_full)] += 100;
        }
      }
    }
    pool.add({w, "text", 0}, heads);
  }
  const Table table = figure2c_table(pool);
  REQUIRE(table.rows() == 4);
  for (std::size_t row = 0; row < 4; ++row) {
    // A third of the windows stays 100 apart at every N, which moves the pooled expectation by 33.
    CHECK_FALSE(table.optional_numbers("critical_top")[row].has_value());
    const bool some = table.texts("against")[row] == "expected";
    CHECK(table.numbers("windows_found")[row] == (some ? 2 : 0));
    CHECK(table.optional_numbers("critical_top_smallest")[row] == (some ? std::optional<double>(2) : std::nullopt));
    CHECK(table.optional_numbers("critical_top_largest")[row] == (some ? std::optional<double>(3) : std::nullopt));
  }
}
