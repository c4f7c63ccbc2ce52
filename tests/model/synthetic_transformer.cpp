#include "synthetic_transformer.hpp"

#include <onnx/onnx_pb.h>

#include <cmath>

namespace headroom::test {
namespace {

using Scale = Form::Scale;
using Mask = Form::Mask;
constexpr float kLeast = -3.4028234663852886e38F;

class Builder {
 public:
  explicit Builder(const Form& form) : f_(form), b_(form.opset) {}

  OnnxBuilder build() {
    const std::string ids = b_.input("input_ids", onnx::TensorProto::INT64, {f_.batch, f_.sequence});
    length_ = b_.with("Gather", {b_.node("Shape", {ids}), b_.integers({1})}, "axis", std::int64_t{0});
    std::string x = embed(ids);
    if (f_.post_norm) x = b_.layer_norm(x, "embeddings.norm", f_.width());
    masks();
    for (std::int64_t layer = 0; layer < f_.layers; ++layer) x = block(x, "h." + std::to_string(layer));
    b_.output(b_.node("MatMul", {x, b_.weight("head", {f_.width(), f_.vocabulary}, 0.1F)}));
    return std::move(b_);
  }

 private:
  std::string embed(const std::string& ids) {
    std::string x = b_.node("Gather", {weight("wte", {f_.vocabulary, f_.width()}, 0.8F), ids});
    if (f_.token_types) {
      const std::string types = b_.input("token_type_ids", onnx::TensorProto::INT64, {f_.batch, f_.sequence});
      x = b_.node("Add", {x, b_.node("Gather", {weight("wtt", {2, f_.width()}, 0.8F), types})});
    }
    if (f_.rotary) return x;
    std::string positions;
    if (f_.position_ids) {
      positions = b_.input("position_ids", onnx::TensorProto::INT64, {f_.batch, f_.sequence});
    } else {
      const std::string end = b_.node("Squeeze", {length_});
      positions = b_.unsqueeze(b_.node("Range", {b_.integer(0), end, b_.integer(1)}), 0);
    }
    return b_.node("Add", {x, b_.node("Gather", {weight("wpe", {f_.context, f_.width()}, 0.4F), positions})});
  }

  std::string weight(const std::string& name, const std::vector<std::int64_t>& shape, float scale) {
    return b_.weight(name, shape, scale, f_.half_weights);
  }

  /// A stored (1, 1, context, context) matrix, cut to (1, 1, L, L).
  std::string cut(const std::string& stored) {
    const std::string zero = b_.integers({0});
    return b_.slice(b_.slice(stored, zero, length_, 2), zero, length_, 3);
  }

  void masks() {
    const std::int64_t c = f_.context;
    std::vector<bool> seen(static_cast<std::size_t>(c * c));
    std::vector<float> alibi;
    for (std::int64_t i = 0; i < c; ++i) {
      for (std::int64_t j = 0; j < c; ++j) {
        const bool near = f_.mask != Mask::window || i - j < kWindow;
        seen[static_cast<std::size_t>(i * c + j)] = j <= i && near;
      }
    }
    if (f_.mask != Mask::none) allowed_ = cut(b_.bools("tril", {1, 1, c, c}, seen));
    if (f_.attention_mask) {
      const std::string given = b_.input("attention_mask", onnx::TensorProto::INT64, {f_.batch, f_.sequence});
      const std::string real =
          b_.with("Cast", {b_.unsqueeze(b_.unsqueeze(given, 1), 2)}, "to", onnx::TensorProto::FLOAT);
      padding_ = b_.node("Mul", {b_.node("Sub", {b_.scalar(1.0F), real}), b_.scalar(-1e9F)});
    }
    if (!f_.alibi) return;
    for (std::int64_t head = 0; head < f_.heads; ++head) {
      for (std::int64_t j = 0; j < c; ++j) {
        alibi.push_back(alibi_slope(static_cast<std::size_t>(head)) * static_cast<float>(j));
      }
    }
    alibi_ = b_.slice(b_.floats("alibi", {1, f_.heads, 1, c}, alibi), b_.integers({0}), length_, 3);
  }

