#include "model/onnx_weights.hpp"

#include <fcntl.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>
#include <onnx/onnx_pb.h>

#include <fstream>
#include <limits>
#include <optional>
#include <system_error>

#include "core/error.hpp"

namespace headroom::model {
namespace {

using google::protobuf::io::CodedInputStream;

// Tags of the wire format: the field's number and how it is encoded.
constexpr std::uint32_t kVarint = 0;
constexpr std::uint32_t kFixed64 = 1;
constexpr std::uint32_t kDelimited = 2;
constexpr std::uint32_t kFixed32 = 5;
constexpr std::uint32_t delimited(int field) { return (static_cast<std::uint32_t>(field) << 3U) | kDelimited; }
constexpr std::uint32_t kGraph = delimited(onnx::ModelProto::kGraphFieldNumber);
constexpr std::uint32_t kInitializer = delimited(onnx::GraphProto::kInitializerFieldNumber);
constexpr std::uint32_t kRawData = delimited(onnx::TensorProto::kRawDataFieldNumber);

constexpr int kLongestVarint32 = 5;

void append_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80U; value >>= 7U) out += static_cast<char>((value & 0x7FU) | 0x80U);
  out += static_cast<char>(value);
}

void read_bytes(std::ifstream& file, const std::filesystem::path& path, const StoredWeight& weight, char* out) {
  file.seekg(static_cast<std::streamoff>(weight.offset));
  file.read(out, static_cast<std::streamsize>(weight.bytes));
  if (!file) throw_input("the model cannot be read to its end", path.string(), "leave it alone while it is read");
}

void add_entry(onnx::TensorProto& tensor, const char* key, const std::string& value) {
  onnx::StringStringEntryProto& entry = *tensor.add_external_data();
  entry.set_key(key);
  entry.set_value(value);
}

/// Walks the file field by field. Whatever is no stored weight is merged into the model as it comes, which is what a
/// parser of the whole does.
class Walk {
 public:
  Walk(CodedInputStream& in, const std::filesystem::path& path, onnx::ModelProto& model, StoredWeights& weights,
       std::uint64_t smallest_stored)
      : in_(in), path_(path), model_(model), weights_(weights), smallest_stored_(smallest_stored) {}

  bool run() {
    while (const std::uint32_t tag = next_tag()) {
      const bool read = tag == kGraph ? inside([&] { return graph(); }) : merge_field(tag, model_);
      if (!read) return false;
    }
    return in_.ConsumedEntireMessage() && in_.BytesUntilLimit() == 0;
  }

 private:
  /// The next field's tag; 0 at the end, and where it is longer than protobuf's parser takes it.
  std::uint32_t next_tag() {
    const int before = in_.CurrentPosition();
    const std::uint32_t tag = in_.ReadTag();
    return in_.CurrentPosition() - before > kLongestVarint32 ? 0 : tag;
  }

  /// The length of a delimited field, when the file still has so much.
  std::optional<int> length() {
    const int before = in_.CurrentPosition();
    std::uint64_t bytes = 0;
    if (!in_.ReadVarint64(&bytes) || in_.CurrentPosition() - before > kLongestVarint32) return std::nullopt;
    if (bytes > static_cast<std::uint64_t>(in_.BytesUntilLimit())) return std::nullopt;
    return static_cast<int>(bytes);
  }

  template <class Read>
  bool inside(Read read) {
    const std::optional<int> bytes = length();
    if (!bytes) return false;
    const CodedInputStream::Limit outer = in_.PushLimit(*bytes);
    const bool whole = read() && in_.BytesUntilLimit() == 0;
    in_.PopLimit(outer);
    return whole;
  }

  bool graph() {
    onnx::GraphProto& graph = *model_.mutable_graph();
    while (in_.BytesUntilLimit() > 0) {
      const std::uint32_t tag = next_tag();
      if (tag == 0) return false;
      const bool read =
          tag == kInitializer ? inside([&] { return initializer(*graph.add_initializer()); }) : merge_field(tag, graph);
      if (!read) return false;
    }
    return true;
  }

  bool initializer(onnx::TensorProto& tensor) {
    std::string rest;
    std::optional<StoredWeight> raw;
    while (in_.BytesUntilLimit() > 0) {
      const std::uint32_t tag = next_tag();
      if (tag == 0) return false;
      if (tag != kRawData) {
        if (!copy_field(tag, rest)) return false;
        continue;
      }
      // As everywhere in protobuf, the last of several counts.
      const std::optional<int> bytes = length();
      if (!bytes) return false;
      raw = {static_cast<std::uint64_t>(in_.CurrentPosition()), static_cast<std::uint64_t>(*bytes)};
      if (!in_.Skip(*bytes)) return false;
    }
    if (!tensor.ParseFromString(rest)) return false;
    if (raw) take_data(tensor, *raw);
    return true;
  }

