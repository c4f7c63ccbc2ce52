#include "sim/row_normalizer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "catch.hpp"
#include "core/error.hpp"
#include "exact_normalizers.hpp"
#include "hard_rows.hpp"
#include "normalizer_cases.hpp"
#include "sim/random.hpp"
#include "targets.hpp"

using namespace headroom;
using namespace headroom::sim;
using namespace headroom::sim::test;

namespace {

constexpr std::size_t rows_per_case = 240;

template <class T>
std::vector<T> gaussian_row(std::size_t n, double sigma, std::uint64_t index) {
  Stream stream(77, 3, index);
  std::vector<T> row(n);
  for (T& x : row) x = static_cast<T>(sigma * stream.normal());
  return row;
}

/// The distance of a weight from the exact one in what is allowed, in a short row.
template <class T, class Exact>
double excess(T weight, const Exact& exact, const WeightError& allowed) {
  const double size = std::abs(static_cast<double>(exact));
  const int exponent = size > 0 ? std::ilogb(size) : std::numeric_limits<T>::min_exponent;
  const double unit = std::ldexp(
      1.0, std::max(exponent, std::numeric_limits<T>::min_exponent - 1) - std::numeric_limits<T>::digits + 1);
  const auto error = std::abs(static_cast<double>(Exact(Exact(static_cast<double>(weight)) - exact)));
  return error / (allowed.ulp * unit + allowed.floor);
}

template <class T>
std::vector<T> visible(const std::vector<double>& logits) {
  std::vector<T> kept;
  for (const double l : logits) {
    if (std::isfinite(l)) kept.push_back(static_cast<T>(l));
  }
  return kept;
}

template <class T>
void check_against_exact() {
  for (const Case& c : cases) {
    const RowNormalizer<T> normalizer(c.spec);
    std::vector<std::vector<Real>> exact;
    for (std::size_t index = 0; index < rows_per_case; ++index) {
      const auto [all, temperature] = hard_row(index);
      const std::vector<T> logits = visible<T>(all);
      exact.push_back(exact_weights(c.id, c.parameters, {logits.begin(), logits.end()}, temperature));
    }
    on_every_target([&] {
      double worst = 0;
      for (std::size_t index = 0; index < rows_per_case; ++index) {
        const auto [all, temperature] = hard_row(index);
        const std::vector<T> logits = visible<T>(all);
        std::vector<T> weights(logits.size());
        normalizer.weights(logits, temperature, weights);
        for (std::size_t i = 0; i < logits.size(); ++i) {
          const double off = excess(weights[i], exact[index][i], normalizer.worst_error());
          if (!(off <= 1)) {
            CAPTURE(c.spec, index, i, temperature, logits, weights[i], static_cast<double>(exact[index][i]));
            CHECK(off <= 1);
          }
          worst = std::max(worst, off);
        }
      }
      CHECK(worst > 0);
    });
  }
}

template <class T>
double worst_excess(const Case& c, const std::vector<T>& row, const std::vector<Real>& exact) {
  const RowNormalizer<T> normalizer(c.spec);
  const WeightError allowed = normalizer.worst_error();
  const WeightError of_long_rows = {allowed.ulp + allowed.sum, 0, allowed.floor};
  double worst = 0;
  on_every_target([&] {
    std::vector<T> weights = row;
    normalizer.weights(weights, 0.8, weights);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      worst = std::max(worst, excess(weights[i], exact[i], of_long_rows));
    }
  });
  return worst;
}

/// Long rows against the float64 reference, which normalizer_accuracy_test holds against 128 bits.
template <class T>
void check_long_rows(double slack) {
  for (const Case& c : cases) {
    const RowNormalizer<T> normalizer(c.spec);
    for (const std::size_t n : {100, 1000, 5000, 140000}) {
      const std::vector<T> logits = gaussian_row<T>(n, n == 1000 ? 30 : 1, n);
      const std::vector<double> wide(logits.begin(), logits.end());
      std::vector<double> reference(n);
      normalizer.reference().weights(wide, 0.8, reference);
      std::vector<T> weights(n);
      normalizer.weights(logits, 0.8, weights);
      double worst = 0;
      for (std::size_t i = 0; i < n; ++i) {
        worst = std::max(worst, excess(weights[i], reference[i], normalizer.worst_error()));
      }
      CAPTURE(c.spec, n);
      CHECK(worst <= slack);
    }
  }
}

