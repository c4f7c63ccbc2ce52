#include <algorithm>
#include <cmath>

#include "sim/normalizer.hpp"
#include "theory/vanishing.hpp"
#include "verify/claims/asymptotic.hpp"
#include "verify/claims/cell_family.hpp"
#include "verify/claims/exact.hpp"
#include "verify/claims/forms.hpp"
#include "verify/claims/inequalities.hpp"
#include "verify/claims/point_row.hpp"
#include "verify/claims/registry.hpp"

namespace headroom::verify {
namespace {

const std::string point_grid_text = "lengths 1, 2, 3, 8, 64, 1024";

template <class Real>
Real largest_magnitude(const PointInput& input) {
  double largest = 0.0;
  for (const double logit : input.logits) largest = std::max(largest, std::abs(logit));
  return Real(largest);
}

// A weight has a few roundings of its own, one per term of its sum, and those of z, which exp multiplies by z.
template <class Real>
Real weight_rounding(const Real& bound, const Real& spread, std::size_t length) {
  const Real roundings = 16 + static_cast<Real>(length) + 4 * spread;
  return std::numeric_limits<Real>::epsilon() * roundings * bound;
}

template <class Real>
Outcome within(const PointInput& input, const theory::Interval<Real>& bounds, const Real& spread) {
  const std::vector<Real> weights = weights_of<Real>(input);
  const auto [least, most] = std::ranges::minmax_element(weights);
  Inequalities<Real> claims;
  claims.at_least(*least, bounds.lower, weight_rounding<Real>(bounds.lower, spread, weights.size()), bounds.lower <= 0);
  claims.at_most(*most, bounds.upper, weight_rounding<Real>(bounds.upper, spread, weights.size()), bounds.upper >= 1);
  return claims.worst();
}

// Lemma 1 over [−a, a], a the largest |l_i|, in units of T.
template <class Real, bool sharp>
Outcome lemma1(const PointInput& input) {
  const Form form = form_of(input.shape.normalizer);
  const Real a = largest_magnitude<Real>(input) / Real(input.temperature);
  const Real least = form_least(form, a);
  const Real most = form_value(form, a);
  const auto bounds = sharp ? theory::weight_bounds_sharp(least, most, input.shape.length)
                            : theory::weight_bounds_printed(least, most, input.shape.length);
  return within<Real>(input, bounds, Real(2 * a));
}

template <class Real, bool sharp>
Outcome cor1(const PointInput& input) {
  const Real bound = largest_magnitude<Real>(input);
  const Real temperature(input.temperature);
  const auto bounds = sharp ? theory::softmax_weight_bounds_sharp(bound, temperature, input.shape.length)
                            : theory::softmax_weight_bounds_printed(bound, temperature, input.shape.length);
  return within<Real>(input, bounds, Real(2 * bound / temperature));
}

std::vector<PointCell> weight_grid(Preset preset, const std::vector<std::string>& normalizers) {
  const std::uint64_t trials = preset == Preset::quick ? 1'000 : preset == Preset::paper ? 20'000 : 500'000;
  std::vector<PointCell> cells;
  for (const std::string& normalizer : normalizers) {
    for (const std::size_t length : {1U, 2U, 3U, 8U, 64U, 1024U}) {
      cells.push_back({{.length = length, .normalizer = normalizer}, length > 64 ? trials / 10 : trials});
    }
  }
  return cells;
}

std::vector<PointCell> softmax_grid(Preset preset) { return weight_grid(preset, {"softmax"}); }

std::vector<PointCell> form_grid(Preset preset) {
  return weight_grid(preset, {"power:f=exp", "power:f=softplus", "power:f=square", "power:f=cosh"});
}

std::array<std::string, 3> point_grid(const std::string& of, std::size_t quick, std::size_t paper, std::size_t full) {
  const auto text = [&](std::size_t trials) {
    return of + "; " + std::to_string(trials) + " inputs each (a tenth at L = 1024)";
  };
  return {text(quick), text(paper), text(full)};
}

// The weight that Scalable-Softmax gives one logit ahead of the rest by `margin`, computed by the normalizer itself.
MeanCell escape_cell(std::size_t length, double margin) {
  MeanCell cell;
  cell.parameters = {{"length", static_cast<double>(length)}, {"s", 1.0}, {"margin", margin}};
  cell.measured = {"weight"};
  cell.block = 1;
  cell.drawn = false;
  cell.make_trial = [length, margin] {
    return [length, margin](sim::Stream&, std::span<Sample> out) {
      std::vector<double> row(length, 0.0);
      row.front() = margin;
      sim::make_normalizer("ssmax:s=1,b=0")->weights(row, 1.0, row);
      out.front().observed = row.front();
    };
  };
  return cell;
}

std::vector<Series> escape_series(Preset preset) {
  const std::size_t last = preset == Preset::quick ? 16 : preset == Preset::paper ? 18 : 20;
  std::vector<Series> all;
  for (const double margin : {0.25, 0.5, 1.0, 1.5, 2.0}) {
    Series series;
    series.parameters = {{"s", 1.0}, {"margin", margin}};
    series.value = theory::scalable_softmax_limit(1.0, margin);
    for (std::size_t power = 10; power <= last; ++power) {
      series.x.push_back(std::ldexp(1.0, static_cast<int>(power)));
      series.cells.push_back(escape_cell(std::size_t{1} << power, margin));
    }
    all.push_back(std::move(series));
  }
  return all;
}

std::shared_ptr<const CellFamily> escape_family() {
  CellFamily family{.reads = {CellKey::margin}, .cell = {}};
  family.cell = [](const CellChoice& choice) { return escape_cell(choice.head.length, choice.margin); };
  return std::make_shared<const CellFamily>(std::move(family));
}

}  // namespace

void add_vanishing_claims(std::vector<ClaimPointer>& claims) {
  const std::string four = "F in exp, softplus, square, cosh; " + point_grid_text;
  const Domain domain;
  claims.push_back(std::make_unique<PointwiseClaim>(
      ClaimText{"lemma1", "C1/L <= alpha_i <= C2/L with C1 = Fmin/Fmax, C2 = Fmax/Fmin over [-a, a]",
                "arXiv 2508.17821, Lemma 1, as printed", "F continuous and positive on [-a, a], not depending on L",
                Kind::pointwise, point_grid(four, 1'000, 20'000, 500'000)},
      domain, lemma1<double, false>, lemma1<Exact, false>, form_grid));
  claims.push_back(std::make_unique<PointwiseClaim>(
      ClaimText{"lemma1.sharp", "Fmin/(Fmin+(L-1)Fmax) <= alpha_i <= Fmax/(Fmax+(L-1)Fmin)",
                "derived: one logit at one end, the rest at the other", "as lemma1", Kind::pointwise,
                point_grid(four, 1'000, 20'000, 500'000)},
      domain, lemma1<double, true>, lemma1<Exact, true>, form_grid));
  claims.push_back(std::make_unique<PointwiseClaim>(
      ClaimText{"cor1", "exp(-2D/T)/L <= alpha_i <= exp(2D/T)/L, D the largest |logit|",
                "arXiv 2508.17821, Corollary 1, as printed", "softmax", Kind::pointwise,
                point_grid("softmax; " + point_grid_text, 1'000, 20'000, 500'000)},
      domain, cor1<double, false>, cor1<Exact, false>, softmax_grid));
  claims.push_back(std::make_unique<PointwiseClaim>(
      ClaimText{"cor1.sharp", "1/(1+(L-1)exp(2D/T)) <= alpha_i <= 1/(1+(L-1)exp(-2D/T))", "derived from lemma1.sharp",
                "softmax", Kind::pointwise, point_grid("softmax; " + point_grid_text, 1'000, 20'000, 500'000)},
      domain, cor1<double, true>, cor1<Exact, true>, softmax_grid));
  const std::string margins = "s*m in 0.25, 0.5, 1, 1.5, 2; L = 2^10 to 2^";
  claims.push_back(std::make_unique<AsymptoticClaim>(
      ClaimText{"escape",
                "Scalable-Softmax keeps weight 1, 1/2 or 0 on one logit ahead by m, for s*m above, at and below 1",
                "derived; arXiv 2501.19399 for the normalizer",
                "L-1 equal logits, as L grows",
                Kind::asymptotic,
                {margins + "16", margins + "18", margins + "20"}},
      escape_series, escape_family()));
}

}  // namespace headroom::verify
