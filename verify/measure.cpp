#include "verify/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <exception>
#include <limits>

#include "core/error.hpp"

namespace headroom::verify {

RowTable measure_rows(const HeadView& head, const Embeddings& embeddings, const Plan& plan, RowPass::Options options) {
  const std::size_t rows = head.weights.rows;
  assert(head.visibility.queries() == rows && head.visibility.tokens() == head.weights.cols);
  assert(embeddings.tokens() == head.weights.cols);
  RowTable table;
  table.slots = plan.slots();
  table.values.resize(rows * plan.slots());
  table.context_length.resize(rows);
  for (std::size_t r = 0; r < rows; ++r) {
    table.context_length[r] = options.context == Context::all ? head.weights.cols : head.visibility.count(r);
  }
  const RowPass pass(embeddings, plan, options);
  const auto blocks = static_cast<std::ptrdiff_t>((rows + RowPass::block - 1) / RowPass::block);
#pragma omp parallel
  {
    RowPass::Workspace workspace;
    // Causal rows grow with their index: the long blocks first keep the threads busy to the end.
#pragma omp for schedule(dynamic)
    for (std::ptrdiff_t b = 0; b < blocks; ++b) {
      const std::size_t first = static_cast<std::size_t>(blocks - 1 - b) * RowPass::block;
      const std::size_t count = std::min(RowPass::block, rows - first);
      pass.run(head, first, count, workspace, {table.values.data() + first * table.slots, count * table.slots});
    }
  }
  return table;
}

std::vector<TopMeans> mean_over_rows(const RowTable& table, const Plan& plan, std::size_t row_count) {
  std::vector<TopMeans> means(plan.requests().size());
  for (std::size_t request = 0; request < means.size(); ++request) {
    TopMeans& out = means[request];
    out.top = plan.requests()[request].top;
    out.mean.fill(std::numeric_limits<double>::quiet_NaN());
    for (std::size_t r = 0; r < row_count; ++r) out.rows += table.context_length[r] > out.top ? 1 : 0;
    if (out.rows == 0) continue;
    for (std::size_t q = 0; q < quantity_count; ++q) {
      const std::size_t slot = plan.slot(request, static_cast<Quantity>(q));
      if (slot == Plan::none) continue;
      double sum = 0;
      for (std::size_t r = 0; r < row_count; ++r) {
        if (table.context_length[r] > out.top) sum += table.value(r, slot);
      }
      out.mean[q] = sum / static_cast<double>(out.rows);
    }
  }
  return means;
}

void check_weights(const HeadView& head, std::size_t head_index, bool unnormalized, std::size_t first_row) {
  for (std::size_t r = 0; r < head.weights.rows; ++r) {
    double sum = 0;
    for (std::size_t i = 0; i < head.weights.cols; ++i) {
      const double a = head.weights(r, i);
      const auto place = [&] {
        return fmt::format("weights, head {}, row {}, token {}", head_index, first_row + r, i);
      };
      if (!std::isfinite(a)) throw_input(fmt::format("the weight is {}", a), place(), "weights must be finite numbers");
      if (a < 0)
        throw_input(fmt::format("the weight is negative ({})", a), place(), "attention weights are at least 0");
      if (a != 0 && !head.visibility.visible(r, i)) {
        throw_input(
            fmt::format("a masked token has weight {}", a), place(),
            "leave out --causal if the rows see every token; the rows are taken as the last queries of the sequence");
      }
      sum += a;
    }
    constexpr double allowed = 1e-3;
    if (!unnormalized && head.visibility.count(r) > 0 && !(std::abs(sum - 1) <= allowed)) {
      throw_input(fmt::format("the weights sum to {}, not 1", sum),
                  fmt::format("weights, head {}, row {}", head_index, first_row + r),
                  "pass --unnormalized if the normalizer does not sum to 1");
    }
  }
}

}  // namespace headroom::verify