  std::string block(const std::string& x, const std::string& name) {
    const std::string input = f_.post_norm ? x : b_.layer_norm(x, name + ".ln_1", f_.width());
    std::string y = b_.node("Add", {x, attention(input, name)});
    if (f_.post_norm) y = b_.layer_norm(y, name + ".ln_1", f_.width());
    const std::string inner = b_.node("MatMul", {y, weight(name + ".fc", {f_.width(), 2 * f_.width()}, 0.2F)});
    const std::string z =
        b_.node("MatMul", {b_.node("Relu", {inner}), weight(name + ".out", {2 * f_.width(), f_.width()}, 0.2F)});
    return b_.node("Add", {y, z});
  }

  std::string project(const std::string& x, const std::string& name, std::int64_t width) {
    const std::string product = b_.node("MatMul", {x, weight(name + ".weight", {f_.width(), width}, 0.5F)});
    return b_.node("Add", {product, weight(name + ".bias", {width}, 0.2F)});
  }

  OnnxBuilder::Names projections(const std::string& x, const std::string& name) {
    const std::int64_t kv = f_.kv_heads * f_.head_dim;
    if (!f_.fused_qkv) {
      return {project(x, name + ".q", f_.width()), project(x, name + ".k", kv), project(x, name + ".v", kv)};
    }
    // The same numbers as in three projections, side by side.
    OnnxBuilder::Names weights;
    OnnxBuilder::Names biases;
    for (const char* part : {".q", ".k", ".v"}) {
      const std::int64_t width = part[1] == 'q' ? f_.width() : kv;
      weights.push_back(weight(name + part + ".weight", {f_.width(), width}, 0.5F));
      biases.push_back(weight(name + part + ".bias", {width}, 0.2F));
    }
    const std::string all = b_.with("Concat", weights, "axis", std::int64_t{1});
    const std::string shift = b_.with("Concat", biases, "axis", std::int64_t{0});
    const std::string flat = b_.node("Gemm", {b_.reshape(x, {-1, f_.width()}), all, shift});
    const std::string length =
        b_.with("Concat", {b_.integers({-1}), length_, b_.integers({f_.width() + 2 * kv})}, "axis", std::int64_t{0});
    return b_.split(b_.node("Reshape", {flat, length}), {f_.width(), kv, kv}, 2);
  }

  std::string rotate(const std::string& x) {
    const std::int64_t half = f_.head_dim / 2;
    std::vector<float> cosines;
    std::vector<float> sines;
    for (std::int64_t t = 0; t < f_.context; ++t) {
      for (std::int64_t c = 0; c < f_.head_dim; ++c) {
        const double angle =
            static_cast<double>(t) / std::pow(100.0, static_cast<double>(c % half) / static_cast<double>(half));
        cosines.push_back(static_cast<float>(std::cos(angle)));
        sines.push_back(static_cast<float>(std::sin(angle)));
      }
    }
    if (cosines_.empty()) {
      cosines_ = b_.slice(b_.floats("cos", {f_.context, f_.head_dim}, cosines), b_.integers({0}), length_, 0);
      sines_ = b_.slice(b_.floats("sin", {f_.context, f_.head_dim}, sines), b_.integers({0}), length_, 0);
    }
    const std::string zero = b_.integers({0});
    const std::string middle = b_.integers({half});
    const std::string left = b_.slice(x, zero, middle, 3);
    const std::string right = b_.slice(x, middle, b_.integers({f_.head_dim}), 3);
    const std::string turned = b_.with("Concat", {b_.node("Neg", {right}), left}, "axis", std::int64_t{3});
    return b_.node("Add", {b_.node("Mul", {x, cosines_}), b_.node("Mul", {turned, sines_})});
  }

  std::string copy(const std::string& x) {
    if (!f_.copies) return x;
    const std::string same = b_.with("Cast", {b_.node("Identity", {x})}, "to", onnx::TensorProto::FLOAT);
    return b_.node("Dropout", {same});
  }