std::string spec_of_alpha(double alpha) {
  std::ostringstream spec;
  spec.precision(17);
  spec << "entmax:alpha=" << alpha;
  return spec.str();
}

template <class T>
std::vector<std::vector<T>> rows_of_all_lengths(const RowNormalizer<T>& normalizer) {
  std::vector<std::vector<T>> result;
  for (std::size_t n = 1; n < 200; n += n < 70 ? 1 : 13) {
    std::vector<T> row = gaussian_row<T>(n, 2, n);
    normalizer.weights(row, 0.9, row);
    result.push_back(row);
  }
  return result;
}

}  // namespace

TEST_CASE("single-precision weights are within the stated ULP of 128-bit evaluation on every vector target") {
  check_against_exact<float>();
}

TEST_CASE("double-precision weights are within the stated ULP of 128-bit evaluation on every vector target") {
  check_against_exact<double>();
}

TEMPLATE_TEST_CASE("weights of rows of several blocks are within the stated ULP of 128-bit evaluation", "", float,
                   double) {
  const std::vector<TestType> row = gaussian_row<TestType>(1500, 3, 15);
  for (const Case& c : cases) {
    const std::vector<Real> exact = exact_weights(c.id, c.parameters, {row.begin(), row.end()}, 0.8);
    CAPTURE(c.spec);
    CHECK(worst_excess<TestType>(c, row, exact) <= 1);
  }
}

TEMPLATE_TEST_CASE("a token so far ahead that a lane loses all others costs no more than stated", "", float, double) {
  using T = TestType;
  const Case softmax = {"softmax", "softmax", {}};
  const WeightError allowed = RowNormalizer<T>("softmax").worst_error();
  for (const std::size_t n : {4096 / sizeof(T), 3 * 4096 / sizeof(T), std::size_t{100000}}) {
    std::vector<T> row(n,
                       static_cast<T>(0.8 * std::log(0.49 * static_cast<double>(std::numeric_limits<T>::epsilon()))));
    row.front() = 0;
    const std::vector<Real> exact = exact_weights("softmax", {}, {row.begin(), row.end()}, 0.8);
    const double worst = worst_excess<T>(softmax, row, exact);
    CAPTURE(n, worst * (allowed.ulp + allowed.sum));
    CHECK(worst <= 1);
    CHECK(worst * (allowed.ulp + allowed.sum) > allowed.ulp);  // which `ulp` alone would not cover
  }
}

TEST_CASE("weights of rows of up to 140,000 tokens stay within the stated ULP of the reference") {
  check_long_rows<float>(1);
  check_long_rows<double>(3);  // the reference has 4 ULP of its own, times the condition number
}

TEST_CASE("the error of an uncompensated exponential would be noticed") {
  const std::vector<float> logits = {0, -81.3F, -60.7F, -40.1F};
  const std::vector<Real> exact = exact_weights("softmax", {}, {logits.begin(), logits.end()}, 0.95);
  const RowNormalizer<float> normalizer("softmax");
  double worst = 0;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    worst = std::max(worst, excess(std::exp(logits[i] / 0.95F), exact[i], normalizer.worst_error()));
  }
  CHECK(worst > 1);
}

TEST_CASE("ragged rows in place give the same bytes on AVX2 and AVX-512") {
  for (const Case& c : cases) {
    const RowNormalizer<float> single(c.spec);
    const RowNormalizer<double> twice(c.spec);
    std::vector<std::vector<std::vector<float>>> narrow;
    std::vector<std::vector<std::vector<double>>> wide;
    on_every_target([&] {
      if ((hwy::SupportedTargets() & (HWY_AVX2 | HWY_AVX3 | HWY_AVX3_DL)) == 0) return;
      narrow.push_back(rows_of_all_lengths(single));
      wide.push_back(rows_of_all_lengths(twice));
    });
    CAPTURE(c.spec);
    for (std::size_t t = 1; t < narrow.size(); ++t) {
      CHECK(narrow[t] == narrow[0]);
      CHECK(wide[t] == wide[0]);
    }
  }
}

