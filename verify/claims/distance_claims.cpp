#include <algorithm>
#include <cmath>
#include <numeric>

#include "theory/distance.hpp"
#include "theory/expected_distance.hpp"
#include "verify/claims/asymptotic.hpp"
#include "verify/claims/cell_family.hpp"
#include "verify/claims/critical_top_claim.hpp"
#include "verify/claims/exact.hpp"
#include "verify/claims/head_draw.hpp"
#include "verify/claims/inequalities.hpp"
#include "verify/claims/registry.hpp"

namespace headroom::verify {
namespace {

// Each of the L−N distances is a sum over d of what N additions made, none larger than the selected vectors together.
template <class Real>
Real distance_rounding(const theory::RowView<Real>& row, const theory::Selection& selection) {
  Real longest(0);
  for (std::size_t i = 0; i < row.size(); ++i) {
    const Real length = theory::norm<Real>(row.vectors.row(i));
    if (length > longest) longest = length;
  }
  const auto rest = static_cast<double>(selection.rest.size());
  const auto terms = static_cast<double>(row.size() + row.dim() + 8);
  return std::numeric_limits<Real>::epsilon() * Real(8.0 * terms * rest) * longest *
         (theory::mass<Real>(row.weights, selection.selected) + row.weights[selection.selected.front()]);
}

template <class Real>
Outcome thm1_fixed(const PointInput& input) {
  const PointRow<Real> row(input);
  const theory::Selection selection = theory::select_top<Real>(row.weights, input.shape.top);
  Inequalities<Real> claims;
  claims.at_most(observe(row, input.shape.top).distance, theory::distance_upper_printed(row.view(), selection),
                 distance_rounding(row.view(), selection));
  return claims.worst();
}

template <class Real>
Outcome thm1_fixed_sharp(const PointInput& input) {
  const PointRow<Real> row(input);
  const theory::Selection selection = theory::select_top<Real>(row.weights, input.shape.top);
  const theory::Interval<Real> bounds = theory::distance_bounds_sharp(row.view(), selection);
  const Real distance = observe(row, input.shape.top).distance;
  const Real rounding = distance_rounding(row.view(), selection);
  Inequalities<Real> claims;
  claims.at_most(distance, bounds.upper, rounding);
  claims.at_least(distance, bounds.lower, rounding, bounds.lower <= 0);
  return claims.worst();
}

// At N = L nothing is left to sum over.
template <class Real>
Outcome cor2_ii(const PointInput& input) {
  const PointRow<Real> row(input);
  const theory::Selection selection = theory::select_top<Real>(row.weights, input.shape.length);
  Inequalities<Real> claims;
  claims.at_most(theory::distance(row.view(), selection), Real(0), Real(0), selection.rest.empty());
  return claims.worst();
}

std::uint64_t inputs(Preset preset) {
  return preset == Preset::quick ? 500 : preset == Preset::paper ? 10'000 : 200'000;
}

std::vector<PointCell> selection_grid(Preset preset) {
  std::vector<PointCell> cells;
  for (const auto& [length, dim, top] :
       {std::array<std::size_t, 3>{2, 2, 1}, {3, 2, 1}, {3, 3, 2}, {8, 3, 3}, {8, 2, 7}, {64, 8, 5}, {64, 64, 32}}) {
    cells.push_back({{.length = length, .dim = dim, .top = top}, inputs(preset)});
  }
  return cells;
}

std::vector<PointCell> whole_grid(Preset preset) {
  std::vector<PointCell> cells;
  for (const std::size_t length : {1U, 2U, 8U, 64U}) cells.push_back({{.length = length, .dim = 4}, inputs(preset)});
  return cells;
}

// One row and one uniformly chosen subset of N tokens.
class RandomSelection {
 public:
  RandomSelection(const HeadSpec& spec, std::size_t top) : draw_(spec), top_(top), order_(spec.length) {}

  void draw(sim::Stream& stream) {
    draw_.draw_weights(stream);
    draw_.draw_vectors(stream);
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    for (std::size_t k = 0; k < top_; ++k) std::swap(order_[k], order_[k + stream.below(order_.size() - k)]);
  }

