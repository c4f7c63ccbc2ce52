#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "app/bundled.hpp"
#include "model/text.hpp"
#include "model/tokenizer.hpp"

namespace headroom::bench {

/// The first `length` tokens of Moby-Dick, what `reproduce` reads by default.
inline std::vector<std::int64_t> bundled_window(const model::Tokenizer& tokenizer, std::size_t length) {
  const std::vector<model::TokenId> ids = tokenizer.encode(model::read_text(app::bundled_text()));
  return {ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(length)};
}

}  // namespace headroom::bench
