#include "model/transformer.hpp"

#include <onnx/onnx_pb.h>

#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "catch.hpp"
#include "core/error.hpp"
#include "scratch_folder.hpp"
#include "synthetic_transformer.hpp"

using headroom::MatrixView;
using headroom::model::Activations;
using headroom::model::AttentionBlock;
using headroom::model::Transformer;
using headroom::test::Form;
using headroom::test::OnnxBuilder;
using headroom::test::ScratchFolder;
using headroom::test::synthetic_transformer;

namespace {

const std::string kBundled = std::string(HEADROOM_SOURCE) + "/model/assets/gpt2-wp/model.onnx";

std::vector<std::int64_t> some_ids(std::size_t length, std::size_t vocabulary) {
  std::vector<std::int64_t> ids(length);
  for (std::size_t i = 0; i < length; ++i) ids[i] = static_cast<std::int64_t>((i * i * 37 + i * 11 + 3) % vocabulary);
  return ids;
}

Transformer loaded(const OnnxBuilder& model) {
  const ScratchFolder folder;
  model.save(folder / "model.onnx");
  return Transformer::load(folder / "model.onnx", 1);
}

Transformer loaded(const Form& form) { return loaded(synthetic_transformer(form)); }

std::vector<double> head_weights(const Activations& activations, std::size_t layer, std::size_t head) {
  const std::size_t n = activations.tokens();
  std::vector<double> out(n * n);
  activations.weights(layer, head, {out.data(), n, n});
  return out;
}

std::vector<double> head_logits(const Activations& activations, std::size_t layer, std::size_t head) {
  const std::size_t n = activations.tokens();
  std::vector<double> out(n * n, 0.0);
  activations.logits(layer, head, {out.data(), n, n});
  return out;
}

double largest_difference(MatrixView<const float> a, MatrixView<const float> b) {
  REQUIRE(a.rows == b.rows);
  REQUIRE(a.cols == b.cols);
  double worst = 0.0;
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t j = 0; j < a.cols; ++j) {
      worst = std::max(worst, static_cast<double>(std::abs(a(i, j) - b(i, j))));
    }
  }
  return worst;
}

/// Everything read from the two must be the same up to rounding in float32.
void require_same(const Activations& a, const Activations& b) {
  REQUIRE(a.layers() == b.layers());
  CHECK(largest_difference(a.embedding(), b.embedding()) < 1e-5);
  for (std::size_t layer = 0; layer < a.layers(); ++layer) {
    REQUIRE(a.heads(layer) == b.heads(layer));
    CHECK(a.scale(layer) == Approx(b.scale(layer)).epsilon(1e-6));
    CHECK(largest_difference(a.hidden(layer), b.hidden(layer)) < 1e-4);
    for (std::size_t head = 0; head < a.heads(layer); ++head) {
      CHECK(largest_difference(a.queries(layer, head), b.queries(layer, head)) < 1e-4);
      CHECK(largest_difference(a.keys(layer, head), b.keys(layer, head)) < 1e-4);
      CHECK(largest_difference(a.values(layer, head), b.values(layer, head)) < 1e-4);
    }
  }
}

/// The form `change` makes of GPT-2's must give what GPT-2's own form gives.
void same_as_plain(const std::function<void(Form&)>& change) {
  Form form;
  change(form);
  const Transformer model = loaded(form);
  const auto ids = some_ids(40, 61);
  require_same(model.forward(ids), loaded(Form()).forward(ids));
  for (const AttentionBlock& block : model.blocks()) {
    CHECK(block.heads == 4);
    CHECK(block.kv_heads == 4);
    CHECK(block.head_dim == 8);
    CHECK(block.scale == Approx(1.0 / std::sqrt(8.0)).epsilon(1e-6));
    CHECK(block.causal);
    CHECK_FALSE(block.bias);
    CHECK(block.vectors == std::vector<std::string>{"embedding", "hidden", "value"});
  }
}

}  // namespace

TEST_CASE("the bundled model has 12 causal blocks of 12 heads") {
  const Transformer model = Transformer::load(kBundled, 2);
  REQUIRE(model.blocks().size() == 12);
  for (std::size_t layer = 0; layer < 12; ++layer) {
    const AttentionBlock& block = model.blocks()[layer];
    CHECK(block.layer == layer);
    CHECK(block.heads == 12);
    CHECK(block.kv_heads == 12);
    CHECK(block.head_dim == 16);
    CHECK(block.scale == 0.25);
    CHECK(block.causal);
    CHECK_FALSE(block.bias);
    CHECK(block.vectors == std::vector<std::string>{"embedding", "hidden", "value"});
  }
  CHECK(model.context() == 1024U);
  CHECK_FALSE(model.fixed_length());
  CHECK(model.vocabulary() == 4096U);
}

