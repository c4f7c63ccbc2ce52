#include "model/attention_layout.hpp"

#include <algorithm>
#include <string>

namespace headroom::model {
namespace {

struct Equation {
  std::string left;
  std::string right;
  std::string output;
};

/// The three terms; nothing for other forms (an ellipsis, a repeated label, an implicit output).
std::optional<Equation> parse(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    if (c != ' ') plain += c;
  }
  const std::size_t comma = plain.find(',');
  const std::size_t arrow = plain.find("->");
  if (comma == std::string::npos || arrow == std::string::npos || comma > arrow) return std::nullopt;
  Equation e{plain.substr(0, comma), plain.substr(comma + 1, arrow - comma - 1), plain.substr(arrow + 2)};
  for (const std::string* term : {&e.left, &e.right, &e.output}) {
    std::string sorted = *term;
    std::sort(sorted.begin(), sorted.end());
    const bool letters = std::all_of(sorted.begin(), sorted.end(), [](char c) { return c >= 'A' && c <= 'z'; });
    if (!letters || std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) return std::nullopt;
  }
  return e;
}

bool has(const std::string& term, char label) { return term.find(label) != std::string::npos; }

int axis(const std::string& term, char label) {
  const std::size_t at = term.find(label);
  return at == std::string::npos ? HeadLayout::kMissing : static_cast<int>(at);
}

/// Axes of `term`: the lead labels in order, then row, then column; nothing when a label of the term is left over.
std::optional<HeadLayout> layout(const std::string& term, const std::string& lead, char row, char column) {
  std::vector<int> order;
  std::size_t used = 2;
  for (const char label : lead) {
    order.push_back(axis(term, label));
    if (order.back() != HeadLayout::kMissing) ++used;
  }
  if (!has(term, row) || !has(term, column) || used != term.size()) return std::nullopt;
  order.push_back(axis(term, row));
  order.push_back(axis(term, column));
  return HeadLayout::axes(std::move(order));
}

/// The one label of `term` that stands in `other` and not in `output`.
std::optional<char> summed_label(const std::string& term, const std::string& other, const std::string& output) {
  std::optional<char> found;
  for (const char label : term) {
    if (!has(other, label) || has(output, label)) continue;
    if (found) return std::nullopt;
    found = label;
  }
  return found;
}

}  // namespace

HeadLayout HeadLayout::columns() {
  HeadLayout layout;
  layout.swapped_ = true;
  return layout;
}

HeadLayout HeadLayout::axes(std::vector<int> order) {
  HeadLayout layout;
  layout.order_ = std::move(order);
  return layout;
}

std::vector<int> HeadLayout::order(std::size_t rank) const {
  if (!order_.empty()) {
    const auto present = std::count_if(order_.begin(), order_.end(), [](int a) { return a != kMissing; });
    return static_cast<std::size_t>(present) == rank ? order_ : std::vector<int>();
  }
  if (rank < 2) return {};
  std::vector<int> order(rank);
  for (std::size_t i = 0; i < rank; ++i) order[i] = static_cast<int>(i);
  if (swapped_) std::swap(order[rank - 1], order[rank - 2]);
  return order;
}

std::optional<EinsumLayouts> score_einsum(std::string_view equation) {
  std::optional<Equation> e = parse(equation);
  if (!e || e->output.size() < 2) return std::nullopt;
  const char key = e->output.back();
  const char query = e->output[e->output.size() - 2];
  const std::string lead = e->output.substr(0, e->output.size() - 2);
  const std::optional<char> summed = summed_label(e->left, e->right, e->output);
  if (!summed) return std::nullopt;
  EinsumLayouts result;
  result.swapped = has(e->left, key);
  const std::string& queries = result.swapped ? e->right : e->left;
  const std::string& keys = result.swapped ? e->left : e->right;
  if (has(queries, key) || has(keys, query)) return std::nullopt;
  const std::optional<HeadLayout> q = layout(queries, lead, query, *summed);
  const std::optional<HeadLayout> k = layout(keys, lead, key, *summed);
  if (!q || !k) return std::nullopt;
  result.left = result.swapped ? *k : *q;
  result.right = result.swapped ? *q : *k;
  return result;
}

