#include <algorithm>
#include <cmath>
#include <numbers>

#include "verify/claims/pointwise.hpp"

namespace headroom::verify {
namespace {

double between(sim::Stream& stream, Range range) {
  return range.lower + (range.upper - range.lower) * stream.uniform();
}

double log_between(sim::Stream& stream, Range range) {
  return std::exp(between(stream, {std::log(range.lower), std::log(range.upper)}));
}

// Logits in units of T, so that a softmax sees spreads from nothing to one-hot at every temperature.
void draw_logits(sim::Stream& stream, PointInput& input, Range range) {
  const double limit = std::min(-range.lower, range.upper);
  const double spread = std::min(limit, input.temperature * log_between(stream, {1e-3, 50.0}));
  std::vector<double>& logits = input.logits;
  switch (stream.below(6)) {
    case 0:  // a usual head
    case 1:
      for (double& logit : logits) logit = spread / 3 * stream.normal();
      break;
    case 2:  // two levels, the extremes of Lemma 1 among them
      for (double& logit : logits) logit = stream.below(2) == 0 ? -spread : spread;
      break;
    case 3:  // one against the rest
      std::ranges::fill(logits, -spread);
      logits[stream.below(logits.size())] = spread;
      if (stream.below(2) == 0) {
        for (double& logit : logits) logit = -logit;
      }
      break;
    case 4:  // a few ahead, equal or nearly so
      for (double& logit : logits) logit = -spread + 1e-3 * spread * stream.normal();
      for (std::size_t k = 0; k < 2 && k < logits.size(); ++k) logits[stream.below(logits.size())] = spread;
      break;
    default:  // ties on a coarse grid
      for (double& logit : logits) logit = spread * (static_cast<double>(stream.below(5)) - 2.0) / 2.0;
  }
  for (double& logit : logits) logit = std::clamp(logit, range.lower, range.upper);
}

void draw_vectors(sim::Stream& stream, PointInput& input) {
  const Shape& shape = input.shape;
  const MatrixView<double> points(input.vectors.data(), shape.length, shape.dim);
  sim::fill_sphere(stream, points);
  const auto scale = [&](std::size_t row, double factor) {
    for (double& x : points.row(row)) x *= factor;
  };
  switch (stream.below(6)) {
    case 0:
    case 1:
      break;
    case 2:  // lengths over six decades
      for (std::size_t i = 0; i < shape.length; ++i) scale(i, log_between(stream, {1e-6, 1.0}));
      break;
    case 3: {  // a cluster: all nearly one direction
      const std::vector<double> centre(points.row(0).begin(), points.row(0).end());
      const double width = log_between(stream, {1e-6, 1.0});
      for (std::size_t i = 0; i < shape.length; ++i) {
        for (std::size_t k = 0; k < shape.dim; ++k) points(i, k) = (centre[k] + width * points(i, k)) / (1 + width);
      }
      break;
    }
    case 4:  // parallel and opposite copies of one vector, some of them zero
      for (std::size_t i = 1; i < shape.length; ++i) {
        const double factor = static_cast<double>(stream.below(3)) - 1.0;
        for (std::size_t k = 0; k < shape.dim; ++k) points(i, k) = factor * points(0, k);
      }
      break;
    default:  // one long among short ones
      for (std::size_t i = 0; i < shape.length; ++i) scale(i, 0.01);
      scale(stream.below(shape.length), 100.0);
  }
}

}  // namespace

PointInput draw_input(sim::Stream& stream, const Shape& shape, const Domain& domain) {
  PointInput input;
  input.shape = shape;
  input.temperature = log_between(stream, domain.temperature);
  input.logits.resize(shape.length);
  draw_logits(stream, input, domain.logit);
  if (domain.step) {
    input.epsilon = log_between(stream, domain.epsilon);
    input.direction.resize(shape.length);
    stream.normals(input.direction);
    double largest = 0.0;
    for (double x : input.direction) largest = std::max(largest, std::abs(x));
    for (double& x : input.direction) x /= largest;
    // Along the difference of the two largest logits, where softmax moves most.
    if (shape.length >= 2 && stream.below(3) == 0) {
      std::ranges::fill(input.direction, 0.0);
      const auto first = std::ranges::max_element(input.logits) - input.logits.begin();
      input.direction[static_cast<std::size_t>(first)] = 1.0;
      input.direction[(static_cast<std::size_t>(first) + 1 + stream.below(shape.length - 1)) % shape.length] = -1.0;
    }
  }
  if (domain.vectors) {
    input.vectors.resize(shape.length * shape.dim);
    draw_vectors(stream, input);
  }
  return input;
}

}  // namespace headroom::verify
