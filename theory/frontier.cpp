#include "theory/frontier.hpp"

#include <algorithm>
#include <boost/math/constants/constants.hpp>
#include <boost/math/special_functions/lambert_w.hpp>
#include <cassert>
#include <cmath>

namespace headroom::theory {
namespace {

/// The largest singular value of [[a, b], [c, d]].
double norm_2x2(double a, double b, double c, double d) {
  return (std::hypot(a + d, b - c) + std::hypot(a - d, b + c)) / 2;
}

/// (x^κ − 1)/κ, the logarithm for κ = 0.
double deformed_log(double x, double kappa) {
  return kappa == 0 ? std::log(x) : std::expm1(kappa * std::log(x)) / kappa;
}

/// α = F/ΣF with F(0) = f0, F(z) = ρ·f0 and the slopes there.
TwoLevelJacobian ratio_jacobian(double weight, double length, double f0, double slope_ahead, double slope_others) {
  const double p = weight;
  const double q = (1 - p) / (length - 1);
  const double sum = f0 / q;
  return {slope_ahead / sum * (1 - p), -p * slope_others / sum, -q * slope_ahead / sum, slope_others / sum * (1 - q),
          -q * slope_others / sum};
}

}  // namespace

double two_level_norm(const TwoLevelJacobian& j, double length) {
  assert(length >= 2);
  const double root = std::sqrt(length - 1);
  const double plane = norm_2x2(j.own, root * j.from_other, root * j.to_other, j.other_own + (length - 2) * j.cross);
  return length > 2 ? std::max(plane, std::abs(j.other_own - j.cross)) : plane;
}

FrontierPoint softmax_frontier(double weight, double length) { return entmax_frontier(weight, length, 1); }

FrontierPoint entmax_frontier(double weight, double length, double alpha) {
  assert(alpha >= 1 && weight > 0 && (weight < 1 || (weight == 1 && alpha > 1)) && length >= 2);
  if (weight == 1) return {1 / (alpha - 1), 0};
  const double q = (1 - weight) / (length - 1);
  const double margin = deformed_log(weight, alpha - 1) - deformed_log(q, alpha - 1);
  const double ahead = std::pow(weight, 2 - alpha);
  const double behind = std::pow(q, 2 - alpha);
  // n·w_p·w_q/(w_p + (n−1)w_q), without a product that could overflow.
  const double across = length / (1 / behind + (length - 1) / ahead);
  return {margin, length > 2 ? std::max(across, behind) : across};
}

FrontierPoint softmax1_frontier(double weight, double length) {
  assert(weight > 0 && weight < 1 && length >= 2);
  const double p = weight;
  const double q = (1 - p) / length;
  const TwoLevelJacobian jacobian = {p * (1 - p), -p * q, -p * q, q * (1 - q), -q * q};
  return {std::log(p / q), two_level_norm(jacobian, length)};
}

FrontierPoint sigmoid_frontier(double weight, double bias) {
  assert(weight > 0 && weight <= 1);
  const double small = std::exp(-std::abs(bias));
  const double others = small / ((1 + small) * (1 + small));
  return {std::log(weight / (1 - weight)) - bias, std::max(weight * (1 - weight), others)};
}

FrontierPoint self_adjust_frontier(double weight, double length) {
  assert(weight > 0 && length >= 2);
  const double z = weight + boost::math::lambert_w0((length - 1) * weight * std::exp(-weight));
  const double share = weight / z;  // softmax's weight
  const double other = std::exp(-z) * share;
  const double rest = (length - 1) * other;  // 1 − share
  const TwoLevelJacobian jacobian = {share * (1 + z * rest), -weight * other, 0, other, 0};
  return {z, two_level_norm(jacobian, length)};
}

FrontierPoint self_adjust_normalized_frontier(double weight, double length) {
  const double p = weight;
  const double q = (1 - p) / (length - 1);
  const double z = std::log(p / q);
  assert(p > 0 && p < 1 && z > 0 && length >= 2);
  return {z, two_level_norm({p * (1 - p), -p * q, 0, q / z, 0}, length)};
}

FrontierPoint power_frontier(double weight, double length, FrontierFunction function) {
  assert(weight > 0 && weight < 1 && length >= 2);
  const double excess = std::max(0.0, (length * weight - 1) / (1 - weight));  // F(z)/F(0) − 1
  double z = 0;
  double f0 = 1;
  double slope_ahead = 0;
  double slope_others = 0;
  switch (function) {
    case FrontierFunction::softplus: {
      f0 = boost::math::constants::ln_two<double>();
      const double value = (1 + excess) * f0;
      z = value + std::log(-std::expm1(-value));
      slope_ahead = -std::expm1(-value);  // σ(z) = 1 − e^{−F}
      slope_others = 0.5;
      break;
    }
    case FrontierFunction::square:
      z = std::sqrt(excess);
      slope_ahead = 2 * z;
      break;
    case FrontierFunction::cosh:
      slope_ahead = std::sqrt(excess * (excess + 2));  // sinh z
      z = std::log1p(excess + slope_ahead);
      break;
  }
  return {z, two_level_norm(ratio_jacobian(weight, length, f0, slope_ahead, slope_others), length)};
}

}  // namespace headroom::theory
