#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "theory/resolution_law.hpp"
#include "verify/binned_law.hpp"
#include "verify/embeddings.hpp"
#include "verify/plan.hpp"
#include "verify/row.hpp"

namespace headroom::verify {

/// What a row pass needs to know beside the vectors and the plan.
struct RowPassOptions {
  Context context = Context::visible;
  double temperature = 1.0;
  /// One of them is needed when the plan asks for separable_law; shared, so that its tables are made once.
  const theory::ResolutionLaw* law = nullptr;
  const BinnedLaw* binned_law = nullptr;  ///< for means over many rows; taken where it is given
};

/// One sweep over the tokens of a row in decreasing weight gives every N of a plan.
/// Immutable and shared by threads; each thread brings its own Workspace. Real is the embeddings' precision.
///
/// Relative error of every mean: 1e-9 in double precision, 1e-5 in single; separable_law 1e-4 absolute, or what
/// BinnedLaw says. Counts are exact for the sums as computed; exact ties do not separate.
template <class Real>
class RowPassOf {
 public:
  using Options = RowPassOptions;

  /// @param embeddings must hold the Gram matrix and δ where `prepare` says so
  RowPassOf(const Embeddings& embeddings, const Plan& plan, Options options);

  /// What the embeddings must be asked for: δ for ξ; G where its cost is less than one product per row and N.
  static Embeddings::Options prepare(const Plan& plan, std::size_t rows, std::size_t tokens, std::size_t dim);

  /// Scratch memory of one thread.
  struct Workspace {
    std::vector<Row<Real>> rows;
    std::vector<Real> weights, contexts, products;
    std::vector<std::size_t> leaping;
    std::vector<double> shared, sorted, selected, laws;
    BinnedLaw::Workspace law;
  };

  /// Number of rows worth handing to `run` at once.
  static constexpr std::size_t block = 16;

  /// Measures rows [first, first + count) of the head into out, (count × plan.slots()). Values of an N that leaves no
  /// non-selected token (k ≤ N) are NaN.
  void run(const HeadView& head, std::size_t first, std::size_t count, Workspace& workspace,
           std::span<double> out) const;

 private:
  struct Products {
    MatrixView<Real> contexts, inner;
  };
  Products multiply(Workspace& workspace, std::size_t rows, std::size_t end) const;
  void multiply_contexts(Workspace& workspace, std::size_t count) const;
  void row_values(const Row<Real>& row, Workspace& workspace, std::span<double> shared) const;
  void row_laws(const Row<Real>& row, Workspace& workspace, std::span<double> out) const;
  void take_steps(Row<Real>& row, std::span<SweepStep<Real>> steps) const;
  std::size_t sweepable(std::size_t request, const Row<Real>& row) const;
  void sweep_requests(Row<Real>& row, std::size_t request, std::size_t count, std::span<const double> shared,
                      Workspace& workspace, std::span<double> out) const;
  void leap(std::size_t request, std::size_t count, Workspace& workspace) const;
  void widen_far(Row<Real>& row, Workspace& workspace) const;
  void evaluate(Row<Real>& row, std::size_t request, std::span<const double> shared, Workspace& workspace,
                std::span<double> out) const;

  const Embeddings& embeddings_;
  const Plan& plan_;
  Options options_;
  std::vector<std::size_t> law_requests_, law_tops_;
  /// Requests before this one follow the selection token by token with rows of G; the rest, further apart, take one
  /// product per N for a whole block of rows.
  std::size_t followed_ = 0;
};

using RowPass = RowPassOf<double>;

extern template class RowPassOf<float>;
extern template class RowPassOf<double>;

}  // namespace headroom::verify
