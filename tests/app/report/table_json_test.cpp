#include "app/report/table_json.hpp"

#include <set>
#include <string>

#include "catch.hpp"

using namespace headroom::app;

namespace {

Table grid(std::size_t lengths, std::size_t tops) {
  Table table({{"length"}, {"top"}, {"value"}}, "grid.csv");
  for (std::size_t l = 0; l < lengths; ++l) {
    for (std::size_t n = 0; n < tops; ++n) {
      table.add({static_cast<double>(l), static_cast<double>(n), static_cast<double>(100 * l + n)});
    }
  }
  return table;
}

std::set<double> values(const Table& table, const std::string& column) {
  const std::vector<double> all = table.numbers(column);
  return {all.begin(), all.end()};
}

}  // namespace

TEST_CASE("a table that fits is left as it is") {
  const Thinned thin = thinned(grid(4, 5), {"length", "top"}, 60);
  CHECK(thin.table.rows() == 20);
  CHECK(thin.notes.empty());
}

TEST_CASE("thinning keeps whole lines of the grid with its ends, and says what it left out") {
  const Table table = grid(6, 33);
  const Thinned thin = thinned(table, {"length", "top"}, 200);
  CHECK(thin.table.rows() * 3 <= 200);
  CHECK(values(thin.table, "length") == values(table, "length"));
  const std::set<double> tops = values(thin.table, "top");
  CHECK((tops.contains(0) && tops.contains(32)));
  CHECK(thin.table.rows() == 6 * tops.size());
  REQUIRE(thin.notes.size() == 1);
  CHECK(thin.notes[0] == "grid.csv is too large for a page: 9 of its 33 values of top are shown, the file has all");
  const std::vector<double> length = thin.table.numbers("length");
  const std::vector<double> top = thin.table.numbers("top");
  const std::vector<double> value = thin.table.numbers("value");
  for (std::size_t i = 0; i < value.size(); ++i) CHECK(value[i] == 100 * length[i] + top[i]);
}

TEST_CASE("thinning ends where every axis has its two ends left") {
  const Thinned thin = thinned(grid(9, 9), {"length", "top"}, 1);
  CHECK(thin.table.rows() == 4);
}

TEST_CASE("a table comes into the page column by column with every digit") {
  Table table({{"x"}, {"name", Column::Kind::text}, {"maybe", Column::Kind::optional_number}}, "t.csv");
  table.add({0.1, std::string("<b>"), std::monostate{}});
  table.add({HUGE_VAL, std::string(""), 2.0});
  CHECK(table_json(table).dump() ==
        R"({"columns":["x","name","maybe"],"rows":2,"data":[[0.1,"inf"],["<b>",""],[null,2.0]]})");
}