TEMPLATE_TEST_CASE("a head's rows equal its rows one by one, and what a query does not see is not touched", "", float,
                   double) {
  using T = TestType;
  constexpr std::size_t rows = 70, tokens = 90;
  std::vector<Visibility::Range> windows;
  for (std::size_t r = 0; r < rows; ++r) windows.push_back({r / 3, r + 1 + r % 7});
  const std::size_t cells = rows * tokens;
  for (const Visibility& visibility : {Visibility::causal(rows, tokens), Visibility::ranges(windows, tokens)}) {
    std::vector<bool> seen(cells);
    std::vector<T> logits = gaussian_row<T>(cells, 1.5, 5);
    for (std::size_t at = 0; at < cells; ++at) {
      seen[at] = visibility.visible(at / tokens, at % tokens);
      if (!seen[at]) logits[at] = std::numeric_limits<T>::quiet_NaN();
    }
    for (const Case& c : cases) {
      const RowNormalizer<T> normalizer(c.spec);
      std::vector<T> weights(cells, -7);
      normalizer.weights({logits.data(), rows, tokens}, visibility, 0.7, {weights.data(), rows, tokens});
      std::vector<T> in_place = logits;
      normalizer.weights({in_place.data(), rows, tokens}, visibility, 0.7, {in_place.data(), rows, tokens});
      for (std::size_t r = 0; r < rows; ++r) {
        const auto [begin, end] = visibility.range(r);
        std::vector<T> alone(end - begin);
        normalizer.weights(std::span<const T>(logits).subspan(r * tokens + begin, alone.size()), 0.7, alone);
        const auto at = static_cast<std::ptrdiff_t>(r * tokens + begin);
        CAPTURE(c.spec, r);
        REQUIRE(std::equal(alone.begin(), alone.end(), weights.begin() + at));
        REQUIRE(std::equal(alone.begin(), alone.end(), in_place.begin() + at));
      }
      for (std::size_t at = 0; at < cells; ++at) {
        if (seen[at]) continue;
        CAPTURE(c.spec, at);
        REQUIRE(weights[at] == -7);
        REQUIRE(std::isnan(in_place[at]));
      }
    }
  }
}

TEST_CASE("a masked token is a token that is not there, by mask or by minus infinity") {
  constexpr std::size_t tokens = 75;
  for (const Case& c : cases) {
    const RowNormalizer<double> normalizer(c.spec);
    std::vector<double> logits = gaussian_row<double>(tokens, 2, 8);
    std::vector<std::uint8_t> bits(tokens, 1);
    std::vector<double> dense;
    std::vector<double> masked = logits;
    for (std::size_t i = 0; i < tokens; ++i) {
      bits[i] = i % 3 != 1;
      if (bits[i] != 0) dense.push_back(logits[i]);
      if (bits[i] == 0) masked[i] = -std::numeric_limits<double>::infinity();
    }
    std::vector<double> expected(dense.size()), by_mask(tokens), by_infinity(tokens);
    normalizer.weights(dense, 1.3, expected);
    normalizer.weights({logits.data(), 1, tokens}, Visibility::mask(1, tokens, bits), 1.3, {by_mask.data(), 1, tokens});
    normalizer.weights(masked, 1.3, by_infinity);
    CAPTURE(c.spec);
    std::size_t k = 0;
    for (std::size_t i = 0; i < tokens; ++i) {
      const double weight = bits[i] != 0 ? expected[k++] : 0.0;
      REQUIRE(by_mask[i] == weight);
      // Sums over a row with gaps run over other lanes.
      REQUIRE(std::abs(by_infinity[i] - weight) <= 8e-16 * std::abs(weight) + 1e-16);
      REQUIRE((by_infinity[i] == 0) == (weight == 0));
    }
  }
}

