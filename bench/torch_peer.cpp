// libtorch's softmax, and the published algorithms of the sparse normalizers on its tensors.
#include <torch/torch.h>

#include "bench/peer.hpp"

namespace headroom::bench {
namespace {

struct Tensors {
  torch::Tensor logits;
  torch::Tensor weights;
};

Tensors tensors(float* logits, float* weights, std::size_t rows, std::size_t n) {
  const std::vector<std::int64_t> shape = {static_cast<std::int64_t>(rows), static_cast<std::int64_t>(n)};
  return {torch::from_blob(logits, shape), torch::from_blob(weights, shape)};
}

torch::Tensor ranks(const torch::Tensor& x) { return torch::arange(1, x.size(-1) + 1, x.options()); }

torch::Tensor largest(const torch::Tensor& x) { return x.amax({-1}, true); }

// 1 + k z_(k) > Σ z_(j) for the first k.
torch::Tensor sparsemax_by_sorting(const torch::Tensor& z) {
  const torch::Tensor sorted = std::get<0>(z.sort(-1, true));
  const torch::Tensor sums = sorted.cumsum(-1) - 1;
  const torch::Tensor rank = ranks(z);
  const torch::Tensor support = (rank * sorted > sums).sum({-1}, true);
  const torch::Tensor threshold = sums.gather(-1, support - 1) / support;
  return (z - threshold).clamp_min(0);
}

// τ_k = mean − sqrt((1 − SS_k)/k), the last that is at most z_(k).
torch::Tensor entmax15_by_sorting(const torch::Tensor& logits) {
  const torch::Tensor z = (logits - largest(logits)) / 2;
  const torch::Tensor sorted = std::get<0>(z.sort(-1, true));
  const torch::Tensor rank = ranks(z);
  const torch::Tensor mean = sorted.cumsum(-1) / rank;
  const torch::Tensor square = (sorted * sorted).cumsum(-1) / rank;
  const torch::Tensor spread = rank * (square - mean * mean);
  const torch::Tensor thresholds = mean - ((1 - spread) / rank).clamp_min(0).sqrt();
  const torch::Tensor support = (thresholds <= sorted).sum({-1}, true);
  return (z - thresholds.gather(-1, support - 1)).clamp_min(0).square();
}

torch::Tensor powered(const torch::Tensor& z, bool squared) {
  const torch::Tensor positive = z.clamp_min(0);
  return squared ? positive.square() : positive;
}

// z = (α−1) l; τ between max − 1 and max − n^{1−α}; divided by the sum at the end.
torch::Tensor by_bisection(const torch::Tensor& logits, bool squared) {
  const torch::Tensor z = squared ? logits / 2 : logits;
  const double n = static_cast<double>(z.size(-1));
  torch::Tensor low = largest(z) - 1;
  double width = 1 - (squared ? std::pow(n, -0.5) : 1 / n);
  for (int step = 0; step < 50; ++step) {
    width /= 2;
    const torch::Tensor middle = low + width;
    low = torch::where(powered(z - middle, squared).sum({-1}, true) >= 1, middle, low);
  }
  const torch::Tensor weights = powered(z - low, squared);
  return weights / weights.sum({-1}, true);
}

template <class Normalize>
Peer peer(const std::string& name, const Tensors& t, int threads, Normalize normalize) {
  return {name, [t, threads, normalize] {
            const torch::NoGradGuard inference;
            torch::set_num_threads(threads);
            t.weights.copy_(normalize(t.logits));
          }};
}

}  // namespace

std::vector<Peer> torch_softmax(float* logits, float* weights, std::size_t rows, std::size_t n, int threads) {
  const Tensors t = tensors(logits, weights, rows, n);
  return {{"torch", [t, threads] {
             const torch::NoGradGuard inference;
             torch::set_num_threads(threads);
             torch::Tensor out = t.weights;
             torch::softmax_out(out, t.logits, -1);
           }}};
}

std::vector<Peer> torch_sparsemax(float* logits, float* weights, std::size_t rows, std::size_t n, int threads) {
  const Tensors t = tensors(logits, weights, rows, n);
  return {peer("torch-sort", t, threads, sparsemax_by_sorting),
          peer("torch-bisection", t, threads, [](const torch::Tensor& z) { return by_bisection(z, false); })};
}

std::vector<Peer> torch_entmax15(float* logits, float* weights, std::size_t rows, std::size_t n, int threads) {
  const Tensors t = tensors(logits, weights, rows, n);
  return {peer("torch-sort", t, threads, entmax15_by_sorting),
          peer("torch-bisection", t, threads, [](const torch::Tensor& z) { return by_bisection(z, true); })};
}

}  // namespace headroom::bench
