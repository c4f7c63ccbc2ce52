#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "verify/claims/claim.hpp"

namespace headroom::verify {

using ClaimPointer = std::unique_ptr<const Claim>;

/// Every claim in the order of docs/claims.md, made once.
[[nodiscard]] std::span<const ClaimPointer> all_claims();

/// Their ids.
[[nodiscard]] std::vector<std::string> claim_ids();

/// The claims of a comma-separated list of ids, in the order of all_claims(); empty text gives all of them. Throws a
/// usage error for an unknown id, naming the nearest right one.
[[nodiscard]] std::vector<const Claim*> claims_named(const std::vector<std::string>& ids);

/// The claims of each section, appended.
void add_vanishing_claims(std::vector<ClaimPointer>& claims);
void add_distance_claims(std::vector<ClaimPointer>& claims);
void add_geometry_claims(std::vector<ClaimPointer>& claims);
void add_gradient_claims(std::vector<ClaimPointer>& claims);
void add_jacobian_claims(std::vector<ClaimPointer>& claims);

}  // namespace headroom::verify
