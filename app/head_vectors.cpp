#include "app/head_vectors.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "core/error.hpp"
#include "sim/hash.hpp"
#include "sim/random.hpp"

namespace headroom::app {
namespace {

MatrixView<const float> token_vectors(const model::Activations& activations, VectorKind kind, std::size_t layer,
                                      std::size_t head) {
  const MatrixView<const float> x = kind == VectorKind::hidden  ? activations.hidden(layer)
                                    : kind == VectorKind::value ? activations.values(layer, head)
                                                                : activations.embedding();
  if (x.empty()) {
    throw_input(fmt::format("the graph has no {} vectors", name(kind)), fmt::format("attention block {}", layer),
                "choose among those `headroom inspect` lists with --vectors");
  }
  return x;
}

std::vector<double> wide_vectors(MatrixView<const float> x, VectorKind kind, std::uint64_t seed) {
  std::vector<double> wide(x.rows * x.cols);
  if (kind == VectorKind::isotropic) {
    sim::Stream stream(seed, sim::hash64("reproduce/isotropic"), 0);
    sim::fill_sphere(stream, {wide.data(), x.rows, x.cols});
    return wide;
  }
  for (std::size_t i = 0; i < x.rows; ++i) {
    for (std::size_t k = 0; k < x.cols; ++k) wide[i * x.cols + k] = static_cast<double>(x(i, k));
  }
  return wide;
}

}  // namespace

std::string name(VectorKind kind) {
  switch (kind) {
    case VectorKind::hidden:
      return "hidden";
    case VectorKind::value:
      return "value";
    case VectorKind::isotropic:
      return "isotropic";
    default:
      return "embedding";
  }
}

VectorKind vector_kind(const std::string& kind) {
  for (VectorKind known : {VectorKind::hidden, VectorKind::value, VectorKind::isotropic}) {
    if (kind == name(known)) return known;
  }
  return VectorKind::embedding;
}

HeadVectors::HeadVectors(const model::Activations& activations, VectorKind kind, std::uint64_t seed, Prepare prepare)
    : activations_(activations), kind_(kind), seed_(seed), prepare_(std::move(prepare)) {}

const verify::Embeddings& HeadVectors::of(std::size_t layer, std::size_t head) {
  const bool same = layer == layer_ && (head == head_ || kind_ == VectorKind::hidden);
  const bool shared = kind_ == VectorKind::embedding || kind_ == VectorKind::isotropic;
  if (!embeddings_ || !(same || shared)) {
    const MatrixView<const float> x = token_vectors(activations_, kind_, layer, head);
    const std::vector<double> wide = wide_vectors(x, kind_, seed_);
    const std::size_t tokens = activations_.tokens();
    embeddings_ = std::make_unique<verify::Embeddings>(MatrixView<const double>(wide.data(), x.rows, x.cols),
                                                       prepare_(sharing(layer) * tokens, tokens, x.cols));
  }
  layer_ = layer;
  head_ = head;
  return *embeddings_;
}

std::size_t HeadVectors::sharing(std::size_t layer) const {
  if (kind_ == VectorKind::value) return 1;
  if (kind_ == VectorKind::hidden) return activations_.heads(layer);
  std::size_t heads = 0;
  for (std::size_t l = 0; l < activations_.layers(); ++l) heads += activations_.heads(l);
  return heads;
}

}  // namespace headroom::app
