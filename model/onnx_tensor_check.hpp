#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace onnx {
class ModelProto;
}

namespace headroom::model {

/// Walks every name and tensor of the model, subgraphs and local functions included, and throws Fault::input at the
/// first that cannot be right: a name that is no UTF-8 or holds control characters; a tensor with a negative dimension,
/// with more than kLargestTensor elements, or holding another number of bytes than its shape says; external data
/// outside the folder of `path`, missing, or shorter than needed; a sparse tensor, or a constant shape given to
/// ConstantOfShape, Expand or Tile, that stands for more than a sixteenth of kLargestTensor elements.
/// @returns the files of external data, each once, as the model names them, in order of name; not the model itself
std::vector<std::string> check_tensors(const onnx::ModelProto& proto, const std::filesystem::path& path,
                                       const std::string& place);

}  // namespace headroom::model
