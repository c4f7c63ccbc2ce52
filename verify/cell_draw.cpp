#include "verify/cell_draw.hpp"

#include <cassert>
#include <cmath>
#include <limits>

#include "verify/cell_kernels.hpp"
#include "verify/row_kernels.hpp"
#include "verify/sensitivity_kernels.hpp"

namespace headroom::verify {

CellDraw::CellDraw(const Cell& cell)
    : cell_(cell),
      visibility_(Visibility::all(1, cell.parameters().length)),
      plain_softmax_(cell.normalizer().name() == "softmax" && std::isfinite(1 / cell.parameters().temperature)) {
  const std::size_t padded = padded_size<double>(cell.parameters().length);
  logits_.assign(padded, std::numeric_limits<double>::lowest());
  weights_.resize(padded);
}

void CellDraw::weights(std::uint64_t seed, std::uint64_t trial) {
  const CellParameters& p = cell_.parameters();
  stream_.emplace(seed, cell_.hash(), trial);
  points_drawn_ = false;
  const std::span<double> logits(logits_.data(), p.length);
  cell_.logits().fill(*stream_, logits);
  if (plain_softmax_) {
    // The normalizer's weights but for the last digits, at a fifth of the time.
    softmax_row(logits_.data(), logits_.size(), range_of(logits_.data(), logits_.size()).largest, p.temperature,
                weights_.data());
  } else {
    cell_.normalizer().weights(logits, p.temperature, {weights_.data(), p.length});
  }
}

const CellPoints& CellDraw::points(const double* alpha, std::span<double> c) {
  assert(cell_.independent());
  if (!points_) points_.emplace(cell_.parameters().length, cell_.parameters().dim, cell_.precision());
  points_->draw(*stream_, alpha, c);
  points_drawn_ = true;
  return *points_;
}

void CellDraw::vectors() {
  const CellParameters& p = cell_.parameters();
  vectors_.resize(p.length * p.dim);
  const MatrixView<double> out(vectors_.data(), p.length, p.dim);
  if (!cell_.independent()) return cell_.sampler().fill(*stream_, out);
  if (!points_drawn_) {
    const std::vector<double> none(weights_.size(), 0.0);
    std::vector<double> c(p.dim);
    points(none.data(), c);
  }
  points_->copy_to(out);
}

HeadView CellDraw::head() const {
  const CellParameters& p = cell_.parameters();
  const MatrixView<const double> vectors =
      vectors_.empty() ? MatrixView<const double>() : MatrixView<const double>(vectors_.data(), p.length, p.dim);
  return {{weights_.data(), 1, p.length}, {logits_.data(), 1, p.length}, vectors, visibility_};
}

}  // namespace headroom::verify
