#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "app/commands/commands.hpp"
#include "app/head_file.hpp"
#include "app/json.hpp"
#include "app/output.hpp"
#include "app/program.hpp"
#include "app/standard_output.hpp"
#include "core/error.hpp"
#include "core/parallel_failure.hpp"
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

void check_causal(const HeadFile& weights) {
  if (weights.rows() <= weights.cols()) return;
  throw_input(fmt::format("{} queries for {} tokens cannot be causal", weights.rows(), weights.cols()), weights.name(),
              "the rows are taken as the last queries, so there may be at most as many as tokens");
}

// Rows read at once by a thread where they are checked.
std::size_t strip_rows(std::size_t cols) {
  constexpr std::size_t memory = std::size_t{8} << 20U;
  return std::max<std::size_t>(memory / (sizeof(double) * cols), 1);
}

Visibility visibility_of(const HeadFile& weights, bool causal) {
  return causal ? Visibility::causal(weights.rows(), weights.cols()) : Visibility::all(weights.rows(), weights.cols());
}

// Everything is checked before anything is measured: reading twice costs little beside measuring. The first fault in
// the file is the one reported.
void check_contents(const HeadFile& weights, const HeadFile& vectors, const MeasureOptions& options) {
  const std::size_t height = strip_rows(weights.cols());
  const Visibility visibility = visibility_of(weights, options.causal);
  const auto strips = static_cast<std::ptrdiff_t>((weights.rows() + height - 1) / height);
  for (std::size_t h = 0; h < weights.heads(); ++h) {
    ParallelFailure failure;
#pragma omp parallel
    {
      std::vector<double> memory;
#pragma omp for schedule(dynamic)
      for (std::ptrdiff_t s = 0; s < strips; ++s) {
        failure.guard(static_cast<std::size_t>(s), [&] {
          const std::size_t first = static_cast<std::size_t>(s) * height;
          const std::size_t count = std::min(height, weights.rows() - first);
          const HeadView strip{weights.read(h, first, count, memory), {}, {}, visibility.slice(first, count)};
          verify::check_weights(strip, h, options.unnormalized, first);
        });
      }
    }
    failure.rethrow();
  }
  std::vector<double> memory;
  for (std::size_t h = 0; h < vectors.heads(); ++h) static_cast<void>(vectors.read(h, 0, vectors.rows(), memory));
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
  const HeadFile weights(options.weights, "weights", "(heads, rows, tokens) or (rows, tokens)");
  const HeadFile vectors(options.vectors, "vectors", "(tokens, d) or (heads, tokens, d)");
  if (vectors.rows() != weights.cols()) {
    throw_input(fmt::format("the vectors are for {} tokens and the weights for {}", vectors.rows(), weights.cols()),
                vectors.name(), "both must be of the same sequence");
  }
  if (vectors.heads() != 1 && vectors.heads() != weights.heads()) {
    throw_input(fmt::format("the vectors are for {} heads and the weights for {}", vectors.heads(), weights.heads()),
                vectors.name(), "give one set of vectors, or one per head");
  }
  if (options.causal) check_causal(weights);
  check_contents(weights, vectors, options);

  const verify::Plan plan = verify::Plan::uniform(options.tops, verify::QuantitySet::all());
  const theory::ResolutionLaw law(vectors.cols());
  const verify::RowPass::Options pass{
      .context = options.context == "all" ? verify::Context::all : verify::Context::visible,
      .temperature = options.temperature,
      .law = &law};
  // Vectors shared by the heads are prepared once, for the rows of all of them.
  const std::size_t sharing = vectors.heads() == 1 ? weights.heads() : 1;
  verify::Embeddings::Options needs =
      verify::RowPass::prepare(plan, sharing * weights.rows(), weights.cols(), vectors.cols());
  needs.normalize = options.normalize;
  std::unique_ptr<verify::Embeddings> embeddings;
  const Visibility visibility = visibility_of(weights, options.causal);
  verify::MeasureMemory memory;
  std::vector<verify::RowTable> tables;
  Json heads = Json::array();
  for (std::size_t h = 0; h < weights.heads(); ++h) {
    if (!embeddings || vectors.heads() > 1) {
      std::vector<double> own;
      embeddings = std::make_unique<verify::Embeddings>(vectors.read(h, 0, vectors.rows(), own), needs);
    }
    const auto strip = [&](std::size_t first, std::size_t count, verify::StripMemory& at) {
      return HeadView{weights.read(h, first, count, at.weights), {}, {}, visibility.slice(first, count)};
    };
    const verify::RowTable& table =
        verify::measure_head(visibility, strip, *embeddings, plan, pass, nullptr, memory).rows;
    heads.push_back({{"head", h}, {"top", means_json(verify::mean_over_rows(table, plan, weights.rows()))}});
    if (!options.per_row.empty()) tables.push_back(table);
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
