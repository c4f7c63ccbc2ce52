#include "sim/normalizer_form.hpp"

#include <cmath>

#include "sim/normalizer.hpp"

namespace headroom::sim {
namespace {

void set_function(NormalizerForm& form, const Spec& spec) {
  const std::string& function = spec.text("f");
  if (function == "exp") return;
  form.kind = NormalizerKind::power;
  if (function == "softplus") {
    form.function = PowerFunction::softplus;
  } else if (function == "square") {
    form.function = PowerFunction::square;
  } else if (function == "cosh") {
    form.function = PowerFunction::cosh;
  } else {
    spec.reject("f", "exp, softplus, square or cosh");
  }
}

/// The largest the kernels are tested with; hardly a token but the largest is within 1/(α−1) of it there.
constexpr double most_alpha = 64;

void set_alpha(NormalizerForm& form, const Spec& spec) {
  form.alpha = spec.number("alpha");
  if (!(form.alpha >= 1 && form.alpha <= most_alpha)) spec.reject("alpha", "a number from 1 to 64");
  form.kind = form.alpha == 1 ? NormalizerKind::softmax : NormalizerKind::entmax;
}

}  // namespace

long double LengthScale::of(std::size_t n) const {
  if (!varies()) return constant;
  const long double length = std::log(static_cast<long double>(n) + more);
  return constant + slope * (power == 1 ? length : std::pow(length, static_cast<long double>(power)));
}

NormalizerForm NormalizerForm::of(std::string_view text) {
  const Spec spec(text, "normalizer", normalizer_list());
  const std::string& id = spec.id();
  NormalizerForm form;
  form.name = spec.canonical();
  if (id == "ssmax") {
    form.scale = {spec.number("b"), spec.number("s")};
  } else if (id == "logn") {
    form.scale = {0, spec.number("kappa")};
  } else if (id == "softmax1") {
    form.kind = NormalizerKind::softmax1;
  } else if (id == "topk") {
    form.kind = NormalizerKind::top_k;
    form.k = spec.count("k", 1);
  } else if (id == "sasoftmax") {
    form.kind = NormalizerKind::self_adjust;
  } else if (id == "sasoftmax-norm") {
    form.kind = NormalizerKind::self_adjust_normalized;
  } else if (id == "sparsemax") {
    form.kind = NormalizerKind::entmax;
    form.alpha = 2;
  } else if (id == "entmax") {
    set_alpha(form, spec);
  } else if (id == "asentmax") {
    set_alpha(form, spec);
    form.scale = {spec.number("delta"), spec.number("beta"), 1, spec.number("gamma")};
  } else if (id == "power") {
    set_function(form, spec);
  } else if (id == "sigmoid") {
    form.kind = NormalizerKind::sigmoid;
    if (spec.text("b") != "-logn") form.bias = spec.number("b");
  }
  return form;
}

}  // namespace headroom::sim
