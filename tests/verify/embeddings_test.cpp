#include "verify/embeddings.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "catch.hpp"
#include "core/error.hpp"
#include "sim/random.hpp"
#include "verify/vector_ops.hpp"

using namespace headroom;
using namespace headroom::verify;

namespace {

constexpr std::size_t dim = 5;

std::vector<double> points(std::size_t tokens) {
  std::vector<double> x(tokens * dim);
  sim::Stream stream(7, 1, tokens);
  stream.normals(x);
  return x;
}

// Counts and fills that leave every kind of remainder: of vectors, of groups of them, of strips.
const std::vector<std::size_t> sizes = {1, 2, 3, 7, 8, 9, 31, 32, 33, 63, 64, 65, 130, 257};

}  // namespace

TEST_CASE("G, the farthest token of each and the smallest distance are those of the definition") {
  for (const std::size_t tokens : sizes) {
    const std::vector<double> x = points(tokens);
    const Embeddings full({x.data(), tokens, dim}, {.gram = true, .spacing = true});
    const Embeddings alone({x.data(), tokens, dim}, {.spacing = true});
    const Embeddings single({x.data(), tokens, dim}, {.gram = true, .spacing = true, .precision = Precision::single});
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < tokens; ++i) {
      double most = 0;
      for (std::size_t j = 0; j < tokens; ++j) {
        const double square = distance2(full.vector(i), full.vector(j));
        most = std::max(most, square);
        if (j != i) least = std::min(least, square);
        const double inner = dot(full.vector(i), full.vector(j));
        CHECK(full.gram_row<double>(i)[j] == Approx(inner).margin(1e-13));
        CHECK(full.gram_row<double>(i)[j] == full.gram_row<double>(j)[i]);
        CHECK(single.gram_row<float>(i)[j] == static_cast<float>(full.gram_row<double>(i)[j]));
      }
      // Where all others are nearer than the origin, the origin's distance stands for theirs.
      CHECK(full.reach2()[i] == Approx(std::max(most, full.norm2()[i])).margin(1e-12));
      CHECK(single.reach2()[i] == full.reach2()[i]);
      for (std::size_t k = 0; k < Embeddings::gram_slack; ++k) CHECK(full.gram_row<double>(i)[tokens + k] == 0);
    }
    CHECK(full.spacing() == Approx(tokens < 2 ? 0 : std::sqrt(least)).epsilon(1e-9));
    CHECK(alone.spacing() == full.spacing());
    CHECK(single.spacing() == full.spacing());
  }
}

TEST_CASE("the smallest distance survives cancellation, wherever the near pair stands") {
  constexpr double step = 1e-7;
  for (const std::size_t tokens : {std::size_t{2}, std::size_t{40}, std::size_t{150}}) {
    for (const std::size_t at : {std::size_t{1}, tokens / 2, tokens - 1}) {
      std::vector<double> x = points(tokens);
      std::copy_n(x.data(), dim, x.data() + at * dim);
      const auto spacing = [&](bool gram) {
        return Embeddings({x.data(), tokens, dim}, {.gram = gram, .spacing = true}).spacing();
      };
      CHECK(spacing(true) == 0);
      CHECK(spacing(false) == 0);
      x[at * dim] += step;
      const double exact = x[at * dim] - x[0];
      CHECK(spacing(true) == Approx(exact).epsilon(1e-12));
      CHECK(spacing(false) == Approx(exact).epsilon(1e-12));
    }
  }
}

TEST_CASE("everything the heads share has the same bytes with one thread and with three") {
  constexpr std::size_t tokens = 700;
  std::vector<double> x(tokens * 64);
  sim::Stream stream(7, 2, tokens);
  stream.normals(x);
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const Embeddings one({x.data(), tokens, 64}, {.gram = true, .spacing = true, .normalize = true});
  omp_set_num_threads(3);
  const Embeddings three({x.data(), tokens, 64}, {.gram = true, .spacing = true, .normalize = true});
  omp_set_num_threads(before);
  CHECK(one.spacing() == three.spacing());
  CHECK(one.largest_norm() == three.largest_norm());
  const auto same = [](const double* a, const double* b, std::size_t count) {
    return std::memcmp(a, b, count * sizeof(double)) == 0;
  };
  CHECK(same(one.norm2().data(), three.norm2().data(), tokens));
  CHECK(same(one.reach2().data(), three.reach2().data(), tokens));
  CHECK(same(one.gram_row<double>(0), three.gram_row<double>(0), tokens * (tokens + Embeddings::gram_slack)));
  const PackedMatrix<double>& x1 = one.transposed<double>();
  const PackedMatrix<double>& x3 = three.transposed<double>();
  REQUIRE(x1.width() == x3.width());
  CHECK(same(x1.panel(0), x3.panel(0), (tokens + x1.width() - 1) / x1.width() * x1.width() * x1.rows()));
}

TEST_CASE("of several vectors without length the first is named") {
  constexpr std::size_t tokens = 9000;
  std::vector<double> x = points(tokens);
  for (const std::size_t zero : {std::size_t{8000}, std::size_t{4321}, std::size_t{4500}}) {
    std::fill_n(x.data() + zero * dim, dim, 0.0);
  }
  CHECK_THROWS_WITH(Embeddings({x.data(), tokens, dim}, {.normalize = true}), contains("token 4321"));
  CHECK_NOTHROW(Embeddings({x.data(), tokens, dim}, {}));
}
