#pragma once

#include <functional>
#include <vector>

#include "sim/random.hpp"
#include "verify/claims/claim.hpp"

namespace headroom::verify {

enum class Side { upper, lower };

/// What a pointwise claim says about one input: observed ≤ bound, or ≥ for a lower bound. Of several inequalities the
/// one that came closest to failing, or failed most, relative to its scale.
struct Outcome {
  double observed = 0.0;
  double bound = 0.0;
  Side side = Side::upper;
  double excess = 0.0;  ///< observed − bound (lower: bound − observed), subtracted in the precision of the evaluation
  double scale = 1.0;     ///< > 0, what the excess is measured by
  double rounding = 0.0;  ///< the most that rounding can have added to the excess in the precision of the evaluation
  bool trivial = false;   ///< the bound is one that always holds, as 1 for a weight

  [[nodiscard]] bool violated() const { return excess > rounding; }
  /// What the attack maximises: above 0 the claim fails.
  [[nodiscard]] double severity() const { return excess / scale; }
  /// 1 where the bound is attained, to rounding.
  [[nodiscard]] double tightness() const;
};

/// Inputs of one shape, and how many of them.
struct PointCell {
  Shape shape;
  std::uint64_t trials = 0;
};

/// A claim about every input: tested at random, adversarially drawn inputs, each would-be violation evaluated again in
/// 168-bit arithmetic. Open to attack: `evaluate` is a pure function of the input.
class PointwiseClaim : public Claim {
 public:
  using Evaluation = std::function<Outcome(const PointInput&)>;

  /// @param evaluate in double, observed by sim's or verify's routines where they have one
  /// @param evaluate_exactly the same claim by its formulas in boost::multiprecision::cpp_bin_float_50
  PointwiseClaim(ClaimText text, Domain domain, Evaluation evaluate, Evaluation evaluate_exactly,
                 std::function<std::vector<PointCell>(Preset)> grid);

  [[nodiscard]] const Domain& domain() const { return domain_; }
  [[nodiscard]] Outcome evaluate(const PointInput& input) const { return evaluate_(input); }
  [[nodiscard]] Outcome evaluate_exactly(const PointInput& input) const { return evaluate_exactly_(input); }
  [[nodiscard]] std::vector<PointCell> grid(Preset preset) const { return grid_(preset); }

  [[nodiscard]] std::size_t hypotheses(Preset) const override { return 0; }
  [[nodiscard]] ClaimResult run(const RunContext& context) const override;

 private:
  Domain domain_;
  Evaluation evaluate_;
  Evaluation evaluate_exactly_;
  std::function<std::vector<PointCell>(Preset)> grid_;
};

/// A random input: a mixture of what is usual (normal logits, vectors uniform on the sphere) and what is extreme (ties,
/// two levels, one logit ahead, vectors of very different length, parallel and opposite ones).
[[nodiscard]] PointInput draw_input(sim::Stream& stream, const Shape& shape, const Domain& domain);

/// Takes one more input into account, which an attack found: as a violation, or where there is none as the worst case
/// if it comes closer to one than any before, both judged in 168 bits.
void add_attack(ClaimResult& result, const PointwiseClaim& claim, const PointInput& input);

}  // namespace headroom::verify
