#include "app/compare/fit_heads.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "app/compare/each_head.hpp"
#include "core/error.hpp"

namespace headroom::app {

std::vector<HeadFits> fit_heads(const model::Activations& activations, const CompareOptions& options,
                                const std::function<void()>& head_done) {
  const Candidate own("softmax");
  const std::vector<Candidate> candidates(options.normalizers.begin(), options.normalizers.end());
  HeadLogits logits;
  HeadWeights weights;
  std::vector<HeadFits> result;
  for_each_head(activations, head_done, [&](std::size_t layer, std::size_t head) {
    HeadFits fits{layer, head, std::vector<Fit>(candidates.size())};
    for (Fit& fit : fits.of) fit.temperature = options.temperature;
    if (options.match != Match::none) {
      logits.load(activations, layer, head);
      own.weights(logits, 1, weights);
      const double target = sharpness(weights, logits.visibility(), options.match);
      for (std::size_t i = 0; i < candidates.size(); ++i) {
        fits.of[i].target = target;
        if (candidates[i].name() == own.name()) continue;
        fits.of[i] = fit_temperature(candidates[i], logits, options.match, target, weights);
      }
    }
    result.push_back(std::move(fits));
  });
  return result;
}

void require_reached(std::span<const HeadFits> fits, const CompareOptions& options) {
  constexpr std::size_t told = 3;
  std::size_t count = 0;
  std::string named;
  for (const HeadFits& head : fits) {
    for (std::size_t i = 0; i < head.of.size(); ++i) {
      const Fit& fit = head.of[i];
      if (fit.reached || count++ >= told) continue;
      named += fmt::format("{}layer {}, head {}, {}: {:.4g} is asked for and {:.4g} to {:.4g} can be reached",
                           named.empty() ? "" : "; ", head.layer, head.head, options.normalizers[i], fit.target,
                           fit.lowest, fit.highest);
    }
  }
  if (count == 0) return;
  const std::string others = count > told ? fmt::format("; and {} more", count - told) : "";
  throw_input(fmt::format("no temperature gives softmax's mean {}",
                          options.match == Match::entropy ? "entropy" : "largest weight"),
              named + others, "leave that normalizer out, change its keys, or use --match none");
}

}  // namespace headroom::app
