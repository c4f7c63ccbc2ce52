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
    std::vector<double> weights, contexts, products, sorted, selected;
  };

  /// Number of rows worth handing to `run` at once.
  static constexpr std::size_t block = 16;

  /// Measures rows [first, first + count) of the head into out, (count × plan.slots()). Values of an N that leaves no
  /// non-selected token (k ≤ N) are NaN.
  void run(const HeadView& head, std::size_t first, std::size_t count, Workspace& workspace,
           std::span<double> out) const;

 private:
  void multiply_contexts(Workspace& workspace, std::size_t count) const;
  void measure(Row& row, Workspace& workspace, std::span<double> out) const;
  void advance(Row& row, std::size_t top, bool widen_far, Workspace& workspace) const;
  void evaluate(Row& row, std::size_t request, std::span<const double> shared, Workspace& workspace,
                std::span<double> out) const;
  void row_values(const Row& row, Workspace& workspace, std::span<double> shared) const;

  const Embeddings& embeddings_;
  const Plan& plan_;
  Options options_;
};

}  // namespace headroom::verify