TEMPLATE_TEST_CASE("entmax never gives a negative weight and sums to 1, for alpha from 1 to 64", "", float, double) {
  using T = TestType;
  const double rounding = 300 * static_cast<double>(std::numeric_limits<T>::epsilon());
  for (const double alpha :
       {1.0, 1.0 + 1e-15, 1.0 + 1e-12, 1.0 + 1e-9, 1.001, 1.2, 1.33, 1.5, 1.7, 1.999, 2.0, 2.5, 4.0, 10.0, 64.0}) {
    const RowNormalizer<T> normalizer(spec_of_alpha(alpha));
    for (const double sigma : {1e-4, 0.1, 1.0, 20.0}) {
      on_every_target([&] {
        std::vector<T> row = gaussian_row<T>(300, sigma, 11);
        normalizer.weights(row, 1, row);
        CAPTURE(alpha, sigma);
        REQUIRE(*std::min_element(row.begin(), row.end()) >= 0);
        double sum = 0;
        for (const T w : row) sum += static_cast<double>(w);
        REQUIRE(std::abs(sum - 1) < rounding);
      });
    }
  }
}

TEST_CASE("entmax comes as near to softmax as alpha to 1") {
  const std::vector<double> logits = gaussian_row<double>(200, 1, 14);
  std::vector<double> softmax(logits.size()), entmax(logits.size());
  RowNormalizer<double>("softmax").weights(logits, 1, softmax);
  on_every_target([&] {
    for (const double excess : {1e-15, 1e-12, 1e-9, 1e-6, 1e-3}) {
      RowNormalizer<double>(spec_of_alpha(1 + excess)).weights(logits, 1, entmax);
      double worst = 0;
      for (std::size_t i = 0; i < logits.size(); ++i) worst = std::max(worst, std::abs(entmax[i] - softmax[i]));
      CAPTURE(excess);
      CHECK(worst <= excess + 1e-15);
      if (excess >= 1e-12) CHECK(worst >= 1e-2 * excess);  // and is not softmax itself
    }
  });
}

TEMPLATE_TEST_CASE("alpha beyond 2 tells tokens apart that are equal beside the largest", "", float, double) {
  using T = TestType;
  // Differences from the largest, of 0.01, would round both others to one and share what one of them has.
  const std::vector<T> logits = {T(0.01), T(-1e-20), T(-2e-20), T(-1.5e-20)};
  for (const double alpha : {3.0, 10.0, 64.0}) {
    const std::vector<Real> exact = exact_weights("entmax", {alpha}, {logits.begin(), logits.end()}, 1);
    const RowNormalizer<T> normalizer(spec_of_alpha(alpha));
    on_every_target([&] {
      std::vector<T> weights(logits.size());
      normalizer.weights(logits, 1, weights);
      std::vector<double> reference(logits.begin(), logits.end());
      normalizer.reference().weights(reference, 1, reference);
      for (std::size_t i = 0; i < logits.size(); ++i) {
        CAPTURE(alpha, i, weights[i], static_cast<double>(exact[i]));
        CHECK(excess(weights[i], exact[i], normalizer.worst_error()) <= 1);
        CHECK(excess(reference[i], exact[i], RowNormalizer<double>("entmax").worst_error()) <= 1);
      }
    });
  }
}

TEST_CASE("entmax meets softmax, sparsemax and its own closed form where alpha passes them") {
  const std::vector<float> logits = gaussian_row<float>(200, 1, 12);
  const auto of = [&](const std::string& spec) {
    std::vector<float> weights(logits.size());
    RowNormalizer<float>(spec).weights(logits, 1, weights);
    return weights;
  };
  const auto distance = [](const std::vector<float>& a, const std::vector<float>& b) {
    double worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(double(a[i]) - double(b[i])));
    return worst;
  };
  CHECK(distance(of("entmax:alpha=1.0000001"), of("softmax")) < 1e-6);
  CHECK(distance(of("entmax:alpha=1.9999999"), of("sparsemax")) < 1e-6);
  CHECK(distance(of("entmax:alpha=2.0000001"), of("sparsemax")) < 1e-6);
  CHECK(distance(of("entmax:alpha=1.4999999"), of("entmax:alpha=1.5")) < 1e-6);
}

