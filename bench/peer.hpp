#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace headroom::bench {

/// Another library's way to turn (rows × n) logits into weights, ready to run on so many threads.
struct Peer {
  std::string name;
  std::function<void()> run;
};

/// libtorch's softmax.
std::vector<Peer> torch_softmax(float* logits, float* weights, std::size_t rows, std::size_t n, int threads);

/// Sparsemax and entmax 1.5 on libtorch tensors: by sorting (Martins and Astudillo 2016, Algorithm 1; Peters et al.
/// 2019, Algorithm 2) and by 50 steps of bisection (Blondel et al. 2019).
std::vector<Peer> torch_sparsemax(float* logits, float* weights, std::size_t rows, std::size_t n, int threads);
std::vector<Peer> torch_entmax15(float* logits, float* weights, std::size_t rows, std::size_t n, int threads);

/// oneDNN's softmax.
std::vector<Peer> onednn_softmax(float* logits, float* weights, std::size_t rows, std::size_t n, int threads);

}  // namespace headroom::bench
