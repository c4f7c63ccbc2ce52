#pragma once

#include <string>

namespace onnx {
class ModelProto;
}

namespace headroom::model {

/// ONNX Runtime puts what a local function holds in the place of every call of it, without asking what comes of that,
/// and takes time with the square of the nodes. Throws Fault::input at `place` when functions call each other in a
/// circle, when calls are nested more than 64 deep, or when it comes to more than 100,000 nodes; large transformers
/// have some thousands.
void check_functions(const onnx::ModelProto& proto, const std::string& place);

}  // namespace headroom::model
