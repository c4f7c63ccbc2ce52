#include "verify/row_sweep.hpp"

#include <cmath>
#include <random>
#include <vector>

#include "catch.hpp"

using namespace headroom::verify;

namespace {

// A row of made-up arrays, and rows of G for the tokens of a sweep.
template <class Real>
struct Fixture {
  std::size_t size;
  std::size_t padded = padded_size<Real>(size);
  std::vector<Real> alpha = std::vector<Real>(padded), norm2 = alpha, y2 = alpha, cy = alpha, visible = alpha,
                    outside = alpha, rank = std::vector<Real>(padded, -1), sx = alpha;
  std::vector<std::vector<Real>> gram = std::vector<std::vector<Real>>(sweep_width, alpha);

  explicit Fixture(std::size_t tokens) : size(tokens) {
    std::mt19937_64 engine(tokens);
    std::uniform_real_distribution<double> uniform(0.1, 1.0);
    for (std::size_t i = 0; i < size; ++i) {
      alpha[i] = static_cast<Real>(uniform(engine));
      norm2[i] = 1;
      y2[i] = alpha[i] * alpha[i];
      cy[i] = static_cast<Real>(0.1 * uniform(engine));
      visible[i] = outside[i] = 1;
      // Every third token is among the first five.
      rank[i] = static_cast<Real>(i % 3 == 0 && i < 15 ? i / 3 : size);
      for (auto& row : gram) row[i] = static_cast<Real>(0.2 * uniform(engine));
    }
  }

  [[nodiscard]] RowArrays<Real> arrays() const {
    return {padded,         alpha.data(),   norm2.data(), y2.data(), cy.data(),
            visible.data(), outside.data(), rank.data(),  sx.data()};
  }
};

template <class Real>
void check_sweep(std::size_t tokens, std::size_t count) {
  Fixture<Real> together(tokens);
  Fixture<Real> alone(tokens);
  std::vector<SweepStep<Real>> steps(count);
  for (std::size_t n = 0; n < count; ++n) {
    const double top = static_cast<double>(n + 1);
    steps[n] = {n + 1, together.gram[n].data(), 0.3 * top, 4.0 * top, ExpectedTerms::at(0.2 * top, 2.0)};
  }
  std::vector<SweepSums> sums(count);
  sweep(together.arrays(), together.sx.data(), steps.data(), count, sums.data());
  const RowKernels<Real>& kernels = row_kernels<Real>();
  for (std::size_t n = 0; n < count; ++n) {
    kernels.add_scaled(steps[n].weight, steps[n].gram, alone.sx.data(), alone.padded);
    for (std::size_t i = 0; i < tokens; ++i) alone.outside[i] = alone.rank[i] >= static_cast<Real>(n + 1) ? 1 : 0;
    const Sum distance = kernels.distance_sum(alone.arrays(), steps[n].s2);
    const Sum expected = kernels.expected_sum(alone.arrays(), steps[n].terms);
    CHECK(sums[n].distance.value == distance.value);
    CHECK(sums[n].expected.value == expected.value);
    CHECK(sums[n].distance.cancelled == distance.cancelled);
    CHECK(sums[n].expected.cancelled == expected.cancelled);
  }
  CHECK(together.sx == alone.sx);
}

}  // namespace

TEST_CASE("a sweep over several N gives the bytes of one pass for each") {
  for (std::size_t tokens : {15, 16, 100, 3000}) {
    for (std::size_t count = 1; count <= sweep_width; ++count) {
      INFO(tokens << " tokens, " << count << " N");
      check_sweep<float>(tokens, count);
      check_sweep<double>(tokens, count);
    }
  }
}
