#pragma once

#include <string>
#include <vector>

#include "verify/claims/cell_family.hpp"
#include "verify/sweep/trial_work.hpp"

namespace headroom::verify::sweep {

/// A claim and the parameters to test it at. An empty normalizer or logit model stands for the claim's own.
struct ClaimChoice {
  const Claim* claim = nullptr;
  CellChoice cell;

  /// Checks the choice and puts its specs into one spelling. Throws usage errors: a claim that has no such cells, a
  /// parameter that differs from its default and that the claim does not have, sizes out of range, unknown specs,
  /// normalizers that the claim is not about.
  void check();

  /// The parameters that the claim has, e.g. "claim=cor1;length=8;normalizer=softmax". Requires a checked choice.
  [[nodiscard]] std::string text() const;

  /// Roughly, of one trial on one core.
  [[nodiscard]] double seconds() const;
};

/// The cell of a checked choice. Quantities of a claim about means: `observed`; `upper` or `lower`, the bound, with
/// `upper_excess` = observed − upper and `lower_excess` = lower − observed; and what the claim measures beside.
/// Of a claim about every input: `violations`, 1 for an input confirmed in 168 bits and 0 for others; `tightness`,
/// observed/bound or its inverse for a lower bound, of the inputs on which the bound says something; `trivial`, 1 for
/// the others.
[[nodiscard]] TrialCell claim_cell(const ClaimChoice& choice);

/// All quantities that cells of claims can have.
[[nodiscard]] const std::vector<std::string>& claim_quantities();

}  // namespace headroom::verify::sweep
