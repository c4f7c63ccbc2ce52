#include <algorithm>
#include <cmath>

#include "theory/distance.hpp"
#include "theory/separability.hpp"
#include "theory/separability_bounds.hpp"
#include "verify/claims/cell_family.hpp"
#include "verify/claims/exact.hpp"
#include "verify/claims/head_draw.hpp"
#include "verify/claims/inequalities.hpp"
#include "verify/claims/law_claim.hpp"
#include "verify/claims/registry.hpp"

namespace headroom::verify {
namespace {

// M and δ of an input's vectors.
template <class Real>
struct Spread {
  Real largest_norm;
  Real separation;
};

template <class Real>
Spread<Real> spread_of(const theory::RowView<Real>& row) {
  Spread<Real> spread{Real(0), Real(0)};
  bool first = true;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const Real length = theory::norm<Real>(row.vectors.row(i));
    if (length > spread.largest_norm) spread.largest_norm = length;
    for (std::size_t j = 0; j < i; ++j) {
      const Real apart = theory::norm_of_difference<Real>(Real(1), row.vectors.row(i), Real(1), row.vectors.row(j));
      if (first || apart < spread.separation) spread.separation = apart;
      first = false;
    }
  }
  return spread;
}

template <class Real>
std::vector<Real> selected_weights(std::span<const Real> weights, const theory::Selection& selection) {
  std::vector<Real> selected;
  for (const std::size_t i : selection.selected) selected.push_back(weights[i]);
  return selected;
}

template <class Real>
struct Separation {
  Observed<Real> observed;
  std::vector<Real> reach;
  Real rounding;  // relative, of r and ξ
};

template <class Real>
Separation<Real> separate(const PointInput& input) {
  const PointRow<Real> row(input);
  const theory::Selection selection = theory::select_top<Real>(row.weights, input.shape.top);
  const Spread<Real> spread = spread_of(row.view());
  const std::vector<Real> selected = selected_weights<Real>(row.weights, selection);
  Separation<Real> result{observe(row, input.shape.top),
                          theory::context_reach<Real>(selected, spread.largest_norm, spread.separation), Real(0)};
  // r is a difference of vectors no longer than ᾱM; ξ² of terms that may cancel down to δ.
  Real mass(0);
  for (const Real& weight : selected) mass += weight;
  const Real terms = static_cast<Real>(8 * (row.weights.size() + row.dim + 8));
  const Real size = 2 * mass * spread.largest_norm;
  result.rounding = std::numeric_limits<Real>::epsilon() * terms *
                    (result.observed.radius > 0 ? Real(1 + size / result.observed.radius) : Real(1));
  return result;
}

template <class Real>
Outcome thm2_lower(const PointInput& input) {
  const Separation<Real> at = separate<Real>(input);
  const Real bound = theory::separable_lower_printed<Real>(at.reach, at.observed.radius);
  Inequalities<Real> claims;
  const Real rounding = at.observed.radius > 0 ? Real(at.rounding * (1 - bound)) : Real(0);
  claims.at_least(at.observed.separable, bound, rounding, bound <= 0);
  return claims.worst();
}

template <class Real>
Outcome thm2_lower_sharp(const PointInput& input) {
  const Separation<Real> at = separate<Real>(input);
  const Real bound = theory::separable_lower_sharp<Real>(at.reach, at.observed.radius);
  Inequalities<Real> claims;
  claims.at_least(at.observed.separable, bound, Real(0), bound <= 0);
  return claims.worst();
}

std::vector<PointCell> point_grid(Preset preset) {
  const std::uint64_t trials = preset == Preset::quick ? 500 : preset == Preset::paper ? 10'000 : 200'000;
  std::vector<PointCell> cells;
  for (const auto& [length, dim, top] :
       {std::array<std::size_t, 3>{2, 2, 1}, {3, 2, 2}, {5, 3, 3}, {16, 2, 4}, {16, 64, 15}, {64, 16, 8}}) {
    cells.push_back({{.length = length, .dim = dim, .top = top}, trials});
  }
  return cells;
}

Parameters with_top(const HeadSpec& spec, std::size_t top) {
  Parameters parameters = spec.parameters();
  parameters.emplace_back("top", static_cast<double>(top));
  return parameters;
}

// Draws a whole row and measures it at N; M = 1, and δ is the cell's.
class SeparationTrial {
 public:
  SeparationTrial(const HeadSpec& spec, std::size_t top) : draw_(spec), top_(top), separation_(spec.separation) {}

