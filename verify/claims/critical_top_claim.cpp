#include "verify/claims/critical_top_claim.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "verify/claims/blocks.hpp"
#include "verify/claims/head_draw.hpp"
#include "verify/critical_top.hpp"
#include "verify/measure.hpp"

namespace headroom::verify {
namespace {

constexpr std::size_t heads = 144;
constexpr std::size_t dim = 64;
constexpr std::size_t queries = 8;
constexpr double level = 0.01;

// Means over the queries of one head, per N.
struct HeadRow {
  std::vector<TopMeans> means;
};

// Heads differ in how sharp they are, as a model's do: sigma from near 0 to near 3.
HeadRow measure_head(sim::Stream& stream, std::uint64_t index, std::size_t length, const Plan& plan) {
  const double sigma = 3.0 * (static_cast<double>(index) + 0.5) / static_cast<double>(heads);
  HeadDraw draw({.length = length, .dim = dim, .logits = fmt::format("gaussian:sigma={}", sigma)});
  std::vector<double> weights(queries * length);
  for (std::size_t q = 0; q < queries; ++q) {
    draw.draw_weights(stream);
    std::ranges::copy(draw.weights(), weights.begin() + static_cast<std::ptrdiff_t>(q * length));
  }
  draw.draw_vectors(stream);
  const Embeddings embeddings(draw.vectors(), RowPass::prepare(plan, queries, length, dim));
  const HeadView head{{weights.data(), queries, length}, {}, draw.vectors(), Visibility::all(queries, length)};
  return {mean_over_rows(measure_rows(head, embeddings, plan), plan, queries)};
}

std::optional<CriticalTop> critical(const std::vector<HeadRow>& rows, Quantity expectation) {
  std::vector<HeadMeans> means(rows.front().means.size());
  for (std::size_t t = 0; t < means.size(); ++t) {
    means[t].top = rows.front().means[t].top;
    for (const HeadRow& head : rows) {
      means[t].distance.push_back(head.means[t][Quantity::distance]);
      means[t].expected.push_back(head.means[t][expectation]);
    }
  }
  return critical_top(means, level);
}

class CriticalTopClaim final : public Claim {
 public:
  using Claim::Claim;

  [[nodiscard]] std::size_t hypotheses(Preset) const override { return 0; }

  [[nodiscard]] ClaimResult run(const RunContext& context) const override {
    ClaimResult result;
    result.id = id();
    const std::size_t longest = context.preset == Preset::quick ? 128 : context.preset == Preset::paper ? 1024 : 4096;
    for (std::size_t length = 32; length <= longest; length *= 2) {
      CellRecord record;
      record.claim = id();
      record.parameters = {{"length", static_cast<double>(length)},
                           {"dim", static_cast<double>(dim)},
                           {"heads", static_cast<double>(heads)},
                           {"queries", static_cast<double>(queries)}};
      record.trials = heads * queries;
      std::vector<std::size_t> tops(std::min<std::size_t>(length, 101) - 1);
      for (std::size_t t = 0; t < tops.size(); ++t) tops[t] = t + 1;
      for (std::size_t top = 128; top <= length / 2; top *= 2) tops.push_back(top);
      const Plan plan = Plan::uniform(tops, {Quantity::distance, Quantity::expected, Quantity::expected_full});
      std::vector<HeadRow> rows(heads);
      const std::uint64_t key = stream_key(id(), record.parameters);
      for_blocks(heads, context.stop, [&](std::uint64_t head) {
        sim::Stream stream(context.seed, key, head);
        rows[head] = measure_head(stream, head, length, plan);
      });
      for (const auto& [expectation, label] : {std::pair{Quantity::expected_full, "E1"}, {Quantity::expected, "E0"}}) {
        const std::optional<CriticalTop> found = critical(rows, expectation);
        const std::string at = " at L = " + std::to_string(length);
        if (!found) continue;
        const auto top = static_cast<double>(found->top);
        record.measured.emplace_back(std::string("critical N against ") + label, Moments{1, top, 0.0});
        result.measured.emplace_back(std::string("critical N / L against ") + label + at,
                                     top / static_cast<double>(length));
      }
      result.trials += record.trials;
      context.finished(record);
      result.cells.push_back(std::move(record));
    }
    return result;
  }
};

}  // namespace

std::unique_ptr<const Claim> make_critical_top_claim() {
  return std::make_unique<CriticalTopClaim>(ClaimText{
      "critical-n",
      "the smallest N at which the heads' mean D and expectation pass for one law: about 0.06 L is reported",
      "arXiv 2508.17821, Section 3.1 and Algorithm 3",
      "144 simulated heads per L in place of the paper's GPT-2: 8 queries each, gaussian logits with sigma spread over "
      "(0, 3), isotropic vectors, d "
      "= 64; two-sample Kolmogorov-Smirnov test at level 0.01; `headroom reproduce` measures a model",
      Kind::measurement,
      {"L 32 to 128, against E1 and E0", "L 32 to 1024, against E1 and E0", "L 32 to 4096, against E1 and E0"}});
}

}  // namespace headroom::verify
