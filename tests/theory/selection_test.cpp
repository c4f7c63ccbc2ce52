#include "theory/selection.hpp"

#include <vector>

#include "catch.hpp"

using namespace headroom::theory;

TEST_CASE("of equal weights the lower index is selected first") {
  const std::vector<double> weights = {0.1, 0.3, 0.1, 0.3, 0.2};
  CHECK(decreasing_order<double>(weights) == std::vector<std::size_t>{1, 3, 4, 0, 2});
  const Selection top = select_top<double>(weights, 4);
  CHECK(top.selected == std::vector<std::size_t>{1, 3, 4, 0});
  CHECK(top.rest == std::vector<std::size_t>{2});
  CHECK(mass<double>(weights, top.selected) == Approx(0.9));
}

TEST_CASE("selecting every token leaves no rest, selecting none leaves all") {
  const std::vector<double> weights = {0.5, 0.5};
  CHECK(select_top<double>(weights, 2).rest.empty());
  CHECK(select_top<double>(weights, 0).rest.size() == 2);
}
