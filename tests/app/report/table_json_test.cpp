#include "app/report/table_json.hpp"

#include <cmath>
#include <string>

#include "catch.hpp"

using namespace headroom::app;

TEST_CASE("a table comes into the page column by column with every digit, each text once") {
  Table table({{"x"}, {"name", Column::Kind::text}, {"maybe", Column::Kind::optional_number}}, "t.csv");
  table.add({0.1, std::string("<b>"), std::monostate{}});
  table.add({HUGE_VAL, std::string(""), 2.0});
  table.add({1.0, std::string("<b>"), std::nan("")});
  CHECK(table_json(table).dump() ==
        R"({"columns":["x","name","maybe"],"rows":3,"data":[[0.1,"inf",1.0],{"texts":["<b>",""],"at":[0,1,0]},)"
        R"([null,2.0,"nan"]]})");
}
