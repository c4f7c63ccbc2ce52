#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "core/head.hpp"
#include "verify/embeddings.hpp"
#include "verify/plan.hpp"
#include "verify/row_pass.hpp"
#include "verify/sensitivity.hpp"

namespace headroom::verify {

/// Every row of one head, measured: (rows × slots) values in the plan's layout, NaN where k ≤ N, and k of every row.
struct RowTable {
  std::size_t slots = 0;
  std::vector<std::size_t> context_length;
  std::vector<double> values;

  [[nodiscard]] std::size_t rows() const { return context_length.size(); }
  [[nodiscard]] double value(std::size_t row, std::size_t slot) const { return values[row * slots + slot]; }
};

/// Measures all rows of a head, in parallel over blocks of rows; the bytes do not depend on the number of threads.
[[nodiscard]] RowTable measure_rows(const HeadView& head, const Embeddings& embeddings, const Plan& plan,
                                    const RowPassOptions& options = {});

class MeasureMemory;

/// The same in memory that is kept from call to call; the table lives there until the next.
[[nodiscard]] const RowTable& measure_rows(const HeadView& head, const Embeddings& embeddings, const Plan& plan,
                                           const RowPassOptions& options, MeasureMemory& memory);

/// Where a strip source may put what it returns a view of; one per thread.
struct StripMemory {
  std::vector<double> weights;
  std::vector<double> logits;
};

/// Rows [first, first + count) of a head as a head of their own, with the visibility of those rows. Called from several
/// threads at once; the view may point into the memory, which is the thread's until it asks for the next strip. What it
/// throws ends the measurement; of several exceptions, that of the first rows to be asked for is thrown on.
using StripSource = std::function<HeadView(std::size_t first, std::size_t count, StripMemory& memory)>;

struct HeadMeasurement {
  RowTable rows;
  Sensitivity sensitivity;
};

/// What measuring one head after another keeps: a result and each thread's scratch memory, megabytes that the system
/// would otherwise hand out page by page for every head.
class MeasureMemory {
 public:
  MeasureMemory();
  MeasureMemory(MeasureMemory&&) noexcept;
  MeasureMemory& operator=(MeasureMemory&&) noexcept;
  ~MeasureMemory();

  struct State;
  [[nodiscard]] State& state() { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

/// Everything about a head, and with a sensitivity plan Algorithm 5 of the same strips, which then need logits. No more
/// of the attention matrix exists at once than a strip for each thread. In the embeddings' precision.
/// @returns a result that lives in the memory until the next head is measured
[[nodiscard]] const HeadMeasurement& measure_head(const Visibility& visibility, const StripSource& source,
                                                  const Embeddings& embeddings, const Plan& plan,
                                                  const RowPassOptions& options, const SensitivityPlan* sensitivity,
                                                  MeasureMemory& memory);

/// Means over the rows with more than N tokens; NaN for what was not asked. `rows` says how many there were.
struct TopMeans {
  std::size_t top = 0;
  std::size_t rows = 0;
  std::array<double, quantity_count> mean{};

  [[nodiscard]] double operator[](Quantity q) const { return mean[static_cast<std::size_t>(q)]; }
};

/// Averages the first `row_count` rows: with a causal mask those are the rows of the shorter context.
/// Sums run in row order.
[[nodiscard]] std::vector<TopMeans> mean_over_rows(const RowTable& table, const Plan& plan, std::size_t row_count);

/// Checks that the weights are a head's: finite, not negative, zero on masked tokens and, unless `unnormalized`, every
/// row summing to 1 within 1e-3; logits are not looked at. Throws Error(input) naming head, row and token.
/// @param first_row what messages call the first row, where `head` is a strip of a longer matrix
void check_weights(const HeadView& head, std::size_t head_index, bool unnormalized, std::size_t first_row = 0);

}  // namespace headroom::verify