  Observed<double> draw(sim::Stream& stream) {
    draw_.draw_weights(stream);
    draw_.draw_vectors(stream);
    return measure_row(draw_.weights(), draw_.vectors(), top_);
  }

  [[nodiscard]] std::vector<double> reach() {
    const theory::Selection selection = theory::select_top<double>(draw_.weights(), top_);
    return theory::context_reach<double>(selected_weights<double>(draw_.weights(), selection), 1.0, separation_);
  }

 private:
  HeadDraw draw_;
  std::size_t top_;
  double separation_;
};

MeanCell upper_cell(const HeadSpec& spec, std::size_t top) {
  MeanCell cell;
  cell.parameters = with_top(spec, top);
  cell.bounds = {{.name = "separable at most", .relative_rounding = 1e-9}};
  cell.measured = {"radius"};
  cell.make_trial = [=] {
    auto trial = std::make_shared<SeparationTrial>(spec, top);
    return [=](sim::Stream& stream, std::span<Sample> out) {
      const Observed<double> seen = trial->draw(stream);
      const double bound = theory::separable_upper_printed<double>(trial->reach(), seen.radius, 1.0);
      out[0] = {.observed = seen.separable, .bound = bound, .trivial = bound >= 1.0};
      out[1].observed = seen.radius;
    };
  };
  cell.block = 16;
  return cell;
}

std::vector<MeanCell> upper_grid(Preset preset) {
  const std::string step = "step:k=64,low=1e-06";
  std::vector<MeanCell> cells = {
      upper_cell({.length = 256, .dim = 768, .logits = step}, 64),
      upper_cell({.length = 128, .dim = 64, .logits = "gaussian:sigma=1"}, 16),
  };
  if (preset == Preset::quick) return cells;
  cells.push_back(upper_cell({.length = 256, .dim = 768, .logits = step, .separation = 1.2}, 64));
  cells.push_back(upper_cell({.length = 256, .dim = 64, .logits = "gaussian:sigma=2"}, 16));
  cells.push_back(upper_cell({.length = 256, .dim = 768, .logits = "gaussian:sigma=1"}, 64));
  return cells;
}

// What an attack may vary of `step` heads: L, d, the number of equal weights and the rest.
CellSpace upper_space() {
  return {
      {{.name = "length", .lower = 8, .upper = 256},
       {.name = "dim", .lower = 2, .upper = 768},
       {.name = "top", .lower = 1, .upper = 128},
       {.name = "low", .lower = 1e-8, .upper = 1e-3, .integer = false}},
      [](std::span<const double> at) {
        const auto length = static_cast<std::size_t>(at[0]);
        const std::size_t top = std::min(static_cast<std::size_t>(at[2]), length - 1);
        const std::string step = "step:k=" + std::to_string(top) + ",low=" + parameters_text({{"", at[3]}}).substr(1);
        return upper_cell({.length = length, .dim = static_cast<std::size_t>(at[1]), .logits = step}, top);
      }};
}

// N_s(r)/N of fixed weights for a radius given beforehand: only the selected vectors matter.
MeanCell cantelli_cell(const HeadSpec& spec, std::size_t top, double factor) {
  std::vector<double> selected = fixed_weights(spec);
  selected.resize(top);
  double square = 0.0;
  for (const double weight : selected) square += weight * weight;
  // The root mean square of ‖s−y_i‖ over the selected, times a factor.
  const double radius = factor * std::sqrt(square * static_cast<double>(top - 1) / static_cast<double>(top));
  const theory::Interval<double> bounds = theory::separable_bounds_sharp<double>(selected, radius, 1.0, spec.dim);
  MeanCell cell;
  cell.parameters = with_top(spec, top);
  cell.parameters.emplace_back("radius over rms", factor);
  cell.bounds = {{.name = "N_s(r)/N at most", .rounding = 1e-12},
                 {.name = "N_s(r)/N at least", .side = MeanBound::Side::lower, .rounding = 1e-12}};
  HeadSpec few = spec;
  few.length = top;
  few.logits = "gaussian";
  cell.make_trial = [=] {
    auto draw = std::make_shared<HeadDraw>(few);
    theory::Selection all;
    for (std::size_t i = 0; i < top; ++i) all.selected.push_back(i);
    return [=](sim::Stream& stream, std::span<Sample> out) {
      draw->draw_vectors(stream);
      const theory::RowView<double> row{selected, draw->vectors()};
      const double within = theory::separable_fraction_within<double>(row, all, radius);
      out[0] = {.observed = within, .bound = bounds.upper, .trivial = bounds.upper >= 1.0};
      out[1] = {.observed = within, .bound = bounds.lower, .trivial = bounds.lower <= 0.0};
    };
  };
  return cell;
}

std::vector<MeanCell> cantelli_grid(Preset preset) {
  std::vector<MeanCell> cells;
  for (const double factor : {0.8, 0.95, 1.05, 1.25}) {
    cells.push_back(cantelli_cell({.length = 64, .dim = 16, .logits = "gaussian:sigma=0"}, 16, factor));
    cells.push_back(cantelli_cell({.length = 64, .dim = 64, .logits = "gaussian:sigma=1"}, 16, factor));
    if (preset == Preset::quick) continue;
    cells.push_back(cantelli_cell({.length = 64, .dim = 4, .logits = "gaussian:sigma=0"}, 4, factor));
    cells.push_back(cantelli_cell({.length = 256, .dim = 256, .logits = "zipf:s=0.5"}, 64, factor));
  }
  return cells;
}

MeanCell saturation_cell(const HeadSpec& spec, std::size_t top) {
  MeanCell cell;
  cell.parameters = with_top(spec, top);
  cell.bounds = {{.name = "N_s/N at most 0.85"}, {.name = "N_s/N at least 0.70", .side = MeanBound::Side::lower}};
  cell.make_trial = [=] {
    auto trial = std::make_shared<SeparationTrial>(spec, top);
    return [=](sim::Stream& stream, std::span<Sample> out) {
      const double separable = trial->draw(stream).separable;
      out[0] = {.observed = separable, .bound = 0.85};
      out[1] = {.observed = separable, .bound = 0.70};
    };
  };
  cell.block = 8;
  return cell;
}

std::vector<MeanCell> saturation_grid(Preset preset) {
  std::vector<MeanCell> cells;
  for (const std::size_t dim : {64U, 768U}) {
    for (const std::size_t top : {16U, 64U}) {
      if (top == 64 && (preset == Preset::quick || (preset == Preset::paper && dim == 768))) continue;
      cells.push_back(saturation_cell({.length = preset == Preset::quick ? 256U : 1024U, .dim = dim}, top));
    }
  }
  return cells;
}

// H heads on the same N tokens, each with fresh vectors. The ranks of the tokens follow √ρ·common + √(1−ρ)·own normals:
// permuted at random and independently for ρ = 0, the same in every head for ρ = 1.
class CoverageTrial {
 public:
  CoverageTrial(const HeadSpec& spec, std::size_t top, std::size_t heads, double correlation)
      : draw_(spec), top_(top), heads_(heads), correlation_(correlation), common_(top), own_(top), rank_(top) {}