  void take_data(onnx::TensorProto& tensor, const StoredWeight& raw) {
    const std::int32_t type = tensor.data_type();
    const bool real =
        type == onnx::TensorProto::FLOAT || type == onnx::TensorProto::FLOAT16 || type == onnx::TensorProto::DOUBLE;
    const bool plain = !tensor.has_data_location() && tensor.external_data_size() == 0 && !tensor.name().empty();
    if (raw.bytes < smallest_stored_ || !real || !plain || !weights_.emplace(tensor.name(), raw).second) {
      if (!file_.is_open()) file_.open(path_, std::ios::binary);
      std::string& data = *tensor.mutable_raw_data();
      data.resize(raw.bytes);
      read_bytes(file_, path_, raw, data.data());
      return;
    }
    tensor.set_data_location(onnx::TensorProto::EXTERNAL);
    add_entry(tensor, "location", path_.filename().string());
    add_entry(tensor, "offset", std::to_string(raw.offset));
    add_entry(tensor, "length", std::to_string(raw.bytes));
  }

  bool copy_field(std::uint32_t tag, std::string& out) {
    append_varint(out, tag);
    switch (tag & 7U) {
      case kVarint: {
        std::uint64_t value = 0;
        if (!in_.ReadVarint64(&value)) return false;
        append_varint(out, value);
        return true;
      }
      case kFixed64:
        return append(8, out);
      case kFixed32:
        return append(4, out);
      case kDelimited: {
        const std::optional<int> bytes = length();
        if (!bytes) return false;
        append_varint(out, static_cast<std::uint64_t>(*bytes));
        return append(*bytes, out);
      }
      default:
        return false;  // groups, which ONNX never had
    }
  }

  bool append(int bytes, std::string& out) {
    if (bytes > in_.BytesUntilLimit()) return false;
    const std::size_t before = out.size();
    out.resize(before + static_cast<std::size_t>(bytes));
    return in_.ReadRaw(out.data() + before, bytes);
  }

  template <class Message>
  bool merge_field(std::uint32_t tag, Message& message) {
    std::string field;
    if (!copy_field(tag, field)) return false;
    CodedInputStream one(reinterpret_cast<const std::uint8_t*>(field.data()), static_cast<int>(field.size()));
    return message.MergeFromCodedStream(&one) && one.ConsumedEntireMessage();
  }

  CodedInputStream& in_;
  const std::filesystem::path& path_;
  onnx::ModelProto& model_;
  StoredWeights& weights_;
  std::uint64_t smallest_stored_;
  std::ifstream file_;
};

}  // namespace

bool parse_model(const std::filesystem::path& path, onnx::ModelProto& model, StoredWeights& weights,
                 std::uint64_t smallest_stored) {
  std::error_code failure;
  const std::uintmax_t size = std::filesystem::file_size(path, failure);
  const int descriptor = failure ? -1 : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw_input("the model cannot be opened", path.string(), "check its permissions");
  google::protobuf::io::FileInputStream input(descriptor);
  input.SetCloseOnDelete(true);
  if (size > static_cast<std::uintmax_t>(std::numeric_limits<int>::max())) return false;
  CodedInputStream coded(&input);
  coded.SetTotalBytesLimit(std::numeric_limits<int>::max());
  coded.PushLimit(static_cast<int>(size));
  return Walk(coded, path, model, weights, smallest_stored).run();
}

WeightBlock::WeightBlock(const std::filesystem::path& path, const onnx::GraphProto& graph,
                         const StoredWeights& weights) {
  constexpr std::size_t kAlignment = 64;
  const auto padded = [](std::size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; };
  std::size_t total = 0;
  for (const onnx::TensorProto& tensor : graph.initializer()) {
    if (const auto found = weights.find(tensor.name()); found != weights.end()) {
      total += padded(found->second.bytes);
    }
  }
  if (total == 0) return;
  block_ = PageArray<std::byte>(total);
  std::ifstream file(path, std::ios::binary);
  std::byte* place = block_.data();
  for (const onnx::TensorProto& tensor : graph.initializer()) {
    const auto found = weights.find(tensor.name());
    if (found == weights.end() || !places_.emplace(tensor.name(), place).second) continue;
    read_bytes(file, path, found->second, reinterpret_cast<char*>(place));
    place += padded(found->second.bytes);
  }
}

}  // namespace headroom::model
