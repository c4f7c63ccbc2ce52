#include "verify/sweep/expression.hpp"

#include <string>
#include <vector>

#include "catch.hpp"
#include "core/error.hpp"

using headroom::Error;
using headroom::verify::sweep::Expression;
using headroom::verify::sweep::Value;

namespace {

const std::vector<Expression::Name> names = {{"length", false}, {"top", false}, {"normalizer", true}};

bool holds(const std::string& text, double length, double top, const std::string& normalizer = "softmax") {
  const std::vector<Value> values = {length, top, normalizer};
  return Expression(text, names).holds(values);
}

}  // namespace

TEST_CASE("conditions bind as in arithmetic, and comparisons before not, and, or") {
  CHECK(holds("top >= length", 4, 4));
  CHECK_FALSE(holds("top >= length", 5, 4));
  CHECK(holds("1 + 2 * 3 == 7 and 2 ^ 3 ^ 2 == 512 and -2 ^ 2 == -4", 0, 0));
  CHECK(holds("8 / 4 / 2 == 1 and 7 - 2 - 1 == 4 and 7 % 4 == 3", 0, 0));
  CHECK(holds("top == 1 or top == 2 and length == 3", 9, 1));
  CHECK_FALSE(holds("(top == 1 or top == 2) and length == 3", 9, 1));
  CHECK(holds("not top == 1 and length == 3", 3, 2));
  CHECK_FALSE(holds("not (top == 2 and length == 3)", 3, 2));
  CHECK(holds("top*length<=1e2", 10, 10));
  CHECK(holds("min(top, length) == 2 and max(top, length) == 3 and abs(-top) == 2", 3, 2));
  CHECK(holds("log2(length) == 5 and sqrt(top) == 3 and floor(2.7) == 2 and log(exp(1)) == 1", 32, 9));
}

TEST_CASE("texts are compared whole, in either quotes") {
  CHECK(holds("normalizer == 'entmax:alpha=1.5'", 1, 1, "entmax:alpha=1.5"));
  CHECK(holds("normalizer != \"softmax\" or top > 0", 1, 1));
  CHECK_FALSE(holds("normalizer == 'soft'", 1, 1));
}

TEST_CASE("a division by zero is infinite and no number equals NaN") {
  CHECK(holds("1 / top > 1e300", 1, 0));
  CHECK_FALSE(holds("0 / top == 0 / top", 1, 0));
}

TEST_CASE("a condition that cannot be read says where and what, and the nearest right name") {
  const auto refused = [](const std::string& text, const std::string& said) {
    CAPTURE(text);
    CHECK_THROWS_AS(Expression(text, names), Error);
    CHECK_THROWS_WITH(Expression(text, names), contains(said));
  };
  refused("lenght > 3", "did you mean length?");
  refused("sqr(top) > 3", "did you mean sqrt?");
  refused("top", "no condition");
  refused("", "ends too early");
  refused("top >", "ends too early");
  refused("(top > 1", "parenthesis");
  refused("normalizer == 'soft", "quote");
  refused("normalizer > 'a'", "no order");
  refused("normalizer == 3", "a text is compared with a number");
  refused("top > 1 > 2", "not expected");
  refused("top and length", "a number stands where");
  refused("top = 3", "not expected");
  refused("system('ls')", "no function");
  refused(std::string(3000, '(') + "1", "nested too deeply");
  refused(std::string(3000, '-') + "1 > 0", "nested too deeply");
  refused(std::string(5000, ' ') + "1 > 0", "longer than");
}
