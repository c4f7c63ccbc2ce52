#include <algorithm>
#include <cmath>

#include "sim/normalizer.hpp"
#include "verify/claims/definitions.hpp"
#include "verify/claims/dense_norm.hpp"
#include "verify/claims/inequalities.hpp"
#include "verify/claims/point_row.hpp"
#include "verify/claims/registry.hpp"

namespace headroom::verify {
namespace {

// What float64 is held to, relative to the size of the Jacobian and per unit of the largest |z|, which exp amplifies.
constexpr double accuracy = 1e-12;

// Less than this of the size of the derivative may separate the two one-sided differences.
constexpr double smoothness = 1e-13;

struct Derivative {
  std::vector<Exact> weights;
  std::vector<Exact> value;
  bool smooth = true;
};

// Central differences of the definition along a direction: with 168 bits and a step of 1e-15·T, good to 1e-25. Where
// the two one-sided ones disagree there is a kink, and no Jacobian.
Derivative central_differences(const PointInput& input, std::span<const Exact> direction) {
  const Exact temperature(input.temperature);
  const Exact step = temperature * Exact(1e-15);
  const std::vector<Exact> centre = as<Exact>(input.logits);
  const auto weights_at = [&](int side) {
    std::vector<Exact> moved = centre;
    for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += side * step * direction[i];
    return defined_weights(input.shape.normalizer, moved, temperature);
  };
  const std::vector<Exact> behind = weights_at(-1);
  const std::vector<Exact> here = weights_at(0);
  const std::vector<Exact> ahead = weights_at(1);
  Derivative derivative;
  Exact size(0);
  Exact kink(0);
  for (std::size_t i = 0; i < centre.size(); ++i) {
    derivative.value.push_back((ahead[i] - behind[i]) / (2 * step));
    size = std::max({size, Exact(abs(derivative.value.back())), Exact(abs(here[i]) / temperature)});
    kink = std::max(kink, Exact(abs(Exact(ahead[i] - 2 * here[i] + behind[i]) / step)));
  }
  derivative.weights = here;
  // Curvature makes the one-sided differences differ by some 1e-15 of their size; a tie of tiny weights hardly more.
  derivative.smooth = kink <= Exact(smoothness) * size;
  return derivative;
}

std::vector<double> dense(const sim::Jacobian& jacobian) {
  const std::size_t n = jacobian.size();
  std::vector<double> matrix(n * n);
  std::vector<double> column(n);
  for (std::size_t j = 0; j < n; ++j) {
    std::ranges::fill(column, 0.0);
    column[j] = 1.0;
    jacobian.multiply(column, column);
    for (std::size_t i = 0; i < n; ++i) matrix[i * n + j] = column[i];
  }
  return matrix;
}

double largest_scaled_logit(const PointInput& input) {
  double largest = 0.0;
  for (const double logit : input.logits) largest = std::max(largest, std::abs(logit) / input.temperature);
  return largest;
}

// sim's Jacobian along the input's direction against central differences, and its norm against a dense one.
template <class Real>
Outcome jacobian(const PointInput& input) {
  const sim::Jacobian analytic =
      sim::make_normalizer(input.shape.normalizer)->jacobian(input.logits, input.temperature);
  const std::size_t n = analytic.size();
  std::vector<double> product(n);
  analytic.multiply(input.direction, product);
  const Derivative differences = central_differences(input, as<Exact>(input.direction));
  if (!differences.smooth) return {.excess = -1.0, .trivial = true};

  const std::vector<double> matrix = dense(analytic);
  const Real norm = dense_norm(std::span<const Real>(as<Real>(matrix)), n);
  // What float64 can be held to is a size of the terms that cancel in J, α_i/T.
  double scale = static_cast<double>(norm);
  for (const Exact& weight : differences.weights) {
    scale = std::max(scale, std::abs(static_cast<double>(weight)) / input.temperature);
  }
  Exact error(0);
  for (std::size_t i = 0; i < n; ++i) {
    error = std::max(error, Exact(abs(Exact(differences.value[i] - product[i]))));
    scale = std::max(scale, std::abs(static_cast<double>(differences.value[i])));
  }
  const double allowed = accuracy * (static_cast<double>(n) + largest_scaled_logit(input)) * scale;
  Inequalities<Real> claims;
  claims.at_most(static_cast<Real>(error), Real(allowed), Real(0));
  using std::abs;
  claims.at_most(Real(abs(Real(norm - Real(analytic.spectral_norm())))), Real(allowed), Real(0));
  return claims.worst();
}

std::vector<PointCell> grid(Preset preset, const std::vector<std::string>& choices) {
  const std::uint64_t trials = preset == Preset::quick ? 60 : preset == Preset::paper ? 1'000 : 20'000;
  std::vector<PointCell> cells;
  for (const std::string& choice : choices) {
    for (const std::size_t length : {1U, 2U, 5U, 24U}) {
      cells.push_back({{.length = length, .normalizer = choice}, length > 5 ? trials / 4 : trials});
    }
  }
  return cells;
}

// Every key that changes the form of the Jacobian, not only its scale.
std::vector<std::string> choices_of(const std::string& id) {
  if (id == "entmax") return {"entmax:alpha=1", "entmax:alpha=1.25", "entmax:alpha=1.5", "entmax:alpha=2"};
  if (id == "sigmoid") return {"sigmoid:b=-logn", "sigmoid:b=0.5"};
  if (id == "topk") return {"topk:k=1", "topk:k=3", "topk:k=32"};
  if (id == "power") return {"power:f=exp", "power:f=softplus", "power:f=square", "power:f=cosh"};
  if (id == "ssmax") return {"ssmax:s=1,b=0", "ssmax:s=0.43,b=1"};
  return {id};
}

}  // namespace

void add_jacobian_claims(std::vector<ClaimPointer>& claims) {
  Domain domain{.temperature = {0.2, 20.0}};
  domain.step = true;
  for (const sim::EntryInfo& normalizer : sim::normalizer_list()) {
    const std::vector<std::string> choices = choices_of(normalizer.id);
    std::string text;
    for (const std::string& choice : choices) text += choice + ", ";
    text += "lengths 1, 2, 5, 24; ";
    claims.push_back(std::make_unique<PointwiseClaim>(
        ClaimText{"jacobian." + normalizer.id,
                  "the Jacobian equals central differences and its norm the dense SVD's, to 1e-12 (L + max|z|) of the "
                  "larger of its norm and max alpha/T",
                  normalizer.source,
                  "away from kinks, where the one-sided differences disagree",
                  Kind::pointwise,
                  {text + "60 inputs each (15 at 24)", text + "1000 inputs each (250 at 24)",
                   text + "20000 inputs each (5000 at 24)"}},
        domain, jacobian<double>, jacobian<Exact>, [choices](Preset preset) { return grid(preset, choices); }));
  }
}

}  // namespace headroom::verify
