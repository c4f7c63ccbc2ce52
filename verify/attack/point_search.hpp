#pragma once

#include <optional>

#include "verify/claims/pointwise.hpp"

namespace headroom::verify {

struct PointSearchOptions {
  Preset preset = Preset::quick;
  std::uint64_t seed = 1;
  bool structured = true;                ///< half of the starts from structured_input(); else all are drawn
  std::optional<PointInput> known = {};  ///< one more start, as the worst input that is known
  std::function<bool()> stop = [] { return false; };
};

/// An input and what the claim says about it in 168 bits.
struct FoundInput {
  PointInput input;
  Outcome outcome;
};

/// Where a claim comes closest to failing, or fails most: maximises Outcome::severity(), less what rounding can have
/// made of it, over the numbers of an input by maximise(), from at least 32 starts shared among the shapes of the
/// claim's grid that have few numbers, and once more from the best end. Spends about as many evaluations as the claim's
/// own run draws inputs, but no fewer than 60 and no more than 2,000 per start. Of the ends that violate in double the
/// worst is taken that also does in 168 bits; without one, what came closest. Depends on the claim and the options
/// only. Throws Stopped.
[[nodiscard]] FoundInput search_worst(const PointwiseClaim& claim, const PointSearchOptions& options);

}  // namespace headroom::verify
