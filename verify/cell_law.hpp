#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "theory/resolution_law.hpp"
#include "verify/cell.hpp"
#include "verify/statistics/moments.hpp"

namespace headroom::verify {

/// The resolution law over draws of the weights: what N_s/N to expect of heads that choose N of L tokens in d
/// dimensions by a logit model and a normalizer, without simulating any vector. Refined (theory::ResolutionLaw): exact
/// for N <= 3.
///
/// Draw k has the same random numbers at every L, d and N, so answers are comparable far below their standard error,
/// and bisection over any of the three is not led astray by noise.
class CellLaw {
 public:
  struct Options {
    std::string logits = "gaussian";
    std::string normalizer = "softmax";
    double temperature = 1.0;
    std::size_t draws = 64;
    std::uint64_t seed = 1;
  };

  /// Throws usage errors for unknown specs, T not positive and finite, no draws, and normalizers with negative weights.
  /// `recorded` stands for a logit model "file:PATH". `drawn` is called after every draw, by any thread; what it throws
  /// ends the call that draws.
  explicit CellLaw(Options options, std::shared_ptr<const sim::LogitModel> recorded = nullptr,
                   std::function<void()> drawn = nullptr);

  /// N_s/N over the draws; throws the usage errors of Cell for L, d and N that cannot be. The draws run on all threads
  /// and are added in order.
  [[nodiscard]] Moments separable(std::size_t length, std::size_t dim, std::size_t top) const;

  /// A value asked for, and the law there.
  struct Answer {
    std::size_t value = 0;
    Moments separable;
    bool at_limit = false;  ///< nothing beyond was tried: every N < L, or the largest L, separates the fraction
  };

  /// Where N_s/N crosses `fraction`: the largest N, the largest L or the smallest d with at least that fraction; found
  /// by doubling, then bisection, so that of several crossings it is the first. Nothing when the first N (L, or the
  /// last d) falls short. 0 < fraction <= 1.
  [[nodiscard]] std::optional<Answer> largest_top(std::size_t length, std::size_t dim, double fraction) const;
  [[nodiscard]] std::optional<Answer> largest_length(std::size_t dim, std::size_t top, double fraction) const;
  [[nodiscard]] std::optional<Answer> smallest_dim(std::size_t length, std::size_t top, double fraction) const;

  static constexpr std::size_t length_limit = std::size_t{1} << 20;
  static constexpr std::size_t dim_limit = std::size_t{1} << 16;

  [[nodiscard]] const Options& options() const { return options_; }

 private:
  Options options_;
  std::shared_ptr<const sim::LogitModel> recorded_;
  std::function<void()> drawn_;
};

}  // namespace headroom::verify
