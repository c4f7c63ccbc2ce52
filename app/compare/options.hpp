#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/compare/match.hpp"
#include "app/head_vectors.hpp"

namespace headroom::app {

struct CompareOptions {
  std::vector<std::string> normalizers;  ///< canonical specs
  std::vector<std::size_t> tops;         ///< N, ascending
  std::vector<std::size_t> lengths;      ///< L, ascending; the last is the number of tokens
  Match match = Match::none;
  double temperature = 1;  ///< on top of the heads' own scale, where none is fitted
  VectorKind vectors = VectorKind::embedding;
  bool normalize = true;
  bool expected = false;  ///< measure E₀ too, for the critical N against it
};

}  // namespace headroom::app