TEST_CASE("what is no logit is named by row and column, the first of them") {
  constexpr std::size_t rows = 64, tokens = 100;
  for (const Case& c : cases) {
    const RowNormalizer<float> normalizer(c.spec);
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
      std::vector<float> logits = gaussian_row<float>(rows * tokens, 1, 13);
      logits[61 * tokens + 3] = bad;
      logits[37 * tokens + 71] = bad;
      CAPTURE(c.spec, bad);
      for (const bool in_place : {false, true}) {
        std::vector<float> out(logits.size());
        std::vector<float> work = logits;
        try {
          normalizer.weights({work.data(), rows, tokens}, Visibility::all(rows, tokens), 1,
                             {in_place ? work.data() : out.data(), rows, tokens});
          FAIL("accepted");
        } catch (const Error& error) {
          CHECK(error.fault() == Fault::input);
          CHECK(std::string(error.what()).find("row 37, column 71") != std::string::npos);
        }
      }
    }
  }
}

TEST_CASE("a row of masked tokens alone is an error, or zeros where that was asked") {
  for (const Case& c : cases) {
    std::vector<float> row(50, -std::numeric_limits<float>::infinity());
    CAPTURE(c.spec);
    CHECK_THROWS_AS(RowNormalizer<float>(c.spec).weights(row, 1, row), Error);
    row.assign(50, -std::numeric_limits<float>::infinity());
    RowNormalizer<float>(c.spec, EmptyRow::zeros).weights(row, 1, row);
    CHECK(row == std::vector<float>(50, 0));
  }
}

TEST_CASE("a row of masked tokens alone gets zeros in the midst of others, which are what they are alone") {
  constexpr float masked = -std::numeric_limits<float>::infinity();
  constexpr std::size_t rows = 9;
  for (const Case& c : cases) {
    const RowNormalizer<float> normalizer(c.spec, EmptyRow::zeros);
    for (const std::size_t tokens : {40, 700, 2500}) {  // in registers, in a block, in several
      std::vector<float> logits = gaussian_row<float>(rows * tokens, 1.5, tokens);
      for (const std::size_t empty : {1, 2, 5, 8}) std::fill_n(&logits[empty * tokens], tokens, masked);
      std::vector<float> weights(rows * tokens, -7);
      const Visibility all = Visibility::all(rows, tokens);
      normalizer.weights({logits.data(), rows, tokens}, all, 0.7, {weights.data(), rows, tokens});
      for (std::size_t r = 0; r < rows; ++r) {
        std::vector<float> alone(tokens);
        normalizer.weights(std::span(logits).subspan(r * tokens, tokens), 0.7, alone);
        CAPTURE(c.spec, tokens, r);
        REQUIRE(std::equal(alone.begin(), alone.end(), weights.begin() + static_cast<std::ptrdiff_t>(r * tokens)));
      }
      normalizer.weights({logits.data(), rows, tokens}, all, 0.7, {logits.data(), rows, tokens});
      REQUIRE(logits == weights);
    }
  }
}

TEST_CASE("Jacobian norms of all rows are those of the reference, for every form") {
  constexpr std::size_t rows = 20, tokens = 40;
  for (const Case& c : cases) {
    const RowNormalizer<double> normalizer(c.spec);
    const std::vector<double> logits = gaussian_row<double>(rows * tokens, 1.2, 21);
    const MatrixView<const double> view(logits.data(), rows, tokens);
    const Visibility visibility = Visibility::causal(rows, tokens);
    std::vector<double> weights(rows * tokens);
    normalizer.weights(view, visibility, 0.6, {weights.data(), rows, tokens});
    const std::vector<double> norms = normalizer.jacobian_norms(view, {weights.data(), rows, tokens}, visibility, 0.6);
    for (std::size_t r = 0; r < rows; ++r) {
      const auto row = view.row(r).first(visibility.range(r).end);
      const double expected = normalizer.reference().jacobian(row, 0.6).spectral_norm();
      CAPTURE(c.spec, r);
      CHECK(std::abs(norms[r] - expected) <= 1e-10 * expected + 1e-13);
    }
  }
}
