#pragma once

#include <memory>
#include <string>

#include "sim/logits.hpp"

namespace headroom::app {

/// For a logit model "file:PATH" the rows of the .npy array at PATH, (rows, tokens) or (heads, rows, tokens): raw
/// logits q·k, −∞ on the tokens a query does not see, which must be the last ones. Null for every other model. Input
/// errors name the file.
[[nodiscard]] std::shared_ptr<const sim::LogitModel> read_recorded(const std::string& logits);

}  // namespace headroom::app
