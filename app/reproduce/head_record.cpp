#include "app/reproduce/head_record.hpp"

#include <fmt/format.h>

#include <utility>

#include "sim/hash.hpp"

namespace headroom::app {
namespace {

using verify::Quantity;
using verify::QuantitySet;

verify::Plan make_plan(const Grids& grids, const FigureChoice& choice) {
  QuantitySet full = QuantitySet::all();
  if (!choice.separable) full.erase(Quantity::separable_law);
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

HeadRecorder::HeadRecorder(const Grids& grids, const FigureChoice& choice, std::size_t dim, verify::Precision precision)
    : grids_(grids), choice_(choice), plan_(make_plan(grids, choice)), precision_(precision) {
  if (!choice.separable) return;
  if (precision == verify::Precision::single && dim >= verify::BinnedLaw::least_dim) {
    binned_law_.emplace(dim);
  } else {
    law_.emplace(dim, theory::ResolutionOptions{.tolerance = law_tolerance});
  }
}

verify::Embeddings::Options HeadRecorder::embedding_options(std::size_t rows, std::size_t tokens, std::size_t dim,
                                                            bool normalize) const {
  verify::Embeddings::Options options = precision_ == verify::Precision::single
                                            ? verify::RowPassOf<float>::prepare(plan_, rows, tokens, dim)
                                            : verify::RowPassOf<double>::prepare(plan_, rows, tokens, dim);
  options.normalize = normalize;
  return options;
}

HeadRecord HeadRecorder::record(const Visibility& visibility, const verify::StripSource& strips,
                                const verify::Embeddings& embeddings, std::size_t layer, std::size_t index,
                                double temperature, std::span<const std::size_t> lengths,
                                verify::MeasureMemory& memory) const {
  const std::uint64_t cell = sim::hash64(fmt::format("reproduce/layer={}/head={}", layer, index));
  const verify::SensitivityPlan sensitivity{grids_.temperatures, grids_.epsilons, grids_.seed, cell};
  verify::RowPassOptions options;
  options.temperature = temperature;
  options.law = law_ ? &*law_ : nullptr;
  options.binned_law = binned_law_ ? &*binned_law_ : nullptr;
  const verify::HeadMeasurement& head = verify::measure_head(visibility, strips, embeddings, plan_, options,
                                                             choice_.sensitivity ? &sensitivity : nullptr, memory);
  HeadRecord record{layer, index, {}, head.sensitivity};
  for (std::size_t length : lengths) record.at_length.push_back(verify::mean_over_rows(head.rows, plan_, length));
  return record;
}

}  // namespace headroom::app
