#include "verify/row_pass.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "theory/jacobian_norm.hpp"
#include "verify/product.hpp"
#include "verify/row_distance.hpp"
#include "verify/row_separability.hpp"

namespace headroom::verify {
namespace {

using Q = Quantity;

const QuantitySet needs_context = {Q::expected, Q::expected_full, Q::expected_upper};
const QuantitySet needs_far = {Q::distance_upper};
const QuantitySet needs_products = {
    Q::distance,  Q::distance_lower_sharp, Q::distance_upper_sharp, Q::radius,
    Q::separable, Q::separable_lower,      Q::separable_upper,      Q::separable_lower_sharp};
const QuantitySet needs_radius = {Q::radius, Q::separable, Q::separable_lower, Q::separable_upper,
                                  Q::separable_lower_sharp};
const QuantitySet needs_xi = {Q::xi_mean, Q::separable_lower, Q::separable_upper, Q::separable_lower_sharp};

}  // namespace

RowPass::RowPass(const Embeddings& embeddings, const Plan& plan, Options options)
    : embeddings_(embeddings), plan_(plan), options_(options) {
  assert(!plan.wants({Q::separable_law}) || options.law != nullptr);
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

Embeddings::Options RowPass::prepare(const Plan& plan, std::size_t rows, std::size_t tokens, std::size_t dim) {
  Embeddings::Options options;
  options.spacing = plan.wants(needs_xi);
  constexpr std::size_t memory_limit = std::size_t{4} << 30;
  if (plan.requests().empty() || tokens * (tokens + Embeddings::gram_slack) > memory_limit / sizeof(double))
    return options;
  // Per row, G costs its share of being made and one update per selected token; without it every N costs a product,
  // and the pairwise distances of the printed bound a product per selected token.
  const double largest_top = static_cast<double>(plan.requests().back().top);
  const double with =
      static_cast<double>(tokens) * static_cast<double>(dim) / static_cast<double>(std::max<std::size_t>(rows, 1)) +
      largest_top;
  const double products = plan.wants(needs_far) ? largest_top : static_cast<double>(plan.requests().size());
  options.gram = with < products * static_cast<double>(dim);
  options.far = options.gram && plan.wants(needs_far);
  return options;
}

void RowPass::run(const HeadView& head, std::size_t first, std::size_t count, Workspace& workspace,
                  std::span<double> out) const {
  assert(out.size() == count * plan_.slots());
  std::fill(out.begin(), out.end(), std::numeric_limits<double>::quiet_NaN());
  if (plan_.requests().empty()) return;
  if (workspace.rows.size() < count) workspace.rows.resize(count);
  for (std::size_t r = 0; r < count; ++r) {
    Row& row = workspace.rows[r];
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
    Row& row = workspace.rows[r];
    if (requests.front().top >= row.size()) continue;
    row_values(row, workspace, shared(r));
    if (plan_.wants({Q::expected_upper})) find_spread(row);
    for (std::size_t request = 0; request < followed_ && requests[request].top < row.size(); ++request) {
      follow(row, requests[request].top);
      evaluate(row, request, shared(r), workspace, slots(r));
    }
  }
  for (std::size_t request = followed_; request < requests.size(); ++request) {
    leap(request, count, workspace);
    for (std::size_t r = 0; r < count; ++r) {
      Row& row = workspace.rows[r];
      if (requests[request].top < row.size()) evaluate(row, request, shared(r), workspace, slots(r));
    }
  }
}

void RowPass::multiply_contexts(Workspace& workspace, std::size_t count) const {
  const std::size_t tokens = embeddings_.tokens();
  const std::size_t dim = embeddings_.dim();
  // Causal rows end early: the products stop at the last token any row of the block sees.
  std::size_t end = 0;
  for (std::size_t r = 0; r < count; ++r) {
    const Row& row = workspace.rows[r];
    if (row.size() > 0) end = std::max(end, row.token(row.size() - 1) + 1);
  }
  workspace.weights.assign(count * tokens, 0.0);
  workspace.contexts.resize(count * dim);
  workspace.products.resize(count * tokens);
  for (std::size_t r = 0; r < count; ++r) {
    const Row& row = workspace.rows[r];
    for (std::size_t i = 0; i < row.size(); ++i) workspace.weights[r * tokens + row.token(i)] = row.alpha()[i];
  }
  const MatrixView<const double> x = embeddings_.matrix();
  const MatrixView<const double> xt = embeddings_.transposed();
  product({workspace.weights.data(), count, end, tokens}, {x.data, end, dim, x.stride},
          {workspace.contexts.data(), count, dim});
  product({workspace.contexts.data(), count, dim}, {xt.data, dim, end, xt.stride},
          {workspace.products.data(), count, end, tokens});
  for (std::size_t r = 0; r < count; ++r) {
    Row& row = workspace.rows[r];
    row.c2 = 0;
    for (std::size_t k = 0; k < dim; ++k) {
      row.c[k] = workspace.contexts[r * dim + k];
      row.c2 += row.c[k] * row.c[k];
    }
    for (std::size_t i = 0; i < row.size(); ++i)
      row.cy[i] = row.alpha()[i] * workspace.products[r * tokens + row.token(i)];
  }
}

void RowPass::follow(Row& row, std::size_t top) const {
  while (row.selected() < top) {
    const std::size_t position = row.select_next();
    const double* gram = row.gram(position);
    add_scaled(row.alpha()[position], gram, row.sx.data(), row.sx.size());
  }
}

// Selects up to the request's N in every row of the block, and takes s·x_i of all of them in one product.
void RowPass::leap(std::size_t request, std::size_t count, Workspace& workspace) const {
  const std::size_t top = plan_.requests()[request].top;
  const std::size_t dim = embeddings_.dim();
  workspace.directions.clear();
  std::size_t end = 0;
  for (std::size_t r = 0; r < count; ++r) {
    Row& row = workspace.rows[r];
    if (top >= row.size()) continue;
    const std::size_t first_rank = row.selected();
    while (row.selected() < top) row.select_next();
    if (plan_.wants(needs_far) && !embeddings_.has_gram()) widen_far(row, first_rank, workspace);
    workspace.directions.insert(workspace.directions.end(), row.s.data(), row.s.data() + dim);
    end = std::max(end, row.token(row.size() - 1) + 1);
  }
  if (end == 0 || !plan_.wants(needs_products)) return;
  const std::size_t directions = workspace.directions.size() / dim;
  workspace.products.resize(directions * end);
  const MatrixView<const double> xt = embeddings_.transposed();
  product({workspace.directions.data(), directions, dim}, {xt.data, dim, end, xt.stride},
          {workspace.products.data(), directions, end});
  const double* products = workspace.products.data();
  for (std::size_t r = 0; r < count; ++r) {
    Row& row = workspace.rows[r];
    if (top >= row.size()) continue;
    for (std::size_t i = 0; i < row.size(); ++i) row.sx[i] = products[row.token(i)];
    products += end;
  }
}

// Without G: brings row.far up to date with the tokens selected from `first_rank` on.
void RowPass::widen_far(Row& row, std::size_t first_rank, Workspace& workspace) const {
  const MatrixView<const double> xt = embeddings_.transposed();
  std::vector<double>& inner = workspace.sorted;
  inner.resize(row.far.size());
  workspace.products.resize(std::max(workspace.products.size(), xt.cols));
  for (std::size_t rank = first_rank; rank < row.selected(); ++rank) {
    const std::size_t position = row.order(rank);
    product({row.vector(position).data(), 1, embeddings_.dim()}, xt, {workspace.products.data(), 1, xt.cols});
    for (std::size_t i = 0; i < row.size(); ++i) inner[i] = workspace.products[row.token(i)];
    widen(embeddings_.norm2()[row.token(position)], inner.data(), row.far.data(), row.far.size());
  }
}

void RowPass::row_values(const Row& row, Workspace& workspace, std::span<double> shared) const {
  const auto at = [&](Q q) -> double& { return shared[static_cast<std::size_t>(q)]; };
  const std::span<const double> alpha = row.alpha();
  if (plan_.wants({Q::entropy, Q::max_weight})) {
    double entropy = 0;
    double largest = 0;
    for (double scaled : alpha) {
      const double a = row.unscale(scaled);
      if (a > 0) entropy -= a * std::log(a);
      largest = std::max(largest, a);
    }
    at(Q::entropy) = entropy;
    at(Q::max_weight) = largest;
  }
  if (plan_.wants({Q::jacobian_norm})) {
    workspace.sorted.assign(alpha.begin(), alpha.end());
    for (double& a : workspace.sorted) a = row.unscale(a);
    at(Q::jacobian_norm) = theory::jacobian_norm(workspace.sorted) / options_.temperature;
  }
  if (plan_.wants({Q::expected_full})) at(Q::expected_full) = row.unscale(expected_terms(row, 1.0));
}

void RowPass::evaluate(Row& row, std::size_t request, std::span<const double> shared, Workspace& workspace,
                       std::span<double> out) const {
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
  if (wanted.has(Q::separable_law)) {
    workspace.sorted.resize(row.size());
    for (std::size_t rank = 0; rank < row.size(); ++rank) workspace.sorted[rank] = row.alpha()[row.order(rank)];
    put(Q::separable_law, options_.law->separable(workspace.sorted, top));
  }
  put(Q::mass, row.unscale(row.mass));
  put(Q::entropy, shared[static_cast<std::size_t>(Q::entropy)]);
  put(Q::max_weight, shared[static_cast<std::size_t>(Q::max_weight)]);
  put(Q::jacobian_norm, shared[static_cast<std::size_t>(Q::jacobian_norm)]);
}

}  // namespace headroom::verify
