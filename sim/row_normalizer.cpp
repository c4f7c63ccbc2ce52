#include "sim/row_normalizer.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/parallel_failure.hpp"
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

/// Rows one thread takes at once: enough to outweigh taking them.
std::size_t rows_at_once(std::size_t tokens) {
  return std::clamp<std::size_t>(8192 / std::max<std::size_t>(tokens, 1), 1, 48);
}

/// work(first, last, memory) for blocks of rows in parallel, each thread with its own memory; of several errors the one
/// of the first rows is thrown.
template <class Work, class Memory>
void for_row_blocks(std::size_t rows, std::size_t tokens, Work work, const Memory& none) {
  const std::size_t block = rows_at_once(tokens);
  const auto blocks = static_cast<std::ptrdiff_t>((rows + block - 1) / block);
  ParallelFailure failure;
#pragma omp parallel if (blocks > 1)
  {
    Memory memory = none;
#pragma omp for schedule(dynamic)
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
  std::vector<RowTask<Real>> tasks;
  std::vector<double> scratch;
  std::vector<Real> dense;
  std::vector<std::size_t> kept;
};

/// Rows of one call: where they are and how they become weights.
template <class Real>
class Batch {
 public:
  Batch(const KernelChoice<Real>& kernel, const Normalizer& reference, EmptyRow empty_row, double temperature,
        std::size_t first_row)
      : kernel_(kernel),
        reference_(reference),
        empty_row_(empty_row),
        temperature_(temperature),
        first_row_(first_row),
        scale_(kernel.scales_with_length() ? DoubleDouble{1, 0} : kernel.scale_of(1, temperature)) {}

  /// Rows [first, last) of those `task(row)` describes.
  template <class Task>
  void run(std::size_t first, std::size_t last, Task task, Memory<Real>& memory) const {
    memory.tasks.clear();
    std::size_t longest = 0;
    for (std::size_t r = first; r < last; ++r) {
      memory.tasks.push_back(task(r));
      memory.tasks.back().scale = scale_;
      longest = std::max(longest, memory.tasks.back().n);
    }
    memory.scratch.resize(std::max(memory.scratch.size(), kernel_.scratch(longest)));
    std::size_t plain = 0;  // tasks before here were run
    for (std::size_t i = 0; i < memory.tasks.size(); ++i) {
      if (kernel_.prepare(memory.tasks[i], temperature_)) continue;
      kernel_.run(std::span(memory.tasks).subspan(plain, i - plain), memory.scratch.data());
      without_masked(memory.tasks[i], first + i, memory);
      plain = i + 1;
    }
    kernel_.run(std::span(memory.tasks).subspan(plain), memory.scratch.data());
    for (std::size_t i = 0; i < memory.tasks.size(); ++i) check(memory.tasks[i], first + i);
  }

  /// A row with holes: only the tokens `visible` says are there.
  template <class Visible>
  void run_with_holes(RowTask<Real> task, std::size_t row, Visible visible, Memory<Real>& memory) const {
    memory.kept.clear();
    for (std::size_t i = 0; i < task.n; ++i) {
      if (visible(i) && is_logit(task.logits[i], first_row_ + row, task.column + i)) memory.kept.push_back(i);
    }
    run_kept(task, row, memory);
  }

 private:
  /// A row the kernel cannot take as it is: −∞ tokens that change the others' weights, or a factor out of its range.
  void without_masked(RowTask<Real>& task, std::size_t row, Memory<Real>& memory) const {
    memory.kept.clear();
    for (std::size_t i = 0; i < task.n; ++i) {
      if (is_logit(task.logits[i], first_row_ + row, task.column + i)) memory.kept.push_back(i);
    }
    run_kept(task, row, memory);
    task.outcome = RowOutcome::done;
  }

  void run_kept(const RowTask<Real>& task, std::size_t row, Memory<Real>& memory) const {
    check_not_empty(memory.kept.size(), empty_row_, first_row_ + row);
    memory.dense.clear();
    for (const std::size_t i : memory.kept) memory.dense.push_back(task.logits[i]);
    if (!memory.kept.empty()) run_dense(memory);
    std::fill_n(task.weights, task.n, Real{0});
    for (std::size_t k = 0; k < memory.kept.size(); ++k) task.weights[memory.kept[k]] = memory.dense[k];
  }

  void run_dense(Memory<Real>& memory) const {
    RowTask<Real> task = {memory.dense.data(), memory.dense.data(), memory.dense.size(), scale_};
    memory.scratch.resize(std::max(memory.scratch.size(), kernel_.scratch(task.n)));
    if (kernel_.prepare(task, temperature_)) return kernel_.run(std::span(&task, 1), memory.scratch.data());
    std::vector<double> wide(memory.dense.begin(), memory.dense.end());
    reference_.weights(wide, temperature_, wide);
    std::transform(wide.begin(), wide.end(), memory.dense.begin(), [](double w) { return static_cast<Real>(w); });
  }

  void check(const RowTask<Real>& task, std::size_t row) const {
    if (task.outcome == RowOutcome::done) return;
    if (task.outcome == RowOutcome::empty) return check_not_empty(0, empty_row_, first_row_ + row);
    for (std::size_t i = 0; i < task.n; ++i) is_logit(task.logits[i], first_row_ + row, task.column + i);
    assert(false);
  }

  const KernelChoice<Real>& kernel_;
  const Normalizer& reference_;
  EmptyRow empty_row_;
  double temperature_;
  std::size_t first_row_;
  DoubleDouble scale_;  // where it is the same for every row
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
  Memory<Real> memory;
  const Batch<Real> batch(form_->kernel, *form_->reference, form_->empty_row, temperature, row);
  batch.run(
      0, 1,
      [&](std::size_t) {
        return RowTask<Real>{logits.data(), weights.data(), logits.size()};
      },
      memory);
}

template <class Real>
void RowNormalizer<Real>::weights(MatrixView<const Real> logits, const Visibility& visibility, double temperature,
                                  MatrixView<Real> weights, std::size_t first_row) const {
  assert(logits.rows == visibility.queries() && logits.cols == visibility.tokens());
  assert(weights.rows == logits.rows && weights.cols == logits.cols);
  check_temperature(temperature);
  const Batch<Real> batch(form_->kernel, *form_->reference, form_->empty_row, temperature, first_row);
  const auto task = [&](std::size_t r) {
    const auto [begin, end] = visibility.range(r);
    return RowTask<Real>{logits.row_data(r) + begin, weights.row_data(r) + begin, end - begin, {1, 0}, {0, 0}, begin};
  };
  for_row_blocks(
      logits.rows, logits.cols,
      [&](std::size_t first, std::size_t last, Memory<Real>& memory) {
        for (std::size_t r = first; r < last;) {
          if (!visibility.contiguous(r)) {
            const std::size_t begin = visibility.range(r).begin;
            batch.run_with_holes(
                task(r), r, [&](std::size_t i) { return visibility.visible(r, begin + i); }, memory);
            ++r;
            continue;
          }
          std::size_t end = r;
          while (end < last && visibility.contiguous(end)) ++end;
          batch.run(r, end, task, memory);
          r = end;
        }
      },
      Memory<Real>());
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
    if (form_->kernel.scales_with_length()) {
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
  for_row_blocks(
      logits.rows, logits.cols,
      [&](std::size_t first, std::size_t last, std::vector<double>& memory) {
        for (std::size_t r = first; r < last; ++r) norms[r] = measure(r, memory);
      },
      std::vector<double>());
  return norms;
}

template class RowNormalizer<float>;
template class RowNormalizer<double>;

}  // namespace headroom::sim