  struct Share {
    double covered = 0.0;      ///< of the tokens, by at least one head
    double independent = 0.0;  ///< 1 − Π_h (1 − N_s/N of head h): its mean is 1 − (1−p)^H for independent heads
    double separable = 0.0;    ///< N_s/N, mean over heads
  };

  Share draw(sim::Stream& stream) {
    std::vector<char> covered(top_, 0);
    Share share;
    double missed = 1.0;
    stream.normals(common_);
    for (std::size_t h = 0; h < heads_; ++h) {
      draw_.draw_weights(stream);
      draw_.draw_vectors(stream);
      std::ranges::sort(draw_.weights(), std::greater<>());
      stream.normals(own_);
      for (std::size_t i = 0; i < top_; ++i) {
        own_[i] = std::sqrt(correlation_) * common_[i] + std::sqrt(1.0 - correlation_) * own_[i];
        rank_[i] = i;
      }
      std::ranges::sort(rank_, [&](std::size_t a, std::size_t b) { return own_[a] > own_[b]; });
      const std::vector<char> separated = separate_ranks();
      double count = 0.0;
      for (std::size_t r = 0; r < top_; ++r) {
        count += separated[r];
        covered[rank_[r]] = static_cast<char>(covered[rank_[r]] | separated[r]);
      }
      const double fraction = count / static_cast<double>(top_);
      share.separable += fraction / static_cast<double>(heads_);
      missed *= 1.0 - fraction;
    }
    share.covered = static_cast<double>(std::ranges::count(covered, 1)) / static_cast<double>(top_);
    share.independent = 1.0 - missed;
    return share;
  }

