#include "verify/weight_order.hpp"

#include <hwy/base.h>
#include <hwy/contrib/sort/vqsort.h>

#include <bit>
#include <cassert>
#include <vector>

namespace headroom::verify {

void sort_descending(std::span<const double> weights, std::span<std::uint32_t> order) {
  assert(order.size() == weights.size());
  static thread_local std::vector<hwy::uint128_t> keys;
  keys.resize(weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    // Adding zero turns −0 into +0, whose bits are the smallest.
    keys[i] = {~static_cast<std::uint64_t>(i), std::bit_cast<std::uint64_t>(weights[i] + 0.0)};
  }
  static const hwy::Sorter sorter;
  sorter(keys.data(), keys.size(), hwy::SortDescending());
  for (std::size_t i = 0; i < weights.size(); ++i) order[i] = static_cast<std::uint32_t>(~keys[i].lo);
}

void sort_by_depth(std::span<const double> depths, std::span<std::uint32_t> order) {
  assert(order.size() == depths.size());
  static thread_local std::vector<std::uint64_t> keys;
  keys.resize(depths.size());
  for (std::size_t i = 0; i < depths.size(); ++i) {
    const auto below = static_cast<float>(0.0 - depths[i]);
    keys[i] = (std::uint64_t{std::bit_cast<std::uint32_t>(below)} << 32U) | i;
  }
  static const hwy::Sorter sorter;
  sorter(keys.data(), keys.size(), hwy::SortAscending());
  for (std::size_t i = 0; i < depths.size(); ++i) order[i] = static_cast<std::uint32_t>(keys[i]);
}

}  // namespace headroom::verify
