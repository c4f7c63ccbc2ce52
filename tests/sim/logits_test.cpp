#include "sim/logits.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "catch.hpp"
#include "core/error.hpp"
#include "sim/normalizer.hpp"
#include "statistics.hpp"

using headroom::sim::logit_model_list;
using headroom::sim::LogitModel;
using headroom::sim::make_logit_model;
using headroom::sim::make_normalizer;
using headroom::sim::recorded_logits;
using headroom::sim::recorded_path;
using headroom::sim::Stream;
using headroom::sim::test::ks_p;

namespace {

constexpr double level = 1e-4;  // of every statistical test here; the seeds are fixed

std::vector<double> draw(const std::string& spec, std::size_t length, std::size_t dim = 8, std::uint64_t block = 0) {
  std::vector<double> logits(length);
  Stream stream(5, 6, block);
  make_logit_model(spec, dim)->fill(stream, logits);
  return logits;
}

std::vector<double> softmax(std::vector<double> logits) {
  make_normalizer("softmax")->weights(logits, 1, logits);
  return logits;
}

double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

template <class Call>
std::string failure(Call call) {
  try {
    call();
  } catch (const headroom::Error& error) {
    return error.what();
  }
  return "no error";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("gaussian logits are normal with the stated deviation, and not with another") {
  const std::vector<double> logits = draw("gaussian:sigma=3", 50000);
  CHECK(ks_p(logits, [](double x) { return normal_cdf(x / 3); }) > level);
  CHECK(ks_p(logits, [](double x) { return normal_cdf(x / 3.2); }) < level);
}

TEST_CASE("dot logits given the query are scale √d times a coordinate of a uniform point") {
  // d = 3: a coordinate is uniform on [−1, 1].
  const double reach = 2 * std::sqrt(3.0);
  const std::vector<double> logits = draw("dot:scale=2", 50000, 3);
  CHECK(ks_p(logits, [&](double x) { return (1 + x / reach) / 2; }) > level);
  CHECK(ks_p(draw("dot:scale=2", 50000, 4), [&](double x) { return std::clamp((1 + x / reach) / 2, 0.0, 1.0); }) <
        level);
}

TEST_CASE("planted logits are the gaussian ones with the first k raised") {
  const std::vector<double> base = draw("gaussian:sigma=0.5", 10);
  const std::vector<double> planted = draw("planted:k=3,m=7,sigma=0.5", 10);
  for (std::size_t i = 0; i < 10; ++i) CHECK(planted[i] == base[i] + (i < 3 ? 7 : 0));
  CHECK(contains(failure([] { draw("planted:k=4", 3); }), "k must not exceed the length"));
}

TEST_CASE("zipf logits are a permutation of −s log rank, every place equally likely") {
  const std::size_t length = 5;
  std::vector<std::size_t> place_of_first(length);
  for (std::uint64_t block = 0; block < 20000; ++block) {
    std::vector<double> logits = draw("zipf:s=2", length, 8, block);
    ++place_of_first[static_cast<std::size_t>(std::max_element(logits.begin(), logits.end()) - logits.begin())];
    std::sort(logits.rbegin(), logits.rend());
    for (std::size_t i = 0; i < length; ++i) REQUIRE(logits[i] == -2 * std::log(static_cast<double>(i + 1)));
  }
  CHECK(headroom::sim::test::chi_square_p(place_of_first) > level);
}

TEST_CASE("softmax gives the sink its share") {
  for (const char* share : {"0.5", "0.001", "0.999999"}) {
    CHECK(softmax(draw(std::string("sink:sigma=2,share=") + share, 100))[0] == Approx(std::stod(share)).epsilon(1e-13));
  }
  CHECK(softmax(draw("sink", 1))[0] == 1);
}

TEST_CASE("softmax makes a step of k equal weights and the rest low") {
  const std::vector<double> weights = softmax(draw("step:k=64,low=1e-6", 256));
  for (std::size_t i = 0; i < 256; ++i) {
    CHECK(weights[i] == Approx(i < 64 ? (1 - 192e-6) / 64 : 1e-6).epsilon(1e-13));
  }
  CHECK(softmax(draw("step:k=64", 10))[9] == Approx(0.1).epsilon(1e-14));
  CHECK(contains(failure([] { draw("step:k=1,low=0.1", 20); }), "low must be under 1/(length - k)"));
}

TEST_CASE("recorded rows are drawn among those that are long enough, and cut to length") {
  const auto model = recorded_logits("file:x", {{1, 2}, {3, 4, 5}, {6, 7, 8, 9}});
  std::vector<std::size_t> counts(2);
  for (std::uint64_t block = 0; block < 2000; ++block) {
    Stream stream(1, 1, block);
    std::vector<double> logits(3);
    model->fill(stream, logits);
    REQUIRE((logits == std::vector<double>{3, 4, 5} || logits == std::vector<double>{6, 7, 8}));
    ++counts[logits[0] == 3 ? 0 : 1];
  }
  CHECK(headroom::sim::test::chi_square_p(counts) > level);
  std::vector<double> longer(5);
  Stream stream(1, 1, 0);
  CHECK(contains(failure([&] { model->fill(stream, longer); }), "the longest has 4 tokens"));
  CHECK(contains(failure([] { static_cast<void>(recorded_logits("file:x", {{1}, {2, NAN}})); }), "row 1, column 1"));
  CHECK(contains(failure([] { static_cast<void>(recorded_logits("file:x", {})); }), "no recorded rows"));
  CHECK(recorded_path("file:/a/b") == "/a/b");
  CHECK(recorded_path("gaussian").empty());
}

TEST_CASE("every listed logit model can be made and names itself in full") {
  CHECK(logit_model_list().size() == 7);
  for (const auto& entry : logit_model_list()) {
    if (entry.takes_path) continue;
    const auto model = make_logit_model(entry.id, 4);
    CHECK(make_logit_model(model->name(), 4)->name() == model->name());
  }
}

TEST_CASE("values out of range say what is allowed") {
  const auto message = [](const char* spec) { return failure([&] { static_cast<void>(make_logit_model(spec, 4)); }); };
  CHECK(contains(message("gaussian:sigma=-1"), "a number of at least 0"));
  CHECK(contains(message("sink:share=1"), "above 0 and below 1"));
  CHECK(contains(message("step:low=0"), "above 0 and below 1"));
  CHECK(contains(message("planted:k=0"), "a whole number of at least 1"));
  CHECK(contains(message("gausian"), "'gaussian'"));
  CHECK(contains(failure([] { static_cast<void>(make_logit_model("dot", 0)); }), "--dim"));
}
