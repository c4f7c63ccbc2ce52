#include "model/onnx_file.hpp"

#include <google/protobuf/stubs/common.h>
#if GOOGLE_PROTOBUF_VERSION < 4022000
#include <google/protobuf/stubs/logging.h>
#endif
#include <onnx/onnx_pb.h>

#include <system_error>

#include "core/error.hpp"
#include "model/onnx_functions.hpp"
#include "model/onnx_tensor_check.hpp"

namespace headroom::model {
namespace {

constexpr std::int64_t kOldestOpset = 11;

void parse(const std::filesystem::path& path, OnnxFile& file, std::uint64_t smallest_stored) {
#if GOOGLE_PROTOBUF_VERSION < 4022000
  // The library reports through exceptions only; protobuf would write its complaint to stderr.
  const google::protobuf::LogSilencer silence;
#endif
  if (!parse_model(path, *file.proto, file.weights, smallest_stored)) {
    throw_input("not a complete ONNX model: it is truncated or of another format", path.string(),
                "export or download it again");
  }
}

void check_opset(const onnx::ModelProto& proto, const std::string& place) {
  for (const onnx::OperatorSetIdProto& opset : proto.opset_import()) {
    const bool standard = opset.domain().empty() || opset.domain() == "ai.onnx";
    if (standard && opset.version() < kOldestOpset) {
      throw_input("opset " + std::to_string(opset.version()) + " is too old", place, "export with opset 11 or later");
    }
  }
}

}  // namespace

OnnxFile::OnnxFile() : proto(std::make_unique<onnx::ModelProto>()) {}
OnnxFile::OnnxFile(OnnxFile&&) noexcept = default;
OnnxFile& OnnxFile::operator=(OnnxFile&&) noexcept = default;
OnnxFile::~OnnxFile() = default;

std::uintmax_t OnnxFile::bytes() const {
  std::uintmax_t sum = std::filesystem::file_size(path);
  for (const std::string& name : data_files) sum += std::filesystem::file_size(folder / name);
  return sum;
}

OnnxFile read_onnx_file(const std::filesystem::path& path, std::uint64_t smallest_stored) {
  std::error_code failure;
  if (!std::filesystem::is_regular_file(path, failure)) {
    throw_input("no such model file", path.string(), "name an .onnx file");
  }
  OnnxFile file;
  file.path = path;
  file.place = path.string();
  file.folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  parse(path, file, smallest_stored);
  if (!file.proto->has_graph() || file.proto->graph().node_size() == 0) {
    throw_input("the model holds no graph", file.place, "export or download it again");
  }
  check_opset(*file.proto, file.place);
  file.data_files = check_tensors(*file.proto, path, file.place);
  check_functions(*file.proto, file.place);
  return file;
}

bool is_utf8(std::string_view bytes) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  for (std::size_t i = 0; i < bytes.size();) {
    const unsigned char lead = at(i);
    const std::size_t length = lead < 0x80   ? 1
                               : lead < 0xC2 ? 0
                               : lead < 0xE0 ? 2
                               : lead < 0xF0 ? 3
                               : lead < 0xF5 ? 4
                                             : 0;
    if (length == 0 || i + length > bytes.size()) return false;
    for (std::size_t j = 1; j < length; ++j) {
      if ((at(i + j) & 0xC0U) != 0x80U) return false;
    }
    // The second byte alone tells overlong forms, surrogates and values past U+10FFFF.
    if (length > 2) {
      const unsigned char second = at(i + 1);
      if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F)) return false;
      if ((lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F)) return false;
    }
    i += length;
  }
  return true;
}

}  // namespace headroom::model
