#include "verify/claims/point_input.hpp"

#include <cassert>
#include <cmath>

namespace headroom::verify {

bool Domain::admits(const Shape& shape) const {
  const bool long_enough = shape.top == 0 ? shape.length >= least_length : shape.length > shape.top;
  return long_enough && (vectors ? shape.dim >= least_dim : shape.dim == 0);
}

std::vector<double> flatten(const PointInput& input, const Domain& domain) {
  std::vector<double> flat = input.logits;
  flat.push_back(std::log(input.temperature));
  if (domain.step) {
    flat.push_back(std::log(input.epsilon));
    flat.insert(flat.end(), input.direction.begin(), input.direction.end());
  }
  if (domain.vectors) flat.insert(flat.end(), input.vectors.begin(), input.vectors.end());
  return flat;
}

PointInput unflatten(const Shape& shape, const Domain& domain, std::span<const double> flat) {
  PointInput input;
  input.shape = shape;
  std::size_t next = 0;
  const auto take = [&](std::size_t count) {
    assert(next + count <= flat.size());
    const auto first = flat.begin() + static_cast<std::ptrdiff_t>(next);
    next += count;
    return std::vector<double>(first, first + static_cast<std::ptrdiff_t>(count));
  };
  input.logits = take(shape.length);
  input.temperature = std::exp(take(1).front());
  if (domain.step) {
    input.epsilon = std::exp(take(1).front());
    input.direction = take(shape.length);
  }
  if (domain.vectors) input.vectors = take(shape.length * shape.dim);
  assert(next == flat.size());
  return input;
}

Box box(const Shape& shape, const Domain& domain) {
  Box limits;
  const auto add = [&](std::size_t count, Range range) {
    limits.lower.insert(limits.lower.end(), count, range.lower);
    limits.upper.insert(limits.upper.end(), count, range.upper);
  };
  const auto log_range = [](Range range) { return Range{std::log(range.lower), std::log(range.upper)}; };
  add(shape.length, domain.logit);
  add(1, log_range(domain.temperature));
  if (domain.step) {
    add(1, log_range(domain.epsilon));
    add(shape.length, {-1.0, 1.0});
  }
  if (domain.vectors) add(shape.length * shape.dim, {-1.0, 1.0});
  return limits;
}

std::size_t number_count(const PointInput& input) {
  return input.logits.size() + input.vectors.size() + input.direction.size();
}

}  // namespace headroom::verify
