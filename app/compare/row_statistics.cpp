#include "app/compare/row_statistics.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace headroom::app {
namespace {

/// log x of a positive normal number, in operations a compiler makes vectors of: x = 2^e·m with m in [√½, √2), and
/// log m = 2 artanh((m−1)/(m+1)), |(m−1)/(m+1)| < 0.172, five terms: 1e-9 of truncation.
float log_of(float x) {
  constexpr std::uint32_t root_half = 0x3f3504f3;
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(x) - root_half;
  const auto exponent = static_cast<float>(static_cast<std::int32_t>(bits) >> 23);
  const float m = std::bit_cast<float>((bits & 0x007fffffU) + root_half);
  const float s = (m - 1) / (m + 1);
  const float s2 = s * s;
  const float series = 1 + s2 * (1.0F / 3 + s2 * (1.0F / 5 + s2 * (1.0F / 7 + s2 * (1.0F / 9))));
  return exponent * 0.693147181F + 2 * s * series;
}

}  // namespace

RowStatistics row_statistics(std::span<const float> weights) {
  constexpr std::size_t lanes = 16;
  constexpr std::size_t chunk = 32 * lanes;  // summed in float before it goes to double
  double sum = 0;
  double log_sum = 0;
  float largest = 0;
  std::size_t zeros = 0;
  for (std::size_t start = 0; start < weights.size(); start += chunk) {
    const std::size_t end = std::min(weights.size(), start + chunk);
    std::array<float, lanes> part_sum{}, part_log{}, part_largest{};
    std::array<std::uint32_t, lanes> part_zeros{};
    const auto take = [&](std::size_t lane, float w) {
      part_sum[lane] += w;
      part_log[lane] += w * log_of(std::max(w, std::numeric_limits<float>::min()));
      part_largest[lane] = std::max(part_largest[lane], w);
      part_zeros[lane] += w == 0 ? 1U : 0U;
    };
    std::size_t i = start;
    for (; i + lanes <= end; i += lanes) {
      for (std::size_t lane = 0; lane < lanes; ++lane) take(lane, weights[i + lane]);
    }
    for (std::size_t lane = 0; i < end; ++i, ++lane) take(lane, weights[i]);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      sum += static_cast<double>(part_sum[lane]);
      log_sum += static_cast<double>(part_log[lane]);
      largest = std::max(largest, part_largest[lane]);
      zeros += part_zeros[lane];
    }
  }
  RowStatistics result;
  result.zeros = static_cast<double>(zeros) / static_cast<double>(weights.size());
  if (!(sum > 0)) return result;
  result.entropy = std::max(0.0, std::log(sum) - log_sum / sum);
  result.max_weight = static_cast<double>(largest) / sum;
  return result;
}

}  // namespace headroom::app
