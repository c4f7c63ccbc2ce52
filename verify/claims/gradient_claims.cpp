#include <algorithm>
#include <cmath>

#include "sim/normalizer.hpp"
#include "theory/gradient.hpp"
#include "theory/jacobian_norm.hpp"
#include "theory/secular_equation.hpp"
#include "verify/claims/cell_family.hpp"
#include "verify/claims/dense_norm.hpp"
#include "verify/claims/exact.hpp"
#include "verify/claims/forms.hpp"
#include "verify/claims/head_draw.hpp"
#include "verify/claims/inequalities.hpp"
#include "verify/claims/registry.hpp"

namespace headroom::verify {
namespace {

// ‖J‖₂ as sim gives it in double; the exact forms below are written out.
template <class Real>
Real softmax_norm(const PointInput& input);

template <>
double softmax_norm<double>(const PointInput& input) {
  return sim::make_normalizer("softmax")->jacobian(input.logits, input.temperature).spectral_norm();
}

template <>
Exact softmax_norm<Exact>(const PointInput& input) {
  return theory::jacobian_norm_by_bisection<Exact>(weights_of<Exact>(input)) / Exact(input.temperature);
}

// J = (diag(F') − α F'ᵀ)/(Z·T) for F(l/T), whose slope in l is F'/T.
template <class Real>
Real form_norm(const PointInput& input);

template <>
double form_norm<double>(const PointInput& input) {
  return sim::make_normalizer(input.shape.normalizer)->jacobian(input.logits, input.temperature).spectral_norm();
}

template <>
Exact form_norm<Exact>(const PointInput& input) {
  const Form form = form_of(input.shape.normalizer);
  const Exact temperature(input.temperature);
  const std::size_t length = input.logits.size();
  const std::vector<Exact> weights = weights_of<Exact>(input);
  std::vector<Exact> slopes(length);
  Exact total(0);
  for (std::size_t i = 0; i < length; ++i) {
    const Exact z = Exact(input.logits[i]) / temperature;
    slopes[i] = form_slope(form, z) / temperature;
    total += form_value(form, z);
  }
  std::vector<Exact> matrix(length * length);
  for (std::size_t i = 0; i < length; ++i) {
    for (std::size_t j = 0; j < length; ++j) {
      matrix[i * length + j] = ((i == j ? slopes[i] : Exact(0)) - weights[i] * slopes[j]) / total;
    }
  }
  return dense_norm(matrix, length);
}

// The norms are accurate to a few roundings per token; e^z brings z of them.
template <class Real>
Real norm_rounding(const PointInput& input, const Real& size) {
  double largest = 0.0;
  for (const double logit : input.logits) largest = std::max(largest, std::abs(logit) / input.temperature);
  return std::numeric_limits<Real>::epsilon() *
         Real(64.0 * (4.0 + largest + static_cast<double>(input.logits.size()))) * size;
}

template <class Real>
Outcome lemma2(const PointInput& input) {
  const Form form = form_of(input.shape.normalizer);
  const Real temperature(input.temperature);
  Real least(0);
  Real most(0);
  Real slope(0);
  for (std::size_t i = 0; i < input.logits.size(); ++i) {
    using std::abs;
    const Real z = Real(input.logits[i]) / temperature;
    const Real value = form_value(form, z);
    const Real steepness = abs(Real(form_slope(form, z))) / temperature;
    if (i == 0 || value < least) least = value;
    if (i == 0 || value > most) most = value;
    if (steepness > slope) slope = steepness;
  }
  const Real bound = theory::jacobian_bound(slope, least, most, input.logits.size());
  Inequalities<Real> claims;
  claims.at_most(form_norm<Real>(input), bound, norm_rounding<Real>(input, bound));
  return claims.worst();
}

template <class Real>
Outcome cor3(const PointInput& input) {
  const Real bound = theory::softmax_jacobian_bound_printed(Real(input.temperature));
  Inequalities<Real> claims;
  claims.at_most(softmax_norm<Real>(input), bound, norm_rounding<Real>(input, bound));
  return claims.worst();
}

template <class Real>
Outcome cor3_sharp(const PointInput& input) {
  const Real temperature(input.temperature);
  const Real bound = theory::softmax_jacobian_bound_sharp(temperature);
  Inequalities<Real> claims;
  claims.at_most(softmax_norm<Real>(input), bound, norm_rounding<Real>(input, bound));
  std::vector<Real> direction = as<Real>(input.direction);
  const Real length = theory::norm<Real>(direction);
  if (length > 0 && input.epsilon > 0) {
    for (Real& component : direction) component /= length;
    const std::vector<Real> logits = as<Real>(input.logits);
    const Real epsilon(input.epsilon);
    const Real response = theory::softmax_response<Real>(logits, direction, temperature, epsilon);
    const Real cap = theory::softmax_response_bound(temperature, epsilon);
    claims.at_most(response, cap, norm_rounding<Real>(input, cap));
  }
  return claims.worst();
}

std::vector<PointCell> shapes(Preset preset, const std::vector<std::string>& normalizers) {
  const std::uint64_t trials = preset == Preset::quick ? 1'000 : preset == Preset::paper ? 20'000 : 500'000;
  std::vector<PointCell> cells;
  for (const std::string& normalizer : normalizers) {
    for (const std::size_t length : {1U, 2U, 3U, 8U, 64U}) {
      cells.push_back({{.length = length, .normalizer = normalizer}, trials});
    }
  }
  return cells;
}

std::vector<PointCell> softmax_shapes(Preset preset) { return shapes(preset, {"softmax"}); }

std::vector<PointCell> form_shapes(Preset preset) {
  return shapes(preset, {"power:f=exp", "power:f=softplus", "power:f=square", "power:f=cosh"});
}

std::array<std::string, 3> shapes_text(const std::string& of) {
  const std::string text = of + "; lengths 1, 2, 3, 8, 64; ";
  return {text + "1000 inputs each", text + "20000 inputs each", text + "500000 inputs each"};
}

constexpr double direction_step = 1e-5;

// Algorithm 5 at a small step: L·g²/‖J‖_F², averaged over directions uniform on the sphere, has mean 1.
MeanCell direction_cell(const HeadSpec& spec) {
  constexpr std::size_t directions = 32;
  constexpr double step = direction_step;
  const std::size_t length = spec.length;
  MeanCell cell;
  // The step is central, so that its error is of second order; the difference of two weights costs eps/step.
  cell.bounds = {{.name = "mean square at most", .relative_rounding = 1e-6},
                 {.name = "mean square at least", .side = MeanBound::Side::lower, .relative_rounding = 1e-6}};
  cell.measured = {"understatement"};
  cell.make_trial = [=] {
    const auto model = std::shared_ptr<const sim::LogitModel>(sim::make_logit_model(spec.logits, 2));
    const auto softmax = std::shared_ptr<const sim::Normalizer>(sim::make_normalizer("softmax"));
    std::vector<double> logits(length), weights(length), direction(length), ahead(length), behind(length);
    return [=](sim::Stream& stream, std::span<Sample> out) mutable {
      model->fill(stream, logits);
      softmax->weights(logits, 1.0, weights);
      double sum = 0.0;
      for (std::size_t k = 0; k < directions; ++k) {
        sim::fill_sphere(stream, MatrixView<double>(direction.data(), 1, length));
        for (std::size_t i = 0; i < length; ++i) {
          ahead[i] = logits[i] + 0.5 * step * direction[i];
          behind[i] = logits[i] - 0.5 * step * direction[i];
        }
        softmax->weights(ahead, 1.0, ahead);
        softmax->weights(behind, 1.0, behind);
        const double g = theory::norm_of_difference<double>(1.0, ahead, 1.0, behind) / step;
        sum += g * g;
      }
      const double frobenius = theory::jacobian_frobenius_norm(weights);
      const double share = frobenius * frobenius / static_cast<double>(length);
      out[0] = out[1] = {.observed = sum / static_cast<double>(directions) / share, .bound = 1.0};
      out[2].observed = theory::jacobian_norm(weights) / std::sqrt(share);
    };
  };
  cell.block = 32;
  return cell;
}

MeanCell direction_cell(std::size_t length, double sigma) {
  MeanCell cell =
      direction_cell({.length = length, .logits = "gaussian:sigma=" + parameters_text({{"", sigma}}).substr(1)});
  cell.parameters = {{"length", static_cast<double>(length)}, {"sigma", sigma}, {"epsilon", direction_step}};
  return cell;
}

std::shared_ptr<const CellFamily> direction_family() {
  CellFamily family{.reads = {CellKey::logits}, .cell = {}};
  family.cell = [](const CellChoice& choice) { return direction_cell(choice.head); };
  return std::make_shared<const CellFamily>(std::move(family));
}

std::vector<MeanCell> direction_grid(Preset preset) {
  std::vector<MeanCell> cells;
  for (const std::size_t length : {2U, 16U, 128U}) {
    for (const double sigma : {0.0, 1.0, 3.0}) {
      if (preset == Preset::quick && length == 128) continue;
      cells.push_back(direction_cell(length, sigma));
    }
  }
  return cells;
}

}  // namespace

void add_gradient_claims(std::vector<ClaimPointer>& claims) {
  claims.push_back(std::make_unique<PointwiseClaim>(
      ClaimText{"lemma2", "||J|| <= (max|F'|/(L Fmin)) (1 + sqrt(Fmax/Fmin)), extrema over the row's logits",
                "arXiv 2508.17821, Lemma 2, in rigorous form", "F positive and smooth, not depending on L",
                Kind::pointwise, shapes_text("F in exp, softplus, square, cosh")},
      Domain{}, lemma2<double>, lemma2<Exact>, form_shapes));
  const Domain temperatures{.temperature = {1e-3, 100.0}};
  claims.push_back(std::make_unique<PointwiseClaim>(
      ClaimText{"cor3", "softmax ||J|| <= min{1/(4T), sqrt 2}", "arXiv 2508.17821, Corollary 3, as printed", "softmax",
                Kind::pointwise, shapes_text("softmax, T from 0.001 to 100")},
      temperatures, cor3<double>, cor3<Exact>, softmax_shapes));
  Domain steps = temperatures;
  steps.step = true;
  claims.push_back(std::make_unique<PointwiseClaim>(
      ClaimText{"cor3.sharp", "softmax ||J|| <= 1/(2T), and g(T, e) <= min{1/(2T), sqrt(2)/e} for steps of length e",
                "derived", "softmax", Kind::pointwise, shapes_text("softmax, T from 0.001 to 100, e from 1e-6 to 100")},
      steps, cor3_sharp<double>, cor3_sharp<Exact>, softmax_shapes));
  const std::string sigmas = "; gaussian logits, sigma 0, 1, 3; epsilon 1e-5";
  claims.push_back(std::make_unique<ExpectationClaim>(
      ClaimText{"random-direction",
                "E g^2 = ||J||_F^2/L for directions uniform on the sphere, as e -> 0",
                "derived; arXiv 2508.17821, Algorithm 5, for the direction",
                "softmax, T = 1",
                Kind::expectation,
                {"L 2, 16" + sigmas, "L 2, 16, 128" + sigmas, "L 2, 16, 128" + sigmas}},
      direction_grid, direction_family()));
}

}  // namespace headroom::verify
