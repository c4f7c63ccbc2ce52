#include <onnx/onnx_pb.h>

#include <cstring>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "model/onnx_weights.hpp"
#include "model/transformer_plan.hpp"
#include "tests/fuzz/onnx_mutator.hpp"
#include "tests/fuzz/target.hpp"

using namespace headroom;  // NOLINT(google-build-using-namespace)

namespace {

// The models here are small, so most of their weights shall count as large.
constexpr std::uint64_t kSmallestStored = 16;

/// Parses leaving weights in the file, puts them back, and compares with what protobuf makes of the whole.
void check_stored_weights(const std::filesystem::path& path, std::string_view bytes) {
  onnx::ModelProto model;
  model::StoredWeights weights;
  if (!model::parse_model(path, model, weights, kSmallestStored) || !model.has_graph()) return;
  const model::WeightBlock block(path, model.graph(), weights);
  for (onnx::TensorProto& tensor : *model.mutable_graph()->mutable_initializer()) {
    const auto place = block.places().find(tensor.name());
    const bool stored = tensor.external_data_size() > 0 && tensor.external_data(0).value() == path.filename();
    if (place == block.places().end() || !stored) continue;
    tensor.clear_data_location();
    tensor.clear_external_data();
    tensor.set_raw_data(place->second, weights.at(tensor.name()).bytes);
  }
  onnx::ModelProto expected;
  fuzz::require(expected.ParsePartialFromArray(bytes.data(), static_cast<int>(bytes.size())));
  fuzz::require(model.SerializePartialAsString() == expected.SerializePartialAsString());
}

}  // namespace

/// An ONNX file beside one of external data, up to where ONNX Runtime would take it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::FileOfInput file("model.onnx");
  const std::string_view bytes = fuzz::text_of(data, size);
  const std::filesystem::path& path = file.hold(bytes);
  [[maybe_unused]] static const bool beside = [&] {
    std::ofstream(path.parent_path() / "weights.bin") << std::string(1U << 16U, 'w');
    return true;
  }();
  fuzz::loads([&] { check_stored_weights(path, bytes); });
  fuzz::loads([&] {
    const model::TransformerPlan plan = model::plan_transformer(path, kSmallestStored);
    const model::WeightBlock weights(path, plan.file.proto->graph(), plan.file.weights);
    std::vector<std::string> needed;
    for (const onnx::ValueInfoProto& input : plan.file.proto->graph().input()) needed.push_back(input.name());
    (void)plan.inputs.feeds(std::vector<std::int64_t>{0, 1, 2}, needed);
    std::string handed_over;
    fuzz::require(plan.file.proto->SerializeToString(&handed_over));
  });
  return 0;
}

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned int seed) {
  std::minstd_rand random(seed);
  onnx::ModelProto model;
  if (random() % 8 != 0 && model.ParsePartialFromArray(data, static_cast<int>(size))) {
    fuzz::mutate(model, random);
    const std::string bytes = model.SerializePartialAsString();
    if (bytes.size() <= max_size) {
      std::memcpy(data, bytes.data(), bytes.size());
      return bytes.size();
    }
  }
  return LLVMFuzzerMutate(data, size, max_size);
}