TEST_CASE("a short sequence's activations are the beginning of a longer one's") {
  const Transformer model = Transformer::load(kBundled, 2);
  const auto ids = some_ids(96, 4096);
  const Activations longer = model.forward(ids);
  const Activations shorter = model.forward(std::span(ids).first(33));
  for (const std::size_t layer : {0U, 5U, 11U}) {
    const MatrixView<const float> q = longer.queries(layer, 7);
    CHECK(largest_difference({q.data, 33, 16}, shorter.queries(layer, 7)) < 1e-4);
    const MatrixView<const float> h = longer.hidden(layer);
    CHECK(largest_difference({h.data, 33, 192}, shorter.hidden(layer)) < 1e-4);
  }
}

TEST_CASE("weights are rows of a causal softmax and exactly zero beyond") {
  const Transformer model = Transformer::load(kBundled, 2);
  const Activations activations = model.forward(some_ids(80, 4096));
  const std::vector<double> weights = head_weights(activations, 3, 4);
  const std::vector<double> logits = head_logits(activations, 3, 4);
  for (std::size_t i = 0; i < 80; ++i) {
    CHECK(activations.visibility(3).count(i) == i + 1);
    double total = 0.0;
    for (std::size_t j = 0; j <= i; ++j) total += std::exp(0.25 * logits[i * 80 + j]);
    for (std::size_t j = 0; j < 80; ++j) {
      const double expected = j <= i ? std::exp(0.25 * logits[i * 80 + j]) / total : 0.0;
      CHECK(weights[i * 80 + j] == Approx(expected).epsilon(1e-12).margin(1e-300));
    }
  }
}

TEST_CASE("a window of rows equals the same rows of the whole") {
  const Transformer model = loaded(Form());
  const Activations activations = model.forward(some_ids(50, 61));
  const std::vector<double> whole = head_weights(activations, 1, 2);
  std::vector<double> window(std::size_t{7} * 50);
  activations.weights(1, 2, 30, {window.data(), 7, 50});
  for (std::size_t i = 0; i < window.size(); ++i) CHECK(window[i] == whole[30 * 50 + i]);
}

