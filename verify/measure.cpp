#include "verify/measure.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#include "core/error.hpp"
#include "core/parallel_failure.hpp"

namespace headroom::verify {

struct MeasureMemory::State {
  struct Thread {
    RowPassOf<float>::Workspace single;
    RowPassOf<double>::Workspace full;
    SensitivityPass::Workspace steps;
    StripMemory strip;

    template <class Real>
    typename RowPassOf<Real>::Workspace& rows() {
      if constexpr (std::is_same_v<Real, double>) {
        return full;
      } else {
        return single;
      }
    }
  };

  HeadMeasurement result;
  std::vector<Thread> threads = std::vector<Thread>(static_cast<std::size_t>(omp_get_max_threads()));
};

MeasureMemory::MeasureMemory() : state_(std::make_unique<State>()) {}
MeasureMemory::MeasureMemory(MeasureMemory&&) noexcept = default;
MeasureMemory& MeasureMemory::operator=(MeasureMemory&&) noexcept = default;
MeasureMemory::~MeasureMemory() = default;

namespace {

void prepare_table(RowTable& table, const Visibility& visibility, const Plan& plan, Context context) {
  const std::size_t rows = visibility.queries();
  table.slots = plan.slots();
  table.values.resize(rows * plan.slots());
  table.context_length.resize(rows);
  for (std::size_t r = 0; r < rows; ++r) {
    table.context_length[r] = context == Context::all ? visibility.tokens() : visibility.count(r);
  }
}

struct Strip {
  std::size_t first;
  std::size_t count;
};

// The last rows first. Making a strip has a price of its own, shared by its rows: of many rows they are several blocks
// high, but for those that are taken last, so that the threads end together.
std::vector<Strip> strips_of(std::size_t rows, std::size_t block) {
  constexpr std::size_t blocks_per_strip = 4;
  constexpr std::size_t rows_worth_it = 512;
  const std::size_t tall = rows >= rows_worth_it ? blocks_per_strip * block : block;
  const std::size_t shared_out = rows / 4 / tall * tall;
  std::vector<Strip> strips;
  for (std::size_t first = 0; first < rows; first += strips.back().count) {
    strips.push_back({first, std::min(first < shared_out ? block : tall, rows - first)});
  }
  std::reverse(strips.begin(), strips.end());
  return strips;
}

template <class Real>
void measure_in(const Visibility& visibility, const StripSource& source, const Embeddings& embeddings, const Plan& plan,
                const RowPassOptions& options, const SensitivityPlan* sensitivity, MeasureMemory::State& memory) {
  using Pass = RowPassOf<Real>;
  const std::size_t rows = visibility.queries();
  prepare_table(memory.result.rows, visibility, plan, options.context);
  std::vector<double>& values = memory.result.rows.values;
  std::optional<SensitivityPass> steps;
  if (sensitivity != nullptr) steps.emplace(*sensitivity, rows, embeddings.precision());
  const Pass pass(embeddings, plan, options);
  const std::vector<Strip> strips = strips_of(rows, Pass::block);
  ParallelFailure failure;
  const int threads = std::min(static_cast<int>(memory.threads.size()), omp_get_max_threads());
#pragma omp parallel num_threads(threads)
  {
    MeasureMemory::State::Thread& own = memory.threads[static_cast<std::size_t>(omp_get_thread_num())];
    // Causal rows grow with their index: the strips of long rows first keep the threads busy to the end.
#pragma omp for schedule(dynamic)
    for (std::ptrdiff_t s = 0; s < static_cast<std::ptrdiff_t>(strips.size()); ++s) {
      failure.guard(static_cast<std::size_t>(s), [&] {
        const auto [first, count] = strips[static_cast<std::size_t>(s)];
        const HeadView strip = source(first, count, own.strip);
        assert(strip.visibility.queries() == count);
        for (std::size_t at = 0; at < count; at += Pass::block) {
          const std::size_t together = std::min(Pass::block, count - at);
          pass.run(strip, at, together, own.template rows<Real>(),
                   {values.data() + (first + at) * plan.slots(), together * plan.slots()});
        }
        if (steps) steps->run(strip, first, own.steps);
      });
    }
  }
  failure.rethrow();
  memory.result.sensitivity = steps ? steps->means() : Sensitivity{};
}

}  // namespace

const HeadMeasurement& measure_head(const Visibility& visibility, const StripSource& source,
                                    const Embeddings& embeddings, const Plan& plan, const RowPassOptions& options,
                                    const SensitivityPlan* sensitivity, MeasureMemory& memory) {
  assert(embeddings.tokens() == visibility.tokens());
  if (embeddings.precision() == Precision::single) {
    measure_in<float>(visibility, source, embeddings, plan, options, sensitivity, memory.state());
  } else {
    measure_in<double>(visibility, source, embeddings, plan, options, sensitivity, memory.state());
  }
  return memory.state().result;
}

const RowTable& measure_rows(const HeadView& head, const Embeddings& embeddings, const Plan& plan,
                             const RowPassOptions& options, MeasureMemory& memory) {
  assert(head.visibility.queries() == head.weights.rows && head.visibility.tokens() == head.weights.cols);
  const auto strip = [&head](std::size_t first, std::size_t count, StripMemory&) {
    return HeadView{{head.weights.row_data(first), count, head.weights.cols, head.weights.stride},
                    {},
                    {},
                    head.visibility.slice(first, count)};
  };
  return measure_head(head.visibility, strip, embeddings, plan, options, nullptr, memory).rows;
}

RowTable measure_rows(const HeadView& head, const Embeddings& embeddings, const Plan& plan,
                      const RowPassOptions& options) {
  MeasureMemory memory;
  static_cast<void>(measure_rows(head, embeddings, plan, options, memory));
  return std::move(memory.state().result.rows);
}

std::vector<TopMeans> mean_over_rows(const RowTable& table, const Plan& plan, std::size_t row_count) {
  const std::vector<Plan::Request>& requests = plan.requests();
  // Requests and their slots are in increasing N: a row fills the first ones.
  std::vector<std::size_t> rows(requests.size(), 0);
  std::vector<std::size_t> ends(row_count);
  for (std::size_t r = 0; r < row_count; ++r) {
    const auto enough = [&](const Plan::Request& request) { return request.top < table.context_length[r]; };
    const auto end = std::partition_point(requests.begin(), requests.end(), enough);
    const auto count = static_cast<std::size_t>(end - requests.begin());
    for (std::size_t request = 0; request < count; ++request) ++rows[request];
    ends[r] = plan.first_slot(count);
  }
  std::vector<double> sums(plan.slots(), 0.0);
  constexpr std::size_t together = 64;
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t part = 0; part < static_cast<std::ptrdiff_t>((sums.size() + together - 1) / together); ++part) {
    const std::size_t first = static_cast<std::size_t>(part) * together;
    const std::size_t last = std::min(first + together, sums.size());
    for (std::size_t r = 0; r < row_count; ++r) {
      const double* const values = table.values.data() + r * table.slots;
      for (std::size_t slot = first, end = std::min(last, ends[r]); slot < end; ++slot) sums[slot] += values[slot];
    }
  }
  std::vector<TopMeans> means(requests.size());
  for (std::size_t request = 0; request < requests.size(); ++request) {
    TopMeans& out = means[request];
    out.top = requests[request].top;
    out.rows = rows[request];
    out.mean.fill(std::numeric_limits<double>::quiet_NaN());
    for (std::size_t q = 0; q < quantity_count; ++q) {
      const std::size_t slot = plan.slot(request, static_cast<Quantity>(q));
      if (out.rows > 0 && slot != Plan::none) out.mean[q] = sums[slot] / static_cast<double>(out.rows);
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
