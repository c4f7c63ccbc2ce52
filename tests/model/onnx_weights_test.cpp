#include "model/onnx_weights.hpp"

#include <onnx/onnx_pb.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

#include "catch.hpp"
#include "onnx_builder.hpp"
#include "scratch_folder.hpp"

using namespace headroom::model;  // NOLINT(google-build-using-namespace)
using headroom::test::OnnxBuilder;
using headroom::test::ScratchFolder;

namespace {

constexpr std::int64_t large = 20000;  // elements, more than kSmallestStoredWeight in float32

std::vector<float> counting(std::int64_t count) {
  std::vector<float> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), 0.5F);
  return values;
}

OnnxBuilder two_weights() {
  OnnxBuilder builder(13);
  const std::string x = builder.input("x", onnx::TensorProto::FLOAT, {"n", "20000"});
  builder.floats("small", {3}, counting(3));
  builder.floats("large", {large}, counting(large));
  builder.output(builder.node("Add", {x, "large"}));
  return builder;
}

void write(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

/// The model with the weights put back where the format has them.
onnx::ModelProto whole(const std::filesystem::path& path) {
  onnx::ModelProto model;
  StoredWeights weights;
  REQUIRE(parse_model(path, model, weights));
  const WeightBlock block(path, model.graph(), weights);
  for (onnx::TensorProto& tensor : *model.mutable_graph()->mutable_initializer()) {
    const auto place = block.places().find(tensor.name());
    if (place == block.places().end()) continue;
    CHECK(reinterpret_cast<std::uintptr_t>(place->second) % 64 == 0);
    tensor.clear_data_location();
    tensor.clear_external_data();
    tensor.set_raw_data(place->second, weights.at(tensor.name()).bytes);
  }
  return model;
}

}  // namespace

TEST_CASE("large weights stay in the file and are read as they were") {
  const ScratchFolder folder;
  OnnxBuilder builder = two_weights();
  builder.save(folder / "model.onnx");
  onnx::ModelProto model;
  StoredWeights weights;
  REQUIRE(parse_model(folder / "model.onnx", model, weights));
  REQUIRE(weights.size() == 1);
  CHECK(weights.at("large").bytes == 4 * large);
  CHECK(model.ByteSizeLong() < 2000);
  CHECK(whole(folder / "model.onnx").SerializeAsString() == builder.model().SerializeAsString());
}

TEST_CASE("a model written in parts is the one that a parser of the whole merges") {
  const ScratchFolder folder;
  onnx::ModelProto part;
  onnx::TensorProto& tensor = *part.mutable_graph()->add_initializer();
  tensor.set_name("later");
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  tensor.add_dims(large);
  tensor.set_raw_data(counting(large).data(), 4 * large);
  const std::string bytes = two_weights().model().SerializeAsString() + part.SerializeAsString();
  write(folder / "model.onnx", bytes);
  onnx::ModelProto expected;
  REQUIRE(expected.ParseFromString(bytes));
  CHECK(whole(folder / "model.onnx").SerializeAsString() == expected.SerializeAsString());
}

TEST_CASE("only data of real numbers that belong to one name stay in the file") {
  const ScratchFolder folder;
  OnnxBuilder builder = two_weights();
  builder.floats("large", {large}, counting(large));
  builder.floats("", {large}, counting(large));
  builder.floats("integers", {large}, counting(large));
  auto& all = *builder.graph().mutable_initializer();
  all[all.size() - 1].set_data_type(onnx::TensorProto::INT32);
  builder.save(folder / "model.onnx");
  onnx::ModelProto model;
  StoredWeights weights;
  REQUIRE(parse_model(folder / "model.onnx", model, weights));
  CHECK(weights.size() == 1);
  const auto& read = model.graph().initializer();
  for (int i = 2; i < read.size(); ++i) CHECK(read[i].raw_data() == all[i].raw_data());
}

TEST_CASE("tags and lengths of more bytes than protobuf takes are no model") {
  using namespace std::string_literals;
  const ScratchFolder folder;
  const std::string bytes = two_weights().model().SerializeAsString();
  const std::string name = "\x01n"s;                                 // of a producer, the model's second field
  const std::string five = "\x92\x80\x80\x80\x00"s;                  // its tag in five bytes
  const std::string six = "\x92\x80\x80\x80\x80\x00"s;               // … and in six
  const std::string long_length = "\x12\x81\x80\x80\x80\x80\x00n"s;  // 1 in six bytes
  const std::string huge_length = "\x12\x81\x80\x80\x80\x10n"s;      // 2³² + 1
  for (const std::string& added : {five + name, six + name, long_length, huge_length}) {
    write(folder / "model.onnx", bytes + added);
    onnx::ModelProto model;
    StoredWeights weights;
    onnx::ModelProto reference;
    CAPTURE(added.size());
    const bool read = reference.ParseFromString(bytes + added);
    CHECK(read == (added == five + name));
    CHECK(parse_model(folder / "model.onnx", model, weights) == read);
  }
}

TEST_CASE("a model cut short anywhere is no model") {
  const ScratchFolder folder;
  const std::string bytes = two_weights().model().SerializeAsString();
  for (std::size_t kept = 1; kept < bytes.size(); kept += kept < 300 || kept > bytes.size() - 300 ? 1 : 997) {
    write(folder / "model.onnx", bytes.substr(0, kept));
    onnx::ModelProto model;
    StoredWeights weights;
    onnx::ModelProto reference;
    CAPTURE(kept);
    // Between two fields of the model the parts before are complete.
    CHECK(parse_model(folder / "model.onnx", model, weights) == reference.ParseFromString(bytes.substr(0, kept)));
  }
}
