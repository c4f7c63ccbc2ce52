#include "verify/cell_draw.hpp"

#include "sim/random.hpp"

namespace headroom::verify {

CellDraw::CellDraw(const Cell& cell)
    : cell_(cell),
      visibility_(Visibility::all(1, cell.parameters().length)),
      logits_(cell.parameters().length),
      weights_(cell.parameters().length) {}

void CellDraw::weights(std::uint64_t seed, std::uint64_t trial) {
  stream_.emplace(seed, cell_.hash(), trial);
  cell_.logits().fill(*stream_, logits_);
  cell_.normalizer().weights(logits_, cell_.parameters().temperature, weights_);
}

void CellDraw::vectors() {
  const CellParameters& p = cell_.parameters();
  vectors_.resize(p.length * p.dim);
  sim::fill_sphere(*stream_, {vectors_.data(), p.length, p.dim});
}

HeadView CellDraw::head() const {
  const CellParameters& p = cell_.parameters();
  const MatrixView<const double> vectors =
      vectors_.empty() ? MatrixView<const double>() : MatrixView<const double>(vectors_.data(), p.length, p.dim);
  return {{weights_.data(), 1, p.length}, {logits_.data(), 1, p.length}, vectors, visibility_};
}

}  // namespace headroom::verify
