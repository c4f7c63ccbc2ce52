#include "app/compare/measure.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "catch.hpp"
#include "core/error.hpp"
#include "sim/normalizer.hpp"
#include "sim/random.hpp"

using namespace headroom;       // NOLINT(google-build-using-namespace)
using namespace headroom::app;  // NOLINT(google-build-using-namespace)
using verify::Quantity;

namespace {

constexpr std::size_t tokens = 24;
constexpr std::size_t width = 3;  // of queries, keys, values and embeddings alike
constexpr float scale = 0.7F;

const std::vector<std::string> specs = {"softmax",           "ssmax:s=0.43,b=0",
                                        "logn:kappa=0.1603", "softmax1",
                                        "sasoftmax",         "sasoftmax-norm",
                                        "sparsemax",         "entmax:alpha=1.5",
                                        "entmax:alpha=3",    "asentmax:delta=1,beta=0.5,gamma=1,alpha=1.5",
                                        "sigmoid:b=-logn",   "topk:k=4",
                                        "power:f=square"};

std::vector<float> normals(std::size_t count, std::uint64_t index) {
  std::vector<double> wide(count);
  sim::Stream(41, 5, index).normals(wide);
  return {wide.begin(), wide.end()};
}

model::Activations one_head(Visibility visibility) {
  model::BlockActivations block;
  block.heads = 1;
  block.head_dim = block.value_dim = width;
  block.queries = normals(tokens * width, 0);
  block.keys = normals(tokens * width, 1);
  block.values = normals(tokens * width, 2);
  block.rule = {scale, std::move(visibility), {}};
  std::vector<model::BlockActivations> blocks;
  blocks.push_back(std::move(block));
  return {tokens, std::move(blocks), normals(tokens * width, 3)};
}

using Vector = std::array<double, width>;

double norm(const Vector& x) { return std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0)); }

/// factor·x − y
Vector less(double factor, const Vector& x, const Vector& y) {
  Vector z;
  for (std::size_t k = 0; k < width; ++k) z[k] = factor * x[k] - y[k];
  return z;
}

/// What one query sees, the hidden tokens deleted.
struct Seen {
  std::vector<double> logits;
  std::vector<Vector> values, unit;
};

Seen seen_by(std::size_t query, const Visibility& visibility) {
  const auto row = [](std::size_t index, std::size_t at) {
    static const std::vector<std::vector<float>> all = {normals(tokens * width, 0), normals(tokens * width, 1),
                                                        normals(tokens * width, 2), normals(tokens * width, 3)};
    Vector x;
    for (std::size_t k = 0; k < width; ++k) x[k] = static_cast<double>(all[index][at * width + k]);
    return x;
  };
  Seen seen;
  const Vector q = row(0, query);
  for (std::size_t i = 0; i < tokens; ++i) {
    if (!visibility.visible(query, i)) continue;
    const Vector key = row(1, i);
    seen.logits.push_back(static_cast<double>(scale) * std::inner_product(q.begin(), q.end(), key.begin(), 0.0));
    seen.values.push_back(row(2, i));
    Vector x = row(3, i);
    const double length = norm(x);
    for (double& component : x) component /= length;
    seen.unit.push_back(x);
  }
  return seen;
}

Vector sum_of(const std::vector<double>& weights, const std::vector<Vector>& x) {
  Vector sum{};
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t k = 0; k < width; ++k) sum[k] += weights[i] * x[i][k];
  }
  return sum;
}

struct Selection {
  double distance, expected, expected_full, separable, mass;
};

/// By the definitions, of the `top` largest weights.
Selection select(const std::vector<double>& w, const std::vector<Vector>& x, std::size_t top) {
  const std::size_t n = w.size();
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return w[a] > w[b]; });
  std::vector<double> chosen(n);
  for (std::size_t rank = 0; rank < top; ++rank) chosen[order[rank]] = w[order[rank]];
  const Vector s = sum_of(chosen, x);
  const Vector c = sum_of(w, x);
  Selection result{};
  const auto y = [&](std::size_t i) {
    Vector z = x[i];
    for (double& component : z) component *= w[i];
    return z;
  };
  const double others = static_cast<double>(n - top);
  const double p = static_cast<double>(top) / static_cast<double>(n - 1);
  double nearest = INFINITY;  // ‖s − y_j‖² − ‖s‖²
  const auto nearness = [&](std::size_t i) {
    return w[i] * w[i] - 2 * w[i] * std::inner_product(s.begin(), s.end(), x[i].begin(), 0.0);
  };
  for (std::size_t rank = 0; rank < n; ++rank) {
    const std::size_t i = order[rank];
    const Vector rest = less(1, c, y(i));
    result.expected += others / static_cast<double>(n) * norm(less(p, rest, y(i)));
    result.expected_full += others / static_cast<double>(n) * norm(less(1, rest, y(i)));
    if (rank < top) {
      result.mass += w[i];
    } else {
      result.distance += norm(less(1, s, y(i)));
      nearest = std::min(nearest, nearness(i));
    }
  }
  for (std::size_t rank = 0; rank < top; ++rank) result.separable += nearness(order[rank]) < nearest;
  result.separable /= static_cast<double>(top);
  return result;
}

