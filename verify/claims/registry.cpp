#include "verify/claims/registry.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/nearest.hpp"

namespace headroom::verify {
namespace {

std::vector<ClaimPointer> make_claims() {
  std::vector<ClaimPointer> claims;
  add_vanishing_claims(claims);
  add_distance_claims(claims);
  add_geometry_claims(claims);
  add_gradient_claims(claims);
  add_jacobian_claims(claims);
  return claims;
}

}  // namespace

std::span<const ClaimPointer> all_claims() {
  static const std::vector<ClaimPointer> claims = make_claims();
  return claims;
}

std::vector<std::string> claim_ids() {
  std::vector<std::string> ids;
  for (const ClaimPointer& claim : all_claims()) ids.push_back(claim->id());
  return ids;
}

std::vector<const Claim*> claims_named(const std::vector<std::string>& ids) {
  const std::vector<std::string> known = claim_ids();
  for (const std::string& id : ids) {
    if (std::ranges::find(known, id) == known.end()) {
      throw_usage("unknown claim \"" + id + "\"", "--claims",
                  "did you mean " + nearest(id, known) + "? `headroom list claims` shows all");
    }
  }
  std::vector<const Claim*> chosen;
  for (const ClaimPointer& claim : all_claims()) {
    if (ids.empty() || std::ranges::find(ids, claim->id()) != ids.end()) chosen.push_back(claim.get());
  }
  return chosen;
}

}  // namespace headroom::verify
