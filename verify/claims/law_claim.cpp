#include "verify/claims/law_claim.hpp"

#include <memory>
#include <mutex>

#include "theory/resolution_law.hpp"
#include "verify/claims/cell_family.hpp"
#include "verify/claims/head_draw.hpp"

namespace headroom::verify {
namespace {

// How far the law may be off: the distance stated for N ≥ 3, or what its integrals are computed to.
constexpr double stated_distance = 0.08;
constexpr double integral_error = 2e-4;

// The law at one set of weights, computed when first asked for: listing a grid should cost nothing.
class LawValue {
 public:
  LawValue(std::vector<double> decreasing, std::size_t dim, std::size_t top, bool refined)
      : decreasing_(std::move(decreasing)), dim_(dim), top_(top), refined_(refined) {}

  double get() {
    std::call_once(
        once_, [this] { value_ = theory::ResolutionLaw(dim_, {.refined = refined_}).separable(decreasing_, top_); });
    return value_;
  }

 private:
  std::vector<double> decreasing_;
  std::size_t dim_;
  std::size_t top_;
  bool refined_;
  std::once_flag once_;
  double value_ = 0.0;
};

// The law is exact where ‖s−y_i‖ is known or, refined, integrated over; elsewhere it is held to the stated distance.
MeanCell law_cell(const HeadSpec& spec, std::size_t top, bool refined = false) {
  const bool exact = top <= 2 || refined;
  const double distance = exact ? 0.0 : stated_distance;
  const std::vector<double> weights = fixed_weights(spec);
  auto law = std::make_shared<LawValue>(weights, spec.dim, top, refined);
  MeanCell cell;
  cell.parameters = spec.parameters();
  cell.parameters.emplace_back("top", static_cast<double>(top));
  cell.parameters.emplace_back("law", std::string(refined ? "refined" : "plain"));
  const double rounding = exact ? integral_error : 0.0;
  cell.bounds = {{.name = exact ? "N_s/N at most the law" : "N_s/N at most the law + 0.08", .rounding = rounding},
                 {.name = exact ? "N_s/N at least the law" : "N_s/N at least the law - 0.08",
                  .side = MeanBound::Side::lower,
                  .rounding = rounding}};
  cell.make_trial = [=] {
    auto draw = std::make_shared<HeadDraw>(spec);
    const double value = law->get();
    return [=](sim::Stream& stream, std::span<Sample> out) {
      draw->draw_vectors(stream);
      const double separable = measure_row(weights, draw->vectors(), top).separable;
      out[0] = {.observed = separable, .bound = value + distance, .trivial = value + distance >= 1.0};
      out[1] = {.observed = separable, .bound = value - distance, .trivial = value - distance <= 0.0};
    };
  };
  return cell;
}

std::vector<MeanCell> law_grid(Preset preset) {
  const std::string equal = "gaussian:sigma=0";
  const std::string usual = "gaussian:sigma=1";
  constexpr bool refined = true;
  std::vector<MeanCell> cells = {
      law_cell({.length = 8, .dim = 2, .logits = equal}, 1),
      law_cell({.length = 16, .dim = 3, .logits = usual}, 2),
      law_cell({.length = 11, .dim = 4, .logits = equal}, 3),
      law_cell({.length = 11, .dim = 4, .logits = equal}, 3, refined),
      law_cell({.length = 32, .dim = 4, .logits = usual}, 8),
      law_cell({.length = 64, .dim = 16, .logits = usual}, 4),
  };
  if (preset == Preset::quick) return cells;
  cells.push_back(law_cell({.length = 64, .dim = 16, .logits = usual}, 1));
  cells.push_back(law_cell({.length = 32, .dim = 8, .logits = "zipf:s=1"}, 2));
  cells.push_back(law_cell({.length = 32, .dim = 16, .logits = "zipf:s=0.5"}, 3));
  cells.push_back(law_cell({.length = 32, .dim = 16, .logits = "zipf:s=0.5"}, 3, refined));
  cells.push_back(law_cell({.length = 8, .dim = 2, .logits = usual}, 3, refined));
  cells.push_back(law_cell({.length = 12, .dim = 4, .logits = equal}, 4));
  cells.push_back(law_cell({.length = 64, .dim = 8, .logits = "zipf:s=0.5"}, 8));
  cells.push_back(law_cell({.length = 128, .dim = 64, .logits = usual}, 16));
  cells.push_back(law_cell({.length = 256, .dim = 64, .logits = "gaussian:sigma=2"}, 32));
  return cells;
}

// The sharper statement where there is one: refined at N = 3.
std::shared_ptr<const CellFamily> law_family() {
  CellFamily family{.reads = {CellKey::dim, CellKey::top, CellKey::normalizer, CellKey::logits}, .cell = {}};
  family.cell = [](const CellChoice& choice) { return law_cell(choice.head, choice.top, choice.top == 3); };
  return std::make_shared<const CellFamily>(std::move(family));
}

}  // namespace

std::unique_ptr<const Claim> make_law_claim() {
  return std::make_unique<ExpectationClaim>(
      ClaimText{
          "law",
          "the resolution law gives E[N_s]/N: exactly for N <= 2, and for N = 3 refined; within 0.08 for N >= 3",
          "derived (docs/derivations.md, Section 3)",
          "x_i independent and uniform on the unit sphere, r the non-selected minimum, weights fixed at one draw; "
          "within 0.08 for d >= 4",
          Kind::expectation,
          {"six cells, L 8 to 64, d 2 to 16, N 1 to 8", "15 cells, L 8 to 256, d 2 to 64, N 1 to 32",
           "15 cells, L 8 to 256, d 2 to 64, N 1 to 32"}},
      law_grid, law_family());
}

}  // namespace headroom::verify
