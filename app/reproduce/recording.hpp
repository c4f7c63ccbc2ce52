#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "model/activations.hpp"

namespace headroom::app {

/// A head of a model, both counted from zero.
struct HeadName {
  std::size_t layer = 0;
  std::size_t head = 0;
};

/// Heads named LAYER.HEAD. Usage error at the first that is not of that form.
[[nodiscard]] std::vector<HeadName> parse_heads(const std::vector<std::string>& names);

/// Writes the logits of the heads as their own softmax sees them, scale·q·k + bias, as a .npy file of shape (heads,
/// queries, tokens) in float32, −∞ for tokens a query does not see: what the logit model `file:PATH` draws its rows
/// from. One head at a time is in memory. Usage error for a head that the model does not have; input errors as
/// OutputFile.
void record_heads(const model::Activations& activations, const std::vector<HeadName>& heads,
                  const std::filesystem::path& path);

}  // namespace headroom::app
