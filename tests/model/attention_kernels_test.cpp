#include "model/attention_kernels.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "catch.hpp"

using headroom::MatrixView;
using headroom::model::inner_products;
using headroom::model::softmax;

TEST_CASE("inner products are those of a plain loop at every shape") {
  for (const std::size_t rows : {1U, 3U, 4U, 9U}) {
    for (const std::size_t tokens : {1U, 7U, 8U, 17U}) {
      for (const std::size_t dim : {1U, 5U, 16U}) {
        std::vector<float> q(rows * dim);
        std::vector<float> k(tokens * dim);
        for (std::size_t i = 0; i < q.size(); ++i) q[i] = std::sin(static_cast<float>(i * i + 1));
        for (std::size_t i = 0; i < k.size(); ++i) k[i] = std::cos(static_cast<float>(3 * i + 2));
        std::vector<double> out(rows * (tokens + 2), -7.0);
        inner_products({q.data(), rows, dim}, {k.data(), tokens, dim}, {out.data(), rows, tokens, tokens + 2});
        for (std::size_t i = 0; i < rows; ++i) {
          for (std::size_t j = 0; j < tokens; ++j) {
            double sum = 0.0;
            for (std::size_t c = 0; c < dim; ++c) {
              sum += static_cast<double>(q[i * dim + c]) * static_cast<double>(k[j * dim + c]);
            }
            CHECK(out[i * (tokens + 2) + j] == Approx(sum).epsilon(1e-13).margin(1e-14));
          }
          CHECK(out[i * (tokens + 2) + tokens] == -7.0);
        }
      }
    }
  }
}

TEST_CASE("softmax survives the largest logits and gives exact zeros for minus infinity") {
  for (const std::size_t n : {1U, 5U, 8U, 13U}) {
    std::vector<double> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = 1e5 - 0.25 * static_cast<double>(i);
    if (n > 4) x[2] = -std::numeric_limits<double>::infinity();
    std::vector<double> expected(n);
    double total = 0.0;
    for (std::size_t i = 0; i < n; ++i) total += expected[i] = std::exp(x[i] - 1e5);
    softmax(x.data(), n);
    for (std::size_t i = 0; i < n; ++i) CHECK(x[i] == Approx(expected[i] / total).epsilon(1e-14).margin(0));
    if (n > 4) CHECK(x[2] == 0.0);
  }
}