  /// (batch, L, n·d) to (batch, n, L, d).
  std::string split_heads(const std::string& x, std::int64_t heads) {
    return b_.transpose(b_.reshape(x, {0, 0, heads, f_.head_dim}), {0, 2, 1, 3});
  }

  std::string repeat(const std::string& x) {
    if (f_.kv_heads == f_.heads) return x;
    const std::string one = b_.integers({1});
    const std::string shape =
        b_.with("Concat", {one, one, b_.integers({f_.heads / f_.kv_heads}), one, one}, "axis", std::int64_t{0});
    const std::string expanded = b_.node("Expand", {b_.unsqueeze(x, 2), shape});
    const std::string merged =
        b_.with("Concat", {b_.integers({-1, f_.heads}), length_, b_.integers({f_.head_dim})}, "axis", std::int64_t{0});
    return b_.node("Reshape", {expanded, merged});
  }

  std::string with_past(const std::string& x, const std::string& name) {
    if (!f_.past) return x;
    const std::string past =
        b_.input("past_key_values" + name, onnx::TensorProto::FLOAT,
                 {f_.batch, std::to_string(f_.kv_heads), "past_length", std::to_string(f_.head_dim)});
    return b_.with("Concat", {past, x}, "axis", std::int64_t{2});
  }

  std::string merge(const std::string& x) {
    const std::string shape =
        b_.with("Concat", {b_.integers({-1}), length_, b_.integers({f_.head_dim})}, "axis", std::int64_t{0});
    return b_.node("Reshape", {x, shape});
  }

  std::string attention(const std::string& x, const std::string& name) {
    const auto d = static_cast<float>(f_.head_dim);
    OnnxBuilder::Names parts = projections(x, name);
    if (f_.scale == Scale::on_query) parts[0] = b_.node("Mul", {parts[0], b_.scalar(1.0F / std::sqrt(d))});
    if (f_.einsum) return project_out(einsum_attention(parts), name);
    std::string q = split_heads(copy(parts[0]), f_.heads);
    std::string k = split_heads(copy(parts[1]), f_.kv_heads);
    std::string v = split_heads(parts[2], f_.kv_heads);
    if (f_.rotary) {
      q = rotate(q);
      k = rotate(k);
    }
    k = repeat(with_past(k, name + ".key"));
    v = repeat(with_past(v, name + ".value"));
    if (f_.merged_heads) {
      q = merge(q);
      k = merge(k);
      v = merge(v);
    }
    std::string transposed =
        b_.transpose(k, f_.merged_heads ? std::vector<std::int64_t>{0, 2, 1} : std::vector<std::int64_t>{0, 1, 3, 2});
    if (f_.scale == Scale::sqrt_on_both) {
      // As exported from scaled_dot_product_attention: the root of the scale, computed from a shape.
      const std::string extent = b_.with("Gather", {b_.node("Shape", {q}), b_.integers({-1})}, "axis", std::int64_t{0});
      const std::string dim = b_.with("Cast", {extent}, "to", onnx::TensorProto::FLOAT);
      const std::string root = b_.node("Sqrt", {b_.node("Div", {b_.scalar(1.0F), b_.node("Sqrt", {dim})})});
      q = b_.node("Mul", {q, root});
      transposed = b_.node("Mul", {transposed, root});
    }
    std::string scores = b_.node("MatMul", {q, transposed});
    if (f_.merged_heads) scores = unmerge_scores(scores);
    scores = masked(copy(scaled(scores)));
    if (f_.merged_heads) scores = merge_scores(scores);
    std::string weights = softmax(scores, f_.merged_heads ? 3 : 4);
    std::string out = b_.node("MatMul", {copy(weights), v});
    if (f_.merged_heads) {
      const std::string shape = b_.with("Concat", {b_.integers({-1, f_.heads}), length_, b_.integers({f_.head_dim})},
                                        "axis", std::int64_t{0});
      out = b_.node("Reshape", {out, shape});
    }
    return project_out(b_.reshape(b_.transpose(out, {0, 2, 1, 3}), {0, 0, f_.width()}), name);
  }

