#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace headroom::verify {

/// What sets one cell apart from the others: names and values in a fixed order, as they are written to files.
using Parameters = std::vector<std::pair<std::string, std::variant<double, std::string>>>;

/// `name=value,…` with every digit of every number: one spelling per cell, whose hash keys its random stream.
[[nodiscard]] std::string parameters_text(const Parameters& parameters);

/// The key of the cell's random stream under a claim: hash64 of `claim|parameters_text`.
[[nodiscard]] std::uint64_t stream_key(const std::string& claim, const Parameters& parameters);

}  // namespace headroom::verify
