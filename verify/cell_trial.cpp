#include "verify/cell_trial.hpp"

#include <algorithm>
#include <functional>

#include "verify/row_separability.hpp"
#include "verify/vector_ops.hpp"

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
    : cell_(cell),
      law_(law),
      draw_(cell),
      row_(cell, law),
      by_products_(cell.independent() && (cell.parameters().quantities | CellRow::supported()) == CellRow::supported()),
      plan_(with_radius(cell.plan())),
      values_(plan_.slots()) {
  if (cell.projected()) projection_.emplace(cell);
}

void CellTrial::measure(std::uint64_t seed, std::uint64_t trial, std::span<double> out) {
  draw_.weights(seed, trial);
  if (projection_) return measure_projected(seed, trial, out);
  if (!cell_.normalizer().nonnegative()) return measure_distances(out);
  if (by_products_ && measure_products(out)) return;
  draw_.vectors();
  measure_in_full(out);
}

// One direction per N and c, two at a time.
bool CellTrial::measure_products(std::span<double> out) {
  row_.load(draw_.head().weights.row(0));
  const std::size_t dim = cell_.parameters().dim;
  const std::size_t padded = row_.padded();
  const auto& requests = cell_.plan().requests();
  const bool with_context = cell_.plan().wants({Quantity::expected, Quantity::expected_full});
  const std::size_t directions = requests.size() + (with_context ? 1 : 0);
  directions_.assign((requests.size() + 1) * dim, 0.0);
  products_.resize(directions * padded);
  const auto direction = [&](std::size_t i) { return std::span<double>(directions_.data() + i * dim, dim); };
  const std::span<double> c = direction(requests.size());
  const CellPoints& points = draw_.points(row_.alpha(), c);
  std::size_t rank = 0;
  for (std::size_t request = 0; request < requests.size(); ++request) {
    if (request > 0) std::copy_n(direction(request - 1).data(), dim, direction(request).data());
    for (; rank < requests[request].top; ++rank) {
      const std::size_t token = row_.order(rank);
      points.add(token, row_.alpha()[token], direction(request));
    }
  }
  for (std::size_t i = 0; i < directions; i += 2) {
    const bool pair = i + 1 < directions;
    points.project(direction(i), products_.data() + i * padded, pair ? direction(i + 1) : std::span<double>(),
                   pair ? products_.data() + (i + 1) * padded : nullptr);
  }
  if (with_context) row_.set_context(dot(c, c), products_.data() + requests.size() * padded);
  for (std::size_t request = 0; request < requests.size(); ++request) {
    row_.select(requests[request].top);
    const std::span<const double> s = direction(request);
    if (!row_.evaluate(request, {dot(s, s), products_.data() + request * padded, false}, out)) return false;
  }
  return true;
}

void CellTrial::measure_projected(std::uint64_t seed, std::uint64_t trial, std::span<double> out) {
  row_.load(draw_.head().weights.row(0));
  const auto& requests = cell_.plan().requests();
  for (std::size_t request = 0; request < requests.size(); ++request) {
    row_.select(requests[request].top);
    const CellRow::Products products = projection_->draw(seed, trial, request, row_.selected(), row_.alpha());
    row_.evaluate(request, products, out);
  }
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

// For weights that may be negative, which the pass does not take: the definitions of docs/quantities.md.
void CellTrial::measure_distances(std::span<double> out) {
  draw_.vectors();
  const HeadView head = draw_.head();
  const std::span<const double> alpha = head.weights.row(0);
  const std::size_t size = alpha.size();
  row_.load(alpha);
  const auto add = [&](std::size_t token, std::span<double> sum) {
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += alpha[token] * head.vectors(token, k);
  };
  directions_.assign(2 * head.vectors.cols, 0.0);
  const std::span<double> s = std::span<double>(directions_).first(head.vectors.cols);
  const std::span<double> c = std::span<double>(directions_).last(head.vectors.cols);
  for (std::size_t i = 0; i < size; ++i) add(i, c);
  const auto expected = [&](double share, double p) {
    double sum = 0;
    for (std::size_t i = 0; i < size; ++i) sum += difference_norm(p, c, (1 + p) * alpha[i], head.vectors.row(i));
    return share * sum;
  };
  const Plan& plan = cell_.plan();
  for (std::size_t request = 0; request < plan.requests().size(); ++request) {
    const std::size_t top = plan.requests()[request].top;
    for (std::size_t rank = row_.selected().size(); rank < top; ++rank) add(row_.order(rank), s);
    row_.select(top);
    const double share = static_cast<double>(size - top) / static_cast<double>(size);
    const auto put = [&](Quantity quantity, auto value) {
      if (const std::size_t slot = plan.slot(request, quantity); slot != Plan::none) out[slot] = value();
    };
    put(Quantity::distance, [&] {
      double sum = 0;
      for (std::size_t i = 0; i < size; ++i) {
        if (!row_.is_selected(i)) sum += difference_norm(1.0, s, alpha[i], head.vectors.row(i));
      }
      return sum;
    });
    put(Quantity::expected, [&] { return expected(share, static_cast<double>(top) / static_cast<double>(size - 1)); });
    put(Quantity::expected_full, [&] { return expected(share, 1.0); });
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
