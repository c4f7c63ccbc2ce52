#pragma once

#include <memory>

#include "verify/claims/claim.hpp"

namespace headroom::verify {

/// `law`: the resolution law against simulation.
[[nodiscard]] std::unique_ptr<const Claim> make_law_claim();

}  // namespace headroom::verify
