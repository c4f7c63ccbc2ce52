#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "verify/claims/expectation.hpp"
#include "verify/claims/head_draw.hpp"

namespace headroom::verify {

/// What may set the cells of one claim apart beside the length.
enum class CellKey { dim, top, normalizer, logits, separation, shift, radius, heads, correlation, margin };

/// A value for each.
struct CellChoice {
  HeadSpec head;             ///< L, d, logits, normalizer, separation, shift
  std::size_t top = 0;       ///< N
  double radius = 1.0;       ///< r over the root mean square of ‖s−y_i‖ (thm2.sharp)
  std::size_t heads = 1;     ///< H (coverage)
  double correlation = 0.0;  ///< of the ranks of a token in two heads (coverage)
  double margin = 1.0;       ///< what one logit is ahead of the rest by (escape)
};

/// The cells of a claim about means at parameters of the caller's choosing, in place of a preset's.
struct CellFamily {
  std::vector<CellKey> reads;    ///< the keys it has; the others are ignored
  std::size_t least_length = 2;  ///< L
  std::size_t least_top = 1;     ///< N, where it has one; N < L always
  /// Requires d >= 2, least_length <= L, least_top <= N < L, weights >= 0 and specs that can be made.
  std::function<MeanCell(const CellChoice&)> cell;
};

/// Of a claim; null where it is no statement about means of independent trials, or one about every input.
[[nodiscard]] const CellFamily* family_of(const Claim& claim);

}  // namespace headroom::verify
