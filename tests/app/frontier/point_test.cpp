#include "app/frontier/point.hpp"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "app/normalizer_choice.hpp"
#include "catch.hpp"
#include "sim/normalizer.hpp"

using namespace headroom;       // NOLINT(google-build-using-namespace)
using namespace headroom::app;  // NOLINT(google-build-using-namespace)

namespace {

const std::vector<std::string> reachable = {
    "softmax",        "ssmax:s=0.43,b=0.2", "logn",      "topk:k=3",         "softmax1",
    "sigmoid",        "sigmoid:b=-1.5",     "sparsemax", "entmax:alpha=1.2", "entmax",
    "entmax:alpha=3", "asentmax",           "sasoftmax", "sasoftmax-norm",   "power:f=softplus",
    "power:f=square", "power:f=cosh"};

std::vector<double> row_of(double margin, std::size_t n) {
  std::vector<double> row(n, 0.0);
  row.front() = margin;
  return row;
}

double weight_at(const sim::Normalizer& normalizer, double margin, std::size_t n, double temperature) {
  std::vector<double> row = row_of(margin, n);
  normalizer.weights(row, temperature, row);
  return row.front();
}

/// By bisection of the normalizer itself.
double margin_by_search(const sim::Normalizer& normalizer, double weight, std::size_t n, double temperature) {
  double low = 0;
  double high = 1;
  while (weight_at(normalizer, high, n, temperature) < weight) high *= 2;
  for (int i = 0; i < 200; ++i) {
    const double middle = low + (high - low) / 2;
    (weight_at(normalizer, middle, n, temperature) < weight ? low : high) = middle;
  }
  return high;
}

}  // namespace

TEST_CASE("closed margins and norms are those found by searching with the normalizer") {
  for (const std::string& name : reachable) {
    const auto normalizer = sim::make_normalizer(name);
    for (const std::size_t n : {std::size_t{2}, std::size_t{3}, std::size_t{40}}) {
      for (const double p : {0.55, 0.9, 0.99}) {
        for (const double temperature : {1.0, 0.3}) {
          CAPTURE(name, n, p, temperature);
          const FrontierAnswer answer = frontier_answer(normalizer->name(), static_cast<double>(n), p, temperature);
          REQUIRE(answer.margin);
          REQUIRE(answer.jacobian_norm);
          const double margin = margin_by_search(*normalizer, p, n, temperature);
          CHECK_THAT(*answer.margin, Catch::Matchers::WithinRel(margin, 1e-9));
          const double norm = normalizer->jacobian(row_of(*answer.margin, n), temperature).spectral_norm();
          CHECK_THAT(*answer.jacobian_norm, Catch::Matchers::WithinRel(norm, 1e-7));
        }
      }
    }
  }
}

TEST_CASE("a weight that equal logits give asks for no margin") {
  for (const char* name : {"softmax", "softmax1", "sparsemax", "sigmoid:b=3", "topk:k=2", "power:f=cosh"}) {
    CAPTURE(name);
    const auto normalizer = sim::make_normalizer(name);
    const FrontierAnswer answer = frontier_answer(normalizer->name(), 20, 0.04, 2);
    CHECK(answer.margin == 0.0);
    CHECK_THAT(answer.note, contains("equal logits"));
    const double norm = normalizer->jacobian(row_of(0, 20), 2).spectral_norm();
    CHECK_THAT(answer.jacobian_norm.value(), Catch::Matchers::WithinRel(norm, 1e-9));
  }
  CHECK(frontier_answer("topk:k=1", 20, 1, 1).margin == 0.0);
  CHECK(frontier_answer("sigmoid:b=60", 20, 0.5, 1).margin == 0.0);
}

TEST_CASE("a weight out of reach has no margin but a reason") {
  const auto reason = [](const std::string& name, double n, double p) {
    const FrontierAnswer answer = frontier_answer(sim::make_normalizer(name)->name(), n, p, 1);
    CHECK_FALSE(answer.margin);
    CHECK_FALSE(answer.jacobian_norm);
    return answer.note;
  };
  CHECK_THAT(reason("softmax", 8, 1), contains("infinite"));
  CHECK_THAT(reason("entmax:alpha=1", 8, 1), contains("infinite"));
  CHECK_THAT(reason("sparsemax", 8, 1.01), contains("exceeds 1"));
  CHECK_THAT(reason("ssmax:s=-1", 8, 0.9), contains("multiplied by"));
  CHECK(frontier_answer("sparsemax", 8, 1, 1).margin == 1.0);
  CHECK(frontier_answer("sasoftmax", 8, 3, 1).margin.has_value());
}

TEST_CASE("a list of normalizers is cut where a new one begins") {
  const std::vector<std::string> pieces = {"softmax,asentmax:delta=2,beta=1,sparsemax", "ssmax:s=0.43,b=1"};
  CHECK(normalizer_specs(pieces) == std::vector<std::string>{"softmax", "asentmax:delta=2,beta=1,gamma=1,alpha=1.5",
                                                             "sparsemax", "ssmax:s=0.43,b=1"});
  CHECK(short_spec("asentmax:delta=2,beta=1,gamma=1,alpha=1.5") == "asentmax:delta=2,beta=1");
  CHECK(short_spec("entmax:alpha=1.5") == "entmax");
}