 private:
  // Which of the N largest weights, in their order, are separated.
  [[nodiscard]] std::vector<char> separate_ranks() const {
    const theory::RowView<double> row = draw_.row();
    std::vector<std::size_t> selected(top_);
    for (std::size_t i = 0; i < top_; ++i) selected[i] = i;
    const std::vector<double> context = theory::weighted_sum<double>(row, selected);
    const auto offset = [&](std::size_t i) {
      const double weight = row.weights[i];
      return weight * (weight - 2.0 * theory::dot<double>(context, row.vectors.row(i)));
    };
    double least = offset(top_);
    for (std::size_t j = top_ + 1; j < row.size(); ++j) least = std::min(least, offset(j));
    std::vector<char> separated(top_);
    for (std::size_t i = 0; i < top_; ++i) separated[i] = offset(i) < least ? 1 : 0;
    return separated;
  }

  HeadDraw draw_;
  std::size_t top_;
  std::size_t heads_;
  double correlation_;
  std::vector<double> common_, own_;
  std::vector<std::size_t> rank_;
};

MeanCell coverage_cell(const HeadSpec& spec, std::size_t top, std::size_t heads, double correlation) {
  MeanCell cell;
  cell.parameters = with_top(spec, top);
  cell.parameters.emplace_back("heads", static_cast<double>(heads));
  cell.parameters.emplace_back("correlation", correlation);
  const bool tested = correlation == 0.0;
  if (tested) {
    cell.bounds = {{.name = "coverage at most 1-(1-p)^H"},
                   {.name = "coverage at least 1-(1-p)^H", .side = MeanBound::Side::lower}};
  }
  cell.measured = {"coverage", "1-(1-p)^H", "separable"};
  cell.make_trial = [=] {
    auto trial = std::make_shared<CoverageTrial>(spec, top, heads, correlation);
    return [=](sim::Stream& stream, std::span<Sample> out) {
      const CoverageTrial::Share share = trial->draw(stream);
      if (tested) out[0] = out[1] = {.observed = share.covered, .bound = share.independent};
      const std::size_t first = tested ? 2 : 0;
      out[first].observed = share.covered;
      out[first + 1].observed = share.independent;
      out[first + 2].observed = share.separable;
    };
  };
  cell.block = 32;
  return cell;
}

std::vector<MeanCell> coverage_grid(Preset preset) {
  std::vector<MeanCell> cells;
  const HeadSpec spec{.length = 128, .dim = 16};
  for (const std::size_t heads : {2U, 3U}) cells.push_back(coverage_cell(spec, 8, heads, 0.0));
  if (preset != Preset::quick) {
    cells.push_back(coverage_cell({.length = 64, .dim = 16, .logits = "zipf:s=0.5"}, 4, 6, 0.0));
    for (const double correlation : {0.25, 0.5, 0.75}) cells.push_back(coverage_cell(spec, 8, 3, correlation));
  }
  cells.push_back(coverage_cell(spec, 8, 3, 1.0));
  return cells;
}

std::shared_ptr<const CellFamily> family(std::vector<CellKey> more, std::size_t least_top,
                                         std::function<MeanCell(const CellChoice&)> cell) {
  CellFamily family{.reads = {CellKey::dim, CellKey::top, CellKey::normalizer, CellKey::logits},
                    .least_top = least_top,
                    .cell = std::move(cell)};
  family.reads.insert(family.reads.end(), more.begin(), more.end());
  return std::make_shared<const CellFamily>(std::move(family));
}

// Of one selected vector alone ‖s−y_i‖ is 0, and no multiple of its root mean square.
std::shared_ptr<const CellFamily> cantelli_family() {
  return family({CellKey::radius}, 2,
                [](const CellChoice& choice) { return cantelli_cell(choice.head, choice.top, choice.radius); });
}

std::shared_ptr<const CellFamily> coverage_family() {
  return family({CellKey::heads, CellKey::correlation}, 1, [](const CellChoice& choice) {
    return coverage_cell(choice.head, choice.top, choice.heads, choice.correlation);
  });
}

std::array<std::string, 3> point_text() {
  const std::string shapes = "(L, d, N) in (2,2,1), (3,2,2), (5,3,3), (16,2,4), (16,64,15), (64,16,8); ";
  return {shapes + "500 inputs each", shapes + "10000 inputs each", shapes + "200000 inputs each"};
}

}  // namespace

