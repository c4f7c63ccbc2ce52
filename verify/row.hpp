#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/head.hpp"
#include "verify/embeddings.hpp"
#include "verify/row_kernels.hpp"

namespace headroom::verify {

/// Which tokens a causal row is measured over.
enum class Context {
  visible,  ///< the tokens the query sees: L := k (the default of THEORY.md)
  all,      ///< every token; masked ones keep weight 0 and stay among the non-selected
};

/// One row on its way through the pass: its tokens laid out contiguously, weights scaled by a power of two so that the
/// largest is in [1/2, 1) and no square leaves the exponent range, and the sums every N shares. Reused from row to row.
class Row {
 public:
  /// Takes query `query` of the head. `select` tokens are put in order of decreasing weight, ties by lower index.
  void load(const HeadView& head, std::size_t query, Context context, const Embeddings& embeddings, std::size_t select);

  /// Adds the next token in order to the selection: s, ᾱ and the outside mask. Returns its position.
  std::size_t select_next();

  /// ‖s‖² of the selection so far.
  [[nodiscard]] double s2() const;

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t selected() const { return selected_; }
  [[nodiscard]] std::size_t token(std::size_t position) const {
    return gathered_.empty() ? first_ + position : gathered_[position];
  }
  /// Where a token stands in this row; nothing when the row does not see it.
  [[nodiscard]] std::optional<std::size_t> position(std::size_t token) const;
  [[nodiscard]] const Embeddings& embeddings() const { return *embeddings_; }
  [[nodiscard]] std::span<const double> vector(std::size_t position) const {
    return embeddings_->vector(token(position));
  }
  /// Row of the Gram matrix of the token at `position`, in this row's layout; readable up to the padding.
  [[nodiscard]] const double* gram(std::size_t position);

  [[nodiscard]] RowArrays arrays() const;
  [[nodiscard]] std::size_t order(std::size_t rank) const { return order_[rank]; }
  [[nodiscard]] std::span<const double> alpha() const { return {alpha_.data(), size_}; }

  /// A weight or length computed from the scaled weights, in the units of the row.
  [[nodiscard]] double unscale(double value) const;

  // The state of the pass; the pass itself writes these.
  std::vector<double> sx;      ///< s·x_i
  std::vector<double> cy;      ///< c·y_i
  std::vector<double> far;     ///< see widen(); without the Gram matrix only
  std::vector<double> u;       ///< see separation()
  std::vector<double> spread;  ///< S_i² of thm1.random.sharp
  std::vector<double> s;       ///< context vector of the selected, d padded to whole lanes
  std::vector<double> c;       ///< Σ y_i, likewise
  double c2 = 0;               ///< ‖c‖²
  double y2_sum = 0;           ///< Σ ‖y_i‖²
  double mass = 0;             ///< ᾱ, scaled as the weights

 private:
  void find_order(std::size_t select);

  const Embeddings* embeddings_ = nullptr;
  std::size_t size_ = 0;
  std::size_t padded_ = 0;
  std::size_t first_ = 0;
  std::size_t selected_ = 0;
  int exponent_ = 0;
  double factor_ = 1;                  // 2^exponent, or 0 where that is no normal number
  std::vector<std::size_t> gathered_;  // token of each position, when the visible ones are not contiguous
  std::vector<std::uint32_t> order_;
  std::vector<double> alpha_, norm2_, y2_, visible_, outside_, gram_scratch_;
};

}  // namespace headroom::verify
