#include "verify/critical_top.hpp"

namespace headroom::verify {

std::optional<CriticalTop> critical_top(std::span<const HeadMeans> means, double level) {
  for (const HeadMeans& at : means) {
    const KsResult test = ks_two_sample(at.distance, at.expected);
    if (test.p_value >= level) return CriticalTop{at.top, test};
  }
  return std::nullopt;
}

}  // namespace headroom::verify
