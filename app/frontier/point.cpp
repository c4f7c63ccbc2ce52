#include "app/frontier/point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "sim/normalizer.hpp"
#include "theory/frontier.hpp"

namespace headroom::app {
namespace {

using theory::FrontierPoint;

/// A normalizer as the frontier sees it: of rows of one token of z = c·Δ/T ahead of equal others at 0.
struct Form {
  double factor = 1;                                  // c
  double level = 0;                                   // the weight at z = 0, or its limit for z → 0
  double most = 1;                                    // no weight is larger
  bool attains = false;                               // whether it takes the value `most` at a finite z
  std::function<FrontierPoint(double weight)> point;  // for level ≤ weight < most, or ≤ most where it attains it
};

Form softmax_form(double length, double factor) {
  return {factor, 1 / length, 1, false, [length](double p) { return theory::softmax_frontier(p, length); }};
}

Form entmax_form(double length, double alpha, double factor) {
  return {factor, 1 / length, 1, alpha > 1, [=](double p) { return theory::entmax_frontier(p, length, alpha); }};
}

// Softmax over the k largest, of which the token is one.
Form top_k_form(double length, double k) {
  if (k > 1) return softmax_form(std::min(k, length), 1);
  return {1, 1, 1, true, [](double) { return FrontierPoint{0, 0}; }};
}

Form sigmoid_form(const sim::Spec& spec, double length) {
  const double bias = spec.text("b") == "-logn" ? -std::log(length) : spec.number("b");
  return {1, 1 / (1 + std::exp(-bias)), 1, false, [bias](double p) { return theory::sigmoid_frontier(p, bias); }};
}

Form power_form(const std::string& name, double length) {
  if (name == "exp") return softmax_form(length, 1);
  const auto function = name == "softplus" ? theory::FrontierFunction::softplus
                        : name == "square" ? theory::FrontierFunction::square
                                           : theory::FrontierFunction::cosh;
  return {1, 1 / length, 1, false, [=](double p) { return theory::power_frontier(p, length, function); }};
}

Form form_of(const sim::Spec& spec, double length) {
  const std::string& id = spec.id();
  const double log_length = std::log(length);
  if (id == "ssmax") return softmax_form(length, spec.number("s") * log_length + spec.number("b"));
  if (id == "logn") return softmax_form(length, spec.number("kappa") * log_length);
  if (id == "sparsemax") return entmax_form(length, 2, 1);
  if (id == "entmax") return entmax_form(length, spec.number("alpha"), 1);
  if (id == "asentmax") {
    const double scale = std::pow(std::log(length + 1), spec.number("gamma"));
    return entmax_form(length, spec.number("alpha"), spec.number("delta") + spec.number("beta") * scale);
  }
  if (id == "topk") return top_k_form(length, static_cast<double>(spec.count("k", 1)));
  if (id == "sigmoid") return sigmoid_form(spec, length);
  if (id == "softmax1") {
    return {1, 1 / (1 + length), 1, false, [=](double p) { return theory::softmax1_frontier(p, length); }};
  }
  if (id == "sasoftmax") {
    constexpr double endless = std::numeric_limits<double>::infinity();
    return {1, 0, endless, false, [=](double p) { return theory::self_adjust_frontier(p, length); }};
  }
  if (id == "sasoftmax-norm") {
    return {1, 1 / length, 1, false, [=](double p) { return theory::self_adjust_normalized_frontier(p, length); }};
  }
  if (id == "power") return power_form(spec.text("f"), length);
  return softmax_form(length, 1);
}

FrontierAnswer unreachable(const std::string& reason) { return {{}, {}, reason}; }

}  // namespace

FrontierAnswer frontier_answer(const std::string& text, double length, double weight, double temperature) {
  const sim::Spec spec(text, "normalizer", sim::normalizer_list());
  const Form form = form_of(spec, length);
  if (weight > form.most) return unreachable("no weight exceeds 1");
  if (weight == form.most && !form.attains) return unreachable("weight 1 takes an infinite margin");
  const double slope = form.factor / temperature;
  if (weight <= form.level) {
    if (spec.id() == "sasoftmax-norm") return {0.0, {}, "any margin above 0 is enough; at 0 the weights are 0/0"};
    return {0.0, std::abs(slope) * form.point(form.level).jacobian_norm,
            fmt::format("equal logits give weight {:.4g}", form.level)};
  }
  if (!(form.factor > 0)) {
    return unreachable(
        fmt::format("logits are multiplied by {:.4g}, so that no margin raises the weight", form.factor));
  }
  const FrontierPoint point = form.point(weight);
  return {point.margin / slope, point.jacobian_norm * slope, ""};
}

bool frontier_reaches(const std::string& text, double weight) {
  // The largest weight is the same at every n.
  const Form form = form_of(sim::Spec(text, "normalizer", sim::normalizer_list()), 2);
  return weight < form.most || (weight == form.most && form.attains);
}

}  // namespace headroom::app
