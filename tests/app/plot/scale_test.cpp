#include "app/plot/scale.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "catch.hpp"

using namespace headroom::app::plot;
using Kind = Scale::Kind;

namespace {

std::vector<std::string> labels(const std::vector<Tick>& all) {
  std::vector<std::string> result;
  for (const Tick& tick : all) {
    if (!tick.label.empty()) result.push_back(tick.label.plain());
  }
  return result;
}

/// The number a label shows; a typographic minus sign is three bytes.
double number(const RichText& label) {
  const std::string text = label.plain();
  const std::string minus = "−";
  return text.starts_with(minus) ? -std::stod(text.substr(minus.size())) : std::stod(text);
}

double mantissa(double step) { return step / std::pow(10.0, std::floor(std::log10(step) + 1e-9)); }

}  // namespace

TEST_CASE("linear ticks are the finest 1-2-5 multiples that are few enough") {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> exponent(-12, 12);
  std::uniform_real_distribution<double> offset(-3, 3);
  for (int i = 0; i < 2000; ++i) {
    const double length = std::pow(10.0, exponent(random));
    const double low = offset(random) * length;
    const Scale scale(Kind::linear, low, low + length);
    const std::size_t most = 3 + static_cast<std::size_t>(i % 8);
    const std::vector<Tick> all = ticks(scale, most);
    INFO("from " << low << " over " << length << ", at most " << most);
    REQUIRE(all.size() <= most);
    if (all.size() < 2) {
      REQUIRE(most == 3);  // a range between two multiples of 5 can hold one only
      continue;
    }
    const double step = all[1].value - all[0].value;
    const double m = mantissa(step);
    REQUIRE(std::min({std::abs(m - 1), std::abs(m - 2), std::abs(m - 5)}) < 1e-6);
    for (std::size_t k = 0; k < all.size(); ++k) {
      REQUIRE(all[k].value == Approx(all[0].value + static_cast<double>(k) * step).margin(1e-9 * length));
      REQUIRE(all[k].value >= low - 1e-8 * length);
      REQUIRE(all[k].value <= low + length + 1e-8 * length);
      REQUIRE(number(all[k].label) == Approx(all[k].value).margin(1e-9 * length));
    }
    const double finer = std::abs(m - 5) < 1e-6 ? step * 2 / 5 : step / 2;
    REQUIRE(length / finer + 1 > static_cast<double>(most));
  }
}

TEST_CASE("linear labels share their decimals and show no rounding") {
  CHECK(labels(ticks(Scale(Kind::linear, 0, 1), 7)) ==
        std::vector<std::string>{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"});
  CHECK(labels(ticks(Scale(Kind::linear, -0.3, 0.3), 7)).size() == 7);
  CHECK(labels(ticks(Scale(Kind::linear, 0, 1000), 6)) ==
        std::vector<std::string>{"0", "200", "400", "600", "800", "1000"});
}

TEST_CASE("logarithmic labels are 1-2-5, then decades, then every n-th, as room allows") {
  CHECK(labels(ticks(Scale(Kind::logarithmic, 1.5, 250), 8)) ==
        std::vector<std::string>{"2", "5", "10", "20", "50", "100", "200"});
  CHECK(labels(ticks(Scale(Kind::logarithmic, 0.001, 100), 8)) ==
        std::vector<std::string>{"0.001", "0.01", "0.1", "1", "10", "100"});
  const std::vector<std::string> far = labels(ticks(Scale(Kind::logarithmic, 1e-9, 1e9), 8));
  CHECK(far == std::vector<std::string>{"10−9", "10−6", "10−3", "100", "103", "106", "109"});
}

TEST_CASE("logarithmic ticks are 1 to 9 times a power of ten, inside the range, in order") {
  std::mt19937_64 random(12);
  std::uniform_real_distribution<double> place(-30, 30);
  for (int i = 0; i < 2000; ++i) {
    double low = place(random);
    double high = place(random);
    if (low > high) std::swap(low, high);
    if (high - low < 0.05) continue;
    const Scale scale(Kind::logarithmic, std::pow(10.0, low), std::pow(10.0, high));
    const std::vector<Tick> all = ticks(scale, 8);
    double before = 0;
    for (const Tick& tick : all) {
      const double m = mantissa(tick.value);
      REQUIRE(std::abs(m - std::round(m)) < 1e-6);
      REQUIRE(tick.value > before);
      REQUIRE(scale.fraction(tick.value) >= -1e-6);
      REQUIRE(scale.fraction(tick.value) <= 1 + 1e-6);
      before = tick.value;
    }
    REQUIRE(labels(all).size() <= 8);
    REQUIRE((labels(all).size() >= 2 || high - low < 1));
  }
}

TEST_CASE("a scale runs from 0 to 1 and equal ratios take equal room on a logarithmic one") {
  const Scale linear(Kind::linear, -3, 5);
  CHECK(linear.fraction(-3) == 0);
  CHECK(linear.fraction(5) == 1);
  CHECK(linear.fraction(1) == 0.5);
  const Scale logarithmic(Kind::logarithmic, 32, 1024);
  CHECK(logarithmic.fraction(32) == 0);
  CHECK(logarithmic.fraction(1024) == 1);
  CHECK(logarithmic.fraction(128) - logarithmic.fraction(64) ==
        Approx(logarithmic.fraction(512) - logarithmic.fraction(256)));
  CHECK_FALSE(logarithmic.places(0));
  CHECK_FALSE(logarithmic.places(-1));
  CHECK_FALSE(linear.places(NAN));
  CHECK_FALSE(linear.places(HUGE_VAL));
}

TEST_CASE("every set of values has a scale that can be drawn") {
  const std::vector<std::vector<double>> sets = {
      {},          {NAN, HUGE_VAL, -HUGE_VAL}, {0},      {5, 5, 5}, {-2},         {1e308, -1e308},
      {0, 5e-324}, {1e16, 1e16 + 2},           {1e-320}, {1e308},   {-1, 0, NAN}, {5e-324, 1e308}};
  for (const std::vector<double>& values : sets) {
    for (const Kind kind : {Kind::linear, Kind::logarithmic}) {
      const Scale scale = Scale::around(kind, values, 0.05);
      INFO(values.size() << " values from " << scale.low() << " to " << scale.high());
      CHECK(std::isfinite(scale.low()));
      CHECK(std::isfinite(scale.high()));
      CHECK(scale.low() < scale.high());
      CHECK(ticks(scale, 8).size() < 60);
    }
  }
  const Scale some = Scale::around(Kind::logarithmic, {0, -1, NAN, 10, 1000}, 0.1);
  CHECK(some.low() == Approx(std::pow(10.0, 0.8)));
  CHECK(some.high() == Approx(std::pow(10.0, 3.2)));
}

TEST_CASE("ticks at given values are those inside the range") {
  CHECK(labels(ticks_at(Scale(Kind::logarithmic, 30, 600), {16, 32, 64, 512, 1024})) ==
        std::vector<std::string>{"32", "64", "512"});
}
