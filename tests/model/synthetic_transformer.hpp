#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "onnx_builder.hpp"

namespace headroom::test {

/// One way of writing the same small transformer down as a graph. With the defaults: GPT-2's.
struct Form {
  enum class Scale { div_scores, mul_scores, on_query, sqrt_on_both, none };
  enum class Mask { where, masked_fill, add, where_and_add, gate, window, none };

  int opset = 13;
  std::int64_t layers = 2;
  std::int64_t heads = 4;
  std::int64_t kv_heads = 4;
  std::int64_t head_dim = 8;
  std::int64_t vocabulary = 61;
  std::int64_t context = 64;
  Scale scale = Scale::div_scores;
  Mask mask = Mask::where;
  bool merged_heads = false;    ///< (batch·heads, L, d) instead of (batch, heads, L, d)
  bool einsum = false;          ///< products as Einsum over (batch, L, heads, d)
  bool fused_qkv = true;        ///< one projection and a Split
  bool rotary = false;          ///< instead of learned positions
  bool guarded = false;         ///< NaN rows replaced after the softmax
  bool half_weights = false;    ///< stored as float16
  bool post_norm = false;       ///< BERT's order
  bool alibi = false;           ///< a bias per head, linear in the distance
  bool copies = false;          ///< Cast, Identity and Dropout strewn in
  bool attention_mask = false;  ///< as an input
  bool position_ids = false;    ///< as an input
  bool token_types = false;     ///< as an input
  bool past = false;            ///< past keys and values as inputs
  std::string batch = "batch";
  std::string sequence = "sequence";

  [[nodiscard]] std::int64_t width() const { return heads * head_dim; }
};

/// The model; its weights depend on the sizes alone, so that two forms of one model compute the same.
[[nodiscard]] OnnxBuilder synthetic_transformer(const Form& form);

/// The slope of a head's ALiBi bias.
[[nodiscard]] float alibi_slope(std::size_t head);

/// Tokens a query sees in a sliding window, itself included.
inline constexpr std::int64_t kWindow = 5;

}  // namespace headroom::test
