#include "app/diagnose/profile.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <optional>

#include "app/interrupt.hpp"
#include "core/error.hpp"
#include "theory/gaussian_entropy.hpp"
#include "verify/active_set.hpp"
#include "verify/measure.hpp"

namespace headroom::app {
namespace {

using verify::Quantity;

constexpr double kLawTolerance = 5e-3;  // of each row, where the law is not taken on merged weights

/// What the measuring pass does not give, per query.
struct RowExtras {
  std::vector<std::size_t> active;
  std::vector<double> first_weight;
};

/// Least squares of y on x.
class SlopeFit {
 public:
  void add(double x, double y) {
    ++count_;
    const double dx = x - mean_x_;
    mean_x_ += dx / count_;
    xx_ += dx * (x - mean_x_);
    const double dy = y - mean_y_;
    mean_y_ += dy / count_;
    xy_ += dx * (y - mean_y_);
  }
  [[nodiscard]] std::optional<double> slope() const {
    if (!(xx_ > 0)) return std::nullopt;
    return xy_ / xx_;
  }

 private:
  double count_ = 0;
  double mean_x_ = 0;
  double mean_y_ = 0;
  double xx_ = 0;
  double xy_ = 0;
};

class Profiler {
 public:
  Profiler(const model::Activations& activations, const ProfileOptions& options)
      : activations_(activations),
        options_(options),
        plan_(verify::Plan::uniform(
            {options.top}, {Quantity::separable, Quantity::separable_law, Quantity::entropy, Quantity::max_weight})),
        vectors_(activations, options.vectors, 1, [this](std::size_t rows, std::size_t tokens, std::size_t dim) {
          make_law(dim);
          verify::Embeddings::Options prepared = verify::RowPassOf<float>::prepare(plan_, rows, tokens, dim);
          prepared.normalize = options_.normalize;
          return prepared;
        }) {}

  HeadProfile profile(std::size_t layer, std::size_t head) {
    const verify::Embeddings& embeddings = vectors_.of(layer, head);
    const Visibility& visibility = activations_.visibility(layer);
    RowExtras extras{std::vector<std::size_t>(visibility.queries()), std::vector<double>(visibility.queries())};
    verify::RowPassOptions row_options;
    row_options.law = law_ ? &*law_ : nullptr;
    row_options.binned_law = binned_law_ ? &*binned_law_ : nullptr;
    const verify::HeadMeasurement& measured =
        verify::measure_head(visibility, strips(layer, head, extras), embeddings, plan_, row_options, nullptr, memory_);
    return summarize(layer, head, measured.rows, extras);
  }

 private:
  void make_law(std::size_t dim) {
    if (dim == law_dim_) return;
    law_dim_ = dim;
    law_.reset();
    binned_law_.reset();
    if (dim >= verify::BinnedLaw::least_dim) {
      binned_law_.emplace(dim);
    } else {
      law_.emplace(dim, theory::ResolutionOptions{.tolerance = kLawTolerance});
    }
  }

  /// The head's weights; every row passes here once, so that its extras are noted on the way.
  verify::StripSource strips(std::size_t layer, std::size_t head, RowExtras& extras) const {
    return [this, layer, head, &extras](std::size_t first, std::size_t count, verify::StripMemory& memory) {
      const std::size_t tokens = activations_.tokens();
      memory.weights.resize(count * tokens);
      const MatrixView<double> weights{memory.weights.data(), count, tokens};
      activations_.weights(layer, head, first, weights);
      const Visibility seen = activations_.visibility(layer).slice(first, count);
      thread_local std::vector<double> scratch;
      for (std::size_t r = 0; r < count; ++r) {
        if (2 * seen.count(r) <= tokens) continue;
        const Visibility::Range range = seen.range(r);
        const std::span<const double> row(weights.row_data(r) + range.begin, range.size());
        extras.active[first + r] = verify::active_set(row, options_.active_share, scratch);
        extras.first_weight[first + r] = row.front();
      }
      return HeadView{weights, {}, {}, seen};
    };
  }

  HeadProfile summarize(std::size_t layer, std::size_t head, const verify::RowTable& rows, const RowExtras& extras) {
    const auto value = [&](std::size_t row, Quantity quantity) { return rows.value(row, plan_.slot(0, quantity)); };
    HeadProfile sums;
    sums.layer = layer;
    sums.head = head;
    SlopeFit slope;
    std::vector<std::size_t> lengths;
    for (std::size_t row = 0; row < rows.rows(); ++row) {
      const std::size_t length = rows.context_length[row];
      if (length <= options_.top) continue;
      if (16 * length >= activations_.tokens()) {
        slope.add(std::log(static_cast<double>(length)), value(row, Quantity::entropy));
      }
      if (2 * length <= activations_.tokens()) continue;
      lengths.push_back(length);
      sums.tokens += static_cast<double>(length);
      sums.active += static_cast<double>(extras.active[row]);
      sums.first_weight += extras.first_weight[row];
      sums.separable += value(row, Quantity::separable);
      sums.separable_law += value(row, Quantity::separable_law);
      sums.entropy += value(row, Quantity::entropy);
      sums.max_weight += value(row, Quantity::max_weight);
    }
    if (lengths.empty()) {
      throw_input("no query sees more than half of the tokens", fmt::format("layer {}, head {}", layer, head),
                  "shorten --length to what the model's window holds");
    }
    sums.queries = lengths.size();
    for (double* mean : {&sums.tokens, &sums.active, &sums.first_weight, &sums.separable, &sums.separable_law,
                         &sums.entropy, &sums.max_weight}) {
      *mean /= static_cast<double>(lengths.size());
    }
    sums.slope = slope.slope();
    sums.effective_temperature = temperatures(lengths).of(sums.entropy);
    return sums;
  }

  /// Heads that see the same tokens share the table.
  const theory::EffectiveTemperature& temperatures(const std::vector<std::size_t>& lengths) {
    const auto known = temperatures_.find(lengths);
    if (known != temperatures_.end()) return known->second;
    return temperatures_.try_emplace(lengths, lengths).first->second;
  }

  const model::Activations& activations_;
  ProfileOptions options_;
  verify::Plan plan_;
  std::size_t law_dim_ = 0;
  std::optional<theory::ResolutionLaw> law_;
  std::optional<verify::BinnedLaw> binned_law_;
  HeadVectors vectors_;
  verify::MeasureMemory memory_;
  std::map<std::vector<std::size_t>, theory::EffectiveTemperature> temperatures_;
};

}  // namespace

std::vector<HeadProfile> profile_heads(const model::Activations& activations, const ProfileOptions& options,
                                       Progress& progress) {
  Profiler profiler(activations, options);
  std::vector<HeadProfile> heads;
  for (std::size_t layer = 0; layer < activations.layers(); ++layer) {
    for (std::size_t head = 0; head < activations.heads(layer); ++head) {
      heads.push_back(profiler.profile(layer, head));
      progress.advance();
      if (interrupted()) throw Interrupted("not all heads were measured, nothing was written");
    }
  }
  return heads;
}

}  // namespace headroom::app
