#include "verify/claims/cell_family.hpp"

#include "verify/claims/asymptotic.hpp"

namespace headroom::verify {

const CellFamily* family_of(const Claim& claim) {
  if (const auto* about_means = dynamic_cast<const ExpectationClaim*>(&claim)) return about_means->family();
  if (const auto* growing = dynamic_cast<const AsymptoticClaim*>(&claim)) return growing->family();
  return nullptr;
}

}  // namespace headroom::verify
