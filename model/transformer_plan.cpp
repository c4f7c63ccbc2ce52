#include "model/transformer_plan.hpp"

#include <onnx/onnx_pb.h>

#include <utility>

#include "core/error.hpp"
#include "model/attention_search.hpp"
#include "model/graph.hpp"
#include "model/graph_dataflow.hpp"
#include "model/graph_outputs.hpp"

namespace headroom::model {

TransformerPlan plan_transformer(const std::filesystem::path& path, std::uint64_t smallest_stored) {
  OnnxFile file = read_onnx_file(path, smallest_stored);
  ModelInputs inputs(file.proto->graph(), file.place);
  const Graph graph(file.proto->graph(), file.place);
  const TensorId tokens = graph.find(inputs.tokens());
  const Dataflow flow(graph, tokens);
  const std::vector<AttentionPattern> patterns = find_attention(flow, file.place);
  const std::optional<std::size_t> vocabulary = vocabulary_size(flow, tokens);
  if (vocabulary == 0U) {
    throw_input("the table the tokens are looked up in has no rows", file.place, "export or download the model again");
  }
  GraphOutputs outputs(graph);
  std::vector<BlockReader> readers;
  for (const AttentionPattern& pattern : patterns) {
    readers.emplace_back(pattern, readers.size(), graph, outputs, file.place);
  }
  std::optional<std::size_t> embedding;
  const TensorId stream = residual_input(flow, patterns.front());
  if (stream != kNone) embedding = outputs.tensor(stream);
  LengthLimits limits(flow, outputs);
  outputs.apply(*file.proto->mutable_graph());
  return {std::move(file),   std::move(inputs), vocabulary,     std::move(readers),
          std::move(limits), embedding,         outputs.names()};
}

}  // namespace headroom::model
