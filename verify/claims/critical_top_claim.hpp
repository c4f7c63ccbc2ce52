#pragma once

#include <memory>

#include "verify/claims/claim.hpp"

namespace headroom::verify {

/// `critical-n`: Algorithm 3 of the paper on simulated heads, 144 per length. A measurement.
[[nodiscard]] std::unique_ptr<const Claim> make_critical_top_claim();

}  // namespace headroom::verify
