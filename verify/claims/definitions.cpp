#include "verify/claims/definitions.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <numeric>

#include "sim/normalizer.hpp"
#include "sim/spec.hpp"

namespace headroom::verify {
namespace {

using Row = std::vector<Exact>;

Row shares(Row row) {
  Exact sum(0);
  for (const Exact& value : row) sum += value;
  for (Exact& value : row) value /= sum;
  return row;
}

Row mapped(Row row, const std::function<Exact(const Exact&)>& function) {
  for (Exact& value : row) value = function(value);
  return row;
}

// The exponent of Exact reaches e^{±10⁹}: no shift is needed.
Row softmax(Row z) {
  return shares(mapped(std::move(z), [](const Exact& value) { return Exact(exp(value)); }));
}

// Σ [(α−1)z_i − τ]₊^{1/(α−1)} = 1, by Newton's method kept inside a bracket.
Row entmax(const Row& z, const Exact& alpha) {
  if (alpha == 1) return softmax(z);
  const Exact slope = alpha - 1;
  const Exact power = 1 / slope;
  const auto weights = [&](const Exact& threshold) {
    return mapped(z, [&](const Exact& value) {
      const Exact gap = slope * value - threshold;
      if (gap <= 0) return Exact(0);
      if (power == 1) return gap;
      return power == 2 ? Exact(gap * gap) : Exact(pow(gap, power));
    });
  };
  const Exact largest = slope * *std::ranges::max_element(z);
  Exact low = largest - 1;
  Exact high = largest;
  Exact threshold = low;
  for (int step = 0; step < 2 * std::numeric_limits<Exact>::digits; ++step) {
    const Row row = weights(threshold);
    Exact sum(0);
    Exact derivative(0);
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i] == 0) continue;
      sum += row[i];
      derivative -= power * row[i] / (slope * z[i] - threshold);
    }
    (sum >= 1 ? low : high) = threshold;
    Exact next = derivative < 0 ? Exact(threshold - (sum - 1) / derivative) : Exact((low + high) / 2);
    if (!(next > low && next < high)) next = (low + high) / 2;
    if (next == threshold || abs(Exact(sum - 1)) < 4 * std::numeric_limits<Exact>::epsilon()) break;
    threshold = next;
  }
  return weights(threshold);
}

Row largest_only(const Row& z, std::size_t count) {
  std::vector<std::size_t> order(z.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return z[a] > z[b]; });
  order.resize(std::min(count, order.size()));
  Row row(z.size(), Exact(0));
  Exact sum(0);
  for (const std::size_t i : order) sum += row[i] = exp(z[i]);
  for (Exact& value : row) value /= sum;
  return row;
}

Row self_adjusted(const Row& z, bool normalized) {
  Row row = softmax(z);
  const Exact low = normalized ? std::min(Exact(0), *std::ranges::min_element(z)) : Exact(0);
  const Exact high = normalized ? std::max(Exact(0), *std::ranges::max_element(z)) : Exact(1);
  if (high == low) return Row(z.size(), Exact(0));
  for (std::size_t i = 0; i < z.size(); ++i) row[i] *= (z[i] - low) / (high - low);
  return row;
}

Row power(const Row& z, const std::string& form) {
  if (form == "softplus") return shares(mapped(z, [](const Exact& x) { return Exact(log(1 + exp(x))); }));
  if (form == "square") return shares(mapped(z, [](const Exact& x) { return Exact(1 + x * x); }));
  if (form == "cosh") return shares(mapped(z, [](const Exact& x) { return Exact((exp(x) + exp(-x)) / 2); }));
  return softmax(z);
}

}  // namespace

std::vector<Exact> defined_weights(const std::string& text, std::span<const Exact> logits, const Exact& temperature) {
  const sim::Spec spec(text, "normalizer", sim::normalizer_list());
  const std::string& id = spec.id();
  Row z(logits.begin(), logits.end());
  for (Exact& value : z) value /= temperature;
  const auto number = [&](const char* key) { return Exact(spec.number(key)); };
  const auto scaled = [&](const Exact& factor) { return mapped(z, [&](const Exact& x) { return Exact(factor * x); }); };
  const Exact length = static_cast<Exact>(z.size());

  if (id == "softmax") return softmax(z);
  // At n = 1 the factor would be 0 or b; the weight is 1 either way.
  if (id == "ssmax") return softmax(scaled(number("s") * log(length) + number("b")));
  if (id == "logn") return softmax(scaled(number("kappa") * log(length)));
  if (id == "softmax1") {
    Exact sum(1);
    Row row = mapped(z, [&](const Exact& x) { return Exact(exp(x)); });
    for (const Exact& value : row) sum += value;
    return mapped(row, [&](const Exact& value) { return Exact(value / sum); });
  }
  if (id == "sasoftmax") return self_adjusted(z, false);
  if (id == "sasoftmax-norm") return self_adjusted(z, true);
  if (id == "sparsemax") return entmax(z, Exact(2));
  if (id == "entmax") return entmax(z, number("alpha"));
  if (id == "asentmax") {
    const Exact factor = number("delta") + number("beta") * pow(log(Exact(length + 1)), number("gamma"));
    return entmax(scaled(factor), number("alpha"));
  }
  if (id == "topk") return largest_only(z, spec.count("k", 1));
  if (id == "power") return power(z, spec.text("f"));
  const Exact bias = spec.text("b") == "-logn" ? Exact(-log(length)) : number("b");
  return mapped(z, [&](const Exact& x) { return Exact(1 / (1 + exp(Exact(-x - bias)))); });
}

}  // namespace headroom::verify
