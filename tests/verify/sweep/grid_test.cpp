#include "verify/sweep/grid.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "catch.hpp"

using namespace headroom::verify::sweep;  // NOLINT(google-build-using-namespace)

namespace {

const std::vector<GridKey> keys = {{"length", GridKey::Type::whole, {}, ""},
                                   {"top", GridKey::Type::whole, {}, ""},
                                   {"temperature", GridKey::Type::number, {}, ""}};

Grid small_grid() {
  Grid grid;
  grid.axes = {{"length", {4.0, 8.0}}, {"top", {8.0, 1.0, 4.0}}, {"temperature", {0.5, 1.0}}};
  grid.exclude = {"top >= length", "length == 8 and temperature < 1"};
  return grid;
}

}  // namespace

TEST_CASE("a walk visits every point once and gives each the groups that are not excluded") {
  const Grid grid = small_grid();
  GridWalk walk(grid, keys, "top");
  REQUIRE(walk.points() == 4);
  CHECK(GridWalk::combinations(grid) == 12);
  std::vector<std::vector<std::uint64_t>> groups;
  for (std::uint64_t point = 0; point < walk.points(); ++point) {
    walk.move_to(point);
    groups.push_back(walk.groups());
  }
  CHECK(groups == std::vector<std::vector<std::uint64_t>>{{1}, {1}, {}, {1, 4}});
  CHECK(walk.excluded()[0] == 6);
  CHECK(walk.excluded()[1] == 2);
}

TEST_CASE("a point has the same values however the walk gets there") {
  const Grid grid = small_grid();
  GridWalk forward(grid, keys, "");
  GridWalk jumping(grid, keys, "");
  for (const std::uint64_t point : {11U, 3U, 7U, 0U, 8U}) {
    for (std::uint64_t before = 0; before <= point; ++before) forward.move_to(before);
    jumping.move_to(point);
    CHECK(std::vector<Value>(forward.values().begin(), forward.values().end()) ==
          std::vector<Value>(jumping.values().begin(), jumping.values().end()));
  }
}

TEST_CASE("more combinations than can be counted do not wrap around") {
  Grid grid;
  for (int k = 0; k < 11; ++k) grid.axes.push_back({"a", std::vector<Value>(100, 1.0)});
  CHECK(GridWalk::combinations(grid) == std::numeric_limits<std::uint64_t>::max());
}

TEST_CASE("ranges hold both ends, decades are decades and powers of two are exact") {
  CHECK(linear_range(0, 1, 5) == std::vector<double>{0, 0.25, 0.5, 0.75, 1});
  CHECK(log_range(1e-3, 1e2, 6) == std::vector<double>{1e-3, 1e-2, 1e-1, 1, 10, 100});
  CHECK(powers_of_two(3, 64) == std::vector<double>{4, 8, 16, 32, 64});
  CHECK(powers_of_two(0.25, 1) == std::vector<double>{0.25, 0.5, 1});
  CHECK(log_range(5, 5, 1) == std::vector<double>{5});
}

TEST_CASE("a target is looked at after the same trials wherever a cell goes on") {
  Stopping stopping;
  stopping.trials = 5000;
  CHECK(stopping.next_stop(0) == 5000);
  stopping.quantity = "separable";
  std::vector<std::uint64_t> stops;
  for (std::uint64_t done = 0; done < stopping.trials; done = stops.back()) stops.push_back(stopping.next_stop(done));
  CHECK(stops.front() == 256);
  CHECK(stops[4] == 512);
  CHECK(stops.back() == 5000);
  for (std::uint64_t done = 0; done < 5000; done += 7) {
    const std::uint64_t next = stopping.next_stop(done);
    CHECK(next > done);
    CHECK(std::find(stops.begin(), stops.end(), next) != stops.end());
  }
}
