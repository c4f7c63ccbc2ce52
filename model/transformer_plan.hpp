#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "model/block_reader.hpp"
#include "model/length_limit.hpp"
#include "model/onnx_file.hpp"
#include "model/onnx_inputs.hpp"

namespace headroom::model {

/// What is known of a transformer before it runs for the first time.
struct TransformerPlan {
  OnnxFile file;  ///< its graph cut down to what leads to `outputs`
  ModelInputs inputs;
  std::optional<std::size_t> vocabulary;  ///< rows of the table the tokens are looked up in; at least 1
  std::vector<BlockReader> readers;       ///< one per attention block, in the order of computation
  LengthLimits limits;
  std::optional<std::size_t> embedding;  ///< position of the residual stream among the outputs
  std::vector<std::string> outputs;
};

/// Everything Transformer::load does short of handing the graph to ONNX Runtime.
/// @param smallest_stored as in parse_model
/// Errors (Fault::input): what read_onnx_file, ModelInputs, Graph and find_attention refuse, and an empty vocabulary.
[[nodiscard]] TransformerPlan plan_transformer(const std::filesystem::path& path,
                                               std::uint64_t smallest_stored = kSmallestStoredWeight);

}  // namespace headroom::model
