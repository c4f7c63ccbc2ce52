#include "app/compare/measure.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "app/compare/each_head.hpp"
#include "verify/product.hpp"

namespace headroom::app {
namespace {

using verify::Quantity;

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

verify::PackedMatrix<float> packed(MatrixView<const float> values) {
  std::vector<double> wide(values.rows * values.cols);
  for (std::size_t i = 0; i < values.rows; ++i) {
    for (std::size_t k = 0; k < values.cols; ++k) wide[i * values.cols + k] = static_cast<double>(values(i, k));
  }
  return verify::PackedMatrix<float>::of({wide.data(), values.rows, values.cols});
}

/// Σ α_i v_i of every query, (queries × value width).
std::vector<float> outputs_of(const HeadWeights& weights, const verify::PackedMatrix<float>& values,
                              const Visibility& visibility) {
  const MatrixView<const float> view = weights.view();
  const std::size_t width = values.cols();
  std::vector<float> outputs(view.rows * width);
  constexpr std::size_t height = 16;
#pragma omp parallel for schedule(dynamic)
  for (std::ptrdiff_t strip = 0; strip < static_cast<std::ptrdiff_t>((view.rows + height - 1) / height); ++strip) {
    const std::size_t first = static_cast<std::size_t>(strip) * height;
    const std::size_t count = std::min(height, view.rows - first);
    std::size_t end = 0;
    for (std::size_t r = 0; r < count; ++r) end = std::max(end, visibility.range(first + r).end);
    verify::product(MatrixView<const float>(view.row_data(first), count, end, view.stride), values,
                    MatrixView<float>(outputs.data() + first * width, count, width));
  }
  return outputs;
}

/// ‖a − b‖/‖b‖ of every query; NaN where b = 0.
std::vector<double> changes(const std::vector<float>& a, const std::vector<float>& b, std::size_t rows) {
  std::vector<double> result(rows);
  const std::size_t width = b.size() / rows;
  for (std::size_t row = 0; row < rows; ++row) {
    double difference = 0;
    double norm = 0;
    for (std::size_t i = row * width; i < (row + 1) * width; ++i) {
      const double d = static_cast<double>(a[i]) - static_cast<double>(b[i]);
      difference += d * d;
      norm += static_cast<double>(b[i]) * static_cast<double>(b[i]);
    }
    result[row] = norm > 0 ? std::sqrt(difference / norm) : undefined;
  }
  return result;
}

struct Mean {
  double sum = 0;
  double count = 0;
  void add(double value) {
    if (std::isnan(value)) return;
    sum += value;
    ++count;
  }
  [[nodiscard]] double value() const { return count > 0 ? sum / count : undefined; }
};

verify::QuantitySet quantities_of(const CompareOptions& options) {
  verify::QuantitySet set = {Quantity::distance, Quantity::expected_full, Quantity::separable, Quantity::mass};
  return options.expected ? set | verify::QuantitySet{Quantity::expected} : set;
}

class Comparer {
 public:
  Comparer(const model::Activations& activations, const CompareOptions& options)
      : activations_(activations),
        options_(options),
        own_("softmax"),
        plan_(verify::Plan::uniform(options.tops, quantities_of(options))),
        vectors_(activations, options.vectors, 1, [this](std::size_t rows, std::size_t tokens, std::size_t dim) {
          // Every normalizer measures the rows anew.
          verify::Embeddings::Options prepared =
              verify::RowPassOf<float>::prepare(plan_, rows * options_.normalizers.size(), tokens, dim);
          prepared.normalize = options_.normalize;
          return prepared;
        }) {
    for (const std::string& spec : options.normalizers) candidates_.emplace_back(spec);
  }

