#include "verify/cell_trial.hpp"

#include <algorithm>
#include <functional>

#include "verify/row_separability.hpp"

namespace headroom::verify {
namespace {

const QuantitySet bounds_of_theorem2 = {Quantity::xi_mean, Quantity::separable_lower, Quantity::separable_upper,
                                        Quantity::separable_lower_sharp};

Plan with_radius(const Plan& plan) {
  std::vector<Plan::Request> requests = plan.requests();
  for (Plan::Request& request : requests) {
    if (request.quantities.any_of(bounds_of_theorem2)) request.quantities.insert(Quantity::radius);
  }
  return Plan(std::move(requests));
}

}  // namespace

std::unique_ptr<const theory::ResolutionLaw> law_of(const Cell& cell) {
  if (!cell.plan().wants({Quantity::separable_law})) return nullptr;
  return std::make_unique<const theory::ResolutionLaw>(cell.parameters().dim);
}

CellTrial::CellTrial(const Cell& cell, const theory::ResolutionLaw* law)
    : cell_(cell), law_(law), draw_(cell), plan_(with_radius(cell.plan())), values_(plan_.slots()) {}

void CellTrial::measure(std::uint64_t seed, std::uint64_t trial, std::span<double> out) {
  draw_.weights(seed, trial);
  draw_.vectors();
  measure_in_full(out);
}

void CellTrial::measure_in_full(std::span<double> out) {
  const HeadView head = draw_.head();
  Embeddings::Options needs = RowPass::prepare(plan_, 1, head.vectors.rows, head.vectors.cols);
  needs.spacing = false;
  const Embeddings embeddings(head.vectors, needs);
  const RowPass pass(embeddings, plan_, {.temperature = cell_.parameters().temperature, .law = law_});
  pass.run(head, 0, 1, workspace_, values_);
  if (plan_.wants(bounds_of_theorem2)) put_bounds(values_);
  for (std::size_t request = 0; request < plan_.requests().size(); ++request) {
    for (std::size_t q = 0; q < quantity_count; ++q) {
      const auto quantity = static_cast<Quantity>(q);
      const std::size_t slot = cell_.plan().slot(request, quantity);
      if (slot != Plan::none) out[slot] = values_[plan_.slot(request, quantity)];
    }
  }
}

// The pass knows M and δ of the draw; the cell states its own.
void CellTrial::put_bounds(std::span<double> out) {
  const std::span<const double> weights = draw_.head().weights.row(0);
  const auto largest = static_cast<std::ptrdiff_t>(plan_.requests().back().top);
  selected_.assign(weights.begin(), weights.end());
  std::partial_sort(selected_.begin(), selected_.begin() + largest, selected_.end(), std::greater<>());
  for (std::size_t request = 0; request < plan_.requests().size(); ++request) {
    const std::size_t radius = plan_.slot(request, Quantity::radius);
    if (radius == Plan::none) continue;
    const std::span<const double> selected = std::span<const double>(selected_).first(plan_.requests()[request].top);
    const SeparabilityBounds bounds =
        separability_bounds(selected, 1.0, cell_.parameters().separation, out[radius], scratch_);
    const auto put = [&](Quantity quantity, double value) {
      if (const std::size_t slot = plan_.slot(request, quantity); slot != Plan::none) out[slot] = value;
    };
    put(Quantity::xi_mean, bounds.xi_mean);
    put(Quantity::separable_lower, bounds.lower);
    put(Quantity::separable_upper, bounds.upper);
    put(Quantity::separable_lower_sharp, bounds.lower_sharp);
  }
}

}  // namespace headroom::verify
