#pragma once

#include <string>
#include <vector>

#include "app/table.hpp"

namespace headroom::app {

/// Means over heads: a row for every combination of the keys' values, in the order of their first rows, with the keys,
/// `heads` (rows averaged) and for every other column of numbers its mean and standard error s/√n under NAME and
/// NAME_se; cells that are empty or not finite are passed over, and without any left both are empty.
/// @param keys     columns of numbers or texts
/// @param left_out columns that are neither keys nor averaged
[[nodiscard]] Table means_over_heads(const Table& table, const std::vector<std::string>& keys,
                                     const std::vector<std::string>& left_out);

}  // namespace headroom::app
