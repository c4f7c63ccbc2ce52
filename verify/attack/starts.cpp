#include "verify/attack/starts.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::verify {
namespace {

constexpr std::size_t logit_patterns = 5;

std::vector<double> logits_of(std::size_t pattern, std::size_t length, Range range) {
  std::vector<double> logits(length, pattern == 0 ? 0.0 : range.lower);
  switch (pattern) {
    case 1:
      logits.front() = range.upper;
      break;
    case 2:
      std::ranges::fill(logits, range.upper);
      logits.back() = range.lower;
      break;
    case 3:
      for (std::size_t i = 0; i < std::min<std::size_t>(2, length); ++i) logits[i] = range.upper;
      break;
    case 4:
      for (std::size_t i = 0; i < length; i += 2) logits[i] = range.upper;
      break;
    default:
      break;
  }
  return logits;
}

// Between the ends of a range of positive numbers, in the logarithm: 0 the lower, 1 the middle, 2 the upper.
double level(Range range, std::size_t index) {
  if (index == 1) return std::sqrt(range.lower * range.upper);
  return index == 0 ? range.lower : range.upper;
}

void fill_vectors(PointInput& input, std::size_t pattern) {
  const Shape& shape = input.shape;
  input.vectors.assign(shape.length * shape.dim, 0.0);
  for (std::size_t i = 0; i < shape.length; ++i) {
    const std::size_t axis = pattern == 0 ? i % shape.dim : pattern == 1 ? 0 : i / 2 % shape.dim;
    const bool opposite = pattern == 0 ? i / shape.dim % 2 == 1 : pattern == 2 && i % 2 == 1;
    input.vectors[i * shape.dim + axis] = opposite ? -1.0 : 1.0;
  }
}

}  // namespace

PointInput structured_input(const Shape& shape, const Domain& domain, std::size_t index) {
  PointInput input;
  input.shape = shape;
  input.logits = logits_of(index % logit_patterns, shape.length, domain.logit);
  input.temperature = level(domain.temperature, index / logit_patterns % 3);
  if (domain.step) {
    input.epsilon = level(domain.epsilon, index % 3);
    input.direction.assign(shape.length, 0.0);
    input.direction.front() = 1.0;
    if (shape.length > 1) input.direction[1] = -1.0;
  }
  if (domain.vectors) fill_vectors(input, index % 3);
  return input;
}

}  // namespace headroom::verify
