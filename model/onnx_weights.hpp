#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <unordered_map>

#include "core/page_array.hpp"

namespace onnx {
class GraphProto;
class ModelProto;
}  // namespace onnx

namespace headroom::model {

/// Where the data of an initializer lie in the model's own file.
struct StoredWeight {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

/// By the initializer's name.
using StoredWeights = std::unordered_map<std::string, StoredWeight>;

/// Unless asked otherwise, initializers whose data take fewer bytes are parsed as they are.
inline constexpr std::uint64_t kSmallestStoredWeight = 1U << 16U;

/// Parses the ONNX file, but leaves the raw data of large floating-point initializers where they are: such a tensor
/// becomes one with external data at that place of the file itself, noted in `weights`. The weights are most of a
/// model, and parsing them would copy them for nothing. False when the content is no complete model.
/// @param smallest_stored bytes of data from which an initializer counts as large
[[nodiscard]] bool parse_model(const std::filesystem::path& path, onnx::ModelProto& model, StoredWeights& weights,
                               std::uint64_t smallest_stored = kSmallestStoredWeight);

/// The data of stored weights in one block of memory, each aligned to 64 bytes.
class WeightBlock {
 public:
  /// Reads those of the weights that are still initializers of `graph`.
  /// Throws Error(Fault::input) when the file cannot be read any more.
  WeightBlock(const std::filesystem::path& path, const onnx::GraphProto& graph, const StoredWeights& weights);

  /// Where the block holds a weight; its size is that of StoredWeight.
  [[nodiscard]] const std::unordered_map<std::string, std::byte*>& places() const { return places_; }

 private:
  PageArray<std::byte> block_;
  std::unordered_map<std::string, std::byte*> places_;
};

}  // namespace headroom::model