  void measure(std::size_t layer, std::size_t head, const std::vector<Fit>& fits, std::vector<HeadComparison>& out) {
    const verify::Embeddings& embeddings = vectors_.of(layer, head);
    logits_.load(activations_, layer, head);
    const verify::PackedMatrix<float> values = packed(activations_.values(layer, head));
    own_.weights(logits_, 1, weights_);
    const std::vector<float> own_outputs = outputs_of(weights_, values, logits_.visibility());
    std::vector<HeadComparison> comparisons(candidates_.size());
    const auto compare = [&](std::size_t i, const std::vector<float>& outputs) {
      HeadComparison& comparison = comparisons[i];
      const double temperature = fits[i].temperature;
      comparison = {layer, head, i, temperature, candidates_[i].effective_scale(temperature), {}, {}};
      if (options_.match != Match::none) comparison.target = fits[i].target;
      comparison.at_length =
          means_of(candidates_[i], temperature, changes(outputs, own_outputs, logits_.view().rows), embeddings);
    };
    const auto is_own = [&](std::size_t i) { return candidates_[i].name() == own_.name() && fits[i].temperature == 1; };
    // The model's own softmax first, while its weights are there.
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      if (is_own(i)) compare(i, own_outputs);
    }
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      if (is_own(i)) continue;
      candidates_[i].weights(logits_, fits[i].temperature, weights_);
      compare(i, outputs_of(weights_, values, logits_.visibility()));
    }
    std::move(comparisons.begin(), comparisons.end(), std::back_inserter(out));
  }

 private:
  std::vector<LengthMeans> means_of(const Candidate& candidate, double temperature, const std::vector<double>& change,
                                    const verify::Embeddings& embeddings) {
    const bool shares = !candidate.signed_weights();
    const std::vector<RowStatistics> rows = statistics_of(weights_, logits_.visibility());
    const std::vector<double> norms = candidate.jacobian_norms(logits_, weights_, temperature);
    const verify::HeadMeasurement* measured = nullptr;
    if (shares) {
      measured = &verify::measure_head(logits_.visibility(), strips(), embeddings, plan_, {}, nullptr, memory_);
    }
    std::vector<LengthMeans> result;
    for (const std::size_t length : options_.lengths) {
      LengthMeans at;
      Mean entropy, largest, zeros, jacobian, output;
      for (std::size_t row = 0; row < length; ++row) {
        entropy.add(rows[row].entropy);
        largest.add(rows[row].max_weight);
        zeros.add(rows[row].zeros);
        output.add(change[row]);
        jacobian.add(norms[row]);
        at.jacobian_worst = std::max(at.jacobian_worst, norms[row]);
      }
      at.entropy = shares ? entropy.value() : undefined;
      at.max_weight = shares ? largest.value() : undefined;
      at.zeros = zeros.value();
      at.jacobian_mean = jacobian.value();
      at.output_change = output.value();
      if (shares) at.tops = verify::mean_over_rows(measured->rows, plan_, length);
      result.push_back(std::move(at));
    }
    return result;
  }

  verify::StripSource strips() const {
    return [this](std::size_t first, std::size_t count, verify::StripMemory& memory) {
      const MatrixView<const float> all = weights_.view();
      memory.weights.resize(count * all.cols);
      const Visibility seen = logits_.visibility().slice(first, count);
      for (std::size_t r = 0; r < count; ++r) {
        const float* from = all.row_data(first + r);
        double* to = memory.weights.data() + r * all.cols;
        const auto [begin, end] = seen.range(r);
        for (std::size_t i = begin; i < end; ++i) to[i] = static_cast<double>(from[i]);
      }
      return HeadView{{memory.weights.data(), count, all.cols}, {}, {}, seen};
    };
  }

  const model::Activations& activations_;
  const CompareOptions& options_;
  Candidate own_;
  std::vector<Candidate> candidates_;
  verify::Plan plan_;
  HeadVectors vectors_;
  verify::MeasureMemory memory_;
  HeadLogits logits_;
  HeadWeights weights_;
};

}  // namespace

std::vector<HeadComparison> measure_heads(const model::Activations& activations, const CompareOptions& options,
                                          std::span<const HeadFits> fits, const std::function<void()>& head_done) {
  Comparer comparer(activations, options);
  std::vector<HeadComparison> result;
  std::size_t at = 0;
  for_each_head(activations, head_done,
                [&](std::size_t layer, std::size_t head) { comparer.measure(layer, head, fits[at++].of, result); });
  return result;
}

std::vector<HeadComparison> compare_heads(const model::Activations& activations, const CompareOptions& options) {
  const std::vector<HeadFits> fits = fit_heads(activations, options, [] {});
  require_reached(fits, options);
  return measure_heads(activations, options, fits, [] {});
}

}  // namespace headroom::app
