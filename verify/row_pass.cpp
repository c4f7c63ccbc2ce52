#include "verify/row_pass.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <type_traits>

#include "theory/jacobian_norm.hpp"
#include "verify/product.hpp"
#include "verify/row_distance.hpp"
#include "verify/row_separability.hpp"

namespace headroom::verify {
namespace {

using Q = Quantity;

// What a sweep over several N gives.
const QuantitySet swept = {Q::distance, Q::expected, Q::expected_full};

const QuantitySet needs_context = {Q::expected, Q::expected_full, Q::expected_upper};
const QuantitySet needs_far = {Q::distance_upper};
const QuantitySet needs_products = {
    Q::distance,  Q::distance_lower_sharp, Q::distance_upper_sharp, Q::radius,
    Q::separable, Q::separable_lower,      Q::separable_upper,      Q::separable_lower_sharp};
const QuantitySet needs_radius = {Q::radius, Q::separable, Q::separable_lower, Q::separable_upper,
                                  Q::separable_lower_sharp};
const QuantitySet needs_xi = {Q::xi_mean, Q::separable_lower, Q::separable_upper, Q::separable_lower_sharp};

}  // namespace

template <class Real>
RowPassOf<Real>::RowPassOf(const Embeddings& embeddings, const Plan& plan, Options options)
    : embeddings_(embeddings), plan_(plan), options_(options) {
  assert(!plan.wants({Q::separable_law}) || options.law != nullptr || options.binned_law != nullptr);
  for (std::size_t request = 0; request < plan.requests().size(); ++request) {
    if (!plan.requests()[request].quantities.has(Q::separable_law)) continue;
    law_requests_.push_back(request);
    law_tops_.push_back(plan.requests()[request].top);
  }
  if (!embeddings.has_gram()) return;
  // A token followed costs one fused operation per other token, bound by memory; a product costs d of them, bound by
  // arithmetic, which is some four times cheaper.
  const std::size_t worth_following = std::max<std::size_t>(embeddings.dim() / 4, 1);
  std::size_t previous = 0;
  for (const Plan::Request& request : plan.requests()) {
    if (request.top - previous > worth_following) break;
    previous = request.top;
    ++followed_;
  }
}

template <class Real>
Embeddings::Options RowPassOf<Real>::prepare(const Plan& plan, std::size_t rows, std::size_t tokens, std::size_t dim) {
  Embeddings::Options options;
  options.precision = std::is_same_v<Real, double> ? Precision::full : Precision::single;
  options.spacing = plan.wants(needs_xi);
  constexpr std::size_t memory_limit = std::size_t{4} << 30;
  if (plan.requests().empty() || tokens * (tokens + Embeddings::gram_slack) > memory_limit / sizeof(Real))
    return options;
  // Per row, G costs its share of being made and one update per selected token; without it every N costs a product,
  // and the pairwise distances of the printed bound a product per selected token.
  const double largest_top = static_cast<double>(plan.requests().back().top);
  const double with =
      static_cast<double>(tokens) * static_cast<double>(dim) / static_cast<double>(std::max<std::size_t>(rows, 1)) +
      largest_top;
  const double products = plan.wants(needs_far) ? largest_top : static_cast<double>(plan.requests().size());
  options.gram = with < products * static_cast<double>(dim);
  return options;
}

template <class Real>
void RowPassOf<Real>::run(const HeadView& head, std::size_t first, std::size_t count, Workspace& workspace,
                          std::span<double> out) const {
  assert(out.size() == count * plan_.slots());
  std::fill(out.begin(), out.end(), std::numeric_limits<double>::quiet_NaN());
  if (plan_.requests().empty()) return;
  if (workspace.rows.size() < count) workspace.rows.resize(count);
  for (std::size_t r = 0; r < count; ++r) {
    Row<Real>& row = workspace.rows[r];
    // The law wants every weight in order; the rest only those that are ever selected.
    const std::size_t select = plan_.wants({Q::separable_law}) ? embeddings_.tokens() : plan_.requests().back().top;
    row.load(head, first + r, options_.context, embeddings_, select);
  }
  if (plan_.wants(needs_context)) multiply_contexts(workspace, count);
  workspace.shared.assign(count * quantity_count, 0.0);
  const auto shared = [&](std::size_t r) {
    return std::span(workspace.shared).subspan(r * quantity_count, quantity_count);
  };
  const auto slots = [&](std::size_t r) { return out.subspan(r * plan_.slots(), plan_.slots()); };
  const std::vector<Plan::Request>& requests = plan_.requests();
  for (std::size_t r = 0; r < count; ++r) {
    Row<Real>& row = workspace.rows[r];
    if (requests.front().top >= row.size()) continue;
    row_values(row, workspace, shared(r));
    if (plan_.wants({Q::expected_upper})) find_spread(row);
    if (!law_tops_.empty()) row_laws(row, workspace, slots(r));
    for (std::size_t request = 0; request < followed_ && requests[request].top < row.size();) {
      const std::size_t together = sweepable(request, row);
      if (together > 0) {
        sweep_requests(row, request, together, shared(r), workspace, slots(r));
        request += together;
        continue;
      }
      row.follow(requests[request].top);
      evaluate(row, request, shared(r), workspace, slots(r));
      ++request;
    }
  }
  for (std::size_t request = followed_; request < requests.size(); ++request) {
    leap(request, count, workspace);
    for (std::size_t r = 0; r < count; ++r) {
      Row<Real>& row = workspace.rows[r];
      if (requests[request].top < row.size()) evaluate(row, request, shared(r), workspace, slots(r));
    }
  }
}

// The context vectors of the weights in the workspace, and their inner products with the first `end` tokens.
template <class Real>
typename RowPassOf<Real>::Products RowPassOf<Real>::multiply(Workspace& workspace, std::size_t rows,
                                                             std::size_t end) const {
  const std::size_t tokens = embeddings_.tokens();
  workspace.contexts.resize(rows * embeddings_.dim());
  workspace.products.resize(rows * tokens);
  const Products out{{workspace.contexts.data(), rows, embeddings_.dim()},
                     {workspace.products.data(), rows, end, tokens}};
  product(MatrixView<const Real>{workspace.weights.data(), rows, end, tokens}, embeddings_.template matrix<Real>(),
          out.contexts);
  product(MatrixView<const Real>(out.contexts), embeddings_.template transposed<Real>(), out.inner);
  return out;
}

template <class Real>
void RowPassOf<Real>::multiply_contexts(Workspace& workspace, std::size_t count) const {
  const std::size_t tokens = embeddings_.tokens();
  const std::size_t dim = embeddings_.dim();
  // Causal rows end early: the products stop at the last token any row of the block sees.
  std::size_t end = 0;
  for (std::size_t r = 0; r < count; ++r) {
    const Row<Real>& row = workspace.rows[r];
    if (row.size() > 0) end = std::max(end, row.token(row.size() - 1) + 1);
  }
  workspace.weights.assign(count * tokens, 0);
  for (std::size_t r = 0; r < count; ++r) {
    const Row<Real>& row = workspace.rows[r];
    const Real* const alpha = row.arrays().alpha;
    Real* const weights = workspace.weights.data() + r * tokens;
    for (std::size_t i = 0, n = row.size(); i < n; ++i) weights[row.token(i)] = alpha[i];
  }
  const auto [contexts, inner] = multiply(workspace, count, end);
  for (std::size_t r = 0; r < count; ++r) {
    Row<Real>& row = workspace.rows[r];
    double square = 0;
    for (std::size_t k = 0; k < dim; ++k) {
      const auto component = static_cast<double>(contexts(r, k));
      row.c[k] = component;
      square += component * component;
    }
    row.c2 = square;
    const Real* const alpha = row.arrays().alpha;
    const Real* const products = inner.row_data(r);
    Real* const cy = row.cy.data();
    for (std::size_t i = 0, n = row.size(); i < n; ++i) cy[i] = alpha[i] * products[row.token(i)];
  }
}

// Selects the next tokens, and says what their steps need.
template <class Real>
void RowPassOf<Real>::take_steps(Row<Real>& row, std::span<SweepStep<Real>> steps) const {
  for (std::size_t n = 0; n < steps.size(); ++n) {
    const std::size_t position = row.order(row.selected());
    // s·x of the token: what the row had before, and what the steps before it add.
    auto inner = static_cast<double>(row.sx[position]);
    for (std::size_t m = 0; m < n; ++m) inner += steps[m].weight * static_cast<double>(steps[m].gram[position]);
    row.select_next(inner);
    const auto p = static_cast<double>(row.selected()) / (static_cast<double>(row.size()) - 1);
    steps[n] = {row.selected(), row.gram(position, n), row.alpha()[position], row.s2(), ExpectedTerms::at(p, row.c2)};
  }
}

// How many requests from this one on a single sweep may take: consecutive N, nothing but D, E₀ and E₁.
template <class Real>
std::size_t RowPassOf<Real>::sweepable(std::size_t request, const Row<Real>& row) const {
  std::size_t count = 0;
  for (std::size_t next = request; next < followed_ && count < sweep_width; ++next, ++count) {
    const Plan::Request& at = plan_.requests()[next];
    const bool consecutive = at.top == row.selected() + count + 1 && at.top < row.size();
    if (!consecutive || (at.quantities | swept) != swept || !at.quantities.has(Q::expected)) break;
  }
  return count;
}

template <class Real>
void RowPassOf<Real>::sweep_requests(Row<Real>& row, std::size_t request, std::size_t count,
                                     std::span<const double> shared, Workspace& workspace,
                                     std::span<double> out) const {
  const std::size_t before = row.selected();
  std::array<SweepStep<Real>, sweep_width> steps;
  take_steps(row, std::span(steps).first(count));
  std::array<SweepSums, sweep_width> sums;
  sweep(row.arrays(), row.sx.data(), steps.data(), count, sums.data());
  const bool cancelled =
      std::any_of(sums.begin(), sums.begin() + static_cast<std::ptrdiff_t>(count),
                  [](const SweepSums& at) { return at.distance.cancelled || at.expected.cancelled; });
  if (cancelled) {
    row.restart(before);
    for (std::size_t n = 0; n < count; ++n) {
      row.follow(plan_.requests()[request + n].top);
      evaluate(row, request + n, shared, workspace, out);
    }
    return;
  }
  const auto k = static_cast<double>(row.size());
  for (std::size_t n = 0; n < count; ++n) {
    const QuantitySet wanted = plan_.requests()[request + n].quantities;
    const double outside_share = (k - static_cast<double>(steps[n].top)) / k;
    const auto put = [&](Q q, double value) {
      if (wanted.has(q)) out[plan_.slot(request + n, q)] = value;
    };
    put(Q::distance, row.unscale(sums[n].distance.value));
    put(Q::expected, outside_share * row.unscale(sums[n].expected.value));
    put(Q::expected_full, outside_share * shared[static_cast<std::size_t>(Q::expected_full)]);
  }
}

// Selects up to the request's N in every row of the block, and takes s and s·x_i of all of them in two products.
template <class Real>
void RowPassOf<Real>::leap(std::size_t request, std::size_t count, Workspace& workspace) const {
  const std::size_t top = plan_.requests()[request].top;
  const std::size_t tokens = embeddings_.tokens();
  std::vector<std::size_t>& leaping = workspace.leaping;
  leaping.clear();
  std::size_t end = 0;
  for (std::size_t r = 0; r < count; ++r) {
    Row<Real>& row = workspace.rows[r];
    if (top >= row.size()) continue;
    leaping.push_back(r);
    end = std::max(end, row.token(row.size() - 1) + 1);
  }
  if (leaping.empty()) return;
  if (plan_.wants(needs_products)) {
    workspace.weights.assign(leaping.size() * tokens, 0);
    for (std::size_t l = 0; l < leaping.size(); ++l) {
      Row<Real>& row = workspace.rows[leaping[l]];
      const Real* alpha = row.arrays().alpha;
      Real* weights = workspace.weights.data() + l * tokens;
      for (std::size_t rank = 0; rank < top; ++rank) weights[row.token(row.order(rank))] = alpha[row.order(rank)];
    }
    const auto [contexts, inner] = multiply(workspace, leaping.size(), end);
    for (std::size_t l = 0; l < leaping.size(); ++l) {
      Row<Real>& row = workspace.rows[leaping[l]];
      row.select_up_to(top, std::span<const Real>(contexts.row(l)));
      for (std::size_t i = 0; i < row.size(); ++i) row.sx[i] = inner(l, row.token(i));
    }
  } else {
    for (const std::size_t r : leaping) workspace.rows[r].select_up_to(top, {});
  }
  if (!plan_.wants(needs_far) || embeddings_.has_gram()) return;
  for (const std::size_t r : leaping) widen_far(workspace.rows[r], workspace);
}

// Without G: brings row.far up to date with the tokens selected since it last was.
template <class Real>
void RowPassOf<Real>::widen_far(Row<Real>& row, Workspace& workspace) const {
  const std::size_t dim = embeddings_.dim();
  const std::size_t tokens = embeddings_.tokens();
  std::vector<Real>& inner = workspace.weights;
  std::vector<Real>& direction = workspace.contexts;
  inner.resize(row.far.size());
  direction.resize(dim);
  workspace.products.resize(std::max(workspace.products.size(), tokens));
  for (; row.offered < row.selected(); ++row.offered) {
    const std::size_t position = row.order(row.offered);
    for (std::size_t k = 0; k < dim; ++k) direction[k] = static_cast<Real>(row.vector(position)[k]);
    product(MatrixView<const Real>{direction.data(), 1, dim}, embeddings_.template transposed<Real>(),
            MatrixView<Real>{workspace.products.data(), 1, tokens});
    for (std::size_t i = 0; i < row.size(); ++i) inner[i] = workspace.products[row.token(i)];
    row_kernels<Real>().widen(embeddings_.norm2()[row.token(position)], inner.data(), row.far.data(), row.far.size());
  }
}

template <class Real>
void RowPassOf<Real>::row_values(const Row<Real>& row, Workspace& workspace, std::span<double> shared) const {
  const auto at = [&](Q q) -> double& { return shared[static_cast<std::size_t>(q)]; };
  const std::span<const double> alpha = row.alpha();
  std::vector<double>& weights = workspace.sorted;
  if (plan_.wants({Q::entropy, Q::max_weight, Q::jacobian_norm})) {
    weights.assign(row.padded(), 0.0);
    for (std::size_t i = 0; i < alpha.size(); ++i) weights[i] = row.unscale(alpha[i]);
  }
  if (plan_.wants({Q::entropy, Q::max_weight})) {
    at(Q::entropy) = entropy(weights.data(), weights.size());
    at(Q::max_weight) = *std::max_element(weights.begin(), weights.end());
  }
  if (plan_.wants({Q::jacobian_norm})) {
    at(Q::jacobian_norm) = theory::jacobian_norm({weights.data(), alpha.size()}) / options_.temperature;
  }
  if (plan_.wants({Q::expected_full})) at(Q::expected_full) = row.unscale(expected_terms(row, 1.0));
}

template <class Real>
void RowPassOf<Real>::row_laws(const Row<Real>& row, Workspace& workspace, std::span<double> out) const {
  workspace.sorted.resize(row.size());
  for (std::size_t rank = 0; rank < row.size(); ++rank) workspace.sorted[rank] = row.alpha()[row.order(rank)];
  std::size_t count = 0;
  while (count < law_tops_.size() && law_tops_[count] < row.size()) ++count;
  workspace.laws.resize(count);
  if (options_.binned_law != nullptr) {
    options_.binned_law->separable(workspace.sorted, {law_tops_.data(), count}, workspace.law, workspace.laws);
  } else {
    for (std::size_t t = 0; t < count; ++t) {
      workspace.laws[t] = options_.law->separable(workspace.sorted, law_tops_[t]);
    }
  }
  for (std::size_t t = 0; t < count; ++t) out[plan_.slot(law_requests_[t], Q::separable_law)] = workspace.laws[t];
}

template <class Real>
void RowPassOf<Real>::evaluate(Row<Real>& row, std::size_t request, std::span<const double> shared,
                               Workspace& workspace, std::span<double> out) const {
  const QuantitySet wanted = plan_.requests()[request].quantities;
  const std::size_t top = plan_.requests()[request].top;
  const auto put = [&](Q q, double value) {
    if (wanted.has(q)) out[plan_.slot(request, q)] = value;
  };
  const auto k = static_cast<double>(row.size());
  const auto n = static_cast<double>(top);
  const double p = n / (k - 1);
  const double outside_share = (k - n) / k;

  if (wanted.has(Q::distance)) put(Q::distance, row.unscale(distance(row)));
  if (wanted.has(Q::distance_upper)) put(Q::distance_upper, row.unscale(printed_distance(row)));
  if (wanted.any_of({Q::distance_lower_sharp, Q::distance_upper_sharp})) {
    const SharpDistance sharp = sharp_distance(row);
    put(Q::distance_lower_sharp, row.unscale(sharp.lower));
    put(Q::distance_upper_sharp, row.unscale(sharp.upper));
  }
  if (wanted.has(Q::expected)) put(Q::expected, outside_share * row.unscale(expected_terms(row, p)));
  put(Q::expected_full, outside_share * shared[static_cast<std::size_t>(Q::expected_full)]);
  if (wanted.has(Q::expected_upper)) {
    put(Q::expected_upper, outside_share * row.unscale(expected_upper_terms(row, p, top)));
  }

  Separation separation;
  if (wanted.any_of(needs_radius)) separation = separate(row);
  const double radius = row.unscale(separation.radius);
  put(Q::radius, radius);
  put(Q::separable, static_cast<double>(separation.count) / n);
  if (wanted.any_of(needs_xi)) {
    workspace.selected.resize(top);
    for (std::size_t rank = 0; rank < top; ++rank) workspace.selected[rank] = row.unscale(row.alpha()[row.order(rank)]);
    const SeparabilityBounds bounds = separability_bounds(workspace.selected, embeddings_.largest_norm(),
                                                          embeddings_.spacing(), radius, workspace.sorted);
    put(Q::xi_mean, bounds.xi_mean);
    put(Q::separable_lower, bounds.lower);
    put(Q::separable_upper, bounds.upper);
    put(Q::separable_lower_sharp, bounds.lower_sharp);
  }
  put(Q::mass, row.unscale(row.mass));
  put(Q::entropy, shared[static_cast<std::size_t>(Q::entropy)]);
  put(Q::max_weight, shared[static_cast<std::size_t>(Q::max_weight)]);
  put(Q::jacobian_norm, shared[static_cast<std::size_t>(Q::jacobian_norm)]);
}

template class RowPassOf<float>;
template class RowPassOf<double>;

}  // namespace headroom::verify
