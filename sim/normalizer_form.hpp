#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace headroom::sim {

/// The functions behind the normalizers' names; ids that differ in constants alone share one.
enum class NormalizerKind { softmax, softmax1, self_adjust, self_adjust_normalized, entmax, top_k, sigmoid, power };

/// F of power; its exp is softmax.
enum class PowerFunction { softplus, square, cosh };

/// What the logits of a row of n tokens are multiplied by: constant + slope·log(n + more)^power.
struct LengthScale {
  double constant = 1;
  double slope = 0;
  double more = 0;
  double power = 1;

  [[nodiscard]] bool varies() const { return slope != 0; }
  [[nodiscard]] long double of(std::size_t n) const;
};

/// What a spec means: read once, for the float64 reference and for the kernels alike.
struct NormalizerForm {
  NormalizerKind kind = NormalizerKind::softmax;
  std::string name;            ///< the spec with every key written out
  LengthScale scale;           ///< of softmax and entmax
  double alpha = 1;            ///< of entmax, above 1 and at most 64: entmax at 1 is softmax
  std::size_t k = 0;           ///< of top_k
  std::optional<double> bias;  ///< of sigmoid; none is −log n
  PowerFunction function = PowerFunction::softplus;

  /// Usage errors as in Spec, and for values out of range.
  [[nodiscard]] static NormalizerForm of(std::string_view spec);
};

}  // namespace headroom::sim
