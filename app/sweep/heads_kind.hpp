#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/sweep/input_digests.hpp"
#include "app/sweep/window_means.hpp"
#include "app/sweep/window_pass.hpp"
#include "verify/sweep/kind.hpp"

namespace headroom::app {

/// Grids of a model's heads on a text under a normalizer, what `compare` does one of: keys model, text, length, bos,
/// vectors, normalize, match, temperature, normalizer and top (grouped). A trial is a window of the text, the first
/// being the first, and its value the mean over all heads, with `_sd` its standard deviation over heads: heads of one
/// window read the same words and are no independent observations. Nothing is drawn, so a seed makes no difference.
///
/// A cell's key has the SHA-256 of model and text in place of their names.
class HeadsKind final : public verify::sweep::Kind {
 public:
  explicit HeadsKind(std::shared_ptr<InputDigests> inputs)
      : inputs_(std::move(inputs)), passes_(std::make_shared<WindowPasses>()) {}

  [[nodiscard]] std::string name() const override { return "heads"; }
  [[nodiscard]] std::span<const verify::sweep::GridKey> keys() const override;
  [[nodiscard]] std::string grouped() const override { return "top"; }
  [[nodiscard]] bool uses_seed() const override { return false; }
  [[nodiscard]] std::vector<std::string> quantities() const override;
  [[nodiscard]] Identity identify(std::span<const verify::sweep::Value> point,
                                  std::span<const std::uint64_t> groups) const override;
  [[nodiscard]] std::unique_ptr<verify::sweep::CellWork> begin(std::span<const verify::sweep::Value> point,
                                                               std::span<const std::uint64_t> groups,
                                                               std::uint64_t seed,
                                                               const verify::sweep::Record* saved) const override;

 private:
  [[nodiscard]] std::string text_of(const WindowSource& source, const WindowQuestion& question) const;

  std::shared_ptr<InputDigests> inputs_;
  std::shared_ptr<WindowPasses> passes_;
};

}  // namespace headroom::app
