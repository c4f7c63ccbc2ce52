#include "app/report/head_means.hpp"

#include <cmath>
#include <string>

#include "catch.hpp"

using namespace headroom::app;

TEST_CASE("means over heads are of all heads of a key, without what is empty or not finite") {
  using Kind = Column::Kind;
  Table table({{"name", Kind::text}, {"head"}, {"value", Kind::optional_number}}, "heads.csv");
  for (const double value : {1.0, 2.0, 6.0}) table.add({std::string("a"), value, value});
  table.add({std::string("b"), 0.0, std::monostate{}});
  table.add({std::string("a"), 9.0, std::monostate{}});
  table.add({std::string("a"), 9.0, HUGE_VAL});
  const Table means = means_over_heads(table, {"name"}, {"head"});
  REQUIRE(means.rows() == 2);
  CHECK(means.texts("name") == std::vector<std::string>{"a", "b"});
  CHECK(means.numbers("heads") == std::vector<double>{5, 1});
  CHECK(means.optional_numbers("value")[0].value() == Approx(3));
  // s² = (4 + 1 + 9)/2 = 7
  CHECK(means.optional_numbers("value_se")[0].value() == Approx(std::sqrt(7.0 / 3)));
  CHECK_FALSE(means.optional_numbers("value")[1].has_value());
}
