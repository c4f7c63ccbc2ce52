#include "model/attention_layout.hpp"

#include <vector>

#include "catch.hpp"

using headroom::model::broadcast_heads;
using headroom::model::broadcast_lead;
using headroom::model::gather_heads;
using headroom::model::HeadLayout;
using headroom::model::HeadMatrices;
using headroom::model::score_einsum;
using headroom::model::Tensor;
using headroom::model::value_einsum;

namespace {

Tensor counted(std::vector<std::size_t> shape) {
  Tensor tensor;
  std::size_t count = 1;
  for (const std::size_t extent : shape) count *= extent;
  for (std::size_t i = 0; i < count; ++i) tensor.values.push_back(static_cast<float>(i));
  tensor.shape = std::move(shape);
  return tensor;
}

}  // namespace

TEST_CASE("rows and columns differ by a transposition alone") {
  const auto rows = gather_heads(counted({1, 2, 3, 4}), HeadLayout::rows());
  REQUIRE(rows);
  CHECK(rows->lead == std::vector<std::size_t>{1, 2});
  CHECK(rows->tokens == 3);
  CHECK(rows->values == counted({24}).values);
  const auto columns = gather_heads(counted({1, 2, 3, 4}), HeadLayout::columns());
  REQUIRE(columns);
  CHECK(columns->tokens == 4);
  CHECK(columns->components == 3);
  CHECK(columns->values[1] == 4.0F);
  CHECK(columns->values[12] == 12.0F);
}

TEST_CASE("an Einsum's labels say where heads, tokens and components stand") {
  const auto layouts = score_einsum("b q h d, b k h d -> b h q k");
  REQUIRE(layouts);
  CHECK_FALSE(layouts->swapped);
  CHECK(layouts->left.order(4) == std::vector<int>{0, 2, 1, 3});
  const auto swapped = score_einsum("bkhd,bqhd->bhqk");
  REQUIRE(swapped);
  CHECK(swapped->swapped);
  const auto shared = score_einsum("bhqd,bkd->bhqk");
  REQUIRE(shared);
  CHECK(shared->right.order(3) == std::vector<int>{0, HeadLayout::kMissing, 1, 2});
  const auto values = value_einsum("bhqk,bkhd->bqhd", 0);
  REQUIRE(values);
  CHECK(values->order(4) == std::vector<int>{0, 2, 1, 3});
}

TEST_CASE("equations that are no product of queries and keys are not read") {
  for (const char* equation : {"", "bhqd", "bhqd,bhkd", "...qd,...kd->...qk", "bhqd,bhkd->bhkq,", "bhqq,bhkd->bhqk",
                               "bhqde,bhkde->bhqk", "bhqd,bhkd->bhqd", "bhqdx,bhkd->bhqk", "q->k,"}) {
    INFO(equation);
    const auto layouts = score_einsum(equation);
    CHECK_FALSE(layouts.has_value());
  }
}

TEST_CASE("keys of one head are repeated by the broadcasting rules") {
  HeadMatrices keys{{2, 1}, 1, 1, {5.0F, 7.0F}};
  const auto lead = broadcast_lead({2, 3}, keys.lead);
  REQUIRE(lead == std::vector<std::size_t>{2, 3});
  REQUIRE(broadcast_heads(keys, *lead));
  CHECK(keys.values == std::vector<float>{5, 5, 5, 7, 7, 7});
  CHECK_FALSE(broadcast_lead({2, 3}, {2}).has_value());
  CHECK_FALSE(broadcast_heads(keys, {2, 4}));
}
