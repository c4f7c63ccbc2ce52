#include "verify/cell_draw.hpp"

#include <cmath>
#include <limits>

#include "catch.hpp"
#include "verify/vector_ops.hpp"

using namespace headroom;
using namespace headroom::verify;

namespace {

CellParameters parameters(const std::string& logits, double temperature) {
  CellParameters p;
  p.length = 77;
  p.dim = 5;
  p.tops = {3};
  p.logits = logits;
  p.temperature = temperature;
  return p;
}

}  // namespace

TEST_CASE("a cell's softmax weights are the normalizer's to rounding, times the size of the exponents") {
  for (const char* logits : {"gaussian:sigma=1", "gaussian:sigma=50", "zipf:s=3", "step:k=5"}) {
    for (const double temperature : {0.05, 1.0, 1e6}) {
      const Cell cell(parameters(logits, temperature));
      CellDraw draw(cell);
      draw.weights(4, 9);
      const std::span<const double> drawn = draw.head().logits.row(0);
      std::vector<double> right(drawn.size());
      cell.normalizer().weights(drawn, temperature, right);
      for (std::size_t i = 0; i < right.size(); ++i) {
        // An exponent x that is off by an ULP moves exp x by |x| ULP.
        const double size = 4 + std::abs(std::log(std::max(right[i], std::numeric_limits<double>::min())));
        CAPTURE(logits, temperature, i);
        CHECK(std::abs(draw.head().weights(0, i) - right[i]) <=
              4 * size * std::numeric_limits<double>::epsilon() * right[i] + std::numeric_limits<double>::min());
      }
    }
  }
}

TEST_CASE("a trial is drawn again the same, whatever was drawn before and in whichever form") {
  for (const char* sampler : {"uniform", "uniform:coordinates=float64", "rsa"}) {
    CellParameters p = parameters("gaussian:sigma=1", 1.0);
    p.sampler = sampler;
    const Cell cell(p);
    CellDraw first(cell);
    first.weights(1, 4);
    first.vectors();
    CellDraw second(cell);
    second.weights(1, 3);
    second.vectors();
    second.weights(1, 4);
    const std::vector<double> none((p.length + 7) / 8 * 8, 0.0);
    std::vector<double> c(p.dim);
    if (cell.independent()) second.points(none.data(), c);
    second.vectors();
    const HeadView a = first.head();
    const HeadView b = second.head();
    for (std::size_t i = 0; i < p.length; ++i) {
      CHECK(a.weights(0, i) == b.weights(0, i));
      CHECK(dot(a.vectors.row(i), a.vectors.row(i)) == Approx(1.0).epsilon(1e-14));
      for (std::size_t k = 0; k < p.dim; ++k) CHECK(a.vectors(i, k) == b.vectors(i, k));
    }
  }
}