  std::string einsum_attention(const OnnxBuilder::Names& parts) {
    OnnxBuilder::Names heads;
    for (const std::string& part : parts) heads.push_back(b_.reshape(part, {0, 0, f_.heads, f_.head_dim}));
    const std::string scores = b_.with("Einsum", {heads[1], heads[0]}, "equation", std::string("bkhd,bqhd->bhqk"));
    const std::string weights = softmax(masked(scaled(scores)), 4);
    return b_.reshape(b_.with("Einsum", {weights, heads[2]}, "equation", std::string("bhqk, bkhd -> bqhd")),
                      {0, 0, f_.width()});
  }

  std::string project_out(const std::string& x, const std::string& name) {
    return b_.node("MatMul", {x, weight(name + ".proj", {f_.width(), f_.width()}, 0.3F)});
  }

  std::string unmerge_scores(const std::string& scores) {
    const std::string shape =
        b_.with("Concat", {b_.integers({-1, f_.heads}), length_, length_}, "axis", std::int64_t{0});
    return b_.node("Reshape", {scores, shape});
  }

  std::string merge_scores(const std::string& scores) {
    return b_.node("Reshape",
                   {scores, b_.with("Concat", {b_.integers({-1}), length_, length_}, "axis", std::int64_t{0})});
  }

  std::string scaled(const std::string& scores) {
    const float root = std::sqrt(static_cast<float>(f_.head_dim));
    if (f_.scale == Scale::div_scores) return b_.node("Div", {scores, b_.scalar(root)});
    if (f_.scale == Scale::mul_scores) return b_.node("Mul", {b_.scalar(1.0F / root), scores});
    return scores;
  }

  std::string masked(std::string scores) {
    if (f_.alibi) scores = b_.node("Add", {alibi_, scores});
    switch (f_.mask) {
      case Mask::none:
        break;
      case Mask::where:
      case Mask::window:
        scores = b_.node("Where", {allowed_, scores, b_.scalar(kLeast)});
        break;
      case Mask::masked_fill:
        scores = b_.node("Where", {b_.node("Not", {allowed_}), b_.scalar(-INFINITY), scores});
        break;
      case Mask::add:
        scores = b_.node("Add", {scores, b_.node("Where", {allowed_, b_.scalar(0.0F), b_.scalar(kLeast)})});
        break;
      case Mask::where_and_add: {
        const std::string filled = b_.node("Where", {allowed_, scores, b_.scalar(-1e4F)});
        const std::string again = b_.node("Where", {allowed_, b_.scalar(0.0F), b_.scalar(-1e4F)});
        scores = b_.node("Max", {b_.node("Add", {filled, again}), b_.scalar(kLeast)});
        break;
      }
      case Mask::gate: {
        const std::string gate = b_.with("Cast", {allowed_}, "to", onnx::TensorProto::FLOAT);
        const std::string shift = b_.node("Mul", {b_.scalar(1e4F), b_.node("Sub", {b_.scalar(1.0F), gate})});
        scores = b_.node("Sub", {b_.node("Mul", {scores, gate}), shift});
        break;
      }
    }
    return padding_.empty() ? scores : b_.node("Add", {scores, padding_});
  }

  std::string softmax(const std::string& scores, std::int64_t rank) {
    const std::string weights = b_.with("Softmax", {scores}, "axis", f_.opset < 13 ? rank - 1 : -1);
    if (!f_.guarded) return weights;
    return b_.node("Where", {b_.node("IsNaN", {weights}), b_.scalar(0.0F), weights});
  }

  Form f_;
  OnnxBuilder b_;
  std::string length_;
  std::string allowed_;
  std::string padding_;
  std::string alibi_;
  std::string cosines_;
  std::string sines_;
};

}  // namespace

float alibi_slope(std::size_t head) { return std::pow(0.5F, static_cast<float>(head + 1)); }

OnnxBuilder synthetic_transformer(const Form& form) { return Builder(form).build(); }

}  // namespace headroom::test
