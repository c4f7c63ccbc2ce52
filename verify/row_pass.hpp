#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "theory/resolution_law.hpp"
#include "verify/embeddings.hpp"
#include "verify/plan.hpp"
#include "verify/row.hpp"

namespace headroom::verify {

/// One sweep over the tokens of a row in decreasing weight gives every N of a plan (DESIGN.md, the hot path).
/// Immutable and shared by threads; each thread brings its own Workspace.
///
/// Relative error of every mean: 1e-9, separable_law 1e-4 absolute. Counts are exact for the sums as computed; exact
/// ties do not separate.
class RowPass {
 public:
  struct Options {
    Context context = Context::visible;
    double temperature = 1.0;
    /// Needed when the plan asks for separable_law; shared, so that its tables are made once.
    const theory::ResolutionLaw* law = nullptr;
  };

  /// @param embeddings must hold the Gram matrix and δ where `prepare` says so
  RowPass(const Embeddings& embeddings, const Plan& plan, Options options);

  /// What the embeddings must be asked for: δ for ξ; G where its cost is less than one product per row and N.
  static Embeddings::Options prepare(const Plan& plan, std::size_t rows, std::size_t tokens, std::size_t dim);

  /// Scratch memory of one thread.
  struct Workspace {
    std::vector<Row> rows;
    std::vector<double> weights, contexts, products, directions, shared, sorted, selected;
  };

  /// Number of rows worth handing to `run` at once.
  static constexpr std::size_t block = 16;

  /// Measures rows [first, first + count) of the head into out, (count × plan.slots()). Values of an N that leaves no
  /// non-selected token (k ≤ N) are NaN.
  void run(const HeadView& head, std::size_t first, std::size_t count, Workspace& workspace,
           std::span<double> out) const;

 private:
  void multiply_contexts(Workspace& workspace, std::size_t count) const;
  void row_values(const Row& row, Workspace& workspace, std::span<double> shared) const;
  void follow(Row& row, std::size_t top) const;
  void leap(std::size_t request, std::size_t count, Workspace& workspace) const;
  void widen_far(Row& row, std::size_t first_rank, Workspace& workspace) const;
  void evaluate(Row& row, std::size_t request, std::span<const double> shared, Workspace& workspace,
                std::span<double> out) const;

  const Embeddings& embeddings_;
  const Plan& plan_;
  Options options_;
  /// Requests before this one follow the selection token by token with rows of G; the rest, further apart, take one
  /// product per N for a whole block of rows.
  std::size_t followed_ = 0;
};

}  // namespace headroom::verify
