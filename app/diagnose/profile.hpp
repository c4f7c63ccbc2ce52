#pragma once

#include <cstddef>
#include <vector>

#include "app/diagnose/rules.hpp"
#include "app/head_vectors.hpp"
#include "app/progress.hpp"
#include "model/activations.hpp"

namespace headroom::app {

struct ProfileOptions {
  std::size_t top = 16;       ///< N of N_s/N; fewer than half of the tokens
  double active_share = 0.9;  ///< of the weight, held by the active set
  VectorKind vectors = VectorKind::embedding;
  bool normalize = true;
};

/// Profiles every head of one forward pass, in single precision. The entropy's slope is taken over the queries that see
/// at least a sixteenth of the tokens. Throws Error(input) naming a head in which no query sees more than half of the
/// tokens and more than N of them, Interrupted after Ctrl-C.
[[nodiscard]] std::vector<HeadProfile> profile_heads(const model::Activations& activations,
                                                     const ProfileOptions& options, Progress& progress);

}  // namespace headroom::app
