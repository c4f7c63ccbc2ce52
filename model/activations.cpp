#include "model/activations.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

#include "model/attention_kernels.hpp"

namespace headroom::model {
namespace {

MatrixView<const float> head_matrix(const std::vector<float>& all, std::size_t head, std::size_t tokens,
                                    std::size_t components) {
  return {all.data() + head * tokens * components, tokens, components};
}

/// Rows of queries are done in strips, so that little is computed past what a causal query sees.
constexpr std::size_t kStrip = 64;

}  // namespace

Activations::Activations(std::size_t tokens, std::vector<BlockActivations> blocks, std::vector<float> embedding)
    : tokens_(tokens), blocks_(std::move(blocks)), embedding_(std::move(embedding)) {}

MatrixView<const float> Activations::queries(std::size_t layer, std::size_t head) const {
  return head_matrix(blocks_[layer].queries, head, tokens_, blocks_[layer].head_dim);
}

MatrixView<const float> Activations::keys(std::size_t layer, std::size_t head) const {
  return head_matrix(blocks_[layer].keys, head, tokens_, blocks_[layer].head_dim);
}

MatrixView<const float> Activations::values(std::size_t layer, std::size_t head) const {
  return head_matrix(blocks_[layer].values, head, tokens_, blocks_[layer].value_dim);
}

MatrixView<const float> Activations::hidden(std::size_t layer) const {
  const BlockActivations& block = blocks_[layer];
  if (block.hidden.empty()) return {};
  return {block.hidden.data(), tokens_, block.width};
}

MatrixView<const float> Activations::embedding() const {
  if (embedding_.empty()) return {};
  return {embedding_.data(), tokens_, embedding_.size() / tokens_};
}

void Activations::logits(std::size_t layer, std::size_t head, std::size_t first, MatrixView<double> out) const {
  assert(first + out.rows <= tokens_ && out.cols == tokens_);
  const MatrixView<const float> q = queries(layer, head);
  const Visibility& seen = visibility(layer);
  for (std::size_t r = 0; r < out.rows; r += kStrip) {
    const std::size_t rows = std::min(kStrip, out.rows - r);
    std::size_t end = 0;
    for (std::size_t i = 0; i < rows; ++i) end = std::max(end, seen.range(first + r + i).end);
    inner_products({q.row_data(first + r), rows, q.cols, q.stride}, keys(layer, head),
                   {out.row_data(r), rows, end, out.stride});
  }
}

void Activations::bias(std::size_t layer, std::size_t head, std::size_t first, MatrixView<double> out) const {
  const Visibility& seen = visibility(layer);
  for (std::size_t r = 0; r < out.rows; ++r) {
    std::fill_n(out.row_data(r), out.cols, 0.0);
    const Visibility::Range range = seen.range(first + r);
    for (const BiasTerm& term : blocks_[layer].rule.bias) {
      for (std::size_t j = range.begin; j < range.end; ++j) {
        if (seen.visible(first + r, j)) out(r, j) += term.at(head, first + r, j);
      }
    }
  }
}

void Activations::weights(std::size_t layer, std::size_t head, std::size_t first, MatrixView<double> out) const {
  logits(layer, head, first, out);
  const ScoreRule& rule = blocks_[layer].rule;
  for (std::size_t r = 0; r < out.rows; ++r) {
    const std::size_t query = first + r;
    const Visibility::Range range = rule.visibility.range(query);
    double* row = out.row_data(r);
    std::fill(row, row + range.begin, 0.0);
    std::fill(row + range.end, row + out.cols, 0.0);
    if (range.size() == 0) continue;
    for (std::size_t j = range.begin; j < range.end; ++j) row[j] *= rule.scale;
    for (const BiasTerm& term : rule.bias) {
      for (std::size_t j = range.begin; j < range.end; ++j) row[j] += term.at(head, query, j);
    }
    if (!rule.visibility.contiguous(query)) {
      for (std::size_t j = range.begin; j < range.end; ++j) {
        if (!rule.visibility.visible(query, j)) row[j] = -std::numeric_limits<double>::infinity();
      }
    }
    softmax(row + range.begin, range.size());
  }
}

}  // namespace headroom::model
