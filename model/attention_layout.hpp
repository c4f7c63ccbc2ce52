#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "model/tensor.hpp"

namespace headroom::model {

/// Where the heads, the tokens and the components of a head stand among a tensor's axes.
class HeadLayout {
 public:
  /// (…heads…, tokens, components): the left operand of a matrix product.
  static HeadLayout rows() { return {}; }
  /// (…heads…, components, tokens): a transposed right operand.
  static HeadLayout columns();
  /// Axes by position: those of the heads in the order of the scores (kMissing where the tensor has no such axis and
  /// is the same along it), then tokens, then components.
  static HeadLayout axes(std::vector<int> order);
  static constexpr int kMissing = -1;

  /// The axes of a tensor of this rank as in axes(); empty when the rank does not fit.
  [[nodiscard]] std::vector<int> order(std::size_t rank) const;

 private:
  bool swapped_ = false;
  std::vector<int> order_;
};

/// Operand layouts of an Einsum that computes scores (queries × keys) or their product with values.
struct EinsumLayouts {
  HeadLayout left;
  HeadLayout right;
  bool swapped = false;  ///< the right input holds the queries
};

/// Reads "bqhd,bkhd->bhqk" and the like. Nothing when the output does not end in (query, key) or the terms do not
/// describe one product summed over one label.
[[nodiscard]] std::optional<EinsumLayouts> score_einsum(std::string_view equation);

/// Reads "bhqk,bkhd->bqhd": the layout of the values when `weights` (0 or 1) is the input with the weights, whose last
/// axis are the keys.
[[nodiscard]] std::optional<HeadLayout> value_einsum(std::string_view equation, std::size_t weights);

/// The heads' matrices out of a tensor.
struct HeadMatrices {
  std::vector<std::size_t> lead;  ///< extents of the axes before (tokens, components)
  std::size_t tokens = 0;
  std::size_t components = 0;
  std::vector<float> values;  ///< (product of lead, tokens, components)
};

/// Copies a tensor into (…, tokens, components); nothing when its rank does not fit the layout.
[[nodiscard]] std::optional<HeadMatrices> gather_heads(const Tensor& tensor, const HeadLayout& layout);

/// Repeats matrices along lead axes of extent 1, by the usual broadcasting rules, so that `lead` is `target`.
/// False when they do not broadcast.
[[nodiscard]] bool broadcast_heads(HeadMatrices& matrices, const std::vector<std::size_t>& target);

/// The lead extents two operands broadcast to; nothing when they do not.
[[nodiscard]] std::optional<std::vector<std::size_t>> broadcast_lead(const std::vector<std::size_t>& a,
                                                                     const std::vector<std::size_t>& b);

}  // namespace headroom::model