struct MeanOf {
  double sum = 0;
  double count = 0;
  void add(double value) { sum += value, ++count; }
  [[nodiscard]] auto value() const { return Approx(sum / count).epsilon(2e-5).margin(1e-7); }
};

void check_against_definitions(const Visibility& visibility) {
  CompareOptions options;
  options.normalizers = specs;
  options.tops = {1, 4, 8};
  options.lengths = {13, tokens};
  options.expected = true;
  const std::vector<HeadComparison> measured = compare_heads(one_head(visibility), options);
  REQUIRE(measured.size() == specs.size());
  const auto softmax = sim::make_normalizer("softmax");
  for (std::size_t n = 0; n < specs.size(); ++n) {
    const auto normalizer = sim::make_normalizer(specs[n]);
    for (std::size_t l = 0; l < options.lengths.size(); ++l) {
      const LengthMeans& at = measured[n].at_length[l];
      MeanOf entropy, largest, zeros, jacobian, change;
      std::vector<std::array<MeanOf, 5>> selected(options.tops.size());
      double worst = 0;
      for (std::size_t query = 0; query < options.lengths[l]; ++query) {
        const Seen seen = seen_by(query, visibility);
        std::vector<double> w(seen.logits.size()), own(seen.logits.size());
        normalizer->weights(seen.logits, 1, w);
        softmax->weights(seen.logits, 1, own);
        const double sum = std::accumulate(w.begin(), w.end(), 0.0);
        double h = 0;
        for (const double x : w) h -= x > 0 ? x / sum * std::log(x / sum) : 0;
        entropy.add(h);
        largest.add(sum > 0 ? *std::max_element(w.begin(), w.end()) / sum : 0);
        zeros.add(static_cast<double>(std::count(w.begin(), w.end(), 0)) / static_cast<double>(w.size()));
        const double size = normalizer->jacobian(seen.logits, 1).spectral_norm();
        jacobian.add(size);
        worst = std::max(worst, size);
        const Vector output = sum_of(own, seen.values);
        change.add(norm(less(1, sum_of(w, seen.values), output)) / norm(output));
        for (std::size_t t = 0; t < options.tops.size(); ++t) {
          if (w.size() <= options.tops[t] || !normalizer->nonnegative()) continue;
          const Selection s = select(w, seen.unit, options.tops[t]);
          const double values[] = {s.distance, s.expected, s.expected_full, s.separable, s.mass};
          for (std::size_t k = 0; k < 5; ++k) selected[t][k].add(values[k]);
        }
      }
      CAPTURE(specs[n], options.lengths[l]);
      CHECK(at.zeros == zeros.value());
      CHECK(at.jacobian_mean == jacobian.value());
      CHECK(at.jacobian_worst == Approx(worst).epsilon(2e-5));
      CHECK(at.output_change == change.value());
      if (!normalizer->nonnegative()) {
        CHECK((std::isnan(at.entropy) && std::isnan(at.max_weight) && at.tops.empty()));
        continue;
      }
      CHECK(at.entropy == entropy.value());
      CHECK(at.max_weight == largest.value());
      const Quantity quantities[] = {Quantity::distance, Quantity::expected, Quantity::expected_full,
                                     Quantity::separable, Quantity::mass};
      for (std::size_t t = 0; t < options.tops.size(); ++t) {
        CAPTURE(options.tops[t]);
        for (std::size_t k = 0; k < 5; ++k) CHECK(at.tops[t][quantities[k]] == selected[t][k].value());
      }
    }
  }
}

}  // namespace

TEST_CASE("every number of compare is the one of its definition, in float64 and with hidden tokens deleted") {
  check_against_definitions(Visibility::causal(tokens, tokens));
  std::vector<Visibility::Range> window;
  for (std::size_t query = 0; query < tokens; ++query)
    window.push_back({query - std::min<std::size_t>(query, 13), query + 1});
  check_against_definitions(Visibility::ranges(window, tokens));
  std::vector<std::uint8_t> bits(tokens * tokens);
  for (std::size_t at = 0; at < bits.size(); ++at) {
    const std::size_t query = at / tokens;
    const std::size_t token = at % tokens;
    bits[at] = token == query || (token < query && token % 5 != 2);
  }
  check_against_definitions(Visibility::mask(tokens, tokens, bits));
}

TEST_CASE("compare names layer, head and query where a query sees no token") {
  std::vector<Visibility::Range> ranges(tokens, {0, tokens});
  ranges[7] = {0, 0};
  CompareOptions options;
  options.normalizers = {"softmax"};
  options.tops = {1};
  options.lengths = {tokens};
  try {
    static_cast<void>(compare_heads(one_head(Visibility::ranges(ranges, tokens)), options));
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(error.fault() == Fault::input);
    CHECK_THAT(error.what(), contains("layer 0, head 0, query 7"));
  }
}
