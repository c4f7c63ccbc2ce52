#include "app/diagnose/profile.hpp"

#include <cmath>
#include <vector>

#include "catch.hpp"
#include "theory/gaussian_entropy.hpp"
#include "theory/vanishing.hpp"

using namespace headroom;       // NOLINT(google-build-using-namespace)
using namespace headroom::app;  // NOLINT(google-build-using-namespace)

namespace {

constexpr std::size_t tokens = 64;
constexpr std::size_t width = 4;

/// One layer of one causal head with the logits query·key; vectors on the axes of the plane and its neighbours.
model::Activations one_head(float first_key, float slope) {
  model::BlockActivations block;
  block.heads = 1;
  block.head_dim = 1;
  block.value_dim = 1;
  block.queries.assign(tokens, 1.0F);
  for (std::size_t i = 0; i < tokens; ++i) block.keys.push_back(i == 0 ? first_key : slope * static_cast<float>(i % 7));
  block.values.assign(tokens, 1.0F);
  block.rule.visibility = Visibility::causal(tokens, tokens);
  std::vector<float> embedding(tokens * width);
  for (std::size_t i = 0; i < tokens; ++i) {
    embedding[i * width + i % width] = 1;
    embedding[i * width + (i + 1) % width] = 0.01F * static_cast<float>(i);
  }
  std::vector<model::BlockActivations> blocks;
  blocks.push_back(std::move(block));
  return {tokens, std::move(blocks), std::move(embedding)};
}

HeadProfile profile_of(const model::Activations& activations) {
  ProfileOptions options;
  options.top = 4;
  Progress progress("heads", 1);
  return profile_heads(activations, options, progress).front();
}

}  // namespace

TEST_CASE("equal weights are all active, of slope 1, and as hot as can be") {
  const HeadProfile head = profile_of(one_head(0, 0));
  CHECK(head.queries == 32);
  CHECK_THAT(head.tokens, Catch::Matchers::WithinRel(48.5, 1e-12));
  CHECK(head.active >= 0.9 * head.tokens);
  CHECK(head.active <= 0.9 * head.tokens + 1);
  CHECK_THAT(head.slope.value(), Catch::Matchers::WithinAbs(1, 1e-6));
  CHECK_THAT(head.max_weight, Catch::Matchers::WithinRel(head.first_weight, 1e-5));
  CHECK(head.effective_temperature > 100);
}

TEST_CASE("a head on the first token alone is a sink of one active token") {
  const HeadProfile head = profile_of(one_head(30, 0));
  CHECK(head.active == 1);
  CHECK_THAT(head.first_weight, Catch::Matchers::WithinRel(1.0, 1e-6));
  CHECK(head_group(head, {}) == "sink");
  CHECK(head.effective_temperature < 0.01);
}

TEST_CASE("the effective temperature of a profile gives its entropy back") {
  const HeadProfile head = profile_of(one_head(0, 0.4F));
  double entropy = 0;
  std::vector<std::size_t> lengths;
  for (std::size_t k = 33; k <= tokens; ++k) {
    std::vector<double> weights;
    double sum = 0;
    for (std::size_t i = 0; i < k; ++i) {
      weights.push_back(std::exp(i == 0 ? 0.0 : 0.4 * static_cast<double>(i % 7)));
      sum += weights.back();
    }
    for (double& weight : weights) weight /= sum;
    entropy += theory::entropy<double>(weights) / 32;
    lengths.push_back(k);
  }
  CHECK_THAT(head.entropy, Catch::Matchers::WithinRel(entropy, 1e-5));
  CHECK_THAT(theory::gaussian_entropy(lengths, head.effective_temperature), Catch::Matchers::WithinRel(entropy, 1e-4));
}
