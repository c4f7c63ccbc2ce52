#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "sim/normalizers.hpp"

namespace headroom::sim {
namespace {

const std::string alpha_meaning = "from 1 to 64; 1 is softmax, 2 is sparsemax";

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
       "softmax with one more token of logit 0, whose weight is left out"},
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
       "arXiv 2506.16640"},
      {"sigmoid",
       {{"b", "-logn", "bias: a number, or -logn for -log n"}},
       "1 / (1 + exp(-z_i - b)); does not sum to 1",
       "Ramapuram et al. 2024, arXiv 2409.04431"},
      {"topk",
       {{"k", "32", "at least 1"}},
       "softmax over the k largest z, the lower index first among equals",
       "softmax on a selection"},
      {"logn",
       {{"kappa", "0.1603", "factor of log n; the default is 1/log 512"}},
       "softmax(kappa log(n) z)",
       "entropy-invariant softmax"},
      {"power",
       {{"f", "exp", "exp, softplus, square (1+z^2) or cosh"}},
       "F(z_i) / sum F(z_j)",
       "Mudarisov et al. 2025, arXiv 2508.17821, the general form of its section 2"},
  };
  return list;
}

NormalizerPointer make_normalizer(const NormalizerForm& form, EmptyRow empty_row) {
  switch (form.kind) {
    case NormalizerKind::softmax:
      return make_scaled_softmax(form.name, empty_row, form.scale);
    case NormalizerKind::softmax1:
      return make_softmax1(form.name, empty_row);
    case NormalizerKind::self_adjust:
      return make_self_adjust(form.name, empty_row);
    case NormalizerKind::self_adjust_normalized:
      return make_self_adjust_normalized(form.name, empty_row);
    case NormalizerKind::entmax:
      return make_entmax(form.name, empty_row, form.alpha, form.scale);
    case NormalizerKind::top_k:
      return make_top_k(form.name, empty_row, form.k);
    case NormalizerKind::sigmoid:
      return make_sigmoid(form.name, empty_row, form.bias);
    case NormalizerKind::power:
      break;
  }
  return make_power(form.name, empty_row, form.function);
}

NormalizerPointer make_normalizer(std::string_view spec, EmptyRow empty_row) {
  return make_normalizer(NormalizerForm::of(spec), empty_row);
}

}  // namespace headroom::sim
