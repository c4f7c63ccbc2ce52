#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/onnx_weights.hpp"

namespace onnx {
class ModelProto;
}

namespace headroom::model {

/// Largest number of elements a single tensor of a model may have; a claim beyond it is taken for damage.
inline constexpr double kLargestTensor = 4294967296.0;

/// A model whose structure has been checked, and the folder its external data lies in.
struct OnnxFile {
  std::filesystem::path path;
  std::string place;  ///< the path as the user gave it, for messages
  std::filesystem::path folder;
  std::unique_ptr<onnx::ModelProto> proto;
  StoredWeights weights;                ///< data that stayed in the file
  std::vector<std::string> data_files;  ///< of external data, relative to the folder, in order

  OnnxFile();
  OnnxFile(OnnxFile&&) noexcept;
  OnnxFile& operator=(OnnxFile&&) noexcept;
  ~OnnxFile();

  /// Of the model with its external data.
  [[nodiscard]] std::uintmax_t bytes() const;
};

/// Reads an ONNX file (opset 11 or later) without loading its large weights or external data, and checks what must hold
/// before anything is allocated: names are UTF-8, every tensor is as long as its shape says, none has more than
/// kLargestTensor elements, external data stays inside the model's folder and is long enough.
///
/// Errors (Fault::input): no regular file, truncated or foreign content, and every violation of the above, each
/// naming the file and the tensor or node.
/// @param smallest_stored as in parse_model
[[nodiscard]] OnnxFile read_onnx_file(const std::filesystem::path& path,
                                      std::uint64_t smallest_stored = kSmallestStoredWeight);

/// True when the bytes are well-formed UTF-8 (no overlong forms, no surrogates, at most U+10FFFF).
[[nodiscard]] bool is_utf8(std::string_view bytes);

}  // namespace headroom::model
