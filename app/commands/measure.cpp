#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "app/commands/commands.hpp"
#include "app/json.hpp"
#include "app/output.hpp"
#include "app/program.hpp"
#include "app/standard_output.hpp"
#include "core/error.hpp"
#include "model/npy.hpp"
#include "model/npy_write.hpp"
#include "verify/measure.hpp"

namespace headroom::app {
namespace {

using verify::Quantity;

struct MeasureOptions {
  std::string weights;
  std::string vectors;
  std::vector<std::size_t> tops;
  double temperature = 1.0;
  bool causal = false;
  std::string context = "visible";
  bool normalize = false;
  bool unnormalized = false;
  std::string per_row;
  std::string output;
};

// Arrays of one or all heads, with a head axis put in front where it is missing.
struct HeadArrays {
  model::NpyArray array;
  std::size_t heads = 1;
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::string file;

  [[nodiscard]] MatrixView<const double> head(std::size_t index) const {
    return {array.values.data() + (heads == 1 ? 0 : index) * rows * cols, rows, cols};
  }
};

HeadArrays read_arrays(const std::string& file, const std::string& what, const std::string& shapes) {
  HeadArrays arrays;
  arrays.file = file;
  arrays.array = model::read_npy(file);
  const std::vector<std::size_t>& shape = arrays.array.shape;
  if (shape.size() != 2 && shape.size() != 3) {
    throw_input(fmt::format("the {} have shape {}", what, model::index_text(shape)), file, "expected " + shapes);
  }
  if (std::find(shape.begin(), shape.end(), 0U) != shape.end()) {
    throw_input(fmt::format("the {} have shape {} and so no element", what, model::index_text(shape)), file,
                "expected " + shapes);
  }
  if (shape.size() == 3) arrays.heads = shape.front();
  arrays.rows = shape[shape.size() - 2];
  arrays.cols = shape[shape.size() - 1];
  if (const auto bad = model::first_non_finite(arrays.array)) {
    throw_input(fmt::format("the {} hold a NaN or an infinity", what),
                fmt::format("{} at {}", file, model::index_text(*bad)), "every element must be a finite number");
  }
  return arrays;
}

Visibility visibility_of(const HeadArrays& weights, bool causal) {
  if (!causal) return Visibility::all(weights.rows, weights.cols);
  if (weights.rows > weights.cols) {
    throw_input(fmt::format("{} queries for {} tokens cannot be causal", weights.rows, weights.cols), weights.file,
                "the rows are taken as the last queries, so there may be at most as many as tokens");
  }
  return Visibility::causal(weights.rows, weights.cols);
}

Json means_json(const std::vector<verify::TopMeans>& means) {
  Json top = Json::object();
  for (const verify::TopMeans& at : means) {
    Json values = {{"rows", at.rows}};
    for (std::size_t q = 0; at.rows > 0 && q < verify::quantity_count; ++q) {
      values[std::string(verify::quantity_names[q])] = json_number(at.mean[q]);
    }
    top[std::to_string(at.top)] = values;
  }
  return top;
}

// One record per head, row and N, a field per quantity; NaN where the row has no more than N tokens.
std::string per_row_bytes(const std::vector<verify::RowTable>& tables, const verify::Plan& plan) {
  const std::size_t tops = plan.requests().size();
  const std::vector<std::size_t> shape = {tables.size(), tables.front().rows(), tops};
  std::vector<std::int32_t> top;
  std::vector<std::vector<double>> columns(verify::quantity_count);
  for (const verify::RowTable& table : tables) {
    for (std::size_t row = 0; row < table.rows(); ++row) {
      for (std::size_t t = 0; t < tops; ++t) {
        top.push_back(static_cast<std::int32_t>(plan.requests()[t].top));
        for (std::size_t q = 0; q < verify::quantity_count; ++q) {
          columns[q].push_back(table.value(row, plan.slot(t, static_cast<Quantity>(q))));
        }
      }
    }
  }
  std::vector<model::NpyField> fields = {{"top", std::span<const std::int32_t>(top)}};
  for (std::size_t q = 0; q < verify::quantity_count; ++q) {
    fields.push_back({std::string(verify::quantity_names[q]), std::span<const double>(columns[q])});
  }
  return model::npy_records(shape, fields);
}

void check_tops(const std::vector<std::size_t>& tops) {
  for (std::size_t top : tops) {
    if (top == 0) throw_usage("N must be at least 1", "--top", "N is the number of selected tokens");
  }
}

int measure(const MeasureOptions& options) {
  check_tops(options.tops);
  if (!(options.temperature > 0)) {
    throw_usage(fmt::format("the temperature {} is not positive", options.temperature), "--temperature", "T > 0");
  }
  if (!options.output.empty()) check_output_file(options.output);
  if (!options.per_row.empty()) check_output_file(options.per_row);
  const HeadArrays weights = read_arrays(options.weights, "weights", "(heads, rows, tokens) or (rows, tokens)");
  const HeadArrays vectors = read_arrays(options.vectors, "vectors", "(tokens, d) or (heads, tokens, d)");
  if (vectors.rows != weights.cols) {
    throw_input(fmt::format("the vectors are for {} tokens and the weights for {}", vectors.rows, weights.cols),
                vectors.file, "both must be of the same sequence");
  }
  if (vectors.heads != 1 && vectors.heads != weights.heads) {
    throw_input(fmt::format("the vectors are for {} heads and the weights for {}", vectors.heads, weights.heads),
                vectors.file, "give one set of vectors, or one per head");
  }
  const Visibility visibility = visibility_of(weights, options.causal);
  for (std::size_t h = 0; h < weights.heads; ++h) {
    verify::check_weights({weights.head(h), {}, {}, visibility}, h, options.unnormalized);
  }

  const verify::Plan plan = verify::Plan::uniform(options.tops, verify::QuantitySet::all());
  const theory::ResolutionLaw law(vectors.cols);
  const verify::RowPass::Options pass{
      .context = options.context == "all" ? verify::Context::all : verify::Context::visible,
      .temperature = options.temperature,
      .law = &law};
  // Vectors shared by the heads are prepared once, for the rows of all of them.
  const std::size_t sharing = vectors.heads == 1 ? weights.heads : 1;
  verify::Embeddings::Options needs =
      verify::RowPass::prepare(plan, sharing * weights.rows, weights.cols, vectors.cols);
  needs.normalize = options.normalize;
  std::unique_ptr<verify::Embeddings> embeddings;
  std::vector<verify::RowTable> tables;
  Json heads = Json::array();
  for (std::size_t h = 0; h < weights.heads; ++h) {
    if (!embeddings || vectors.heads > 1) embeddings = std::make_unique<verify::Embeddings>(vectors.head(h), needs);
    const HeadView head{weights.head(h), {}, vectors.head(h), visibility};
    verify::RowTable table = verify::measure_rows(head, *embeddings, plan, pass);
    heads.push_back({{"head", h}, {"top", means_json(verify::mean_over_rows(table, plan, weights.rows))}});
    if (!options.per_row.empty()) tables.push_back(std::move(table));
  }
  const Json document = {{"schema", "headroom.measure/1"}, {"heads", heads}};
  if (!options.per_row.empty()) write_file(options.per_row, per_row_bytes(tables, plan));
  const std::string text = document.dump(1) + "\n";
  if (options.output.empty()) {
    print_data(text);
  } else {
    write_file(options.output, text);
  }
  return exit_done;
}

}  // namespace

void add_measure(CLI::App& program, Action& action) {
  auto options = std::make_shared<MeasureOptions>();
  CLI::App* command = program.add_subcommand("measure", "All quantities for given arrays of weights and vectors");
  command->add_option("--weights", options->weights, "(heads, rows, tokens) or (rows, tokens), .npy")->required();
  command->add_option("--vectors", options->vectors, "(tokens, d) or (heads, tokens, d), .npy")->required();
  command->add_option("--top", options->tops, "the N to measure, e.g. 1,5,20")->delimiter(',')->required();
  command->add_option("--temperature", options->temperature, "T of the Jacobian norm")->capture_default_str();
  command->add_flag("--causal", options->causal, "row r sees the first tokens - rows + r + 1 tokens");
  command->add_option("--context", options->context, "what a causal row is measured over")
      ->check(CLI::IsMember({"visible", "all"}))
      ->capture_default_str();
  command->add_flag("--normalize", options->normalize, "scale every vector to unit length");
  command->add_flag("--unnormalized", options->unnormalized, "rows need not sum to 1");
  command->add_option("--per-row", options->per_row, "also save every row's values, a record array (heads, rows, N)");
  command->add_option("-o,--output", options->output, "JSON file (default: standard output)");
  command->callback([options, &action] { action = [options] { return measure(*options); }; });
}

}  // namespace headroom::app
