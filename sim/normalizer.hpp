#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/matrix_view.hpp"
#include "core/visibility.hpp"
#include "sim/jacobian.hpp"
#include "sim/spec.hpp"

namespace headroom::sim {

/// What a row without a visible token becomes.
enum class EmptyRow { error, zeros };

/// A map from the logits a query sees to its weights. Immutable, so one object serves any number of threads.
///
/// A masked token is a token that is not there: outside the visible range, hidden by the mask, or of logit −∞. The
/// result on the others equals deleting it, and its own weight is 0. In every call the temperature T must be positive
/// and finite (usage error); NaN or +∞ among the visible logits is an input error naming row and column, and so is an
/// empty row under EmptyRow::error. float64 throughout.
class Normalizer {
 public:
  Normalizer(std::string name, EmptyRow empty_row) : name_(std::move(name)), empty_row_(empty_row) {}
  virtual ~Normalizer() = default;

  /// Weights of one row of n logits; `weights` has n elements and may be the same memory as `logits`.
  /// `row` is for messages.
  void weights(std::span<const double> logits, double temperature, std::span<double> weights,
               std::size_t row = 0) const;

  /// Weights of a head, (queries × tokens). Entries a query does not see are set to 0, their logits never read.
  void weights(MatrixView<const double> logits, const Visibility& visibility, double temperature,
               MatrixView<double> weights) const;

  /// J = ∂weights/∂logits at one row, n × n.
  [[nodiscard]] Jacobian jacobian(std::span<const double> logits, double temperature, std::size_t row = 0) const;

  /// Whether the weights of a row that is not empty always sum to 1.
  [[nodiscard]] virtual bool sums_to_one() const { return true; }

  /// Whether weights are never negative, which Sections 1 to 3 of the theory take for granted.
  [[nodiscard]] virtual bool nonnegative() const { return true; }

  /// The spec with every key written out, e.g. "entmax:alpha=1.5".
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  /// Turns a row of at least one finite logit, with nothing masked, into its weights.
  virtual void apply(std::span<double> row, double temperature) const = 0;

  /// The Jacobian at such a row.
  [[nodiscard]] virtual Jacobian linearize(std::span<const double> logits, double temperature) const = 0;

  void weigh(std::span<const double> logits, std::span<const std::size_t> kept, double temperature,
             std::span<double> weights, std::size_t row) const;

  std::string name_;
  EmptyRow empty_row_;
};

/// What `list normalizers` shows: ids, keys, defaults, formulas and sources, in the order of the documentation.
[[nodiscard]] std::span<const EntryInfo> normalizer_list();

/// The normalizer of a spec such as "softmax" or "entmax:alpha=1.5". Usage errors as in Spec, and for values out of
/// range.
[[nodiscard]] std::unique_ptr<const Normalizer> make_normalizer(std::string_view spec,
                                                                EmptyRow empty_row = EmptyRow::error);

}  // namespace headroom::sim
