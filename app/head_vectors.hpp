#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "model/activations.hpp"
#include "verify/embeddings.hpp"

namespace headroom::app {

/// Which vectors stand for the tokens (docs/reproduce.md); `isotropic` is Assumption 1 of the paper put in their
/// place: independent uniform unit vectors as wide as the embeddings, the same for all heads. What changes between the
/// two is due to the vectors.
enum class VectorKind { embedding, hidden, value, isotropic };

[[nodiscard]] std::string name(VectorKind kind);

/// The kind of that name; requires one of the four.
[[nodiscard]] VectorKind vector_kind(const std::string& name);

/// The vectors of one head after another of a forward pass, prepared for measuring once for all heads that share them.
class HeadVectors {
 public:
  /// What embeddings of these sizes must be prepared with; `rows` share them.
  using Prepare = std::function<verify::Embeddings::Options(std::size_t rows, std::size_t tokens, std::size_t dim)>;

  /// @param seed of isotropic vectors
  HeadVectors(const model::Activations& activations, VectorKind kind, std::uint64_t seed, Prepare prepare);

  /// Valid until the next call, which must ask for the same head or a later one. Throws Error(input) when the graph has
  /// no vectors of this kind.
  [[nodiscard]] const verify::Embeddings& of(std::size_t layer, std::size_t head);

 private:
  [[nodiscard]] std::size_t sharing(std::size_t layer) const;

  const model::Activations& activations_;
  VectorKind kind_;
  std::uint64_t seed_;
  Prepare prepare_;
  std::size_t layer_ = 0;
  std::size_t head_ = 0;
  std::unique_ptr<verify::Embeddings> embeddings_;
};

}  // namespace headroom::app