  [[nodiscard]] theory::RowView<double> row() const { return draw_.row(); }

  // D of the subset, straight from the definition.
  [[nodiscard]] double distance() const {
    const theory::RowView<double> view = row();
    const std::vector<double> context = theory::weighted_sum<double>(view, std::span(order_).first(top_));
    double sum = 0.0;
    for (const std::size_t i : std::span(order_).subspan(top_)) {
      sum += theory::norm_of_difference<double>(1.0, context, view.weights[i], view.vectors.row(i));
    }
    return sum;
  }

 private:
  HeadDraw draw_;
  std::size_t top_;
  std::vector<std::size_t> order_;
};

Parameters with_top(const HeadSpec& spec, std::size_t top) {
  Parameters parameters = spec.parameters();
  parameters.emplace_back("top", static_cast<double>(top));
  return parameters;
}

MeanCell epsilon_cell(const HeadSpec& spec, std::size_t top) {
  MeanCell cell;
  cell.parameters = with_top(spec, top);
  cell.bounds = {{.name = "E0 at least 0.9 E[D]", .side = MeanBound::Side::lower, .relative_rounding = 1e-12},
                 {.name = "E0 at most 1.1 E[D]", .relative_rounding = 1e-12}};
  cell.make_trial = [=] {
    auto selection = std::make_shared<RandomSelection>(spec, top);
    return [=](sim::Stream& stream, std::span<Sample> out) {
      selection->draw(stream);
      const double expected = theory::expected_distance(selection->row(), top);
      const double distance = selection->distance();
      out[0] = {.observed = expected, .bound = 0.9 * distance};
      out[1] = {.observed = expected, .bound = 1.1 * distance};
    };
  };
  cell.block = 16;
  return cell;
}

std::vector<MeanCell> epsilon_grid(Preset preset) {
  std::vector<MeanCell> cells;
  for (const std::size_t length : {256U, 512U, 1024U}) {
    if (length > (preset == Preset::quick ? 256U : preset == Preset::paper ? 512U : 1024U)) break;
    cells.push_back(epsilon_cell({.length = length, .dim = 64, .logits = "gaussian:sigma=0"}, 5));
  }
  return cells;
}

MeanCell jensen_cell(const HeadSpec& spec, std::size_t top) {
  MeanCell cell;
  cell.parameters = with_top(spec, top);
  cell.bounds = {{.name = "E[D] at least E0", .side = MeanBound::Side::lower, .relative_rounding = 1e-12},
                 {.name = "E[D] at most the root mean square", .relative_rounding = 1e-12}};
  cell.make_trial = [=] {
    auto selection = std::make_shared<RandomSelection>(spec, top);
    return [=](sim::Stream& stream, std::span<Sample> out) {
      selection->draw(stream);
      const double distance = selection->distance();
      out[0] = {.observed = distance, .bound = theory::expected_distance(selection->row(), top)};
      out[1] = {.observed = distance, .bound = theory::expected_distance_upper(selection->row(), top)};
    };
  };
  cell.block = 16;
  return cell;
}

std::vector<MeanCell> jensen_grid(Preset preset) {
  std::vector<MeanCell> cells = {
      jensen_cell({.length = 2, .dim = 2}, 1),
      jensen_cell({.length = 8, .dim = 2, .logits = "gaussian:sigma=2"}, 3),
      jensen_cell({.length = 32, .dim = 16}, 5),
      jensen_cell({.length = 64, .dim = 16, .logits = "gaussian:sigma=0"}, 16),
      jensen_cell({.length = 64, .dim = 16, .shift = 1.0}, 8),
  };
  if (preset == Preset::quick) return cells;
  cells.push_back(jensen_cell({.length = 32, .dim = 8, .logits = "zipf:s=0.5"}, 5));
  cells.push_back(jensen_cell({.length = 256, .dim = 64, .logits = "gaussian:sigma=0.5"}, 5));
  cells.push_back(jensen_cell({.length = 256, .dim = 16, .logits = "dot:scale=2"}, 200));
  return cells;
}

// The ratio of E[D] to its printed limit.
MeanCell ratio_cell(const HeadSpec& spec, std::size_t top) {
  MeanCell cell;
  cell.parameters = with_top(spec, top);
  cell.measured = {"ratio"};
  cell.make_trial = [=] {
    auto selection = std::make_shared<RandomSelection>(spec, top);
    return [=](sim::Stream& stream, std::span<Sample> out) {
      selection->draw(stream);
      out[0].observed = selection->distance() / theory::sum_of_norms(selection->row());
    };
  };
  cell.block = 16;
  return cell;
}

std::vector<Series> limit_series(Preset preset) {
  std::vector<Series> all;
  for (const double sigma : {0.0, 1.0, 2.0}) {
    if (preset != Preset::full && sigma == 2.0) break;
    const std::string logits = "gaussian:sigma=" + parameters_text({{"", sigma}}).substr(1);
    Series series;
    series.parameters = {{"logits", logits}, {"dim", 64.0}, {"top", 5.0}};
    series.value = 1.0;
    series.rates = {0.5, 2.0};
    for (const std::size_t length : growing_lengths(64, preset == Preset::full ? 4096 : 1024)) {
      series.x.push_back(static_cast<double>(length));
      series.cells.push_back(ratio_cell({.length = length, .dim = 64, .logits = logits}, 5));
    }
    all.push_back(std::move(series));
  }
  return all;
}

// D at N = L/4 of the largest weights, as it is and per token left out.
MeanCell collapse_cell(const HeadSpec& spec) {
  const std::size_t top = spec.length / 4;
  MeanCell cell;
  cell.parameters = with_top(spec, top);
  cell.measured = {"distance", "distance per token"};
  cell.make_trial = [=] {
    auto draw = std::make_shared<HeadDraw>(spec);
    return [=](sim::Stream& stream, std::span<Sample> out) {
      draw->draw_weights(stream);
      draw->draw_vectors(stream);
      out[0].observed = measure_row(draw->weights(), draw->vectors(), top).distance;
      out[1].observed = out[0].observed / static_cast<double>(spec.length - top);
    };
  };
  cell.block = 16;
  return cell;
}

std::vector<Series> collapse_series(Preset preset) {
  std::vector<Series> all;
  for (const double shift : {0.0, 1.0}) {
    Series series;
    series.form = Series::Form::exponent;
    series.stated = shift == 0.0 ? Series::Stated::negative : Series::Stated::nothing;
    series.parameters = {{"vectors", std::string(shift == 0.0 ? "isotropic" : "mean-shifted")}};
    for (const std::size_t length : growing_lengths(64, preset == Preset::full ? 4096 : 1024)) {
      series.x.push_back(static_cast<double>(length));
      series.cells.push_back(collapse_cell({.length = length, .dim = 64, .shift = shift}));
    }
    all.push_back(std::move(series));
  }
  return all;
}

// A cell of a head and an N.
template <MeanCell (*make)(const HeadSpec&, std::size_t)>
std::shared_ptr<const CellFamily> family(std::vector<CellKey> reads) {
  CellFamily family{.reads = std::move(reads), .cell = {}};
  family.cell = [](const CellChoice& choice) { return make(choice.head, choice.top); };
  return std::make_shared<const CellFamily>(std::move(family));
}

// N = L/4 needs four tokens.
std::shared_ptr<const CellFamily> collapse_family() {
  CellFamily family{
      .reads = {CellKey::dim, CellKey::normalizer, CellKey::logits, CellKey::shift}, .least_length = 4, .cell = {}};
  family.cell = [](const CellChoice& choice) { return collapse_cell(choice.head); };
  return std::make_shared<const CellFamily>(std::move(family));
}

std::array<std::string, 3> same(const std::string& text) { return {text, text, text}; }

std::array<std::string, 3> selection_text() {
  const std::string shapes = "(L, d, N) in (2,2,1), (3,2,1), (3,3,2), (8,3,3), (8,2,7), (64,8,5), (64,64,32); ";
  return {shapes + "500 inputs each", shapes + "10000 inputs each", shapes + "200000 inputs each"};
}

}  // namespace

void add_distance_claims(std::vector<ClaimPointer>& claims) {
  using enum CellKey;
  const Domain rows{.vectors = true};
  claims.push_back(std::make_unique<PointwiseClaim>(
      ClaimText{"thm1.fixed", "D <= d1 sum_O alpha_i + |(L-N) abar - sum_O alpha_i| max_I ||x_j||",
                "arXiv 2508.17821, Theorem 1, rebuilt from the proof text", "I the N largest weights, all >= 0",
                Kind::pointwise, selection_text()},
      rows, thm1_fixed<double>, thm1_fixed<Exact>, selection_grid));
  claims.push_back(std::make_unique<PointwiseClaim>(
      ClaimText{"thm1.fixed.sharp", "|D - ||xbar|| sum_O |abar - alpha_i|| <= sum_O alpha_i ||x_i - xbar||",
                "derived: the same identity without the two maxima, on both sides", "I the N largest weights, all >= 0",
                Kind::pointwise, selection_text()},
      rows, thm1_fixed_sharp<double>, thm1_fixed_sharp<Exact>, selection_grid));
  claims.push_back(std::make_unique<ExpectationClaim>(
      ClaimText{"thm1.random",
                "E[D] = E0 + epsilon, epsilon small: at most 10 % of E[D]",
                "arXiv 2508.17821, Theorem 1, rebuilt from the proof text",
                "I uniform over all N-subsets; equal weights, isotropic vectors, N = 5, d = 64",
                Kind::expectation,
                {"L 256", "L 256, 512", "L 256, 512, 1024"}},
      epsilon_grid, family<epsilon_cell>({dim, top, normalizer, logits, shift})));
  claims.push_back(std::make_unique<ExpectationClaim>(
      ClaimText{"thm1.random.sharp",
                "E0 <= E[D] <= (L-N)/L sum_i sqrt(m_i^2 + v_i)",
                "derived: Jensen on the left, Jensen on the square on the right",
                "I uniform over all N-subsets",
                Kind::expectation,
                {"L 2 to 64, d 2 to 16, five cells", "L 2 to 256, d 2 to 64, eight cells",
                 "L 2 to 256, d 2 to 64, eight cells"}},
      jensen_grid, family<jensen_cell>({dim, top, normalizer, logits, separation, shift})));
  claims.push_back(std::make_unique<AsymptoticClaim>(
      ClaimText{"cor2.i",
                "N fixed, L to infinity: E[D] tends to sum_i ||y_i||",
                "arXiv 2508.17821, Corollary 2 (i), as printed",
                "isotropic vectors, N = 5, d = 64",
                Kind::asymptotic,
                {"gaussian logits, sigma 0, 1; L 64 to 1024", "gaussian logits, sigma 0, 1; L 64 to 1024",
                 "gaussian logits, sigma 0, 1, 2; L 64 to 4096"}},
      limit_series, family<ratio_cell>({dim, top, normalizer, logits, shift})));
  claims.push_back(std::make_unique<PointwiseClaim>(
      ClaimText{"cor2.ii", "L fixed, N to L: E[D] tends to 0", "arXiv 2508.17821, Corollary 2 (ii), as printed",
                "N = L, where the sum is empty", Kind::pointwise, same("L 1, 2, 8, 64; d 4")},
      rows, cor2_ii<double>, cor2_ii<Exact>, whole_grid));
  claims.push_back(std::make_unique<AsymptoticClaim>(
      ClaimText{"collapse",
                "when N grows in proportion to L the distance collapses to zero",
                "arXiv 2508.17821, Section 4, as printed",
                "N = L/4, isotropic unit vectors, gaussian logits, d = 64; mean-shifted ones reported beside",
                Kind::asymptotic,
                {"L 64 to 1024", "L 64 to 1024", "L 64 to 4096"}},
      collapse_series, collapse_family()));
  claims.push_back(make_critical_top_claim());
}

}  // namespace headroom::verify
