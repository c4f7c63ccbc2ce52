#include "verify/claims/point_row.hpp"

#include "sim/normalizer.hpp"
#include "theory/distance.hpp"
#include "theory/separability.hpp"
#include "verify/claims/definitions.hpp"
#include "verify/row_pass.hpp"

namespace headroom::verify {

template <>
std::vector<double> weights_of<double>(const PointInput& input) {
  std::vector<double> weights(input.logits.size());
  sim::make_normalizer(input.shape.normalizer)->weights(input.logits, input.temperature, weights);
  return weights;
}

template <>
std::vector<Exact> weights_of<Exact>(const PointInput& input) {
  return defined_weights(input.shape.normalizer, as<Exact>(input.logits), Exact(input.temperature));
}

Observed<double> measure_row(std::span<const double> weights, MatrixView<const double> vectors, std::size_t top) {
  const Plan plan = Plan::uniform({top}, {Quantity::distance, Quantity::radius, Quantity::separable});
  const Embeddings embeddings(vectors, RowPass::prepare(plan, 1, weights.size(), vectors.cols));
  const RowPass pass(embeddings, plan, {});
  RowPass::Workspace workspace;
  std::vector<double> out(plan.slots());
  const HeadView head{{weights.data(), 1, weights.size()}, {}, vectors, Visibility::all(1, weights.size())};
  pass.run(head, 0, 1, workspace, out);
  return {out[plan.slot(0, Quantity::distance)], out[plan.slot(0, Quantity::radius)],
          out[plan.slot(0, Quantity::separable)]};
}

template <>
Observed<double> observe(const PointRow<double>& row, std::size_t top) {
  return measure_row(row.weights, row.view().vectors, top);
}

template <>
Observed<Exact> observe(const PointRow<Exact>& row, std::size_t top) {
  const theory::RowView<Exact> view = row.view();
  const theory::Selection selection = theory::select_top<Exact>(view.weights, top);
  return {theory::distance(view, selection), theory::separation_radius(view, selection),
          theory::separable_fraction(view, selection)};
}

}  // namespace headroom::verify
