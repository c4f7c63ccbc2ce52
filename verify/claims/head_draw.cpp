#include "verify/claims/head_draw.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "sim/hash.hpp"

namespace headroom::verify {

Parameters HeadSpec::parameters() const {
  Parameters parameters{{"length", static_cast<double>(length)},
                        {"dim", static_cast<double>(dim)},
                        {"logits", logits},
                        {"normalizer", normalizer}};
  if (separation != 0.0) parameters.emplace_back("separation", separation);
  if (shift != 0.0) parameters.emplace_back("shift", shift);
  return parameters;
}

HeadDraw::HeadDraw(const HeadSpec& spec)
    : spec_(spec),
      model_(sim::make_logit_model(spec.logits, std::max<std::size_t>(spec.dim, 2))),
      normalizer_(sim::make_normalizer(spec.normalizer)),
      logits_(spec.length),
      weights_(spec.length),
      vectors_(spec.length * spec.dim) {
  if (spec.separation > 0.0) sampler_ = sim::make_sphere_sampler("", {spec.length, spec.dim, spec.separation});
}

void HeadDraw::draw_weights(sim::Stream& stream) {
  model_->fill(stream, logits_);
  normalizer_->weights(logits_, 1.0, weights_);
}

void HeadDraw::draw_vectors(sim::Stream& stream, std::size_t count) {
  if (sampler_) return sampler_->fill(stream, {vectors_.data(), spec_.length, spec_.dim});
  const MatrixView<double> points(vectors_.data(), count, spec_.dim);
  sim::fill_sphere(stream, points);
  if (spec_.shift == 0.0) return;
  for (std::size_t i = 0; i < count; ++i) {
    const std::span<double> point = points.row(i);
    point[0] += spec_.shift;
    const double length = theory::norm<double>(point);
    for (double& x : point) x /= length;
  }
}

std::vector<double> fixed_weights(const HeadSpec& spec) {
  sim::Stream stream(0, sim::hash64("weights|" + parameters_text(spec.parameters())), 0);
  HeadDraw draw(spec);
  draw.draw_weights(stream);
  std::ranges::sort(draw.weights(), std::greater<>());
  return draw.weights();
}

}  // namespace headroom::verify
