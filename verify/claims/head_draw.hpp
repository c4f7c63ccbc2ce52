#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "sim/logits.hpp"
#include "sim/normalizer.hpp"
#include "sim/random.hpp"
#include "sim/sphere.hpp"
#include "theory/row.hpp"
#include "verify/claims/parameters.hpp"
#include "verify/claims/point_row.hpp"

namespace headroom::verify {

/// How the rows of a cell's trials come about: T = 1, vectors uniform on the unit sphere unless separated or shifted.
struct HeadSpec {
  std::size_t length = 0;
  std::size_t dim = 0;
  std::string logits = "gaussian";
  std::string normalizer = "softmax";
  double separation = 0.0;  ///< δ, by the default sampler
  double shift = 0.0;       ///< x ← (shift·e₁ + u)/‖…‖ of uniform u: vectors with a common mean

  [[nodiscard]] Parameters parameters() const;
};

/// One row of a head, drawn anew whenever asked. Owned by one thread.
class HeadDraw {
 public:
  explicit HeadDraw(const HeadSpec& spec);

  void draw_weights(sim::Stream& stream);
  void draw_vectors(sim::Stream& stream) { draw_vectors(stream, spec_.length); }
  /// The first `count` vectors only; all of them where they keep a separation.
  void draw_vectors(sim::Stream& stream, std::size_t count);

  [[nodiscard]] std::vector<double>& weights() { return weights_; }
  [[nodiscard]] theory::RowView<double> row() const { return {weights_, vectors()}; }
  [[nodiscard]] MatrixView<const double> vectors() const { return {vectors_.data(), spec_.length, spec_.dim}; }

 private:
  HeadSpec spec_;
  std::shared_ptr<const sim::LogitModel> model_;
  std::shared_ptr<const sim::Normalizer> normalizer_;
  std::shared_ptr<const sim::SphereSampler> sampler_;  // null without a separation
  std::vector<double> logits_, weights_, vectors_;
};

/// One draw of a spec's weights, decreasing, the same in every run: for cells whose weights are fixed.
[[nodiscard]] std::vector<double> fixed_weights(const HeadSpec& spec);

}  // namespace headroom::verify
