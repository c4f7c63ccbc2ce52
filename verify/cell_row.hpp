#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "theory/resolution_law.hpp"
#include "verify/cell.hpp"
#include "verify/row_kernels.hpp"

namespace headroom::verify {

/// One row of weights over unit vectors, measured from products alone: what RowPass does for a head given as arrays,
/// without ever having the vectors. The caller selects, and supplies ‖s‖² and s·x_i, ‖c‖² and c·x_i. Reused from trial
/// to trial.
class CellRow {
 public:
  /// The quantities evaluate() knows: all but those that need distances between tokens.
  static QuantitySet supported();

  /// @param law where separable_law is measured
  CellRow(const Cell& cell, const theory::ResolutionLaw* law);

  /// Takes the weights of a trial, scaled by a power of two so that no square leaves the exponent range, and orders the
  /// largest ones.
  void load(std::span<const double> weights);

  /// The scaled weights, padded with zeros to padded().
  [[nodiscard]] const double* alpha() const { return alpha_.data(); }
  [[nodiscard]] std::size_t padded() const { return padded_; }

  /// The token with the rank-th largest weight, ties by the lower index; up to the largest N of the plan.
  [[nodiscard]] std::size_t order(std::size_t rank) const { return order_[rank]; }

  /// Takes the first `top` tokens in order off the non-selected; at least as many as before.
  void select(std::size_t top);
  [[nodiscard]] std::span<const std::uint32_t> selected() const { return {order_.data(), selected_}; }
  [[nodiscard]] bool is_selected(std::size_t token) const { return outside_[token] == 0; }

  /// c of the row: what E₀ and E₁ are made of. `cx` holds c·x_i and becomes c·y_i.
  void set_context(double c2, double* cx);

  /// The products of the selection: ‖s‖² and s·x_i for every token. With `independent`, s·x_i = ‖s‖u_i in truth, so
  /// that lengths can be had from them without cancellation.
  struct Products {
    double s2 = 0;
    const double* sx = nullptr;
    bool independent = false;
  };

  /// Values at one N, whose tokens have been selected, into the slots of the cell's plan. False, with some slots
  /// unwritten, when the products have cancelled too far to tell a length: then the vectors are needed.
  bool evaluate(std::size_t request, const Products& products, std::span<double> out);

 private:
  class Writer;
  void find_order(std::size_t top);
  [[nodiscard]] RowArrays<double> arrays(const double* sx) const;
  bool put_distances(const Products& products, Writer& put);
  bool put_separation(const Products& products, Writer& put);
  bool put_expectations(Writer& put);
  void put_weights(Writer& put);

  const Cell& cell_;
  const theory::ResolutionLaw* law_;
  std::size_t size_;
  std::size_t padded_;
  std::size_t selected_ = 0;
  double scale_ = 1;   // what a length in scaled weights is multiplied with
  double mass_ = 0;    // of the selected, scaled
  double likely_ = 0;  // a weight that the next row's N-th largest probably exceeds; a matter of speed alone
  double c2_ = 0;
  const double* cy_ = nullptr;
  std::vector<std::uint32_t> order_;
  std::vector<double> alpha_, ones_, y2_, visible_, outside_, u_, scratch_, decreasing_;
};

}  // namespace headroom::verify
