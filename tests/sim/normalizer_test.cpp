#include "sim/normalizer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "catch.hpp"
#include "core/error.hpp"
#include "hard_rows.hpp"

using headroom::Fault;
using headroom::MatrixView;
using headroom::Visibility;
using headroom::sim::EmptyRow;
using headroom::sim::EntryInfo;
using headroom::sim::make_normalizer;
using headroom::sim::normalizer_list;
using headroom::sim::test::hard_row;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

std::vector<double> weights(const std::string& spec, const std::vector<double>& logits, double temperature = 1) {
  std::vector<double> result(logits.size(), not_a_number);
  make_normalizer(spec)->weights(logits, temperature, result);
  return result;
}

/// Every id with its defaults, and the forms that behave differently.
std::vector<std::string> all_specs() {
  std::vector<std::string> specs;
  for (const EntryInfo& entry : normalizer_list()) specs.push_back(entry.id);
  for (const char* more : {"entmax:alpha=1.33", "entmax:alpha=3", "entmax:alpha=10", "sigmoid:b=1", "topk:k=2",
                           "power:f=softplus", "power:f=square", "power:f=cosh", "ssmax:s=-1"}) {
    specs.emplace_back(more);
  }
  return specs;
}

template <class Call>
std::string failure(Fault fault, Call call) {
  try {
    call();
  } catch (const headroom::Error& error) {
    CHECK(error.fault() == fault);
    return error.what();
  }
  return "no error";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a masked token is a token that is not there") {
  for (const std::string& spec : all_specs()) {
    for (std::size_t index = 4; index < 400; index += 5) {  // the rows with masks
      const auto [logits, temperature] = hard_row(index);
      std::vector<double> kept;
      for (const double l : logits) {
        if (l != -infinity) kept.push_back(l);
      }
      const std::vector<double> whole = weights(spec, logits, temperature);
      const std::vector<double> deleted = weights(spec, kept, temperature);
      std::size_t k = 0;
      CAPTURE(spec, index);
      for (std::size_t i = 0; i < logits.size(); ++i) {
        REQUIRE(whole[i] == (logits[i] == -infinity ? 0.0 : deleted[k++]));
      }
    }
  }
}

TEST_CASE("a head equals its rows, in place too, and never reads what a query does not see") {
  const std::size_t tokens = 6;
  const std::vector<double> visible_part = {1, 2, -infinity, 0.5, 1e8, -3};
  const Visibility visibility =
      Visibility::mask(3, tokens, {0, 1, 1, 1, 0, 0, /**/ 1, 0, 1, 1, 0, 1, /**/ 0, 0, 0, 0, 1, 0});
  std::vector<double> logits;
  for (std::size_t q = 0; q < 3; ++q) {
    for (std::size_t t = 0; t < tokens; ++t)
      logits.push_back(visibility.visible(q, t) ? visible_part[t] : not_a_number);
  }
  for (const std::string& spec : all_specs()) {
    std::vector<double> head = logits;
    const MatrixView<double> view(head.data(), 3, tokens);
    make_normalizer(spec)->weights(view, visibility, 2, view);
    CAPTURE(spec);
    for (std::size_t q = 0; q < 3; ++q) {
      std::vector<double> row;
      for (std::size_t t = 0; t < tokens; ++t) row.push_back(visibility.visible(q, t) ? visible_part[t] : -infinity);
      CHECK(weights(spec, row, 2) == std::vector<double>(head.begin() + static_cast<std::ptrdiff_t>(q * tokens),
                                                         head.begin() + static_cast<std::ptrdiff_t>((q + 1) * tokens)));
    }
  }
}

TEST_CASE("an empty row is an error, or zeros when asked for") {
  const std::vector<double> hidden = {-infinity, -infinity};
  for (const std::string& spec : all_specs()) {
    const std::string message = failure(Fault::input, [&] {
      std::vector<double> out(2);
      make_normalizer(spec)->weights(hidden, 1, out, 7);
    });
    CHECK(contains(message, "row 7"));
    CHECK(contains(message, "--empty-row zeros"));
    CHECK(contains(failure(Fault::input, [&] { static_cast<void>(make_normalizer(spec)->jacobian({}, 1)); }), "row 0"));
    const auto tolerant = make_normalizer(spec, EmptyRow::zeros);
    std::vector<double> out(2, not_a_number);
    tolerant->weights(hidden, 1, out);
    CHECK(out == std::vector<double>{0, 0});
    CHECK(tolerant->jacobian(hidden, 1).spectral_norm() == 0);
  }
}

TEST_CASE("NaN and +inf are errors naming row and column") {
  const auto softmax = make_normalizer("softmax");
  std::vector<double> out(6);
  const std::vector<double> bad = {0, 0, 0, 0, not_a_number, infinity};
  const auto head = [&](std::vector<double> logits) {
    return failure(Fault::input, [&] {
      softmax->weights(MatrixView<const double>(logits.data(), 2, 3), Visibility::all(2, 3), 1,
                       MatrixView<double>(out.data(), 2, 3));
    });
  };
  CHECK(contains(head({0, 0, 0, 0, not_a_number, 0}), "row 1, column 1: a logit is NaN"));
  CHECK(contains(head({0, 0, infinity, 0, 0, 0}), "row 0, column 2: a logit is +inf"));
  CHECK(contains(failure(Fault::input, [&] { static_cast<void>(softmax->jacobian(bad, 1, 3)); }), "row 3, column 4"));
}

TEST_CASE("a temperature that is not positive is a usage error") {
  for (const double temperature : {0.0, -1.0, not_a_number, infinity}) {
    CHECK(contains(failure(Fault::usage,
                           [&] {
                             weights("softmax", {0, 1}, temperature);
                           }),
                   "must be a positive number"));
  }
}

