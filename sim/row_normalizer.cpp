#include "sim/row_normalizer.hpp"

#ifdef _OPENMP
#include <omp.h>
#endif

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/parallel_failure.hpp"
#include "sim/elementwise_kernels.hpp"
#include "sim/kernel_choice.hpp"
#include "sim/normalizer_checks.hpp"
#include "sim/normalizers.hpp"

namespace headroom::sim {

template <class Real>
struct RowNormalizer<Real>::Form {
  std::unique_ptr<const Normalizer> reference;
  KernelChoice<Real> kernel;
  EmptyRow empty_row;
};

namespace {

int threads() {
#ifdef _OPENMP
  return omp_get_max_threads();
#else
  return 1;
#endif
}

/// work(first, last, memory) for blocks of rows in parallel, each of so many tokens or a row, and each thread with its
/// own memory; of several errors the one of the first rows is thrown.
template <class Memory, class Work>
void for_row_blocks(std::size_t rows, std::size_t tokens, std::size_t tokens_at_once, Work work) {
  const std::size_t block = std::max<std::size_t>(tokens_at_once / std::max<std::size_t>(tokens, 1), 1);
  const auto blocks = static_cast<std::ptrdiff_t>((rows + block - 1) / block);
  if (blocks <= 1 || threads() == 1) {  // what it costs to share work out would be a tenth of a short call
    Memory memory;
    return work(std::size_t{0}, rows, memory);
  }
  ParallelFailure failure;
#pragma omp parallel
  {
    Memory memory;
    // In turn: queries see unequally much, and rows that come again find the caches they were in.
#pragma omp for schedule(static, 1) nowait
    for (std::ptrdiff_t b = 0; b < blocks; ++b) {
      const auto at = static_cast<std::size_t>(b);
      failure.guard(at, [&] { work(at * block, std::min(rows, (at + 1) * block), memory); });
    }
  }
  failure.rethrow();
}

/// What one thread works with.
template <class Real>
struct Memory {
  std::vector<double> scratch;
  std::vector<Real> dense;
  std::vector<std::size_t> kept;
};

/// The rows of one call, and how they become weights.
template <class Real>
class Rows {
 public:
  Rows(const KernelChoice<Real>& kernel, const Normalizer& reference, EmptyRow empty_row, double temperature,
       const RowBlock<Real>& all, std::size_t first_row)
      : kernel_(kernel),
        reference_(reference),
        empty_row_(empty_row),
        temperature_(temperature),
        all_(all),
        first_row_(first_row) {}

  /// Rows [first, last), all of whose tokens are there but for those of logit −∞.
  void run(std::size_t first, std::size_t last, Memory<Real>& memory) const {
    for (std::size_t r = first; r < last;) {
      const std::size_t count = stretch(r, last);
      const std::size_t done = run_kernel(r, count, memory);
      r += done;
      if (done == std::max<std::size_t>(count, 1)) continue;
      one_by_one(
          r, [](std::size_t) { return true; }, memory);
      ++r;
    }
  }

  /// A row of which only the tokens `visible(i)` says are there, i counted from the start of its range.
  template <class Visible>
  void one_by_one(std::size_t r, Visible visible, Memory<Real>& memory) const {
    const LogitRow<Real> row = all_.row(r);
    memory.kept.clear();
    for (std::size_t i = 0; i < row.n; ++i) {
      if (visible(i) && is_logit(row.logits[i], first_row_ + r, all_.ranges[r].begin + i)) memory.kept.push_back(i);
    }
    check_not_empty(memory.kept.size(), empty_row_, first_row_ + r);
    memory.dense.clear();
    for (const std::size_t i : memory.kept) memory.dense.push_back(row.logits[i]);
    if (!memory.kept.empty()) run_dense(memory);
    std::fill_n(row.weights, row.n, Real{0});
    for (std::size_t k = 0; k < memory.kept.size(); ++k) row.weights[memory.kept[k]] = memory.dense[k];
  }

 private:
  /// How many rows from r on the kernel can take at once; none where it cannot take row r as it is.
  [[nodiscard]] std::size_t stretch(std::size_t r, std::size_t last) const {
    if (kernel_.takes_masked()) return last - r;
    std::size_t end = r;
    for (; end < last; ++end) {
      if (kernel_.depends_on_length() && all_.ranges[end].size() != all_.ranges[r].size()) break;
      const LogitRow<Real> row = all_.row(end);
      if (elementwise_kernels<Real>().any_masked(row.logits, row.n)) break;
    }
    return end - r;
  }

  /// How many of so many rows the kernel has done.
  std::size_t run_kernel(std::size_t r, std::size_t count, Memory<Real>& memory) const {
    if (count == 0) return 0;
    RowBlock<Real> rows = all_.part(r, count);
    return kernel_.prepare(rows, rows.ranges[0].size(), temperature_) ? kernel_.run(rows, memory.scratch) : 0;
  }

  void run_dense(Memory<Real>& memory) const {
    const Visibility::Range range = {0, memory.dense.size()};
    RowBlock<Real> row = {memory.dense.data(), 0, memory.dense.data(), 0, &range, 1};
    if (kernel_.prepare(row, range.end, temperature_) && kernel_.run(row, memory.scratch) == 1) return;
    std::vector<double> wide(memory.dense.begin(), memory.dense.end());
    reference_.weights(wide, temperature_, wide);
    std::transform(wide.begin(), wide.end(), memory.dense.begin(), [](double w) { return static_cast<Real>(w); });
  }

