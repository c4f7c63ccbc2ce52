#include "verify/critical_top.hpp"

#include "catch.hpp"

using namespace headroom::verify;

namespace {

HeadMeans shifted(std::size_t top, double by) {
  HeadMeans means{top, {}, {}};
  for (int head = 0; head < 144; ++head) {
    means.distance.push_back(head);
    means.expected.push_back(head + by);
  }
  return means;
}

}  // namespace

TEST_CASE("the critical N is the first at which the two samples are not told apart") {
  const std::vector<HeadMeans> means = {shifted(1, 100), shifted(5, 60), shifted(9, 10), shifted(12, 90)};
  const auto found = critical_top(means, 0.01);
  REQUIRE(found.has_value());
  CHECK(found->top == 9);
  CHECK(found->test.p_value >= 0.01);
}

TEST_CASE("where every N is rejected there is no critical N") {
  const std::vector<HeadMeans> means = {shifted(1, 100), shifted(5, 60)};
  CHECK_FALSE(critical_top(means, 0.01).has_value());
}