TEST_CASE("parameters out of range say what is allowed, and names what is nearest") {
  const auto message = [](const std::string& spec) {
    return failure(Fault::usage, [&] { static_cast<void>(make_normalizer(spec)); });
  };
  CHECK(contains(message("entmax:alpha=0.5"), "a number from 1 to 64"));
  CHECK(contains(message("asentmax:alpha=64.5"), "a number from 1 to 64"));
  CHECK(contains(message("topk:k=0"), "a whole number of at least 1"));
  CHECK(contains(message("power:f=tanh"), "exp, softplus, square or cosh"));
  CHECK(contains(message("sigmoid:b=logn"), "a number"));
  CHECK(contains(message("softmx"), "'softmax'"));
  CHECK(contains(message("sparsemax:alpha=2"), "it has no keys"));
}

TEST_CASE("every listed normalizer can be made, has a source, and names itself in full") {
  CHECK(normalizer_list().size() == 12);
  for (const EntryInfo& entry : normalizer_list()) {
    const auto normalizer = make_normalizer(entry.id);
    CHECK(make_normalizer(normalizer->name())->name() == normalizer->name());
    CHECK_FALSE(entry.source.empty());
    CHECK_FALSE(entry.formula.empty());
  }
  CHECK(make_normalizer("asentmax:gamma=2")->name() == "asentmax:delta=1,beta=0.5,gamma=2,alpha=1.5");
  CHECK_FALSE(make_normalizer("sigmoid")->sums_to_one());
  CHECK_FALSE(make_normalizer("softmax1")->sums_to_one());
  CHECK_FALSE(make_normalizer("sasoftmax")->nonnegative());
}

TEST_CASE("alpha 1 is softmax and alpha 2 is sparsemax, and both are approached from either side") {
  const std::vector<double> logits = {0.3, -1, 0.9, 0.2, -0.4};
  CHECK(weights("entmax:alpha=1", logits, 0.5) == weights("softmax", logits, 0.5));
  CHECK(weights("entmax:alpha=2", logits, 0.5) == weights("sparsemax", logits, 0.5));
  const auto distance = [&](const std::string& a, const std::string& b) {
    double worst = 0;
    const std::vector<double> x = weights(a, logits, 0.5);
    const std::vector<double> y = weights(b, logits, 0.5);
    for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, std::abs(x[i] - y[i]));
    return worst;
  };
  CHECK(distance("entmax:alpha=1.0000000000001", "softmax") < 1e-12);
  CHECK(distance("entmax:alpha=1.9999999999999", "sparsemax") < 1e-12);
  CHECK(distance("entmax:alpha=2.0000000000001", "sparsemax") < 1e-12);
}

TEST_CASE("length-aware normalizers multiply by log n: subtracting it would cancel") {
  const std::vector<double> logits = {1, 0, 0, 0, 0, 0, 0, 0};
  const double share = 8.0 / (8.0 + 7.0);  // e^{log 8 · 1} against seven ones
  CHECK(weights("ssmax", logits)[0] == Approx(share).epsilon(1e-15));
  CHECK(weights("logn:kappa=1", logits)[0] == Approx(share).epsilon(1e-15));
  CHECK(weights("softmax", logits)[0] < 0.3);
}

TEST_CASE("a single token has all the weight, though log 1 is 0") {
  for (const char* spec :
       {"ssmax", "logn", "softmax", "sparsemax", "entmax", "entmax:alpha=5", "asentmax", "topk", "power:f=square"}) {
    CHECK(weights(spec, {-1e8}) == std::vector<double>{1});
    CHECK(make_normalizer(spec)->jacobian(std::vector<double>{3}, 1).spectral_norm() == 0);
  }
}

TEST_CASE("softmax1 keeps its extra token wherever the logits are") {
  CHECK(weights("softmax1", {0, 0})[0] == Approx(1.0 / 3).epsilon(1e-15));
  CHECK(weights("softmax1", {-50, -50})[0] == Approx(std::exp(-50.0)).epsilon(1e-15));
  CHECK(weights("softmax1", {800, 800})[0] == 0.5);
}

TEST_CASE("equal logits at 1e8 share equally") {
  const std::vector<double> logits(7, 1e8);
  for (const char* spec :
       {"softmax", "sparsemax", "entmax", "entmax:alpha=1.33", "entmax:alpha=10", "entmax:alpha=64"}) {
    for (const double w : weights(spec, logits, 0.3)) CHECK(w == Approx(1.0 / 7).epsilon(1e-15));
  }
}

TEST_CASE("the largest doubles give finite weights") {
  const double most = std::numeric_limits<double>::max();
  for (const std::string& spec : all_specs()) {
    if (spec == "sasoftmax") continue;  // its weights are as large as the logits
    for (const double temperature : {1e-300, 1.0, 1e300}) {
      CAPTURE(spec, temperature);
      for (const double w : weights(spec, {most, -most, 0, 1, most / 2}, temperature)) CHECK(std::isfinite(w));
    }
  }
}

TEST_CASE("top-k prefers the lower index among equals") {
  CHECK(weights("topk:k=2", {1, 1, 1}) == std::vector<double>{0.5, 0.5, 0});
  CHECK(weights("topk:k=2", {0, 1, 1, 1}) == std::vector<double>{0, 0.5, 0.5, 0});
}

TEST_CASE("a row of zeros gives the normalised self-adjusting softmax no weight") {
  CHECK(weights("sasoftmax-norm", {0, 0}) == std::vector<double>{0, 0});
}
