#include "exact_normalizers.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>

namespace headroom::sim::test {
namespace {

using Row = std::vector<Real>;

Real greatest(const Row& z) { return *std::max_element(z.begin(), z.end()); }
Real least(const Row& z) { return *std::min_element(z.begin(), z.end()); }

Row shares(Row row) {
  Real sum = 0;
  for (const Real& x : row) sum += x;
  for (Real& x : row) x /= sum;
  return row;
}

Row times(Row z, const Real& factor) {
  for (Real& x : z) x *= factor;
  return z;
}

Row softmax(Row z) {
  const Real top = greatest(z);
  for (Real& x : z) x = exp(x - top);
  return shares(z);
}

Row softmax1(Row z) {
  z.push_back(0);
  Row p = softmax(z);
  p.pop_back();
  return p;
}

Row self_adjust(const Row& z) {
  Row p = softmax(z);
  for (std::size_t i = 0; i < z.size(); ++i) p[i] *= z[i];
  return p;
}

Row self_adjust_normalized(const Row& z) {
  const Real low = least(z) < 0 ? least(z) : Real(0);
  const Real high = greatest(z) > 0 ? greatest(z) : Real(0);
  Row p = softmax(z);
  for (std::size_t i = 0; i < z.size(); ++i) p[i] *= high == low ? Real(0) : Real((z[i] - low) / (high - low));
  return p;
}

Row top_k(const Row& z, std::size_t k) {
  std::vector<std::size_t> order(z.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return z[a] > z[b]; });
  order.resize(std::min(order.size(), k));
  Row kept;
  for (const std::size_t i : order) kept.push_back(z[i]);
  kept = softmax(kept);
  Row p(z.size(), 0);
  for (std::size_t i = 0; i < order.size(); ++i) p[order[i]] = kept[i];
  return p;
}

Row sigmoid(Row z, const Real& bias) {
  for (Real& x : z) x = 1 / (1 + exp(-x - bias));
  return z;
}

/// The support is found by its definition: token k is in it when the others above it, with the threshold at k, sum to
/// less than 1. Then bisection, and Newton to the end, for one weight.
Row entmax(const Row& z, double alpha_value) {
  const Real alpha = alpha_value;
  if (alpha == 1) return softmax(z);
  const Real beta = 1 / (alpha - 1);
  Row sorted = z;
  std::sort(sorted.begin(), sorted.end(), [](const Real& a, const Real& b) { return a > b; });
  const auto gap_power = [&](const Real& gap) {
    if (gap <= 0) return Real(0);
    const Real exponent = beta * log(Real((alpha - 1) * gap));
    return exponent < -100000 ? Real(0) : exponent > 1 ? Real(2) : Real(exp(exponent));
  };
  const auto has_weight = [&](std::size_t k) {
    Real sum = 0;
    for (std::size_t i = 0; i < k && sum < 1; ++i) sum += gap_power(sorted[i] - sorted[k]);
    return sum < 1;
  };
  std::size_t support = 1;
  for (std::size_t beyond = sorted.size(); support < beyond;) {
    const std::size_t middle = support + (beyond - support) / 2;
    if (has_weight(middle)) {
      support = middle + 1;
    } else {
      beyond = middle;
    }
  }
  // The unknown is the logarithm x of one weight P, whose a is P^{α−1}: of the largest for α < 2, of the smallest
  // beyond, where weights that differ widely have nearly equal a.
  const Real anchor = alpha < 2 ? sorted.front() : sorted[support - 1];
  const auto ratio = [&](const Real& logit, const Real& at) {  // a_i/P^{α−1}, less 1
    return Real((alpha - 1) * (logit - anchor) * exp(Real(-(alpha - 1) * at)));
  };
  const auto weight = [&](const Real& logit, const Real& at) {
    if (logit < sorted[support - 1]) return Real(0);
    const Real excess = ratio(logit, at);
    if (excess <= -1) return Real(0);
    const Real exponent = at + beta * log1p(excess);
    return exponent < -100000 ? Real(0) : Real(exp(exponent));
  };
  const auto total = [&](const Real& at) {
    Real sum = 0;
    for (std::size_t i = 0; i < support; ++i) sum += weight(sorted[i], at);
    return sum;
  };
  Real high = 0;
  Real low = -1;
  while (total(low) > 1) low *= 2;
  Real x = (low + high) / 2;
  for (int step = 0; step < 400; ++step) {
    Real sum = 0;
    Real slope = 0;
    for (std::size_t i = 0; i < support; ++i) {
      const Real p = weight(sorted[i], x);
      sum += p;
      if (p > 0) slope += p / (1 + ratio(sorted[i], x));
    }
    (sum > 1 ? high : low) = x;
    Real next = slope > 0 ? Real(x - (sum - 1) / slope) : low;
    if (!(next > low) || !(next < high)) next = (low + high) / 2;
    if (abs(Real(next - x)) <= ldexp(Real(1), -124) * (1 + abs(x))) break;
    x = next;
  }
  Row p;
  for (const Real& logit : z) p.push_back(weight(logit, x));
  return p;
}

Row power(Row z, const std::string& f) {
  for (Real& x : z) {
    if (f == "power:f=exp") x = exp(x);
    if (f == "power:f=softplus") x = x > 0 ? Real(x + log1p(Real(exp(Real(-x))))) : Real(log1p(Real(exp(x))));
    if (f == "power:f=square") x = 1 + x * x;
    if (f == "power:f=cosh") x = (exp(x) + exp(-x)) / 2;
  }
  return shares(z);
}

}  // namespace

std::vector<Real> exact_weights(const std::string& id, const std::vector<double>& parameters,
                                const std::vector<double>& logits, double temperature) {
  Row z;
  for (const double l : logits) z.push_back(Real(l) / Real(temperature));
  const Real n = static_cast<double>(z.size());
  const auto parameter = [&](std::size_t k) { return Real(parameters.at(k)); };
  if (id == "softmax") return softmax(z);
  if (id == "ssmax") return softmax(times(z, parameter(0) * log(n) + parameter(1)));
  if (id == "logn") return softmax(times(z, parameter(0) * log(n)));
  if (id == "softmax1") return softmax1(z);
  if (id == "sasoftmax") return self_adjust(z);
  if (id == "sasoftmax-norm") return self_adjust_normalized(z);
  if (id == "sparsemax") return entmax(z, 2);
  if (id == "entmax") return entmax(z, parameters.at(0));
  if (id == "asentmax") {
    const Real scale = parameter(0) + parameter(1) * pow(Real(log(Real(n + 1))), parameter(2));
    return entmax(times(z, scale), parameters.at(3));
  }
  if (id == "sigmoid") return sigmoid(z, parameters.empty() ? Real(-log(n)) : parameter(0));
  if (id == "topk") return top_k(z, static_cast<std::size_t>(parameters.at(0)));
  if (id.rfind("power", 0) == 0) return power(z, id);
  throw std::logic_error("no exact weights for " + id);
}

}  // namespace headroom::sim::test
