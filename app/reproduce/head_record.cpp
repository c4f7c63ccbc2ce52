#include "app/reproduce/head_record.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/hash.hpp"
#include "verify/law_sample.hpp"

namespace headroom::app {
namespace {

using verify::Quantity;
using verify::QuantitySet;

verify::Plan make_plan(const Grids& grids, const FigureChoice& choice) {
  QuantitySet full = QuantitySet::all();
  full.erase(Quantity::separable_law);  // sampled over rows instead
  std::vector<verify::Plan::Request> requests;
  for (std::size_t top : grids.figure_tops()) requests.push_back({top, full});
  if (choice.critical) {
    for (std::size_t length : grids.lengths) {
      for (std::size_t top : grids.critical_tops(length)) {
        requests.push_back({top, {Quantity::distance, Quantity::expected, Quantity::expected_full}});
      }
    }
  }
  return verify::Plan(std::move(requests));
}

}  // namespace

HeadRecorder::HeadRecorder(const Grids& grids, const FigureChoice& choice, std::size_t dim)
    : grids_(grids), choice_(choice), plan_(make_plan(grids, choice)) {
  if (choice.separable) law_.emplace(dim, theory::ResolutionOptions{.tolerance = law_tolerance});
}

verify::Embeddings::Options HeadRecorder::embedding_options(std::size_t rows, std::size_t tokens, std::size_t dim,
                                                            bool normalize) const {
  verify::Embeddings::Options options = verify::RowPass::prepare(plan_, rows, tokens, dim);
  options.normalize = normalize;
  return options;
}

HeadRecord HeadRecorder::record(const HeadView& head, const verify::Embeddings& embeddings, std::size_t layer,
                                std::size_t index, double temperature, std::span<const std::size_t> lengths) const {
  HeadRecord record{layer, index, {}, {}};
  const verify::RowTable table = verify::measure_rows(head, embeddings, plan_, {.temperature = temperature});
  for (std::size_t length : lengths) record.at_length.push_back(verify::mean_over_rows(table, plan_, length));
  if (law_) {
    const std::vector<std::size_t> tops = grids_.figure_tops();
    const auto means = verify::sample_law(head, *law_, tops, lengths, law_rows);
    for (std::size_t l = 0; l < lengths.size(); ++l) {
      for (verify::TopMeans& at : record.at_length[l]) {
        const auto found = std::find(tops.begin(), tops.end(), at.top);
        if (found == tops.end()) continue;
        at.mean[static_cast<std::size_t>(Quantity::separable_law)] =
            means[l][static_cast<std::size_t>(found - tops.begin())];
      }
    }
  }
  if (choice_.sensitivity) {
    const std::uint64_t cell = sim::hash64(fmt::format("reproduce/layer={}/head={}", layer, index));
    record.sensitivity = verify::measure_sensitivity(head, {grids_.temperatures, grids_.epsilons, grids_.seed, cell});
  }
  return record;
}

}  // namespace headroom::app