TEST_CASE("every thread reads the same from one pass") {
  const Transformer model = loaded(Form());
  const Activations activations = model.forward(some_ids(60, 61));
  const std::vector<double> alone = head_weights(activations, 0, 1);
  std::vector<std::vector<double>> results(4);
  std::vector<std::thread> threads;
  for (std::vector<double>& result : results) {
    threads.emplace_back([&] { result = head_weights(activations, 0, 1); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<double>& result : results) CHECK(result == alone);
}

TEST_CASE("embedding, hidden state, queries, keys and values are what their definitions say") {
  const Form form;
  const OnnxBuilder graph = synthetic_transformer(form);
  const Transformer model = loaded(graph);
  const auto ids = some_ids(20, 61);
  const Activations activations = model.forward(ids);
  const std::vector<float> wte = graph.stored("wte");
  const std::vector<float> wpe = graph.stored("wpe");
  const std::vector<float> gain = graph.stored("h.0.ln_1.weight");
  const std::vector<float> shift = graph.stored("h.0.ln_1.bias");
  const auto project = [&](const std::vector<double>& x, const std::string& name, std::size_t column) {
    const std::vector<float> weight = graph.stored("h.0." + name + ".weight");
    double sum = static_cast<double>(graph.stored("h.0." + name + ".bias")[column]);
    for (std::size_t c = 0; c < 32; ++c) sum += x[c] * static_cast<double>(weight[c * 32 + column]);
    return sum;
  };
  for (const std::size_t t : {0U, 7U, 19U}) {
    std::vector<double> x(32);
    double mean = 0.0;
    for (std::size_t c = 0; c < 32; ++c) {
      const auto id = static_cast<std::size_t>(ids[t]);
      x[c] = static_cast<double>(wte[id * 32 + c]) + static_cast<double>(wpe[t * 32 + c]);
      CHECK(static_cast<double>(activations.embedding()(t, c)) == Approx(x[c]).margin(1e-6));
      mean += x[c] / 32;
    }
    double variance = 0.0;
    for (const double v : x) variance += (v - mean) * (v - mean) / 32;
    for (std::size_t c = 0; c < 32; ++c) {
      x[c] = (x[c] - mean) / std::sqrt(variance + 1e-5) * static_cast<double>(gain[c]) + static_cast<double>(shift[c]);
      CHECK(static_cast<double>(activations.hidden(0)(t, c)) == Approx(x[c]).margin(1e-5));
    }
    for (std::size_t head = 0; head < 4; ++head) {
      for (std::size_t c = 0; c < 8; ++c) {
        const std::size_t column = head * 8 + c;
        CHECK(static_cast<double>(activations.queries(0, head)(t, c)) == Approx(project(x, "q", column)).margin(1e-5));
        CHECK(static_cast<double>(activations.keys(0, head)(t, c)) == Approx(project(x, "k", column)).margin(1e-5));
        CHECK(static_cast<double>(activations.values(0, head)(t, c)) == Approx(project(x, "v", column)).margin(1e-5));
      }
    }
  }
}

TEST_CASE("wherever the scale stands, it is found and divided out") {
  same_as_plain([](Form& f) { f.scale = Form::Scale::mul_scores; });
  same_as_plain([](Form& f) { f.scale = Form::Scale::on_query; });
  same_as_plain([](Form& f) { f.scale = Form::Scale::sqrt_on_both; });
}

TEST_CASE("without a scale the total is one") {
  Form form;
  form.scale = Form::Scale::none;
  CHECK(loaded(form).blocks()[0].scale == 1.0);
}

TEST_CASE("however the causal mask is written, it is found") {
  for (const Form::Mask mask :
       {Form::Mask::masked_fill, Form::Mask::add, Form::Mask::where_and_add, Form::Mask::gate}) {
    same_as_plain([mask](Form& f) { f.mask = mask; });
  }
}

TEST_CASE("heads merged with the batch are told apart") {
  same_as_plain([](Form& f) { f.merged_heads = true; });
  same_as_plain([](Form& f) {
    f.merged_heads = true;
    f.mask = Form::Mask::add;
    f.scale = Form::Scale::on_query;
  });
}

TEST_CASE("products written as Einsum are read") {
  same_as_plain([](Form& f) { f.einsum = true; });
}

TEST_CASE("three projections give what one with a Split gives") {
  same_as_plain([](Form& f) { f.fused_qkv = false; });
}

TEST_CASE("casts, identities, dropouts and guards against NaN rows change nothing") {
  same_as_plain([](Form& f) { f.copies = true; });
  same_as_plain([](Form& f) { f.guarded = true; });
}

TEST_CASE("masks, positions, token types and an empty past are filled in") {
  same_as_plain([](Form& f) { f.attention_mask = true; });
  same_as_plain([](Form& f) { f.position_ids = true; });
  same_as_plain([](Form& f) {
    f.past = true;
    f.attention_mask = true;
  });
  Form form;
  form.token_types = true;
  const Transformer model = loaded(form);
  CHECK(model.inputs().size() == 2);
  CHECK(model.inputs()[1].name == "token_type_ids");
  CHECK(model.inputs()[1].filled_with == "zeros");
  CHECK(model.context() == 64U);
}

TEST_CASE("opsets 11 to 20 are read") {
  for (const int opset : {11, 12, 14, 15, 16, 17, 18, 19, 20}) {
    same_as_plain([opset](Form& f) { f.opset = opset; });
  }
}

TEST_CASE("weights stored in half precision are read through their casts") {
  Form form;
  form.half_weights = true;
  const Transformer model = loaded(form);
  CHECK(model.blocks()[1].vectors.size() == 3);
  CHECK(model.vocabulary() == 61U);
  CHECK(model.context() == 64U);
}

TEST_CASE("a model that computes in half precision is read, its softmax agreeing as far as half precision can") {
  for (const Form::Scale scale : {Form::Scale::div_scores, Form::Scale::sqrt_on_both}) {
    Form form;
    form.scale = scale;
    form.mask = Form::Mask::add;
    OnnxBuilder graph = synthetic_transformer(form);
    graph.halve();
    const Transformer model = loaded(graph);
    CHECK(model.blocks()[0].scale == Approx(1.0 / std::sqrt(8.0)).epsilon(2e-3));
    CHECK(model.blocks()[0].causal);
    const Activations half = model.forward(some_ids(40, 61));
    const Activations whole = loaded(Form()).forward(some_ids(40, 61));
    CHECK(largest_difference(half.queries(0, 2), whole.queries(0, 2)) < 0.05);
  }
}

TEST_CASE("grouped keys and values are repeated for every head") {
  Form form;
  form.kv_heads = 2;
  form.fused_qkv = false;
  const Transformer model = loaded(form);
  CHECK(model.blocks()[0].heads == 4);
  CHECK(model.blocks()[0].kv_heads == 2);
  CHECK(model.blocks()[0].vectors.size() == 3);
  const Activations activations = model.forward(some_ids(24, 61));
  CHECK(largest_difference(activations.keys(0, 0), activations.keys(0, 1)) == 0.0);
  CHECK(largest_difference(activations.keys(0, 1), activations.keys(0, 2)) > 0.0);
}

TEST_CASE("rotary embeddings belong to queries and keys, a scale before them does not") {
  Form form;
  form.rotary = true;
  const Transformer plain = loaded(form);
  form.scale = Form::Scale::on_query;
  const Transformer early = loaded(form);
  CHECK(plain.context() == 64U);
  CHECK(early.blocks()[0].scale == Approx(1.0 / std::sqrt(8.0)).epsilon(1e-6));
  const auto ids = some_ids(40, 61);
  require_same(plain.forward(ids), early.forward(ids));
  CHECK(plain.blocks()[0].vectors == std::vector<std::string>{"embedding", "hidden", "value"});
}

TEST_CASE("a model without a mask is not causal and sees every token") {
  Form form;
  form.mask = Form::Mask::none;
  form.post_norm = true;
  form.attention_mask = true;
  form.token_types = true;
  const Transformer model = loaded(form);
  const Activations activations = model.forward(some_ids(30, 61));
  for (const AttentionBlock& block : model.blocks()) {
    CHECK_FALSE(block.causal);
    CHECK(block.vectors == std::vector<std::string>{"embedding", "hidden", "value"});
  }
  CHECK(activations.visibility(0).count(0) == 30);
  // In this order of norms the residual stream and the first block's input are one.
  CHECK(largest_difference(activations.embedding(), activations.hidden(0)) == 0.0);
}

TEST_CASE("a sliding window limits what is visible") {
  Form form;
  form.mask = Form::Mask::window;
  const Transformer model = loaded(form);
  const Activations activations = model.forward(some_ids(40, 61));
  CHECK(model.blocks()[0].causal);
  CHECK(activations.visibility(1).range(20).begin == 16);
  CHECK(activations.visibility(1).range(20).end == 21);
  CHECK(activations.visibility(1).count(2) == 3);
}

TEST_CASE("a bias added to the scores is kept apart from scale and mask") {
  for (const Form::Mask mask : {Form::Mask::where, Form::Mask::add}) {
    Form form;
    form.alibi = true;
    form.mask = mask;
    const Transformer model = loaded(form);
    CHECK(model.blocks()[0].bias);
    CHECK(model.blocks()[0].causal);
    const Activations activations = model.forward(some_ids(20, 61));
    REQUIRE(activations.has_bias(0));
    std::vector<double> bias(20 * 20);
    for (std::size_t head = 0; head < 4; ++head) {
      activations.bias(0, head, 0, {bias.data(), 20, 20});
      const double slope = static_cast<double>(headroom::test::alibi_slope(head));
      CHECK(bias[19 * 20 + 6] == Approx(6 * slope));
      CHECK(bias[3 * 20 + 6] == 0.0);
    }
  }
}

TEST_CASE("a fixed sequence axis means that length and no other") {
  Form form;
  form.batch = std::to_string(2);
  form.sequence = std::to_string(48);
  const Transformer model = loaded(form);
  CHECK(model.fixed_length());
  CHECK(model.context() == 48U);
  const auto ids = some_ids(48, 61);
  require_same(model.forward(ids), loaded(Form()).forward(ids));
  CHECK_THROWS_WITH(model.forward(some_ids(20, 61)), contains("exactly 48 tokens"));
}

TEST_CASE("a context shorter than the usual prompt is found too") {
  Form form;
  form.context = 9;
  const Transformer model = loaded(form);
  CHECK(model.context() == 9U);
  CHECK(model.forward(some_ids(9, 61)).tokens() == 9);
  CHECK(model.forward(some_ids(1, 61)).tokens() == 1);
  CHECK_THROWS_WITH(model.forward(some_ids(10, 61)), contains("context of 9"));
}

TEST_CASE("unusable sequences are refused, the position named") {
  const Transformer model = loaded(Form());
  CHECK_THROWS_WITH(model.forward({}), contains("without tokens"));
  CHECK_THROWS_WITH(model.forward(some_ids(65, 61)), contains("context of 64"));
  std::vector<std::int64_t> ids = some_ids(10, 61);
  ids[4] = 61;
  CHECK_THROWS_WITH(model.forward(ids), contains("token 61 at position 4") && contains("vocabulary of 61"));
  ids[4] = -1;
  CHECK_THROWS_WITH(model.forward(ids), contains("token -1 at position 4"));
}
