#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "core/head.hpp"
#include "verify/embeddings.hpp"
#include "verify/row_kernels.hpp"
#include "verify/row_sweep.hpp"

namespace headroom::verify {

/// Which tokens a causal row is measured over.
enum class Context {
  visible,  ///< the tokens the query sees: L := k (the default)
  all,      ///< every token; masked ones keep weight 0 and stay among the non-selected
};

/// One row on its way through the pass: its tokens laid out contiguously, weights scaled by a power of two so that the
/// largest is in [1/2, 1) and no square leaves the exponent range, and the sums every N shares. Reused from row to row.
/// Arrays over the tokens are in Real, float or double; the order of the tokens and the vectors s and c are in double.
template <class Real>
class Row {
 public:
  /// Takes query `query` of the head. `select` tokens are put in order of decreasing weight, ties by lower index.
  void load(const HeadView& head, std::size_t query, Context context, const Embeddings& embeddings, std::size_t select);

  /// Adds the next token in order to the selection: ᾱ, ‖s‖² and the outside mask. @param inner s·x of the token
  /// before it joins
  void select_next(double inner);

  /// Selects up to `count` tokens one by one, s·x_i brought up to date with the row of G of each.
  void follow(std::size_t count);

  /// Selects up to `count` tokens at once. @param context their s, in Real; empty where nobody asks for ‖s‖²
  void select_up_to(std::size_t count, std::span<const Real> context);

  /// Takes the selection back to its first `count` tokens. s·x_i is summed again from rows of G.
  void restart(std::size_t count);

  /// The context vector of the selected, d padded to whole lanes; brought up to date first.
  [[nodiscard]] const std::vector<double>& s() const;

  /// ‖s‖² of the selection so far.
  [[nodiscard]] double s2() const;

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t selected() const { return selected_; }
  [[nodiscard]] std::size_t token(std::size_t position) const {
    return gathered_.empty() ? first_ + position : gathered_[position];
  }
  [[nodiscard]] const Embeddings& embeddings() const { return *embeddings_; }
  [[nodiscard]] std::span<const double> vector(std::size_t position) const {
    return embeddings_->vector(token(position));
  }
  /// Row of the Gram matrix of the token at `position`, in this row's layout; readable up to the padding. Where the
  /// tokens have holes it lives in scratch array `scratch` < sweep_width.
  [[nodiscard]] const Real* gram(std::size_t position, std::size_t scratch = 0);

  [[nodiscard]] RowArrays<Real> arrays() const;
  [[nodiscard]] std::size_t order(std::size_t rank) const { return order_[rank]; }
  [[nodiscard]] std::span<const double> alpha() const { return {alpha_.data(), size_}; }
  [[nodiscard]] std::size_t padded() const { return padded_; }

  /// A weight or length computed from the scaled weights, in the units of the row.
  [[nodiscard]] double unscale(double value) const {
    return factor_ > 0 ? value * factor_ : std::ldexp(value, exponent_);
  }

  // The state of the pass; the pass itself writes these.
  std::vector<Real> sx;                ///< s·x_i
  std::vector<Real> cy;                ///< c·y_i
  std::vector<Real> far;               ///< see RowKernels::widen: over selected tokens, all of them but `unwidened`
  std::vector<std::size_t> unwidened;  ///< selected tokens, by rank, that may be in no farthest pair
  std::size_t offered = 0;             ///< ranks before this are in far or unwidened
  double waited_for = 0;               ///< d₁² that `unwidened` were found too near for
  std::vector<Real> u;                 ///< see RowKernels::separation
  std::vector<Real> spread;            ///< S_i² of thm1.random.sharp
  std::vector<double> c;               ///< Σ y_i, d padded to whole lanes
  double c2 = 0;                       ///< ‖c‖²
  double y2_sum = 0;                   ///< Σ ‖y_i‖²
  double longest2 = 0;                 ///< max ‖x‖² of the selected
  double mass = 0;                     ///< ᾱ, scaled as the weights

 private:
  static constexpr bool narrow = !std::is_same_v<Real, double>;

  void find_order(std::size_t select);
  void repair_s2();

  const Embeddings* embeddings_ = nullptr;
  std::size_t size_ = 0;
  std::size_t padded_ = 0;  // for Real; of double too
  std::size_t first_ = 0;
  std::size_t selected_ = 0;
  double s2_ = 0;
  mutable std::size_t summed_ = 0;  // tokens that s_ is the sum of
  mutable std::vector<double> s_;
  int exponent_ = 0;
  double factor_ = 1;                  // 2^exponent, or 0 where that is no normal number
  std::vector<std::size_t> gathered_;  // token of each position, when the visible ones are not contiguous
  std::vector<std::uint32_t> order_;
  std::vector<double> alpha_;
  std::vector<Real> narrow_alpha_, norm2_, y2_, visible_, outside_, rank_;
  std::array<std::vector<Real>, sweep_width> gram_scratch_;
};

extern template class Row<float>;
extern template class Row<double>;

}  // namespace headroom::verify
