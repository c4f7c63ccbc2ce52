#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "sim/normalizers.hpp"

namespace headroom::sim {
namespace {

const std::string alpha_meaning = "at least 1; 1 is softmax, 2 is sparsemax";

double alpha_of(const Spec& spec) {
  const double alpha = spec.number("alpha");
  if (!(alpha >= 1)) spec.reject("alpha", "a number of at least 1");
  return alpha;
}

NormalizerPointer make_power_of(const Spec& spec, EmptyRow empty_row) {
  const std::string& function = spec.text("f");
  if (function == "exp") return make_scaled_softmax(spec.canonical(), empty_row, 0, 1);
  if (function == "softplus") return make_power(spec.canonical(), empty_row, PowerFunction::softplus);
  if (function == "square") return make_power(spec.canonical(), empty_row, PowerFunction::square);
  if (function == "cosh") return make_power(spec.canonical(), empty_row, PowerFunction::cosh);
  spec.reject("f", "exp, softplus, square or cosh");
}

NormalizerPointer make_asentmax(const Spec& spec, EmptyRow empty_row) {
  const LengthScale scale = {spec.number("delta"), spec.number("beta"), spec.number("gamma")};
  return make_entmax(spec.canonical(), empty_row, alpha_of(spec), scale);
}

}  // namespace

std::span<const EntryInfo> normalizer_list() {
  static const std::vector<EntryInfo> list = {
      {"softmax", {}, "exp(z_i) / sum exp(z_j), z = l/T", "Vaswani et al. 2017, arXiv 1706.03762"},
      {"ssmax",
       {{"s", "1", "factor of log n; 0.43 is the paper's example"}, {"b", "0", "added to s log n"}},
       "softmax((s log n + b) z)",
       "Scalable-Softmax, Nakanishi 2025, arXiv 2501.19399"},
      {"softmax1",
       {},
       "exp(z_i) / (1 + sum exp(z_j)); sums to less than 1",
       "Miller 2023, \"Attention Is Off By One\""},
      {"sasoftmax",
       {},
       "z_i softmax(z)_i; may be negative",
       "Self-Adjust Softmax, Zheng et al. 2025, arXiv 2502.18277"},
      {"sasoftmax-norm",
       {},
       "(z_i - min(zmin,0)) / (max(zmax,0) - min(zmin,0)) softmax(z)_i; sums to at most 1",
       "Self-Adjust Softmax, Zheng et al. 2025, arXiv 2502.18277"},
      {"sparsemax", {}, "Euclidean projection of z on the simplex", "Martins and Astudillo 2016, arXiv 1602.02068"},
      {"entmax",
       {{"alpha", "1.5", alpha_meaning}},
       "[(alpha-1) z_i - tau]+^(1/(alpha-1)); its Jacobian's norm is unbounded beyond alpha = 2",
       "Peters, Niculae and Martins 2019, arXiv 1905.05702"},
      {"asentmax",
       {{"delta", "1", "constant part of the factor"},
        {"beta", "0.5", "length-dependent part"},
        {"gamma", "1", "exponent of log(n+1)"},
        {"alpha", "1.5", alpha_meaning}},
       "entmax((delta + beta log(n+1)^gamma) z, alpha)",
       "Adaptive-Scalable Entmax, Vasylenko et al. 2025, arXiv 2506.16640"},
      {"sigmoid",
       {{"b", "-logn", "bias: a number, or -logn for -log n"}},
       "1 / (1 + exp(-z_i - b)); does not sum to 1",
       "Ramapuram et al. 2024, arXiv 2409.04431"},
      {"topk",
       {{"k", "32", "at least 1"}},
       "softmax over the k largest z, the lower index first among equals",
       "Gupta et al. 2021, arXiv 2106.06899"},
      {"logn",
       {{"kappa", "0.1603", "factor of log n; the default is 1/log 512"}},
       "softmax(kappa log(n) z)",
       "entropy-invariant softmax, Su 2021"},
      {"power",
       {{"f", "exp", "exp, softplus, square (1+z^2) or cosh"}},
       "F(z_i) / sum F(z_j)",
       "Mudarisov et al. 2025, arXiv 2508.17821, the general form of its section 2"},
  };
  return list;
}

NormalizerPointer make_normalizer(std::string_view text, EmptyRow empty_row) {
  const Spec spec(text, "normalizer", normalizer_list());
  const std::string& id = spec.id();
  const std::string name = spec.canonical();
  if (id == "softmax") return make_scaled_softmax(name, empty_row, 0, 1);
  if (id == "ssmax") return make_scaled_softmax(name, empty_row, spec.number("s"), spec.number("b"));
  if (id == "logn") return make_scaled_softmax(name, empty_row, spec.number("kappa"), 0);
  if (id == "softmax1") return make_softmax1(name, empty_row);
  if (id == "topk") return make_top_k(name, empty_row, spec.count("k", 1));
  if (id == "sasoftmax") return make_self_adjust(name, empty_row);
  if (id == "sasoftmax-norm") return make_self_adjust_normalized(name, empty_row);
  if (id == "sparsemax") return make_entmax(name, empty_row, 2, {});
  if (id == "entmax") return make_entmax(name, empty_row, alpha_of(spec), {});
  if (id == "asentmax") return make_asentmax(spec, empty_row);
  if (id == "power") return make_power_of(spec, empty_row);
  if (spec.text("b") == "-logn") return make_sigmoid(name, empty_row, {});
  return make_sigmoid(name, empty_row, spec.number("b"));
}

}  // namespace headroom::sim
