#include "verify/weight_order.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <utility>
#include <vector>

namespace headroom::verify {
namespace {

// Positions in the low half, what they are sorted by in the high half. The memory of one thread.
struct Keys {
  std::vector<std::uint64_t> keys, other;
};

// Stable, by the leading `digits` bytes of the high half ascending, a pass for each in which not all agree. Rows are
// too short for the set-up of a vectorized quicksort to pay, which draws from the system's random numbers each time.
template <std::size_t digits>
void radix_sort(Keys& memory) {
  constexpr std::size_t lowest = 64 - 8 * digits;
  constexpr std::size_t radix = 256;
  std::array<std::array<std::uint32_t, radix>, digits> count{};
  for (const std::uint64_t key : memory.keys) {
    for (std::size_t d = 0; d < digits; ++d) ++count[d][(key >> (lowest + 8 * d)) % radix];
  }
  memory.other.resize(memory.keys.size());
  for (std::size_t d = 0; d < digits; ++d) {
    std::array<std::uint32_t, radix>& at = count[d];
    if (at[(memory.keys.front() >> (lowest + 8 * d)) % radix] == memory.keys.size()) continue;
    std::uint32_t sum = 0;
    for (std::uint32_t& place : at) sum += std::exchange(place, sum);
    for (const std::uint64_t key : memory.keys) memory.other[at[(key >> (lowest + 8 * d)) % radix]++] = key;
    memory.keys.swap(memory.other);
  }
}

// Positions in increasing order of the leading bytes of `key`, a function of the position; the lower position first
// among equals.
template <std::size_t digits, class Key>
const std::vector<std::uint64_t>& sorted_keys(std::size_t size, Key key) {
  static thread_local Keys memory;
  memory.keys.resize(size);
  for (std::size_t i = 0; i < size; ++i) memory.keys[i] = (std::uint64_t{key(i)} << 32U) | i;
  if (size > 0) radix_sort<digits>(memory);
  return memory.keys;
}

}  // namespace

void sort_descending(std::span<const double> weights, std::span<std::uint32_t> order) {
  assert(order.size() == weights.size());
  // By the weights rounded to single precision first, whose bits order like their values …
  const std::vector<std::uint64_t>& keys = sorted_keys<4>(weights.size(), [&](std::size_t i) {
    return ~std::bit_cast<std::uint32_t>(static_cast<float>(weights[i] + 0.0));
  });
  for (std::size_t i = 0; i < keys.size(); ++i) order[i] = static_cast<std::uint32_t>(keys[i]);
  // … and where those are equal by the weights themselves.
  for (std::size_t begin = 0; begin < keys.size();) {
    std::size_t end = begin + 1;
    while (end < keys.size() && keys[end] >> 32U == keys[begin] >> 32U) ++end;
    if (end - begin > 1) {
      std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(begin),
                       order.begin() + static_cast<std::ptrdiff_t>(end),
                       [&](std::uint32_t a, std::uint32_t b) { return weights[a] > weights[b]; });
    }
    begin = end;
  }
}

void sort_by_depth(std::span<const double> depths, std::span<std::uint32_t> order) {
  assert(order.size() == depths.size());
  const std::vector<std::uint64_t>& keys = sorted_keys<2>(
      depths.size(), [&](std::size_t i) { return std::bit_cast<std::uint32_t>(static_cast<float>(0.0 - depths[i])); });
  for (std::size_t i = 0; i < keys.size(); ++i) order[i] = static_cast<std::uint32_t>(keys[i]);
}

}  // namespace headroom::verify