  const KernelChoice<Real>& kernel_;
  const Normalizer& reference_;
  EmptyRow empty_row_;
  double temperature_;
  RowBlock<Real> all_;
  std::size_t first_row_;
};

}  // namespace

template <class Real>
RowNormalizer<Real>::RowNormalizer(std::string_view spec, EmptyRow empty_row) {
  NormalizerForm form = NormalizerForm::of(spec);
  auto reference = make_normalizer(form, empty_row);
  form_ = std::make_unique<Form>(Form{std::move(reference), KernelChoice<Real>(std::move(form)), empty_row});
}
template <class Real>
RowNormalizer<Real>::RowNormalizer(RowNormalizer&&) noexcept = default;
template <class Real>
RowNormalizer<Real>& RowNormalizer<Real>::operator=(RowNormalizer&&) noexcept = default;
template <class Real>
RowNormalizer<Real>::~RowNormalizer() = default;

template <class Real>
const Normalizer& RowNormalizer<Real>::reference() const {
  return *form_->reference;
}

template <class Real>
WeightError RowNormalizer<Real>::worst_error() const {
  return form_->kernel.worst_error();
}

template <class Real>
void RowNormalizer<Real>::weights(std::span<const Real> logits, double temperature, std::span<Real> weights,
                                  std::size_t row) const {
  assert(weights.size() == logits.size());
  check_temperature(temperature);
  const Visibility::Range range = {0, logits.size()};
  Memory<Real> memory;
  const Rows<Real> rows(form_->kernel, *form_->reference, form_->empty_row, temperature,
                        {logits.data(), 0, weights.data(), 0, &range, 1}, row);
  rows.run(0, 1, memory);
}

template <class Real>
void RowNormalizer<Real>::weights(MatrixView<const Real> logits, const Visibility& visibility, double temperature,
                                  MatrixView<Real> weights, std::size_t first_row) const {
  assert(logits.rows == visibility.queries() && logits.cols == visibility.tokens());
  assert(weights.rows == logits.rows && weights.cols == logits.cols);
  check_temperature(temperature);
  RowBlock<Real> all = {logits.data, logits.stride, weights.data, weights.stride, visibility.ranges().data(),
                        logits.rows};
  constexpr std::size_t near = std::size_t{1} << 20U;
  all.far = (weights.data == logits.data ? 1 : 2) * logits.rows * logits.cols * sizeof(Real) > near;
  const Rows<Real> rows(form_->kernel, *form_->reference, form_->empty_row, temperature, all, first_row);
  constexpr std::size_t tokens_at_once = 32768;
  const auto work = [&](std::size_t first, std::size_t last, Memory<Real>& memory) {
    for (std::size_t r = first; r < last;) {
      std::size_t end = visibility.contiguous() ? last : r;
      while (end < last && visibility.contiguous(end)) ++end;
      rows.run(r, end, memory);
      r = end;
      if (r == last) break;
      const std::size_t begin = visibility.range(r).begin;
      rows.one_by_one(
          r, [&](std::size_t i) { return visibility.visible(r, begin + i); }, memory);
      ++r;
    }
  };
  for_row_blocks<Memory<Real>>(logits.rows, logits.cols, tokens_at_once, work);
}

template <class Real>
std::vector<double> RowNormalizer<Real>::jacobian_norms(MatrixView<const Real> logits, MatrixView<const Real> weights,
                                                        const Visibility& visibility, double temperature) const {
  assert(logits.rows == visibility.queries() && logits.cols == visibility.tokens());
  assert(weights.rows == logits.rows && weights.cols == logits.cols);
  check_temperature(temperature);
  std::vector<double> norms(logits.rows);
  const auto measure = [&](std::size_t r, std::vector<double>& memory) {
    const auto [begin, end] = visibility.range(r);
    std::size_t n = end - begin;
    if (form_->kernel.depends_on_length()) {
      for (std::size_t i = begin; i < end; ++i) {
        n -= !visibility.visible(r, i) || logits(r, i) == -std::numeric_limits<Real>::infinity();
      }
    }
    if (n == 0) return 0.0;
    const auto row = weights.row(r).subspan(begin, end - begin);
    if (const auto norm = form_->kernel.jacobian_norm(row, n, temperature, memory)) return *norm;
    memory.clear();
    for (std::size_t i = begin; i < end; ++i) {
      if (visibility.visible(r, i)) memory.push_back(logits(r, i));
    }
    return reference().jacobian(memory, temperature, r).spectral_norm();
  };
  constexpr std::size_t tokens_at_once = 8192;
  for_row_blocks<std::vector<double>>(logits.rows, logits.cols, tokens_at_once,
                                      [&](std::size_t first, std::size_t last, std::vector<double>& memory) {
                                        for (std::size_t r = first; r < last; ++r) norms[r] = measure(r, memory);
                                      });
  return norms;
}

template class RowNormalizer<float>;
template class RowNormalizer<double>;

}  // namespace headroom::sim
