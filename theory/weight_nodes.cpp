#include "theory/weight_nodes.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace headroom::theory {
namespace {

void add_group(std::span<const double> group, double scale, WeightNodes& nodes) {
  if (group.size() <= 2) {
    for (const double weight : group) nodes.add(weight * scale, 1.0);
    return;
  }
  const double count = static_cast<double>(group.size());
  const double first = group.front() * scale;
  double sum = 0.0;
  for (const double weight : group) sum += first - weight * scale;
  const double mean = first - sum / count;
  double second = 0.0;
  double third = 0.0;
  for (const double weight : group) {
    const double deviation = weight * scale - mean;
    second += deviation * deviation;
    third += deviation * deviation * deviation;
  }
  second /= count;
  third /= count;
  const double deviation = std::sqrt(second);
  if (deviation < 1e-6 * mean) {
    nodes.add(mean, count);
    return;
  }
  const double skew = 0.5 * third / (second * deviation);
  const double spread = std::sqrt(1.0 + skew * skew);
  const double above = 0.5 * (1.0 - skew / spread);
  nodes.add(mean + deviation * (skew + spread), count * above);
  nodes.add(mean + deviation * (skew - spread), count * (1.0 - above));
}

}  // namespace

void merge_weights(std::span<const double> decreasing, double scale, double width, double growth, WeightNodes& nodes) {
  nodes.size = 0;
  if (decreasing.empty()) return;
  const double first = decreasing.front();
  std::size_t begin = 0;
  while (begin < decreasing.size()) {
    // The last group takes what is left rather than overrun the list.
    const bool last = nodes.size + 4 > WeightNodes::capacity;
    const double factor = std::min(2.0, width * std::pow(first / decreasing[begin], growth));
    const double end_weight = last ? 0.0 : decreasing[begin] * std::exp(-factor);
    std::size_t end = begin + 1;
    while (end < decreasing.size() && decreasing[end] >= end_weight) ++end;
    add_group(decreasing.subspan(begin, end - begin), scale, nodes);
    begin = end;
  }
}

}  // namespace headroom::theory
