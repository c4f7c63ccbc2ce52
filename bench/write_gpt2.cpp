// Writes a GPT-2 of any shape with random weights, as a folder that headroom reads: to measure what size costs.
#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/bundled.hpp"
#include "app/output.hpp"
#include "bench/gpt2_graph.hpp"
#include "core/error.hpp"
#include "sim/hash.hpp"
#include "sim/random.hpp"

namespace headroom::bench {
namespace {

namespace fs = std::filesystem;

// A protobuf ends at 2 GiB; the graph beside the weights takes a few MB.
constexpr std::int64_t largest_inline = (std::int64_t{1} << 31) - (std::int64_t{1} << 26);

/// Hands the elements to `take` in pieces, in order. A weight's elements depend on the seed, its name and its shape
/// alone, so that models of one width share their first layers.
template <class Take>
void generate(const Gpt2Weight& weight, std::uint64_t seed, Take take) {
  constexpr std::size_t piece = 1 << 16;
  sim::Stream stream(seed, sim::hash64(weight.name), 0);
  std::vector<float> values;
  for (auto left = static_cast<std::size_t>(weight.count()); left > 0; left -= values.size()) {
    values.resize(std::min(piece, left));
    if (weight.deviation > 0.0) stream.normals(values);
    for (float& value : values) {
      const double normal = weight.deviation > 0.0 ? static_cast<double>(value) : 0.0;
      value = static_cast<float>(weight.mean + weight.deviation * normal);
    }
    take(std::as_bytes(std::span(values)));
  }
}

std::string_view characters(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string serialized(const onnx::ModelProto& model) {
  std::string bytes;
  if (!model.SerializeToString(&bytes))
    throw_usage("a weight of this shape exceeds 2 GiB", "", "ask for a smaller one");
  return bytes;
}

void add_entry(onnx::TensorProto& tensor, const std::string& key, const std::string& value) {
  onnx::StringStringEntryProto& entry = *tensor.add_external_data();
  entry.set_key(key);
  entry.set_value(value);
}

/// model.onnx, with the weights inside or, where they are too large for that, in model.onnx.data. No more than one
/// weight is in memory at a time: a protobuf may be written as several that its reader merges, so each weight follows
/// the graph as a model of that weight alone.
void write_model(const Gpt2Shape& shape, std::uint64_t seed, const fs::path& folder) {
  Gpt2Graph graph(shape);
  const std::int64_t total =
      std::accumulate(graph.weights.begin(), graph.weights.end(), std::int64_t{0},
                      [](std::int64_t sum, const Gpt2Weight& weight) { return sum + 4 * weight.count(); });
  const bool external = total > largest_inline;
  app::OutputFile file(folder / "model.onnx");
  std::optional<app::OutputFile> data;
  if (external) data.emplace(folder / "model.onnx.data");
  file.write(serialized(graph.builder.model()));
  std::int64_t offset = 0;
  for (const Gpt2Weight& weight : graph.weights) {
    onnx::ModelProto part;
    onnx::TensorProto& tensor = *part.mutable_graph()->add_initializer();
    tensor.set_name(weight.name);
    tensor.set_data_type(onnx::TensorProto::FLOAT);
    for (const std::int64_t extent : weight.shape) tensor.add_dims(extent);
    if (external) {
      tensor.set_data_location(onnx::TensorProto::EXTERNAL);
      add_entry(tensor, "location", "model.onnx.data");
      add_entry(tensor, "offset", std::to_string(offset));
      add_entry(tensor, "length", std::to_string(4 * weight.count()));
      generate(weight, seed, [&](std::span<const std::byte> bytes) { data->write(characters(bytes)); });
      offset += 4 * weight.count();
    } else {
      std::string& raw = *tensor.mutable_raw_data();
      raw.reserve(static_cast<std::size_t>(4 * weight.count()));
      generate(weight, seed, [&](std::span<const std::byte> bytes) { raw += characters(bytes); });
    }
    file.write(serialized(part));
  }
  if (external) data->commit();
  file.commit();
}

std::string content(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  if (!stream) throw_input("it cannot be read", path.string(), "name a folder with vocab.json and merges.txt");
  return bytes;
}

/// The tokenizer as it is, with tokens that no text has up to the size of the vocabulary.
void write_tokenizer(const fs::path& from, std::int64_t vocabulary, const fs::path& folder) {
  const std::string path = (from / "vocab.json").string();
  nlohmann::json tokens = nlohmann::json::parse(content(path), nullptr, false);
  if (!tokens.is_object()) throw_input("not an object from tokens to ids", path, "use a GPT-2 tokenizer");
  if (static_cast<std::int64_t>(tokens.size()) > vocabulary) {
    throw_usage(fmt::format("the tokenizer has {} tokens", tokens.size()), path, "raise --vocabulary");
  }
  for (auto id = static_cast<std::int64_t>(tokens.size()); id < vocabulary; ++id) {
    tokens[fmt::format("<|unused{}|>", id)] = id;
  }
  app::write_file(folder / "vocab.json", tokens.dump());
  app::write_file(folder / "merges.txt", content(from / "merges.txt"));
}

}  // namespace
}  // namespace headroom::bench

int main(int argc, char* argv[]) {
  namespace bench = headroom::bench;
  bench::Gpt2Shape shape;
  std::uint64_t seed = 1;
  std::string folder;
  std::string tokenizer = headroom::app::bundled_model().string();
  CLI::App program{"Writes a GPT-2 with random weights: model.onnx, vocab.json and merges.txt"};
  program.add_option("--layers", shape.layers)->capture_default_str()->check(CLI::Range(1, 1000));
  program.add_option("--heads", shape.heads)->capture_default_str()->check(CLI::Range(1, 1000));
  program.add_option("--width", shape.width, "a multiple of --heads")
      ->capture_default_str()
      ->check(CLI::Range(1, 65536));
  program.add_option("--vocabulary", shape.vocabulary)->capture_default_str()->check(CLI::Range(1, 10000000));
  program.add_option("--context", shape.context)->capture_default_str()->check(CLI::Range(1, 32768));
  program.add_option("--seed", seed)->capture_default_str();
  program.add_option("--tokenizer", tokenizer, "the folder of vocab.json and merges.txt")->capture_default_str();
  program.add_option("-o,--output", folder, "the folder to write")->required();
  try {
    program.parse(argc, argv);
    if (shape.width % shape.heads != 0) headroom::throw_usage("--width is no multiple of --heads", "", "");
    headroom::app::create_output_folder(folder);
    bench::write_tokenizer(tokenizer, shape.vocabulary, folder);
    bench::write_model(shape, seed, folder);
  } catch (const CLI::ParseError& error) {
    return program.exit(error) == 0 ? 0 : 2;
  } catch (const headroom::Error& error) {
    fmt::print(stderr, "write_gpt2: {}\n", error.what());
    return error.fault() == headroom::Fault::usage ? 2 : 3;
  } catch (const std::exception& error) {
    fmt::print(stderr, "write_gpt2: {}\n", error.what());
    return 3;
  }
}
