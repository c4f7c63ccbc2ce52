#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/visibility.hpp"
#include "model/tensor.hpp"

namespace headroom::model {

/// Something added to the scores that is no mask: ALiBi slopes, relative positions.
struct BiasTerm {
  std::shared_ptr<const Tensor> values;
  double factor = 1.0;
  std::vector<std::size_t> head_offsets;  ///< where each head's matrix begins
  std::size_t row_stride = 0;             ///< 0: the same for every query
  std::size_t column_stride = 0;          ///< 0: the same for every token

  [[nodiscard]] double at(std::size_t head, std::size_t query, std::size_t token) const {
    return factor *
           static_cast<double>(values->values[head_offsets[head] + query * row_stride + token * column_stride]);
  }
};

/// How a block's scores come from raw inner products: scale·q·k + bias for visible tokens, nothing for the rest.
struct ScoreRule {
  double scale = 1.0;
  Visibility visibility;
  std::vector<BiasTerm> bias;
};

/// At or below this a number added to scores, or put in their place, is a mask: exporters use −10⁴, −10⁹, the least
/// float and −∞, all of which leave a weight of exactly zero.
inline constexpr float kMaskedScore = -9999.0F;

}  // namespace headroom::model