std::optional<HeadLayout> value_einsum(std::string_view equation, std::size_t weights) {
  const std::optional<Equation> e = parse(equation);
  if (!e) return std::nullopt;
  const std::string& w = weights == 0 ? e->left : e->right;
  const std::string& v = weights == 0 ? e->right : e->left;
  if (w.size() < 2 || has(e->output, w.back())) return std::nullopt;
  std::string own;
  for (const char label : v) {
    if (!has(w, label)) own += label;
  }
  if (own.size() != 1) return std::nullopt;
  return layout(v, w.substr(0, w.size() - 2), w.back(), own[0]);
}

std::optional<HeadMatrices> gather_heads(const Tensor& tensor, const HeadLayout& layout) {
  const std::vector<int> order = layout.order(tensor.shape.size());
  if (order.empty()) return std::nullopt;
  std::vector<std::size_t> strides(tensor.shape.size(), 1);
  for (std::size_t i = strides.size(); i-- > 1;) strides[i - 1] = strides[i] * tensor.shape[i];
  std::vector<std::size_t> extent;
  std::vector<std::size_t> step;
  for (const int axis : order) {
    extent.push_back(axis == HeadLayout::kMissing ? 1 : tensor.shape[static_cast<std::size_t>(axis)]);
    step.push_back(axis == HeadLayout::kMissing ? 0 : strides[static_cast<std::size_t>(axis)]);
  }
  HeadMatrices result;
  const std::size_t lead_axes = order.size() - 2;
  result.lead.assign(extent.begin(), extent.begin() + static_cast<std::ptrdiff_t>(lead_axes));
  result.tokens = extent[lead_axes];
  result.components = extent[lead_axes + 1];
  result.values.resize(tensor.values.size());
  if (tensor.values.empty()) return result;
  std::vector<std::size_t> index(lead_axes, 0);
  float* out = result.values.data();
  for (;;) {
    std::size_t base = 0;
    for (std::size_t i = 0; i < lead_axes; ++i) base += index[i] * step[i];
    for (std::size_t t = 0; t < result.tokens; ++t) {
      const float* from = tensor.values.data() + base + t * step[lead_axes];
      for (std::size_t c = 0; c < result.components; ++c) *out++ = from[c * step[lead_axes + 1]];
    }
    std::size_t i = lead_axes;
    while (i > 0 && ++index[i - 1] == extent[i - 1]) index[--i] = 0;
    if (i == 0) return result;
  }
}

std::optional<std::vector<std::size_t>> broadcast_lead(const std::vector<std::size_t>& a,
                                                       const std::vector<std::size_t>& b) {
  std::vector<std::size_t> result(std::max(a.size(), b.size()), 1);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::size_t from_a = i < a.size() ? a[a.size() - 1 - i] : 1;
    const std::size_t from_b = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (from_a != from_b && from_a != 1 && from_b != 1) return std::nullopt;
    result[result.size() - 1 - i] = from_a == 1 ? from_b : from_a;
  }
  return result;
}

bool broadcast_heads(HeadMatrices& matrices, const std::vector<std::size_t>& target) {
  if (matrices.lead == target) return true;
  if (broadcast_lead(matrices.lead, target) != target) return false;
  std::vector<std::size_t> own(target.size(), 1);
  std::copy_backward(matrices.lead.begin(), matrices.lead.end(), own.end());
  const std::size_t matrix = matrices.tokens * matrices.components;
  std::size_t heads = 1;
  for (const std::size_t extent : target) heads *= extent;
  std::vector<float> repeated(heads * matrix);
  for (std::size_t head = 0; head < heads; ++head) {
    std::size_t left = head;
    std::size_t from = 0;
    std::size_t stride = 1;
    for (std::size_t i = target.size(); i-- > 0;) {
      if (own[i] != 1) from += left % target[i] * stride;
      left /= target[i];
      stride *= own[i];
    }
    std::copy_n(matrices.values.data() + from * matrix, matrix, repeated.data() + head * matrix);
  }
  matrices.lead = target;
  matrices.values = std::move(repeated);
  return true;
}

}  // namespace headroom::model
