#pragma once

#include "verify/sweep/claim_cell.hpp"

namespace headroom::verify::sweep {

/// Grids of claims and parameters to test them at, what `verify` does at the parameters of its presets: keys claim,
/// length, dim, top, normalizer, logits, separation, shift, radius, heads, correlation and margin, of which every claim
/// has some (ClaimChoice). The values say where a claim holds and where it does not; a verdict, which takes a run of
/// all claims with its level shared among them, they are not.
class ClaimsKind final : public Kind {
 public:
  [[nodiscard]] std::string name() const override { return "claims"; }
  [[nodiscard]] std::span<const GridKey> keys() const override;
  [[nodiscard]] std::vector<std::string> quantities() const override { return claim_quantities(); }
  [[nodiscard]] Identity identify(std::span<const Value> point, std::span<const std::uint64_t> groups) const override;
  [[nodiscard]] std::unique_ptr<CellWork> begin(std::span<const Value> point, std::span<const std::uint64_t> groups,
                                                std::uint64_t seed, const Record* saved) const override;
};

}  // namespace headroom::verify::sweep
