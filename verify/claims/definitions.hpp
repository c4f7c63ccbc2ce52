#pragma once

#include <span>
#include <string>
#include <vector>

#include "verify/claims/exact.hpp"

namespace headroom::verify {

/// The weights of a normalizer by its definition, in 168 bits and without any of the care that float64
/// needs: what sim's normalizers are checked against. `spec` as in sim::make_normalizer; finite logits, at least one.
[[nodiscard]] std::vector<Exact> defined_weights(const std::string& spec, std::span<const Exact> logits,
                                                 const Exact& temperature);

}  // namespace headroom::verify
