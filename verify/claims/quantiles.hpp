#pragma once

#include <vector>

#include "verify/claims/result.hpp"

namespace headroom::verify {

/// The quantiles of a sample, by the nearest rank: values that occurred. Empty: zeros.
[[nodiscard]] Tightness tightness_of(std::vector<double> values);

}  // namespace headroom::verify