void add_geometry_claims(std::vector<ClaimPointer>& claims) {
  const Domain rows{.vectors = true};
  claims.push_back(std::make_unique<PointwiseClaim>(
      ClaimText{"thm2.lower", "N_s/N >= 1 - sum_i xi_i/(rN), row by row",
                "arXiv 2508.17821, Theorem 2, rebuilt from the proof text",
                "||x_i|| <= M, pairwise distances >= delta, r the non-selected minimum", Kind::pointwise, point_text()},
      rows, thm2_lower<double>, thm2_lower<Exact>, point_grid));
  claims.push_back(
      std::make_unique<PointwiseClaim>(ClaimText{"thm2.lower.sharp", "N_s/N >= #{i: xi_i < r(1 - 1e-12)}/N, row by row",
                                                 "derived", "as thm2.lower", Kind::pointwise, point_text()},
                                       rows, thm2_lower_sharp<double>, thm2_lower_sharp<Exact>, point_grid));
  claims.push_back(std::make_unique<ExpectationClaim>(
      ClaimText{"thm2.upper",
                "E[N_s]/N <= (1/N) sum_i exp(-(xi_i-r)+^2/(2M^2))",
                "arXiv 2508.17821, Theorem 2, rebuilt from the proof text",
                "x_i uniform on the sphere given pairwise distances >= delta; r the non-selected minimum",
                Kind::expectation,
                {"two cells, one of 64 equal weights at L 256, d 768", "five cells, delta 0 and 1.2",
                 "five cells, delta 0 and 1.2"}},
      upper_grid,
      family({CellKey::separation}, 1, [](const CellChoice& choice) { return upper_cell(choice.head, choice.top); }),
      upper_space()));
  const std::string factors = ", r at 0.8, 0.95, 1.05, 1.25 of the root mean square of ||s-y_i||";
  claims.push_back(std::make_unique<ExpectationClaim>(
      ClaimText{"thm2.sharp",
                "Cantelli: P(||s-y_i|| <= r) <= V/(V+(eta^2-r^2)^2) below eta, and likewise above",
                "derived, with eta^2 and V the mean and variance of ||s-y_i||^2",
                "r fixed, x_i independent and uniform on the sphere, weights fixed",
                Kind::expectation,
                {"two sets of weights" + factors, "four sets of weights" + factors, "four sets of weights" + factors}},
      cantelli_grid, cantelli_family()));
  claims.push_back(make_law_claim());
  claims.push_back(std::make_unique<ExpectationClaim>(
      ClaimText{"saturation",
                "N_s/N settles between 0.70 and 0.85 for N >= 16, whatever d",
                "arXiv 2508.17821, Section 4 and Figure 3, as printed",
                "unit-variance gaussian logits, x_i uniform on the sphere, r the non-selected minimum",
                Kind::expectation,
                {"L 256, d 64, 768, N 16", "L 1024, d 64, N 16, 64; d 768, N 16", "L 1024, d 64, 768, N 16, 64"}},
      saturation_grid,
      family({}, 1, [](const CellChoice& choice) { return saturation_cell(choice.head, choice.top); })));
  claims.push_back(std::make_unique<ExpectationClaim>(
      ClaimText{
          "coverage",
          "H heads, each separating a fraction p of the same N tokens, cover 1-(1-p)^H",
          "arXiv 2508.17821, Section 5, as printed",
          "independent heads: ranks permuted at random in each, fresh vectors, p averaged over tokens; heads whose "
          "ranks correlate (1: p by rank) are measured beside",
          Kind::expectation,
          {"L 128, d 16, N 8, H 2, 3; correlation 1", "H 2, 3, 6; correlation 0.25, 0.5, 0.75, 1",
           "H 2, 3, 6; correlation 0.25, 0.5, 0.75, 1"}},
      coverage_grid, coverage_family()));
}

}  // namespace headroom::verify
