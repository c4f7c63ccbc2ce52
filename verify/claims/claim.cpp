#include "verify/claims/claim.hpp"

namespace headroom::verify {

double detectable_violation(Preset preset) { return preset == Preset::quick ? 0.05 : 0.01; }

}  // namespace headroom::verify
