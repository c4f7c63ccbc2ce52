#pragma once

#include "verify/claims/run.hpp"

namespace headroom::verify {

/// The attack on every claim that is open to one. Pointwise claims: search_worst(), and of what violates the smallest
/// by shrink(), both evaluated in 168 bits; the result's worst case and counterexample are then these two. Expectation
/// claims with a space of cells: search_cell(), and the cell it ends in tested on random streams of its own like one of
/// the grid. Other claims are left as they are.
class ClaimAttack : public Attack {
 public:
  [[nodiscard]] std::size_t hypotheses(const Claim& claim, Preset preset) const override;
  void run(const Claim& claim, const RunContext& context, ClaimResult& result) const override;
};

}  // namespace headroom::verify
